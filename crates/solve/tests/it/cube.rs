//! Laws of games with a doubling cube, and slow plain iterations to compare the solver with.

use puabi_core::{
    Afterstate, Away, Cube, CubeEvaluator, Indexer, Player, Position, RuleSet, Rules, Stakes,
};
use puabi_solve::{Options, Solver, Unattended, Values};

/// What a cube state is worth in plain iterations: by player about to roll, by index of the position.
type Plain = [Vec<f64>; 2];

/// A cube as plain iterations see it.
#[derive(Clone, Copy)]
struct State<'a> {
    /// By player: what that player is worth once the game is lost and once it is won.
    ends: [[f64; 2]; 2],
    /// By player who may double: the worth of passing, and the values with the doubled cube.
    doubles: [Option<(f64, &'a Plain)>; 2],
}

fn solver(rule_set: &RuleSet) -> (Rules, Solver, Values) {
    let rules = rule_set.compile().unwrap();
    let solver = Solver::new(&rules, Options::default()).unwrap();
    let (cubeless, _) = solver.solve(&Unattended, &Unattended).unwrap();
    (rules, solver, cubeless)
}

/// What a move leads to: by index of the next position.
#[derive(Clone, Copy)]
pub(crate) enum Next {
    Won,
    RollsAgain(usize),
    TurnPasses(usize),
}

/// Every position of a game with its rolls, and what each move of a roll leads to.
pub(crate) struct Graph(pub(crate) Vec<Vec<(f64, Vec<Next>)>>);

impl Graph {
    pub(crate) fn new(rules: &Rules, indexer: &Indexer) -> Self {
        let at = |position| usize::try_from(indexer.rank(position)).unwrap();
        let next = |after: Afterstate| match after {
            Afterstate::Won => Next::Won,
            Afterstate::RollsAgain(position) => Next::RollsAgain(at(position)),
            Afterstate::TurnPasses(position) => Next::TurnPasses(at(position)),
        };
        let rolls = |index| {
            let position = indexer.position(index).unwrap();
            let moves = |roll| {
                let decision = rules.decision(position, roll);
                decision.afterstates().map(|(_, after)| next(after)).collect()
            };
            rules.rolls().iter().map(|&(roll, chance)| (chance, moves(roll))).collect()
        };
        Self((0..indexer.len()).map(rolls).collect())
    }

    /// Backs up every position until nothing changes, one at a time and with nothing clever. `sum` is the sum of both players'
    /// worths, which is the same at every end of the game.
    fn iterate(&self, state: State<'_>, sum: f64) -> Plain {
        let mut values = [0, 1].map(|player: usize| {
            let [lost, won] = state.ends[player];
            vec![f64::midpoint(lost, won); self.0.len()]
        });
        loop {
            let mut change = 0.0_f64;
            for (index, rolls) in self.0.iter().enumerate().rev() {
                for mover in Player::BOTH {
                    let worth = |next: &Next| match *next {
                        Next::Won => state.ends[mover as usize][1],
                        Next::RollsAgain(next) => values[mover as usize][next],
                        Next::TurnPasses(next) => sum - values[mover.opponent() as usize][next],
                    };
                    let best = |(chance, moves): &(f64, Vec<Next>)| {
                        chance * moves.iter().map(worth).fold(f64::NEG_INFINITY, f64::max)
                    };
                    let mut value: f64 = rolls.iter().map(best).sum();
                    if let Some((pass, doubled)) = state.doubles[mover as usize] {
                        value = value.max(pass.min(doubled[mover as usize][index]));
                    }
                    change = change.max((value - values[mover as usize][index]).abs());
                    values[mover as usize][index] = value;
                }
            }
            // Rounding may move values to and fro by their last bit for ever. The changes still missing are at most about this
            // number times the plies of a game, some 100.
            if change < 1e-15 {
                return values;
            }
        }
    }
}

fn largest_difference(values: &Values, plain: &[f64], worth: impl Fn(f64) -> f64) -> f64 {
    let found = values.chunks().flatten().zip(plain);
    found.map(|(&value, plain)| (worth(value) - plain).abs()).fold(0.0, f64::max)
}

/// Returns a game for money as plain iterations see it.
fn stake(doubles: [Option<(f64, &Plain)>; 2]) -> State<'_> {
    State { ends: [[-1.0, 1.0]; 2], doubles }
}

