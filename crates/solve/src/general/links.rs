//! Links: what the moves of a block's configuration lead to, found once for all sweeps.
//!
//! For each player, light first, and each roll there is a word that counts what follows: the moves of the configuration
//! in the low byte, in the next one bit for each origin (0 the hand, then the pre squares) from which a piece comes onto
//! the configuration. Then a [`Link`] for each of the moves, and for each of the origins from the lowest.

use puabi_core::{Afterstate, Decision, Indexer, Move, Player, Position, Rules, Square, Sublayer};

use super::layout::Block;

/// Where a move leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Link {
    /// The first value of the block: among those at work, or in a finished sublayer.
    pub(super) base: usize,
    /// Whether the mover rolls again.
    pub(super) again: bool,
    /// Whether a piece of the other player goes back to hand.
    pub(super) captures: bool,
    /// Where it leads out of the sublayer.
    pub(super) exit: Option<Exit>,
}

/// A way out of a sublayer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exit {
    /// The game is won.
    Won,
    /// The sublayer at this index.
    Into {
        at: usize,
        /// Whether dark is the senior side there.
        is_turned: bool,
    },
}

const EXIT: u32 = 1;
const AGAIN: u32 = 2;
const CAPTURES: u32 = 4;
const FLAGS: u32 = 3;
const WON: u32 = u32::MAX;

impl Link {
    /// Reads a link; it takes one word, or two where it leads out.
    pub(super) fn read(words: &mut impl Iterator<Item = u32>) -> Self {
        let mut next = || words.next().expect("links are whole");
        let word = next();
        let exit = (word & EXIT != 0).then(|| match next() {
            WON => Exit::Won,
            word => Exit::Into { at: (word >> 1) as usize, is_turned: word & 1 != 0 },
        });
        Self {
            base: (word >> FLAGS) as usize,
            again: word & AGAIN != 0,
            captures: word & CAPTURES != 0,
            exit,
        }
    }

    fn write(self, words: &mut Vec<u32>) {
        let base = u32::try_from(self.base).ok().filter(|base| base >> (32 - FLAGS) == 0);
        let base = base.expect("a sublayer has fewer than 2^29 positions");
        let flag = |is_set: bool, flag| if is_set { flag } else { 0 };
        let flags = flag(self.exit.is_some(), EXIT)
            | flag(self.again, AGAIN)
            | flag(self.captures, CAPTURES);
        words.push(base << FLAGS | flags);
        words.extend(self.exit.map(|exit| match exit {
            Exit::Won => WON,
            Exit::Into { at, is_turned } => {
                u32::try_from(at).expect("few sublayers") << 1 | u32::from(is_turned)
            }
        }));
    }
}

/// The links of a sublayer's blocks.
pub(super) struct Finder<'a> {
    rules: &'a Rules,
    indexer: &'a Indexer,
    sublayer: Sublayer,
    pre: u8,
}

impl<'a> Finder<'a> {
    pub(super) fn new(rules: &'a Rules, indexer: &'a Indexer, sublayer: Sublayer) -> Self {
        Self { rules, indexer, sublayer, pre: indexer.zones().pre() }
    }

    /// Adds the links of `block`.
    pub(super) fn push(&self, block: Block, links: &mut Vec<u32>) {
        let board = self.indexer.position(self.sublayer.base + u64::from(block.base));
        let board = board.expect("an index below the length");
        for (player, position) in [(Player::Light, board), (Player::Dark, board.flipped())] {
            for &(roll, _) in self.rules.rolls() {
                let head = links.len();
                links.push(0);
                let decision = self.rules.decision(position, roll);
                for (action, after) in decision.afterstates() {
                    if action.from().is_some() {
                        links[head] += 1;
                        self.link(player, &decision, action, after).write(links);
                    }
                }
                for origin in 0..=self.pre {
                    if let Some(link) = self.comes(player, position, roll, origin) {
                        links[head] |= 1 << (8 + origin);
                        link.write(links);
                    }
                }
            }
        }
    }

    /// What a piece from the hand or a pre square leads to that comes onto the configuration.
    fn comes(
        &self,
        player: Player,
        position: Position,
        roll: puabi_core::Roll,
        origin: u8,
    ) -> Option<Link> {
        if origin + roll.steps() <= self.pre || self.indexer.hand(position.mine()) == 0 {
            return None;
        }
        let from = Square::new(origin);
        let position = match from {
            Some(_) => {
                let mut content = [0; puabi_core::Zones::MAX_PRE as usize];
                content[usize::from(origin) - 1] = 1;
                let rank = self.indexer.lane().rank_of(content)?;
                self.indexer.lane().laid(position, rank)
            }
            None => position,
        };
        let decision = self.rules.decision(position, roll);
        let comes =
            |&(action, _): &(Move, Afterstate)| action != Move::Pass && action.from() == from;
        let (action, after) = decision.afterstates().find(comes)?;
        Some(self.link(player, &decision, action, after))
    }

    fn link(
        &self,
        player: Player,
        decision: &Decision<'_>,
        action: Move,
        after: Afterstate,
    ) -> Link {
        let again = after.rolls_again();
        let captures = decision.captures(action).is_some();
        let Some(next) = after.position() else {
            return Link { base: 0, again, captures, exit: Some(Exit::Won) };
        };
        let light_rolls = (player == Player::Light) == again;
        let place = self.indexer.place(next);
        let offset = |offset: u64| usize::try_from(offset).expect("a sublayer fits memory");
        let states = (place.mine.max(place.theirs), place.mine.min(place.theirs));
        if states == (self.sublayer.senior, self.sublayer.junior) {
            let board = if light_rolls { next } else { next.flipped() };
            let half = if light_rolls { 0 } else { self.sublayer.half };
            let base = offset(self.indexer.place(board).offset + half);
            return Link { base, again, captures, exit: None };
        }
        let at = states.0 * (states.0 + 1) / 2 + states.1;
        let mover_is_senior = place.mine >= place.theirs;
        let first = self.indexer.first_of(place.mine, place.theirs);
        let base = offset(first - self.indexer.sublayers()[at].base + place.offset);
        let is_turned = light_rolls != mover_is_senior;
        Link { base, again, captures, exit: Some(Exit::Into { at, is_turned }) }
    }
}
