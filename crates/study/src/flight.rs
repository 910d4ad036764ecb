//! Games that are played abreast, ply by ply.

use std::ops::Range;

use puabi_core::{Decision, Move};
use puabi_engine::{Ending, Playout};

use crate::contestant::Contestant;
use crate::simulate::Simulation;
use crate::tally::Tally;

/// Pairs of games that are played abreast, so that an agent is asked for the moves of many games at once.
///
/// Each game goes as it would alone.
pub(super) struct Flight<'s, 'a> {
    simulation: &'s Simulation<'a>,
    /// Of each pair the game that A begins, then the one that B begins.
    playouts: Vec<Playout<'a>>,
    /// How they ended, as far as they have.
    endings: Vec<Option<Ending>>,
    /// Those that go on.
    open: Vec<usize>,
}

/// What an agent is asked and answers; kept for the next time.
#[derive(Default)]
struct Round<'a> {
    games: Vec<usize>,
    asked: Vec<(Decision<'a>, f64)>,
    chosen: Vec<Move>,
}

impl<'s, 'a> Flight<'s, 'a> {
    pub(super) fn new(simulation: &'s Simulation<'a>, pairs: Range<u64>) -> Self {
        let playouts: Vec<_> = pairs.flat_map(|pair| simulation.playouts(pair)).collect();
        let (endings, open) = (vec![None; playouts.len()], (0..playouts.len()).collect());
        Self { simulation, playouts, endings, open }
    }

    /// Plays all games to their ends.
    pub(super) fn play(mut self) -> Tally {
        let mut round = Round::default();
        while !self.open.is_empty() {
            self.ply(Contestant::A, &mut round);
            self.ply(Contestant::B, &mut round);
            self.open.retain(|&at| self.endings[at].is_none());
        }
        let ending = |at: usize| self.endings[at].expect("every game has ended");
        let pairs = (0..self.endings.len()).step_by(2);
        let tallies = pairs.map(|at| Tally::of_pair(ending(at), ending(at + 1)));
        tallies.fold(Tally::default(), |sum, next| sum + next)
    }

    /// Plays a ply of every game that `contestant` is to roll in.
    fn ply(&mut self, contestant: Contestant, round: &mut Round<'a>) {
        let Round { games, asked, chosen } = round;
        let (playouts, endings) = (&mut self.playouts, &mut self.endings);
        let rolls = |at: &&usize| {
            let light = if at.is_multiple_of(2) { Contestant::A } else { Contestant::B };
            endings[**at].is_none() && light.playing(playouts[**at].mover()) == contestant
        };
        games.clear();
        games.extend(self.open.iter().filter(rolls));
        asked.clear();
        asked.extend(games.iter().map(|&at| {
            let decision = playouts[at].throw();
            (decision, playouts[at].number())
        }));
        chosen.clear();
        self.simulation.agent(contestant).choose_each(asked, chosen);
        for ((&at, (decision, _)), &action) in games.iter().zip(&*asked).zip(&*chosen) {
            let after = decision.play(action).expect("an agent plays a legal move");
            endings[at] = playouts[at].follow(after);
        }
    }
}