/// Returns how far the first levels of a cube for money are from plain iterations, in equity.
fn money_error(rule_set: &RuleSet, doublings: u8) -> f64 {
    let (rules, solver, cubeless) = solver(rule_set);
    let graph = Graph::new(&rules, cubeless.indexer());
    let mut above = cubeless.clone();
    let mut plain_above = graph.iterate(stake([None; 2]), 0.0);
    let mut worst = largest_difference(&cubeless, &plain_above[0], |value| 2.0 * value - 1.0);
    for _ in 0..doublings {
        let level = solver.solve_cube_level(&above, &Unattended).unwrap();
        assert!(level.report.residual < 1e-15, "{:?}", level.report);
        // The values above are of a player whose opponent owns the cube; each is relative to the value of its own cube.
        let twice = plain_above.map(|values| values.iter().map(|value| 2.0 * value).collect());
        let double = Some((1.0, &twice));
        let centred = graph.iterate(stake([double, double]), 0.0);
        let lights = graph.iterate(stake([double, None]), 0.0);
        let equity = |value| 2.0 * value - 1.0;
        for (values, plain) in
            [(&level.centred, &centred[0]), (&level.owned, &lights[0]), (&level.theirs, &lights[1])]
        {
            worst = worst.max(largest_difference(values, plain, equity));
        }
        let [_, theirs] = lights;
        plain_above = [theirs.clone(), theirs];
        above = level.theirs;
    }
    worst
}

#[test]
fn levels_of_a_cube_equal_a_plain_iteration() {
    assert!(money_error(&RuleSet::FINKEL.with_pieces(1), 3) < 1e-12);
    // Contests solve `murray`, which is not for the dense engine.
    assert!(money_error(&RuleSet::ASEB.with_pieces(1), 2) < 1e-12);
    assert!(money_error(&RuleSet::MURRAY.with_pieces(1), 2) < 1e-12);
}

#[test]
fn levels_of_a_cube_equal_a_plain_iteration_with_two_pieces() {
    assert!(money_error(&RuleSet::FINKEL.with_pieces(2), 3) < 1e-12);
    assert!(money_error(&RuleSet::BLITZ.with_pieces(2), 3) < 1e-12);
}

#[test]
fn equities_at_the_start_alternate_with_the_number_of_doublings() {
    let (rules, solver, cubeless) = solver(&RuleSet::FINKEL.with_pieces(2));
    let mut above = cubeless;
    let mut found = Vec::new();
    for _ in 0..12 {
        let level = solver.solve_cube_level(&above, &Unattended).unwrap();
        found.push(2.0 * level.centred.value(rules.start()) - 1.0);
        above = level.theirs;
    }
    assert!((found[10] - 0.06144).abs() < 5e-6, "{found:?}");
    assert!((found[11] - 0.05942).abs() < 5e-6, "{found:?}");
}

/// Finds light's match chances by plain iterations, by score, before and after the Crawford game.
struct PlainMatches {
    graph: Graph,
    /// The index of the position at the start.
    start: usize,
    found: Vec<(Away, f64)>,
}

impl PlainMatches {
    fn chance(&mut self, player: Player, score: Option<Away>, winner: Player) -> f64 {
        let Some(score) = score else { return f64::from(u8::from(player == winner)) };
        let light = self.light(score);
        if player == Player::Light { light } else { 1.0 - light }
    }

    fn light(&mut self, score: Away) -> f64 {
        if let Some(&(_, chance)) = self.found.iter().find(|(known, _)| *known == score) {
            return chance;
        }
        let values = self.game(Stakes::of_match(score));
        let chance = f64::midpoint(values[0][self.start], 1.0 - values[1][self.start]);
        self.found.push((score, chance));
        chance
    }

