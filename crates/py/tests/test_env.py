"""Environments: the same games as everywhere, dice from outside, an oracle."""

import threading

import numpy as np
import pytest

import puabi


def test_games_of_an_environment_obey_the_rules():
    env = puabi.VecEnv("finkel:3", n=32, seed=5)
    for _ in range(300):
        positions, obs, mask = env.positions, env.obs, env.mask
        for text, row, legal in zip(positions[:4], obs, mask):
            decision = puabi.Decision(env.rules, text)
            assert (decision.obs == row).all() and (decision.mask == legal).all()
        env.step(env.sample())


def test_one_game_is_the_engines_game():
    env = puabi.VecEnv("finkel:2", n=1, seed=11)
    game = puabi.Game("finkel:2", seed=11)
    done = [False]
    while not done[0]:
        decision, action = env.decision(0), env.mask[0].argmax()
        assert decision.roll == game.roll_dice()
        if game.is_waiting_for_move():
            game.make_move(int(action))
        _, _, reward, done = env.step([action])
    assert game.is_finished() and reward[0] == 1 and env.positions[0].startswith("-:-:L")


def test_an_environment_follows_from_its_seed():
    def run(seed):
        env = puabi.VecEnv("blitz:2", n=16, seed=seed)
        return [env.step(env.sample())[0].tobytes() for _ in range(50)]

    assert run(1) == run(1) != run(2)
    env = puabi.VecEnv("blitz:2", n=16, seed=2)
    env.reset(seed=1)
    assert [env.step(env.sample())[0].tobytes() for _ in range(50)] == run(1)


def test_rewards_are_of_the_player_who_moved_and_games_go_on():
    env, wins, games = puabi.VecEnv("finkel:2", n=64, seed=3), 0, 0
    for _ in range(400):
        mover = env.mover
        obs, mask, reward, done = env.step(env.sample())
        assert set(reward) <= {0.0, 1.0} and (done == (reward == 1)).all() and mask.any(axis=1).all()
        assert all(text.startswith("-:-:L") for text, is_new in zip(env.positions, done) if is_new)
        wins, games = wins + (mover[done] == 0).sum(), games + done.sum()
    assert games > 500 and abs(wins / games - 0.5) < 0.1


def test_dice_can_be_thrown_from_outside():
    env = puabi.VecEnv("finkel:2", n=5, seed=1)
    free = puabi.VecEnv("finkel:2", n=5, seed=1)
    obs, _ = env.reset(seed=1, rolls=[0, 1, 2, 3, 4])
    free.reset(seed=1)
    assert obs[:, -1].tolist() == [0, 1, 2, 3, 4]
    obs, _, _, _ = env.step(env.mask.argmax(axis=1), rolls=np.array([4, 4, -1, -1, 0]))
    thrown, _, _, _ = free.step(free.mask.argmax(axis=1))
    assert obs[[0, 1, 4], -1].tolist() == [4, 4, 0]
    assert (obs[2:4, -1] == thrown[2:4, -1]).all(), "given rolls leave the dice alone"
    assert env.rolls.tolist() == [0, 1, 2, 3, 4] and env.chances.sum() == 1
    with pytest.raises(puabi.MoveError, match="expected one of 0, 1, 2, 3, 4"):
        env.step(env.sample(), rolls=[5, 0, 0, 0, 0])


def test_rolls_come_as_often_as_their_chances_say():
    env = puabi.VecEnv("masters:2", n=20_000, seed=1)
    found = [(env.obs[:, -1] == roll).mean() for roll in env.rolls]
    assert found == pytest.approx(env.chances, abs=0.02)


def test_an_illegal_action_plays_nothing():
    env = puabi.VecEnv("finkel:2", n=3, seed=1)
    before = env.positions
    for actions in [[99, 0, 0], [-1, 0, 0], env.mask.argmin(axis=1)]:
        with pytest.raises(puabi.MoveError, match="expected one of"):
            env.step(actions)
    for numbers in (np.array([2**63, 0, 0], np.uint64), np.array([2**63, 0, 0], ">u8")):
        with pytest.raises(puabi.MoveError, match="^9223372036854775808 found"):
            env.step(numbers)
        with pytest.raises(puabi.MoveError, match="^9223372036854775808 found"):
            env.step(env.sample(), rolls=numbers)
    for actions in [[0, 0], [[0, 0, 0]], 0]:
        with pytest.raises(puabi.Error, match="shape"):
            env.step(actions)
    with pytest.raises(TypeError, match="whole numbers"):
        env.step([0.5, 0, 0])
    assert env.positions == before


