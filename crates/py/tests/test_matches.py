"""Matches, leagues and reviews: the same numbers as inside, functions as agents."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest

import puabi


def first(decision):
    return decision.moves[0]


def test_an_exact_match_is_the_value_of_the_start():
    perfect = puabi.match("finkel:2", "perfect", "perfect")
    assert perfect.exact and perfect.a_mean == pytest.approx(0.5, abs=1e-12)
    assert perfect.a_first == pytest.approx(puabi.solve("finkel:2").start_value, abs=1e-12)
    assert perfect.interval == (perfect.a_mean, perfect.a_mean) and perfect.seed is None


def test_a_function_plays_as_the_agent_that_it_is():
    ours, theirs = (puabi.match("finkel:2", agent, "greedy") for agent in ("first-move", first))
    assert ours.a_mean == theirs.a_mean and theirs.a == "first"
    ours, theirs = (puabi.match("finkel:2", agent, "greedy", games=400, seed=3) for agent in ("first-move", first))
    assert (ours.a_mean, ours.rolls, ours.interval) == (theirs.a_mean, theirs.rolls, theirs.interval)


def test_a_function_may_play_by_chance():
    def even(decision):
        return [1 / len(decision.moves)] * len(decision.moves)

    found = puabi.match("finkel:2", even, "greedy").a_mean
    assert found == pytest.approx(puabi.match("finkel:2", "random", "greedy").a_mean, abs=1e-12)


@pytest.mark.parametrize("games", [None, 200])
@pytest.mark.parametrize(
    ("answer", "error"),
    [("3-4", puabi.MoveError), (99, puabi.MoveError), ([0.5], puabi.AgentError), (None, puabi.MoveError)],
)
def test_what_no_move_is_ends_the_match(games, answer, error):
    def agent(decision):
        return decision.moves[0] if len(decision.moves) == 1 else answer

    with pytest.raises(error, match="expected|legal"):
        puabi.match("finkel:2", agent, "random", games=games)


def test_a_player_that_sees_colours_has_no_exact_result():
    brain = Path(__file__).parents[2] / "cli" / "tests" / "plain-brain.txt"
    with pytest.raises(puabi.AgentError, match="expected games="):
        puabi.match("finkel", f"brain-absolute:{brain}", "random")
    assert puabi.match("finkel", f"brain-absolute:{brain}", "random", games=20, seed=1).games == 20


def test_an_agent_reads_no_file_without_end():
    with pytest.raises(puabi.AgentError, match="longer than"):
        puabi.Agent("pocket:/dev/zero", "finkel")
    with pytest.raises(puabi.AgentError, match="longer than"):
        puabi.Agent("brain:/dev/zero", "finkel")


def test_an_exception_of_a_function_comes_through():
    def broken(decision):
        raise ZeroDivisionError("by hand")

    for games in (None, 100):
        with pytest.raises(ZeroDivisionError, match="by hand"):
            puabi.match("finkel:2", broken, "random", games=games)


def test_agents_can_be_asked():
    decision = puabi.Decision("finkel", "6:7:L1")
    assert str(puabi.Agent("greedy", "finkel").choose(decision)) == "6-7"
    policy = puabi.Agent("random", "finkel").policy(decision)
    assert policy.tolist() == [0.5, 0.5] == puabi.Agent(lambda it: [0.5, 0.5], "finkel").policy(decision).tolist()
    with pytest.raises(puabi.AgentError, match="expected a decision of blitz"):
        puabi.Agent("greedy", "blitz").choose(decision)
    assert "greedy" in puabi.Agent.forms()
    for number in (-0.1, 1.0, float("nan")):
        with pytest.raises(puabi.Error, match="expected 0 to below 1"):
            puabi.Agent("random", "finkel").choose(decision, number)


ENGINES = Path(__file__).parents[2] / "cli" / "tests" / "engine"
FOREMOST = f"engine:{sys.executable} {ENGINES / 'foremost.py'}"


def test_another_program_plays_as_the_agent_that_it_is():
    ours, theirs = (puabi.match("finkel:3", agent, "greedy", games=200, seed=3) for agent in ("last-move", FOREMOST))
    assert (ours.a_mean, ours.rolls, theirs.forfeits) == (theirs.a_mean, theirs.rolls, (0, 0))
    ours, theirs = (puabi.league("finkel:2", [agent, "random"], games=100, seed=3) for agent in ("last-move", FOREMOST))
    assert ours.ratings()[0][1:] == theirs.ratings()[0][1:] and theirs.forfeits == [0, 0]
    decision = puabi.Decision("finkel:3", "4:5:L1")
    assert str(puabi.Agent(FOREMOST, "finkel:3").choose(decision)) == "4-5"
    with pytest.raises(puabi.AgentError, match="expected games="):
        puabi.match("finkel:2", "greedy", FOREMOST)


def test_a_forked_process_does_not_speak_to_the_program_of_another():
    agent, decision = puabi.Agent(FOREMOST, "finkel:3"), puabi.Decision("finkel:3", "4:5:L1")
    child = os.fork()
    if child == 0:
        try:
            agent.choose(decision)
        except puabi.AgentError as error:
            os._exit("started by another process" not in str(error))
        os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
    assert str(agent.choose(decision)) == "4-5"


def test_the_program_of_another_process_outlives_a_forked_one():
    agent, decision = puabi.Agent(FOREMOST, "finkel:3"), puabi.Decision("finkel:3", "4:5:L1")
    child = os.fork()
    if child == 0:
        del agent
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert str(agent.choose(decision)) == "4-5"
    assert puabi.match("finkel:3", agent, "random", games=20, seed=1).forfeits == (0, 0)


def test_a_program_that_fails_gives_its_games_up(tmp_path):
    path = tmp_path / "engine.py"
    path.write_text(
        "import time\n"
        "for _ in range(2):\n    print({'ubgi': 'ubgiok'}.get(input(), ''), flush=True)\n"
        "input(), print('readyok', flush=True), time.sleep(100)\n"
    )
    agent = puabi.Agent(f"engine:{sys.executable} {path}", "finkel:2", move_time=0.05)
    with pytest.warns(RuntimeWarning, match="no answer within 0.05 s"):
        match = puabi.match("finkel:2", agent, "random", games=4)
    assert match.a_mean == 0 and match.forfeits == (4, 0)
    for ask in (agent.choose, agent.policy):
        with pytest.raises(puabi.AgentError, match="no answer"), pytest.warns(RuntimeWarning):
            ask(puabi.Decision("finkel:2", "4:5:L1"))
    for move_time in (0, -1, float("nan"), 1e300):
        with pytest.raises(puabi.Error, match="expected seconds"):
            puabi.Agent("engine:true", "finkel", move_time=move_time)
    with pytest.raises(puabi.AgentError, match="does not start"):
        puabi.Agent("engine:no-such-program", "finkel")


def test_a_league_has_a_function_in_it():
    league = puabi.league("finkel:2", ["greedy", first, "first-move", "random"], games=200, seed=1)
    assert league.names == ["greedy", "first", "first-move", "random"]
    off = ~np.eye(4, dtype=bool)
    assert (league.shares + league.shares.T)[off] == pytest.approx(1)
    assert (league.shares[1, [0, 3]] == league.shares[2, [0, 3]]).all(), "both play the same"
    assert sum(elo for _, elo, _ in league.ratings()) == pytest.approx(4 * 1500)
    with pytest.raises(puabi.Error, match="mean NaN: expected a finite number"):
        league.ratings(float("nan"))
    for agents in (["greedy", "random"], ("greedy", "random"), (name for name in ["greedy", "random"])):
        assert puabi.league("finkel:2", agents, games=20, seed=1).names == ["greedy", "random"]
    with pytest.raises(puabi.Error, match="two or more"):
        puabi.league("finkel:2", ["greedy"])


RECORD = "format: urg 1\nrules: finkel:1\nlight: Ann\n\nL 4 0-4\nL 1 4-5\nD 3 0-3\n"


def test_a_review_accounts_for_the_result(tmp_path):
    review = puabi.review(RECORD)
    sign = [1 if ply.player == "light" else -1 for ply in review.plies]
    balance = sum(s * (ply.luck - ply.error) for s, ply in zip(sign, review.plies))
    assert review.result - review.start == pytest.approx(balance, abs=1e-12)
    assert review.judge == "table" and review.plies[0].class_ == "forced"
    path = tmp_path / "game.urg"
    path.write_text(RECORD)
    assert (
        puabi.review(path).json
        == review.json
        == puabi.review(puabi.Game.from_record(RECORD)).json | {"names": review.json["names"]}
    )
    path.write_text(RECORD, encoding="utf-8-sig")
    assert puabi.review(path).json == review.json
    with pytest.raises(puabi.RecordError, match="longer than"):
        puabi.review(Path("/dev/zero"))
    assert puabi.review(RECORD, depth=2).judge.startswith("expectimax:2")
    with pytest.raises(puabi.Error, match="expected a table of finkel:1"):
        puabi.review(RECORD, table=puabi.solve("finkel:2"))
    with pytest.raises(puabi.RecordError, match="line 1"):
        puabi.review("nonsense")
    for depth in (0, 9, 300):
        with pytest.raises(puabi.Error, match="expected 1 to 8"):
            puabi.review(RECORD, depth=depth)


def test_a_review_is_a_frame():
    pytest.importorskip("pandas")
    frame = puabi.review(RECORD).frame()
    assert frame.shape[0] == 3 and frame.loc[1, "move"] == "0-4"
    assert frame["error"].sum() == 0
