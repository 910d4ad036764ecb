"""An environment of Gymnasium: one player against an agent. Needs ``puabi[gymnasium]``.

>>> import gymnasium, puabi.gymnasium
>>> env = gymnasium.make("puabi/Ur-v0", rules="finkel", opponent="greedy")
"""

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

from . import Agent, Error, Game, MoveError, Rules

__all__ = ["UrEnv"]


class UrEnv(gymnasium.Env):
    """The game against ``opponent``, an agent as for :class:`puabi.Agent`.

    An observation (uint8, shape (2 * length + 5,)) has the columns of :attr:`puabi.VecEnv.obs`, seen by the player.
    An action is the square that a piece leaves, 0 for one that enters; ``info["action_mask"]`` (int8, shape (length +
    2,)) says which are legal. A pass is played by itself. The reward is 1 for a game won and -1 for one lost, at its
    end. An illegal action loses the game, with ``info["illegal"]``. ``player`` is "light", who begins, "dark", or
    None for either by chance.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(self, rules="finkel", opponent="greedy", player=None, render_mode=None):
        self.rules = rules if isinstance(rules, Rules) else Rules(rules)
        self.opponent = Agent(opponent, self.rules)
        if player not in (None, "light", "dark"):
            raise Error(f"{player!r} found as player: expected 'light', 'dark' or None")
        self.player = player
        self.render_mode = render_mode
        self.observation_space = Box(0, 255, (2 * self.rules.length + 5,), np.uint8)
        self.action_space = Discrete(self.rules.length + 2)
        self._game, self._seat = None, player or "light"

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self._seat = self.player or ("light", "dark")[self.np_random.integers(2)]
        self._game = Game(self.rules, seed=int(self.np_random.integers(2**63)))
        self._go_on()
        return self._obs(), self._info()

    def step(self, action):
        try:
            self._game.make_move(int(action))
        except MoveError:
            return self._obs(), -1.0, True, False, self._info() | {"illegal": True}
        self._go_on()
        is_over, winner = self._game.is_finished(), self._game.get_winner()
        reward = 0.0 if winner is None else 1.0 if winner == self._seat else -1.0
        return self._obs(), reward, is_over, False, self._info()

    def render(self):
        return repr(self._game) if self.render_mode == "ansi" else None

    def _go_on(self):
        """Throws the dice, and plays for the opponent, until the player has a choice or the game is over."""
        game = self._game
        while not game.is_finished():
            if game.is_waiting_for_roll():
                game.roll_dice()
            elif game.get_turn() == self._seat:
                return
            else:
                game.make_move(self.opponent.choose(game.decision, self.np_random.random()))

    def _obs(self):
        return self._game.obs(self._seat)

    def _info(self):
        is_own = self._game.get_turn() == self._seat
        mask = self._game.mask.astype(np.int8)
        return {"action_mask": mask if is_own else np.zeros_like(mask), "position": self._game.position}


gymnasium.register(id="puabi/Ur-v0", entry_point="puabi.gymnasium:UrEnv")