def test_actions_may_be_unsigned():
    env, other = (puabi.VecEnv("finkel:2", n=3, seed=1) for _ in range(2))
    for kind in (np.uint8, np.uint64, np.int32):
        assert (env.step(env.sample().astype(kind))[0] == other.step(other.sample())[0]).all()


def test_fields_of_packed_structures_are_numbers_as_any():
    rolls = [4, 1, 3]
    for others in ("<i4", "u1"):
        packed = np.array([(roll, 0) for roll in rolls], [("roll", "<i8"), ("other", others)])
        env = puabi.VecEnv("finkel:2", n=3, seed=1)
        env.reset(rolls=packed["roll"])
        assert [env.decision(game).roll for game in range(3)] == rolls
        table = puabi.solve("finkel:2")
        indices = np.array([(index, 0) for index in (5, 0, 7)], packed.dtype)["roll"]
        assert table.position(indices) == table.position(indices.tolist())
        assert (table.value(indices) == table.value(indices.tolist())).all()


def test_a_wrong_number_of_games_is_refused():
    for n in (0, 10**12):
        with pytest.raises(puabi.Error, match="expected 1 to"):
            puabi.VecEnv("finkel:2", n=n)
    with pytest.raises(puabi.Error, match="expected 0 to 2"):
        puabi.VecEnv("finkel:2", n=3).decision(3)


def test_threads_share_an_environment_one_at_a_time():
    env, steps, refused = puabi.VecEnv("finkel:2", n=20_000, seed=1), [], []

    def work():
        for _ in range(50):
            try:
                env.step(env.sample())
                steps.append(1)
            except (RuntimeError, puabi.MoveError) as error:
                refused.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert steps and len(steps) + len(refused) == 200
    env.step(env.sample())


def test_the_oracle_values_every_action():
    table = puabi.solve("finkel:2")
    env = puabi.VecEnv("finkel:2", n=64, seed=9, oracle=table)
    for _ in range(60):
        values = env.values()
        assert (np.isnan(values) == ~env.mask).all()
        for game in range(4):
            expected = dict(table.moves(env.positions[game])[0][1])
            decision = env.decision(game)
            assert {str(it): values[game, it.code] for it in decision.moves} == expected
        actions = env.sample()
        best = np.nanmax(values, axis=1)
        env.step(actions)
        assert env.regret == pytest.approx(best - values[np.arange(64), actions], abs=1e-15)


def test_regret_does_not_depend_on_having_looked():
    looked, blind = (puabi.VecEnv("finkel:2", n=64, seed=9, oracle=True) for _ in range(2))
    for _ in range(60):
        looked.values()
        looked.step(looked.sample())
        blind.step(blind.sample())
        assert (looked.regret == blind.regret).all() and (blind.regret >= 0).all()
    with pytest.raises(puabi.Error, match="oracle"):
        puabi.VecEnv("finkel:2", n=1).values()
    with pytest.raises(puabi.Error, match="expected a table of finkel:2"):
        puabi.VecEnv("finkel:2", n=1, oracle=puabi.solve("finkel:1"))


def test_afterstates_are_what_the_oracle_values():
    table = puabi.solve("finkel:2")
    env = puabi.VecEnv("finkel:2", n=64, seed=2, oracle=table)
    by_obs = {row.tobytes(): value for row, value in zip(table.obs(np.arange(len(table))), table.values)}
    for _ in range(100):
        env.step(env.sample())
        game, action, obs, again, won = env.afterstates()
        assert (np.bincount(game) == env.mask.sum(axis=1)).all() and env.mask[game, action].all()
        values = np.array([by_obs.get(row.tobytes(), 0.0) for row in obs])
        values = np.where(won, 1.0, np.where(again, values, 1.0 - values))
        assert (values == env.values()[game, action]).all()


def test_agents_play_in_an_environment():
    env = puabi.VecEnv("finkel:2", n=64, seed=2, oracle=True)
    for _ in range(100):
        env.step(env.actions_of("perfect"))
        assert (env.regret == 0).all()
        env.step(env.actions_of(lambda decision: decision.moves[-1]))
    with pytest.raises(puabi.AgentError):
        env.actions_of("nobody")


def test_stacks_are_counted():
    env = puabi.VecEnv("skiriuk:3", n=64, seed=2)
    for _ in range(200):
        obs, _, _, _ = env.step(env.sample())
        length = env.rules.length
        assert (obs[:, :length].sum(axis=1) + obs[:, 2 * length] + obs[:, 2 * length + 2] == 3).all()
