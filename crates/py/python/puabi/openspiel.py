"""A game of OpenSpiel with explicit chance nodes. Needs ``puabi[openspiel]``.

>>> import pyspiel, puabi.openspiel
>>> game = pyspiel.load_game("puabi", {"rules": "finkel:2"})
"""

import numpy as np
import pyspiel

from . import Game, Rules

__all__ = ["UrGame", "UrState", "UrObserver"]

#: Moves and rolls after which a game is a draw: some players go round in circles for ever.
MOST_PLIES = 1 << 16

_TYPE = pyspiel.GameType(
    short_name="puabi",
    long_name="Royal Game of Ur",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"rules": "finkel"},
)


class UrGame(pyspiel.Game):
    """The game by ``rules``, as for :class:`puabi.Rules`. Player 0 is light, who begins.

    An action is the square that a piece leaves, 0 for one that enters; a chance outcome is the roll. A pass is played
    by itself.
    """

    def __init__(self, params=None):
        params = params or {}
        self.rules = Rules(params.get("rules", "finkel"))
        info = pyspiel.GameInfo(
            num_distinct_actions=self.rules.length + 2,
            max_chance_outcomes=int(self.rules.rolls.max()) + 1,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MOST_PLIES,
        )
        super().__init__(_TYPE, info, params)

    def new_initial_state(self):
        return UrState(self)

    def make_py_observer(self, iig_obs_type=None, params=None):
        return UrObserver(self.rules)


class UrState(pyspiel.State):
    """A position, with its roll if it is known."""

    def __init__(self, game):
        super().__init__(game)
        self.rules = game.rules
        self.game = Game(game.rules, seed=0)

    def current_player(self):
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        if self.game.is_waiting_for_roll():
            return pyspiel.PlayerId.CHANCE
        return ("light", "dark").index(self.game.get_turn())

    def chance_outcomes(self):
        """The rolls with their chances."""
        return list(zip(self.rules.rolls.tolist(), self.rules.chances.tolist()))

    def _legal_actions(self, player):
        return np.flatnonzero(self.game.mask).tolist()

    def _apply_action(self, action):
        if self.is_chance_node():
            self.game.roll_dice(action)
        else:
            self.game.make_move(action)

    def _action_to_string(self, player, action):
        if player == pyspiel.PlayerId.CHANCE:
            return f"roll {action}"
        moves = {move.code: str(move) for move in self.game.find_available_moves()}
        return moves.get(action, f"square {action}")

    def is_terminal(self):
        return self.game.is_finished() or len(self.game.plies) >= MOST_PLIES // 2

    def returns(self):
        winner = self.game.get_winner()
        return [0.0, 0.0] if winner is None else [1.0, -1.0] if winner == "light" else [-1.0, 1.0]

    def __str__(self):
        return self.game.position


class UrObserver:
    """What a player sees, with the columns of :attr:`puabi.VecEnv.obs` as float32."""

    def __init__(self, rules):
        self.tensor = np.zeros(2 * rules.length + 5, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state, player):
        self.tensor[:] = state.game.obs(("light", "dark")[player])

    def string_from(self, state, player):
        return f"{'LD'[player]} sees {state.game.position}"


pyspiel.register_game(_TYPE, UrGame)
