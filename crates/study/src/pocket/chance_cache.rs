//! The chances that the model of a pocket finds for positions. They are kept, because a position follows many others.

use std::sync::atomic::{AtomicU32, Ordering};

use puabi_core::{Indexer, Position, Rules};
use puabi_engine::{Net, backed_up};

/// The model that ranks the moves of a decision in a pocket.
#[derive(Debug, Clone)]
pub struct PocketModel {
    /// The net.
    pub net: Net,
    /// How often it is backed up before it ranks moves: not at all, or once.
    pub backups: u8,
}

/// The chances of all positions by a net and its backups, each found when it is first asked for.
///
/// Threads that ask for a chance at once find the same bits, so it does not matter whose bits are kept.
#[derive(Debug)]
pub(super) struct ChanceCache<'a> {
    rules: &'a Rules,
    pub(super) indexer: Indexer,
    pub(super) model: PocketModel,
    /// The bits of each chance, by number of backups and position.
    known: Vec<Box<[AtomicU32]>>,
}

/// The bits that stand for a chance that is not known yet; as a float they are not a number.
const UNKNOWN: u32 = u32::MAX;

impl<'a> ChanceCache<'a> {
    /// Returns the chances of a model, none of them known yet. Takes four bytes of memory a position, and four more if the net is
    /// backed up.
    pub(super) fn new(rules: &'a Rules, indexer: Indexer, model: PocketModel) -> Self {
        let unknown = || (0..indexer.len()).map(|_| AtomicU32::new(UNKNOWN)).collect();
        let known = (0..=model.backups).map(|_| unknown()).collect();
        Self { rules, indexer, model, known }
    }

    /// Returns the chance (0..=1) of the player about to roll, as [`puabi_engine::Pocket::chance`] does.
    #[inline]
    pub(super) fn chance(&self, position: Position) -> f32 {
        self.chance_after(self.known.len() - 1, position)
    }

    #[inline]
    fn chance_after(&self, backups: usize, position: Position) -> f32 {
        let index = self.indexer.rank(position);
        let place = usize::try_from(index).expect("the positions fit into memory");
        let known = &self.known[backups][place];
        let bits = known.load(Ordering::Relaxed);
        if bits != UNKNOWN {
            return f32::from_bits(bits);
        }
        let chance = match backups {
            0 => self.model.net.chance(position),
            _ => backed_up(self.rules, position, |next| self.chance_after(backups - 1, next)),
        };
        known.store(chance.to_bits(), Ordering::Relaxed);
        chance
    }
}
