//! Laws of pages and pictures.

use std::sync::LazyLock;

use proptest::prelude::*;
use puabi_core::{Game, Player, Record, RuleSet, Rules};
use puabi_engine::{
    CubeError, CubeErrorKind, CubeReview, DiceRng, Lookahead, PlayerReport, Random, Review,
};
use puabi_report::{Graph, Page, PlayerPage};
use puabi_solve::{Options, Solver, Unattended, Values};

static FINKEL: LazyLock<Values> = LazyLock::new(|| solved(&RuleSet::FINKEL.with_pieces(2)));
static BLITZ: LazyLock<Values> = LazyLock::new(|| solved(&RuleSet::BLITZ.with_pieces(2)));
static MURRAY: LazyLock<Values> = LazyLock::new(|| solved(&RuleSet::MURRAY.with_pieces(1)));

fn solved(rule_set: &RuleSet) -> Values {
    let rules = rule_set.compile().unwrap();
    let solver = Solver::new(&rules, Options::default()).unwrap();
    solver.solve(&Unattended, &Unattended).unwrap().0
}

/// Returns a random game of at most `plies` plies.
fn game(rules: &Rules, plies: usize, seed: u64) -> Record {
    let (mut game, mut thrower) = (Game::new(rules.clone()), DiceRng::new(seed));
    for _ in 0..plies {
        if game.pending().is_none() && game.turn().is_some() {
            game.roll(thrower.throw(rules.rule_set().dice)).unwrap();
        }
        let Some(decision) = game.decision() else { break };
        let action = thrower.choose(&decision, &Random);
        game.play(action).unwrap();
    }
    Record::new(game)
}

/// Random games, with the values of their rules.
fn games() -> impl Strategy<Value = (Record, &'static Values)> {
    (0..3_usize, 0..400_usize, any::<u64>()).prop_map(|(which, plies, seed)| {
        let (rule_set, values): (_, &'static Values) = match which {
            0 => (RuleSet::FINKEL.with_pieces(2), &FINKEL),
            1 => (RuleSet::BLITZ.with_pieces(2), &BLITZ),
            _ => (RuleSet::MURRAY.with_pieces(1), &MURRAY),
        };
        (game(&rule_set.compile().unwrap(), plies, seed), values)
    })
}

proptest! {
    #[test]
    fn the_graph_and_the_page_are_well_formed_and_need_no_network((record, values) in games()) {
        let review = Review::new(&record, values);
        let page = Page { review: &review, cube: None, rules: record.game.rules() }.html();
        prop_assert_eq!(page.matches("<section").count(), review.plies.len());
        prop_assert!(!page.contains("src=") && !page.contains("<link"));
        let places = page.match_indices("http").map(|(at, _)| &page[at..]);
        prop_assert!(places.into_iter().all(|it| it.starts_with("http://www.w3.org/2000/svg")));
        let graph = Graph { review: &review }.svg();
        prop_assert_eq!(graph.matches("<circle").count(), graph.matches("</circle>").count());
        prop_assert!(graph.ends_with("</svg>"));
    }
}

#[test]
fn a_long_name_is_cut_short_in_columns_and_whole_in_their_titles() {
    let name = "W".repeat(200);
    let rules = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
    let mut record = game(&rules, 40, 5);
    record.set_header("light", &name).unwrap();
    let review = Review::new(&record, &*FINKEL);
    let page = Page { review: &review, cube: None, rules: &rules }.html();
    let column = format!("<th scope=\"col\" class=\"player\" title=\"{name}\">{name}</th>");
    assert!(page.contains(&column));
    assert!(page.contains(".player{max-width:") && page.contains("text-overflow:ellipsis"));
}

#[test]
fn a_page_that_is_judged_by_a_search_says_so() {
    let record = game(&RuleSet::SKIRIUK.compile().unwrap(), 60, 5);
    let lookahead = Lookahead::new(record.game.rules().clone(), 1);
    let review = Review::by(lookahead.source(), &record, &lookahead);
    let page = Page { review: &review, cube: None, rules: record.game.rules() }.html();
    assert!(page.contains("looks 1 move ahead") && page.contains("all chances are estimates"));
}

#[test]
fn a_game_in_which_neither_player_can_move_again_is_drawn() {
    let rules = RuleSet::SIMPLE_UR.compile().unwrap();
    let start = "15,16,17,18+3:4,5,6,7,8,9+1:L2".parse().unwrap();
    let mut game = Game::from_setup(rules.clone(), start).unwrap();
    let review = |game: &Game| {
        let lookahead = Lookahead::new(rules.clone(), 1);
        Review::by(lookahead.source(), &Record::new(game.clone()), &lookahead)
    };
    let page = |review| Page { review: &review, cube: None, rules: &rules }.html();
    let before = page(review(&game));
    assert!(before.contains("Unfinished: ") && before.contains("Chance of light over 0 plies, "));
    game.play(puabi_core::Move::Pass).unwrap();
    let after = page(review(&game));
    assert!(after.contains("<p>Drawn after 1 ply.</p>"));
    assert!(after.contains("Chance of light over 1 ply, "));
    let games = [(String::new(), puabi_core::Player::Dark, review(&game))];
    let page = PlayerPage { report: &PlayerReport::new("", &games) }.html();
    assert!(page.contains("<td>drawn</td>") && !page.contains("unfinished"));
}

#[test]
fn an_error_with_the_cube_leads_to_its_ply_or_says_that_none_followed() {
    let start = "format: urg 1\nrules: finkel:1\nstakes: cube 1 to 4\nstart: 14:-:L\n\nL doubles\n";
    for (end, plies) in [("D passes\n", 0), ("D takes\nL 2 pass\nD 1 0-1\n", 2)] {
        let record: Record = format!("{start}{end}").parse().unwrap();
        let rules = record.game.rules();
        let solver = Solver::new(rules, Options::default()).unwrap();
        let (values, _) = solver.solve(&Unattended, &Unattended).unwrap();
        let review = Review::new(&record, &values);
        let money = solver.solve_money(values, 2, &Unattended).unwrap();
        let mut cube = CubeReview::new(&record, &money).unwrap();
        assert_eq!(review.plies.len(), plies);
        // An error before every ply, and after the last one.
        let error = CubeError {
            plies: 0,
            player: Player::Light,
            kind: CubeErrorKind::WrongDouble,
            cost: 0.5,
        };
        cube.errors = (0..=plies).map(|plies| CubeError { plies, ..error }).collect();
        let page = Page { review: &review, cube: Some(&cube), rules }.html();
        let links = page.split("href=\"#ply-").skip(1).filter_map(|rest| rest.split('"').next());
        assert!(links.eq((1..=plies).map(|ply| ply.to_string())), "{page}");
        assert_eq!(page.matches("at the end: ").count(), 1);
    }
}

#[test]
fn the_page_of_a_player_shows_every_game_and_needs_no_network() {
    let rules = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
    let review = |seed| {
        let review = Review::new(&game(&rules, usize::MAX, seed), &*FINKEL);
        (String::new(), Player::Dark, review)
    };
    let dark = PlayerReport::new("", &(0..60).map(review).collect::<Vec<_>>());
    let page = PlayerPage { report: &dark }.html();
    // The luckiest game, the unluckiest game, and every game.
    assert_eq!(page.matches("<td class=\"label\"").count(), 2 + dark.games.len());
    let circles = dark.games.iter().filter(|game| game.accuracy.is_some()).count();
    assert_eq!(page.matches("<circle").count(), circles);
    assert!(!page.contains("src=") && !page.contains("<link") && !page.contains("http"));
}
