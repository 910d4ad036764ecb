//! Games that are played abreast, ply by ply.

use puabi_core::{Decision, Forfeit, Move};
use puabi_engine::{GameEnd, Playout};
use puabi_solve::Watch;

use crate::games::contestant::Contestant;
use crate::games::match_score::MatchScore;
use crate::matchup::SharedAgent;

/// Pairs of games that are played abreast, so that an agent is asked for the moves of many games at once.
///
/// Each game goes as it would alone.
pub(super) struct Lockstep<'a> {
    /// A and B.
    agents: [SharedAgent<'a>; 2],
    /// Of each pair the game that A begins, then the one that B begins.
    playouts: Vec<Playout<'a>>,
    /// By game: how it ended; `None` while it goes on.
    endings: Vec<Option<GameEnd>>,
    /// The games that go on.
    open: Vec<usize>,
    watch: &'a dyn Watch,
    /// Whether the watch has stopped the games.
    is_stopped: bool,
}

/// Moves of an agent that is asked one by one, between two looks at whether the games are stopped.
const AT_ONCE: usize = 8;

/// The questions to an agent and its answers; kept, so that every ply uses the same memory.
#[derive(Default)]
struct Round<'a> {
    games: Vec<usize>,
    asked: Vec<(Decision<'a>, f64)>,
    played: Vec<Result<Move, Forfeit>>,
}

impl<'a> Lockstep<'a> {
    /// Begins the games: of each pair the one that A begins, then the one that B begins.
    pub(super) fn new(
        agents: [SharedAgent<'a>; 2],
        playouts: Vec<Playout<'a>>,
        watch: &'a dyn Watch,
    ) -> Self {
        let (endings, open) = (vec![None; playouts.len()], (0..playouts.len()).collect());
        Self { agents, playouts, endings, open, watch, is_stopped: false }
    }

    /// Plays all games to their ends. If the watch stops them, only pairs whose two games have ended count.
    pub(super) fn play(mut self) -> MatchScore {
        let mut round = Round::default();
        while !self.open.is_empty() && !self.is_stopped {
            self.ply(Contestant::A, &mut round);
            self.ply(Contestant::B, &mut round);
            self.open.retain(|&at| self.endings[at].is_none());
        }
        let pairs = self.endings.chunks_exact(2);
        let scores = pairs.filter_map(|pair| Some(MatchScore::of_pair(pair[0]?, pair[1]?)));
        scores.fold(MatchScore::default(), |sum, next| sum + next)
    }

    /// Plays a ply of every game that `contestant` is to roll in.
    fn ply(&mut self, contestant: Contestant, round: &mut Round<'a>) {
        let Round { games, asked, played } = round;
        let (playouts, endings) = (&mut self.playouts, &mut self.endings);
        let rolls = |at: &&usize| {
            let light = if at.is_multiple_of(2) { Contestant::A } else { Contestant::B };
            endings[**at].is_none() && light.playing(playouts[**at].mover()) == contestant
        };
        games.clear();
        games.extend(self.open.iter().filter(rolls));
        asked.clear();
        asked.extend(games.iter().map(|&at| {
            let decision = playouts[at].roll();
            (decision, playouts[at].number())
        }));
        played.clear();
        let agent = self.agents[contestant as usize];
        // An agent that is asked one by one may take its time.
        let at_once = if agent.prefers_batches() { asked.len().max(1) } else { AT_ONCE };
        for asked in asked.chunks(at_once) {
            self.is_stopped |= self.watch.stop();
            if self.is_stopped {
                break;
            }
            agent.play_each(asked, played);
        }
        for ((&at, (decision, _)), action) in games.iter().zip(&*asked).zip(&*played) {
            let Ok(action) = action else {
                endings[at] = Some(playouts[at].forfeit());
                continue;
            };
            let after = decision.play(*action).expect("an agent plays a legal move");
            endings[at] = playouts[at].follow(after);
        }
    }
}
