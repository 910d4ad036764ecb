"""An environment of PettingZoo for two agents in turns (AEC). Needs ``puabi[pettingzoo]``."""

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv

from . import Game, Rules

__all__ = ["UrEnv", "env"]


def env(rules="finkel", render_mode=None):
    """Returns the environment."""
    return UrEnv(rules, render_mode)


class UrEnv(AECEnv):
    """The game between "light", who begins, and "dark".

    An observation has "observation" (uint8, shape (2 * length + 5,)), the columns of :attr:`puabi.VecEnv.obs` seen by
    the agent, and "action_mask" (int8, shape (length + 2,)). An action is the square that a piece leaves, 0 for one
    that enters; a pass is played by itself, so an agent may have several turns on end. Rewards are 1 and -1 at the
    end of the game. An illegal action raises :class:`puabi.MoveError`.
    """

    metadata = {"name": "ur_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, rules="finkel", render_mode=None):
        super().__init__()
        self.rules = rules if isinstance(rules, Rules) else Rules(rules)
        self.render_mode = render_mode
        self.possible_agents = ["light", "dark"]
        seen, actions = 2 * self.rules.length + 5, self.rules.length + 2
        space = Dict({"observation": Box(0, 255, (seen,), np.uint8), "action_mask": Box(0, 1, (actions,), np.int8)})
        self.observation_spaces = {agent: space for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(actions) for agent in self.possible_agents}
        self._random = np.random.default_rng()

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    def reset(self, seed=None, options=None):
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self._game = Game(self.rules, seed=int(self._random.integers(2**63)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._go_on()

    def observe(self, agent):
        is_own = self._game.get_turn() == agent
        mask = self._game.mask.astype(np.int8)
        return {"observation": self._game.obs(agent), "action_mask": mask if is_own else np.zeros_like(mask)}

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._game.make_move(int(action))
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self._go_on()
        if self._game.is_finished():
            winner = self._game.get_winner()
            self.rewards = {it: 0 if winner is None else 1 if it == winner else -1 for it in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = "dark" if agent == "light" else "light"
        self._accumulate_rewards()

    def render(self):
        return repr(self._game) if self.render_mode == "ansi" else None

    def close(self):
        pass

    def _go_on(self):
        """Throws the dice until an agent has a choice or the game is over."""
        while self._game.is_waiting_for_roll():
            self._game.roll_dice()
        self.agent_selection = self._game.get_turn() or self.possible_agents[0]
