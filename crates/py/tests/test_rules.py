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
    assert puabi.Rules("finkel").rosettes == [4, 8, 14]


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
        (lambda: puabi.Game("finkel").obs("white"), puabi.Error, "`white` found: expected light or dark"),
        (lambda: puabi.Game("finkel").roll_dice(300), puabi.MoveError, "a roll of 300 .* expected one of"),
        (lambda: puabi.Game("finkel").roll_dice(-1), puabi.MoveError, "a roll of -1 .* expected one of"),
        (lambda: puabi.Game("finkel").roll_dice(10**30), puabi.Error, "10{30} found"),
        (lambda: puabi.Decision("finkel", "-:-:L", 256), puabi.MoveError, "expected one of 0, 1, 2, 3, 4"),
        (lambda: puabi.Game("finkel", seed=-1), puabi.Error, "-1 found: expected a number from 0"),
        (lambda: puabi.Game("finkel", seed=2**64), puabi.Error, "expected a number from 0 to 18446744073709551615"),
        (lambda: puabi.Game.create_finkel(pawns=300), puabi.RulesError, "expected 1 to 15"),
        (lambda: puabi.Rules("finkel").perft(-1), puabi.Error, "-1 found"),
        (lambda: puabi.VecEnv("finkel", -1), puabi.Error, "-1 found"),
        (lambda: puabi.VecEnv("finkel", 1).reset(seed=-1), puabi.Error, "-1 found"),
        (lambda: puabi.VecEnv("finkel", 1).decision(-1), puabi.Error, "-1 found"),
        (lambda: puabi.match("finkel:1", "greedy", "random", games=-2), puabi.Error, "-2 found"),
        (lambda: puabi.league("finkel:1", ["greedy", "random"], seed=-1), puabi.Error, "-1 found"),
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


def test_undo_takes_back_a_roll_and_then_a_ply():
    game = puabi.Game.create_finkel()
    assert not game.undo()
    game.roll_dice(4)
    game.make_move("0-4")
    game.roll_dice(1)
    assert game.undo() and game.is_waiting_for_roll() and len(game.plies) == 1
    assert game.undo() and not game.plies and not game.undo()
    game.roll_dice(2)
    assert game.undo() and game.is_waiting_for_roll() and not game.undo()


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


@pytest.mark.parametrize("code", [999, -1, 256 + 4, 10**30])
def test_an_action_that_no_piece_can_play_is_not_legal(code):
    game = puabi.Game("finkel", position="4:-:L")
    game.roll_dice(1)
    with pytest.raises(puabi.MoveError, match=f"action {code} is not legal with a roll of 1: expected one of 0, 4"):
        game.make_move(code)


@pytest.mark.parametrize("action", [True, 4.0, None])
def test_what_is_no_number_is_no_action(action):
    game = puabi.Game("finkel", position="4:-:L")
    game.roll_dice(1)
    with pytest.raises(puabi.MoveError, match="expected a move, its text or its code"):
        game.make_move(action)


def test_a_game_that_was_given_up_is_over():
    text = "format: urg 1\nrules: finkel:2\n\nL 4 0-4\nL 2\nresigned L\n"
    game = puabi.Game.from_record(text)
    assert game.is_finished() and not game.is_playable()
    assert not game.is_waiting_for_roll() and not game.is_waiting_for_move()
    assert game.get_turn() is None and game.get_turn_or_winner() == game.get_winner() == "dark"
    assert game.decision is None and game.get_roll() is None and not game.mask.any() and game.obs("light")[-1] == 0
    for work in (game.roll_dice, game.find_available_moves, lambda: game.make_move("0-2")):
        with pytest.raises(puabi.MoveError, match="the game is over"):
            work()
    assert puabi.Game.from_record("\ufeff" + text).plies == game.plies
    assert puabi.review(game).winner == puabi.review(text).winner == "dark"
    for other in (puabi.Game.from_record(game.record()), pickle.loads(pickle.dumps(game)), game.copy()):
        assert other.get_winner() == "dark" and other.plies == game.plies
        assert other.undo() and other.get_turn() == "light" and other.get_roll() == 2
        other.make_move("0-2")
