//! Laws of solved games under random rules.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use puabi_core::{Indexer, RuleSet};
use puabi_solve::{Unattended, bound};

use crate::cube::{Graph, Next};
use crate::fixed_point::can_be_ended;
use crate::solved::Solved;

/// The tiles of a board of three rows and some columns, whose first row is light's and whose last is dark's.
#[derive(Debug, Clone)]
struct AnyBoard {
    own: String,
    shared: String,
    /// The tiles of a path, as indices of all its possible tiles: first those of the player's own row, then those of the shared
    /// row.
    path: Vec<Index>,
}

impl AnyBoard {
    fn any() -> impl Strategy<Value = Self> {
        let row = |columns| {
            let sign = select(vec!['.', '.', '.', '*', '*', 'C', 'H', 'N', 'V', 'L']);
            proptest::collection::vec(sign, columns).prop_map(String::from_iter)
        };
        let rows = (2..5_usize).prop_flat_map(move |columns| (row(columns), row(columns)));
        let path = proptest::collection::vec(any::<Index>(), 3..8);
        (rows, path).prop_map(|((own, shared), path)| Self { own, shared, path })
    }

    fn columns(&self) -> usize {
        self.own.len()
    }

    /// Returns the path of the player whose own row is `own`.
    fn path_by(&self, own: char) -> String {
        let tile = |index: &Index| {
            let at = index.index(2 * self.columns());
            let row = if at < self.columns() { own } else { 'B' };
            format!("{row}{}", at % self.columns() + 1)
        };
        self.path.iter().map(tile).collect::<Vec<_>>().join(" ")
    }

    fn lines(&self) -> String {
        let Self { own, shared, .. } = self;
        let (light, dark) = (self.path_by('A'), self.path_by('C'));
        format!(
            "[path]\nboard = [\"{own}\", \"{shared}\", \"{own}\"]\nlight = \"{light}\"\ndark = \"{dark}\"\n"
        )
    }
}

/// Returns a strategy for rule files. Some of the files are refused as rules.
fn rule_files() -> impl Strategy<Value = String> {
    let switches = [
        "safe_rosettes",
        "rosettes_grant_rolls",
        "exact_exit",
        "captures_grant_rolls",
        "like_captures_like",
        "camps_of_one_kind",
        "last_protects_novices",
    ];
    let numbers = (
        select(vec!["1d", "2d", "3d", "1d0=2", "2d0=3"]),
        1..3_u8,
        proptest::option::of(1..8_u8),
        1..4_u8,
    );
    let words = (
        select(vec!["leaving", "landing"]),
        select(vec!["lifo", "free", "free-in-camps"]),
        select(vec!["draw", "more-home"]),
    );
    let given = (AnyBoard::any(), any::<[bool; 7]>(), numbers, words);
    given.prop_map(move |(board, is_on, (dice, pieces, turning, cap), (on, order, dead))| {
        let switches = switches.iter().zip(is_on).map(|(key, is_on)| format!("{key} = {is_on}\n"));
        let turning =
            turning.map(|square| format!("turning_square = {square}\nturning_on = \"{on}\"\n"));
        format!(
            "name = \"any\"\ndice = \"{dice}\"\npieces = {pieces}\nstack_cap = {cap}\n\
             stack_order = \"{order}\"\ndead_position = \"{dead}\"\n{}{}{}",
            switches.collect::<String>(),
            turning.unwrap_or_default(),
            board.lines()
        )
    })
}

/// Returns the rules of a file, if they are valid and the game is small.
fn small(text: &str) -> Option<RuleSet> {
    let rule_set = RuleSet::from_toml(text).ok()?;
    let indexer = Indexer::new(&rule_set.compile().ok()?).ok()?;
    (indexer.len() <= 20_000).then_some(rule_set)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_rules_have_a_solution_by_the_rules_alone(
        rule_set in rule_files().prop_filter_map("no rules, or too large a game", |text| small(&text))
    ) {
        ensure_solved(&Solved::new(&rule_set)).map_err(|error| {
            TestCaseError::fail(format!("{error}, of\n{}", rule_set.to_toml()))
        })?;
    }
}

/// Returns an error if a value is not a chance, or not its own backup, computed from the rules alone.
fn ensure_solved(solved: &Solved) -> Result<(), TestCaseError> {
    prop_assert!(solved.report.residual <= 3.4e-16, "{:?}", solved.report);
    for position in solved.positions() {
        let value = solved.values.value(position);
        prop_assert!((0.0..=1.0).contains(&value), "{position:?}: {value}");
        let expected = if solved.is_dead(position) {
            solved.rules.dead_value(position)
        } else {
            solved.backup(position)
        };
        prop_assert!((value - expected).abs() < 1e-15, "{position:?}: {value} and {expected}");
    }
    let bounds = bound(&solved.rules, &solved.values, 1, &Unattended, (&|_, _, _| (), &|it| it));
    match bounds {
        // Bounds are about as wide as a rounding error for each roll of a game.
        Ok(bounds) => prop_assert!(bounds.width < 1e-11 || hardly_ends(solved), "{bounds:?}"),
        // Backups do not determine what a game that goes on for ever is worth.
        Err(error) => {
            prop_assert!(!can_be_ended(&solved.rules) || hardly_ends(solved), "{error}");
        }
    }
    Ok(())
}