    /// Returns the chance of the player about to roll to win the match, in every position.
    fn game(&mut self, stakes: Stakes) -> Plain {
        let score = stakes.score.unwrap();
        let ends = Player::BOTH.map(|player| {
            [player.opponent(), player]
                .map(|winner| self.chance(player, score.after(winner, stakes.cube.value()), winner))
        });
        // Unlike in the solver, a player may also double in vain here.
        let above =
            Player::BOTH.map(|player| stakes.double(player).ok().map(|stakes| self.game(stakes)));
        let doubles = Player::BOTH.map(|player| {
            above[player as usize].as_ref().map(|values| (ends[player as usize][1], values))
        });
        self.graph.iterate(State { ends, doubles }, 1.0)
    }
}

fn match_error(rule_set: &RuleSet, points: u32) -> f64 {
    let (rules, solver, cubeless) = solver(rule_set);
    let table = solver.match_table(&cubeless, points, &Unattended).unwrap();
    assert!(table.report.residual < 1e-15, "{:?}", table.report);
    let indexer = cubeless.indexer();
    let start = usize::try_from(indexer.rank(rules.start())).unwrap();
    let mut plain = PlainMatches { graph: Graph::new(&rules, indexer), start, found: Vec::new() };
    let mut worst = 0.0_f64;
    for light in 1..=points {
        for dark in 1..=points {
            for is_crawford in [false, true] {
                let Ok(score) = Away::new([light, dark], is_crawford) else { continue };
                let found = table.chance(Player::Light, Some(score), Player::Light);
                worst = worst.max((found - plain.light(score)).abs());
            }
        }
    }
    worst
}

#[test]
fn match_chances_equal_a_plain_iteration() {
    assert!(match_error(&RuleSet::FINKEL.with_pieces(1), 5) < 1e-12);
}

#[test]
fn match_chances_equal_a_plain_iteration_with_two_pieces() {
    assert!(match_error(&RuleSet::FINKEL.with_pieces(2), 3) < 1e-12);
    assert!(match_error(&RuleSet::BLITZ.with_pieces(2), 3) < 1e-12);
}

#[test]
fn results_have_the_same_bits_for_any_number_of_threads() {
    let rules = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
    let level = |threads| {
        let options = Options { threads, ..Options::default() };
        let solver = Solver::new(&rules, options).unwrap();
        let (cubeless, _) = solver.solve(&Unattended, &Unattended).unwrap();
        solver.solve_cube_level(&cubeless, &Unattended).unwrap()
    };
    let (one, three) = (level(1), level(3));
    assert!(one.owned.chunks().eq(three.owned.chunks()));
    assert!(one.centred.chunks().eq(three.centred.chunks()));
}

#[test]
fn a_cube_is_worth_most_to_its_owner_and_least_to_the_opponent() {
    let (_, solver, cubeless) = solver(&RuleSet::FINKEL.with_pieces(2));
    let level = solver.solve_cube_level(&cubeless, &Unattended).unwrap();
    let all = level.theirs.chunks().flatten().zip(level.centred.chunks().flatten());
    for ((theirs, centred), owned) in all.zip(level.owned.chunks().flatten()) {
        assert!((0.0..=1.0).contains(theirs) && (0.0..=1.0).contains(owned));
        assert!(theirs <= &(centred + 1e-12) && centred <= &(owned + 1e-12));
    }
}

#[test]
fn the_start_of_a_match_is_even_and_a_lead_is_not() {
    let (_, solver, cubeless) = solver(&RuleSet::FINKEL.with_pieces(1));
    let table = solver.match_table(&cubeless, 3, &Unattended).unwrap();
    let start = Away::start(3).unwrap();
    let chance = table.chance(Player::Light, Some(start), Player::Light);
    assert!((chance - 0.5).abs() < 1e-12);
    // The player who needs fewer points is ahead, by as much as the other one is behind.
    let [ahead, behind] = [[2, 3], [3, 2]].map(|points| {
        let score = Away::new(points, false).unwrap();
        table.chance(Player::Light, Some(score), Player::Light)
    });
    assert!(ahead > 0.55 && (ahead + behind - 1.0).abs() < 1e-12, "{ahead} {behind}");
    let cube = Cube::new(start.cap());
    let game = solver.solve_at(start, &cubeless, &table, &Unattended).unwrap();
    let position: Position = cubeless.indexer().position(0).unwrap();
    assert!((0.0..=1.0).contains(&game.worth(cube, Player::Dark, position)));
}
