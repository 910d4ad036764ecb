//! Plans: the cost of a solve, estimated before it begins.

use puabi_core::RuleSet;
use puabi_solve::{Options, Plan, SolveError, Solver, Unattended, bound};

fn solver(rules: &str) -> Solver {
    let rules = rules.parse::<RuleSet>().unwrap().compile().unwrap();
    Solver::new(&rules, Options { threads: 2, ..Options::default() }).unwrap()
}

#[test]
fn a_plan_counts_what_the_solve_reports() {
    for rules in ["finkel:2", "blitz:1", "skiriuk:1", "murray:1"] {
        let solver = solver(rules);
        let Plan { positions, layers, sublayers, can_be_solved, .. } = solver.plan();
        let (_, report) = solver.solve(&Unattended, &Unattended).unwrap();
        assert_eq!(
            (positions, layers, sublayers),
            (report.positions, report.layers, report.sublayers)
        );
        assert!(can_be_solved);
    }
}

#[test]
fn a_plan_of_the_largest_game_is_made_without_its_memory() {
    let plan = solver("skiriuk").plan();
    assert_eq!((plan.positions, plan.largest_sublayer), (1_072_022_880_769, 541_154_107_131));
    assert!(!plan.can_be_solved);
    assert!(plan.memory > 8 * plan.largest_sublayer);
    // Each value is read and written, and its successors are read.
    assert!(plan.sweep_reads > plan.sweep_writes && plan.sweep_writes == 8 * plan.largest_sublayer);
}

#[test]
fn more_pieces_take_more_of_everything() {
    for rules in ["finkel", "masters", "simple-ur", "murray", "dmytro", "skiriuk"] {
        let plans: Vec<_> =
            (1..=7).map(|pieces| solver(&format!("{rules}:{pieces}")).plan()).collect();
        for pair in plans.windows(2) {
            assert!(pair[0].cpu_seconds < pair[1].cpu_seconds, "{rules}");
            assert!(pair[0].memory <= pair[1].memory, "{rules}");
            assert!(pair[0].sweep_reads < pair[1].sweep_reads, "{rules}");
        }
    }
}

#[test]
fn a_game_whose_values_have_no_places_is_refused_before_it_begins() {
    for rules in ["skiriuk", "simple-ur:10"] {
        let solver = solver(rules);
        assert!(!solver.plan().can_be_solved, "{rules}");
        let error = solver.solve(&Unattended, &Unattended).unwrap_err();
        assert!(
            matches!(error, SolveError::TooManyValues { values, most } if values > most),
            "{error}"
        );
    }
}

/// Returns a game with this many pieces on a path of 31 camps, in which any number of pieces may lie on a square.
fn camps(pieces: u8) -> RuleSet {
    let tiles: Vec<_> = (1..=31).map(|column| format!("A{column}")).collect();
    let tiles = tiles.join(" ");
    let text = format!(
        "name = \"Camps\"\ndice = \"4d\"\npieces = {pieces}\n[path]\nboard = [\"{}\"]\nlight = \"{tiles}\"\ndark = \"{tiles}\"",
        "C".repeat(31),
    );
    RuleSet::from_toml(&text).unwrap()
}

#[test]
fn memory_beyond_what_can_be_counted_is_the_most_there_is() {
    let mut before = [0; 3];
    for pieces in 8..=11 {
        let solver = Solver::new(&camps(pieces).compile().unwrap(), Options::default()).unwrap();
        let memory =
            [solver.evaluation_memory(), solver.meeting_memory(3), solver.holding_memory()];
        let least = solver.indexer().len().saturating_mul(8);
        assert!(memory[0] >= least && memory[2] >= least, "{pieces} pieces: {memory:?}");
        assert!((0..3).all(|at| memory[at] >= before[at]), "{pieces} pieces: {memory:?}");
        before = memory;
    }
    assert_eq!(before[0], u64::MAX);
}

#[test]
fn no_threads_are_one() {
    for rules in ["finkel:2", "murray:1"] {
        let rules = rules.parse::<RuleSet>().unwrap().compile().unwrap();
        let solver =
            |threads| Solver::new(&rules, Options { threads, ..Options::default() }).unwrap();
        let [none, one] = [solver(0), solver(1)];
        assert_eq!(none.plan(), one.plan());
        let counted = |it: &Solver| [it.memory(), it.evaluation_memory(), it.memory_among(2)];
        assert_eq!(counted(&none), counted(&one));
        let [found, expected] = [none, one].map(|it| it.solve(&Unattended, &Unattended).unwrap());
        assert_eq!(found.1, expected.1);
        bound(&rules, &found.0, 0, &Unattended, (&|_, _, _| {}, &|it| it)).unwrap();
    }
}

#[test]
fn a_rank_has_room_for_the_largest_sublayer_that_it_sweeps_alone() {
    let rules = RuleSet::FINKEL.compile().unwrap();
    let solver = Solver::new(&rules, Options { threads: 1, ..Options::default() }).unwrap();
    // With one, two or four ranks, a single rank sweeps the largest sublayer alone.
    let [one, two, four] = [1, 2, 4].map(|ranks| solver.plan_for_ranks(ranks));
    assert_eq!([two.spilling, four.spilling], [one.spilling; 2]);
    assert!(solver.memory_among(2) <= solver.memory());
}

#[test]
fn more_dice_have_more_successors() {
    let tiles: Vec<_> = (1..=24).map(|column| format!("A{column}")).collect();
    let memory = |dice: &str| {
        let (board, tiles) = (".".repeat(24), tiles.join(" "));
        let path =
            format!("[path]\nboard = [\"{board}\"]\nlight = \"{tiles}\"\ndark = \"{tiles}\"");
        let text = format!("name = \"Dice\"\ndice = \"{dice}\"\npieces = 5\n{path}");
        let rules = RuleSet::from_toml(&text).unwrap().compile().unwrap();
        Solver::new(&rules, Options { threads: 1, ..Options::default() }).unwrap().memory()
    };
    let [one, four, eight] = ["1d", "4d", "8d"].map(memory);
    assert!(one * 3 < four * 2 && four * 4 < eight * 3, "{one}, {four}, {eight}");
}

#[test]
fn plans_are_made_without_the_masks_of_the_game() {
    // A path of 31 tiles with 27 shared ones and 15 pieces: 10^8 masks.
    let row = |lane: char, columns: std::ops::RangeInclusive<u8>| {
        columns.map(|column| format!("{lane}{column}")).collect::<Vec<_>>().join(" ")
    };
    let [light, shared, dark] = [row('A', 1..=4), row('B', 1..=27), row('C', 1..=4)];
    let lane = format!("...*{}", " ".repeat(23));
    let board = format!("board = [\"{lane}\", \"{}\", \"{lane}\"]", ".".repeat(27));
    let path = format!("[path]\n{board}\nlight = \"{light} {shared}\"\ndark = \"{dark} {shared}\"");
    let text = format!("name = \"Long\"\ndice = \"4d\"\npieces = 15\n{path}");
    let rules = RuleSet::from_toml(&text).unwrap().compile().unwrap();
    let solver = Solver::new(&rules, Options::default()).unwrap();
    assert!(solver.held_among(2) > 0 && solver.bounding_memory() > solver.memory());
}