/// Returns whether from some position the game between perfect players goes on for more than 2,000 rolls more often than not.
fn hardly_ends(solved: &Solved) -> bool {
    let values: Vec<f64> = solved.values.chunks().flatten().copied().collect();
    let Graph(positions) = Graph::new(&solved.rules, solved.values.indexer());
    // How much the player about to roll wins, and whether the game goes on.
    let worth = |next: &Next, goes_on: &[f64]| match *next {
        Next::Won => (1.0, 0.0),
        Next::RollsAgain(next) => (values[next], goes_on[next]),
        Next::TurnPasses(next) => (1.0 - values[next], goes_on[next]),
    };
    let mut goes_on = vec![1.0; positions.len()];
    for _ in 0..2000 {
        let roll = |(chance, moves): &(f64, Vec<Next>)| {
            let moves = moves.iter().map(|next| worth(next, &goes_on));
            chance * moves.max_by(|a, b| a.0.total_cmp(&b.0)).expect("a pass is a move").1
        };
        goes_on = positions.iter().map(|rolls| rolls.iter().map(roll).sum()).collect();
    }
    goes_on.into_iter().any(|chance| chance > 0.5)
}

/// No piece can stand on a closed tile among the first squares, but a piece from the hand passes it all the same.
#[test]
fn a_closed_tile_on_the_way_to_the_shared_squares_hinders_no_piece_from_the_hand() {
    let text = "name = \"Closed gate\"\ndice = \"2d\"\npieces = 1\n[path]\n\
                board = [\"V...\", \"....\", \"V...\"]\nlight = \"A1 B1 B2 B3 A3\"\ndark = \"C1 B1 B2 B3 C3\"\n";
    let solved = Solved::new(&RuleSet::from_toml(text).unwrap());
    assert!((solved.report.start_value - 0.528_244_127_1).abs() < 1e-10);
    ensure_solved(&solved).unwrap();
}

/// In this game some values would swing for ever by the same amount, since each is read by its mirror image as it was before a
/// sweep.
#[test]
fn values_that_swing_settle_half_way() {
    let text = "name = \"Swing\"\ndice = \"1d0=2\"\npieces = 2\nexact_exit = false\nstack_cap = 3\n\
                safe_rosettes = false\n[path]\nboard = [\"V..\", \"H.H\", \"V..\"]\n\
                light = \"B1 B2 A1 B1 B3 A2\"\ndark = \"B1 B2 C1 B1 B3 C2\"\n";
    let solved = Solved::new(&RuleSet::from_toml(text).unwrap());
    ensure_solved(&solved).unwrap();
}

/// Games by these rules last so long that a sweep moves values by little more than a rounding error, always in one direction.
#[test]
fn values_that_drift_settle_at_their_limit() {
    let text = "name = \"Drift\"\ndice = \"1d0=2\"\npieces = 2\nsafe_rosettes = false\nlike_captures_like = true\n\
                exact_exit = false\nstack_cap = 3\ndead_position = \"more-home\"\n\
                [path]\nboard = [\".*V\", \".*.\", \".*V\"]\n\
                light = \"A2 B3 B2 B2 B3 A3 A2\"\ndark = \"C2 B3 B2 B2 B3 C3 C2\"\n";
    ensure_solved(&Solved::new(&RuleSet::from_toml(text).unwrap())).unwrap();
}

/// By these rules a game lasts for billions of rolls, so rounding errors may add up to a part of its values.
#[test]
fn values_of_a_game_that_hardly_ends_are_their_own_backups() {
    let text = "name = \"Endless\"\ndice = \"1d0=2\"\npieces = 2\nsafe_rosettes = false\nexact_exit = false\n\
                turning_square = 4\nturning_on = \"landing\"\nlike_captures_like = true\nstack_cap = 1\n\
                camps_of_one_kind = true\nlast_protects_novices = true\ndead_position = \"more-home\"\n\
                [path]\nboard = [\"..H*\", \"....\", \"..H*\"]\n\
                light = \"A4 B3 A3 A3 B1 A4\"\ndark = \"C4 B3 C3 C3 B1 C4\"\n";
    ensure_solved(&Solved::new(&RuleSet::from_toml(text).unwrap())).unwrap();
}
