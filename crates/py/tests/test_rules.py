"""Rules and games: facts that lie in the repository, and errors that say what was expected."""

import copy
import pickle

import pytest
from conftest import ORACLE, oracle, toml

import puabi


def test_finkel_has_as_many_lines_of_play_as_an_independent_count():
    rules = puabi.Rules("finkel")
    assert [rules.perft(depth) for depth in range(1, 6)] == [5, 28, 192, 1492, 12469]


def test_a_count_is_that_of_the_moves_counts():
    # The first five plies below a position are counted at one go, those above one by one.
    rules = puabi.Rules("blitz")
    lines = 0
    for roll in rules.rolls:
        for move in puabi.Decision(rules, rules.start, roll).moves:
            game = puabi.Game(rules)
            game.roll_dice(roll)
            if game.is_waiting_for_move():
                game.make_move(move)
            lines += rules.perft(5, game.position)
    assert rules.perft(6) == lines


@pytest.mark.parametrize("name", ORACLE)
def test_moves_are_those_of_an_independent_implementation(name):
    head, lines = oracle(name)
    rules = puabi.Rules(toml(head["rules"]))
    for line in (line for line in lines if "rolls" in line):
        assert rules.perft(1, line["position"]) == sum(len(moves) for moves in line["rolls"].values())
        for roll, expected in line["rolls"].items():
            moves = puabi.Decision(rules, line["position"], int(roll)).moves
            if expected[0].get("move") == "pass":
                assert [str(move) for move in moves] == ["pass"]
                continue
            off = rules.length + 1
            found = [
                (move.source, move.dest or off, move.is_capture(), move.again and move.dest is not None)
                for move in moves
            ]
            assert found == [(it["from"], it["to"], it["capture"], it["again"]) for it in expected]


def test_rules_are_values():
    rules = puabi.Rules("finkel:3")
    assert rules == puabi.Rules("finkel:3") != puabi.Rules("finkel")
    assert len({rules, puabi.Rules("finkel:3")}) == 1
    assert puabi.Rules(rules.to_toml()) == pickle.loads(pickle.dumps(rules)) == rules


def test_rules_are_read_from_a_file(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\npath = "bell"\npieces = 2\n')
    assert puabi.Rules(path) == puabi.Rules(str(path)) == puabi.Rules(path.read_text())
    assert puabi.Rules(path).pieces == 2


@pytest.mark.parametrize(
    ("work", "error", "text"),
    [
        (lambda: puabi.Rules("finkle"), puabi.RulesError, "did you mean `finkel`"),
        (lambda: puabi.Rules("finkel:99"), puabi.RulesError, "expected 1 to 15"),
        (lambda: puabi.Rules('path = "hell"'), puabi.RulesError, "did you mean `bell`"),
        (lambda: puabi.Rules("nowhere.toml"), puabi.RulesError, "nowhere.toml"),
        (lambda: puabi.Rules("finkel").perft(10**6), puabi.Error, "expected 16 or fewer"),
        (lambda: puabi.Rules(7), puabi.RulesError, "expected rules"),
        (lambda: puabi.Decision("finkel", "-:-:L"), puabi.PositionError, "expected one"),
        (lambda: puabi.Decision("finkel", "-:-:L", 5), puabi.MoveError, "expected one of 0, 1, 2, 3, 4"),
        (lambda: puabi.Decision("finkel", "-:-", 1), puabi.PositionError, "three fields"),
        (lambda: puabi.Game("finkel").make_move("0-4"), puabi.MoveError, "expected roll_dice"),
        (lambda: puabi.Game("finkel").roll_dice(5), puabi.MoveError, "expected one of"),
        (lambda: puabi.Game("finkel", position="+7:-:L"), puabi.PositionError, "over"),
        (lambda: puabi.Game.from_record("format: urg 9\n"), puabi.RecordError, "line 1"),
        (lambda: puabi.Agent("greddy", "finkel"), puabi.AgentError, "did you mean `greedy`"),
        (lambda: puabi.Agent(7, "finkel"), puabi.AgentError, "expected the name"),
        (lambda: puabi.match("finkel:1", "greedy", "random", games=3), puabi.Error, "expected 2, 4, 6"),
    ],
)
def test_errors_say_what_was_expected(work, error, text):
    with pytest.raises(error, match=text) as raised:
        work()
    assert isinstance(raised.value, puabi.Error) and isinstance(raised.value, ValueError)


def play(game):
    while not game.is_finished():
        game.roll_dice()
        if game.is_waiting_for_move():
            game.make_move(game.find_available_moves()[0])
    return game


def test_a_seed_means_the_same_game():
    first, second = play(puabi.Game("finkel:2", seed=7)), play(puabi.Game.create_finkel(pawns=2, seed=7))
    assert first.plies == second.plies
    assert play(puabi.Game("finkel:2", seed=8)).plies != first.plies


def test_a_game_goes_through_its_record_and_copies():
    game = play(puabi.Game("finkel:2", seed=7))
    for other in [puabi.Game.from_record(game.record()), pickle.loads(pickle.dumps(game)), copy.deepcopy(game)]:
        assert (other.plies, other.seed, other.position) == (game.plies, 7, game.position)
    other = game.copy()
    assert other.undo() and not other.is_finished() and game.is_finished()


def test_a_game_knows_what_it_waits_for():
    game = puabi.Game.create_finkel()
    assert game.is_waiting_for_roll() and game.get_turn() == "light" and game.decision is None
    assert game.roll_dice(4) == 4 and game.get_roll() == 4
    assert game.is_waiting_for_move() and game.decision.position == game.position == "-:-:L4"
    game.make_move_introducing_piece()
    assert game.get_turn() == "light" and game.get_board() == {"A1": [("light", 4)]}
    game.roll_dice(1)
    game.make_move("4-5")
    game.roll_dice(0)
    assert game.plies[-1] == ("dark", 0, "pass") and game.get_turn() == "light"
    assert game.obs("light")[4] == 1 == game.obs("dark")[14 + 4] and game.obs("light")[28] == 6
    assert game.get_winner() is None and game.get_score("light") == 0
