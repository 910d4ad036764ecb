"""The checks that the owners of each interface ship."""

import pytest


def test_gymnasium_finds_no_fault():
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    import puabi.gymnasium

    check_env(puabi.gymnasium.UrEnv("finkel:2", opponent="greedy"))
    env = gymnasium.make("puabi/Ur-v0", rules="finkel:2", opponent="perfect", player="dark")
    _, info = env.reset(seed=1)
    assert info["action_mask"].any()


def test_gymnasium_ends_a_game_at_an_illegal_action():
    pytest.importorskip("gymnasium")
    from puabi.gymnasium import UrEnv

    env = UrEnv("finkel:2", player="light")
    _, info = env.reset(seed=1)
    illegal = int((info["action_mask"] == 0).argmax())
    _, reward, is_over, _, info = env.step(illegal)
    assert (reward, is_over, info["illegal"]) == (-1.0, True, True)


def test_gymnasium_plays_whole_games_against_an_agent():
    pytest.importorskip("gymnasium")
    from puabi.gymnasium import UrEnv

    env, results = UrEnv("finkel:2", opponent="random"), []
    for seed in range(50):
        _, info = env.reset(seed=seed)
        is_over = False
        while not is_over:
            _, reward, is_over, _, info = env.step(info["action_mask"].argmax())
        results.append(reward)
    assert set(results) == {1.0, -1.0}


@pytest.mark.parametrize("rules", ["finkel:2", "skiriuk:2"])
def test_pettingzoo_finds_no_fault(rules):
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test

    import puabi.pettingzoo

    api_test(puabi.pettingzoo.env(rules), num_cycles=1000)


@pytest.mark.parametrize("rules", ["finkel:2", "masters:2"])
def test_openspiel_finds_no_fault(rules):
    pyspiel = pytest.importorskip("pyspiel")
    import puabi.openspiel  # noqa: F401

    game = pyspiel.load_game("puabi", {"rules": rules})
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)


def test_openspiel_starts_at_a_chance_node_with_the_dice():
    pyspiel = pytest.importorskip("pyspiel")
    import puabi.openspiel  # noqa: F401

    state = pyspiel.load_game("puabi").new_initial_state()
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(0, 1 / 16), (1, 1 / 4), (2, 3 / 8), (3, 1 / 4), (4, 1 / 16)]
