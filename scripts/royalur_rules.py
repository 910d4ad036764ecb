"""Plays games and backs up tables with the rules of RoyalUr's package `royalur`; see check-royalur.

Usage: royalur_rules.py FOLDER

Games (*.json, *.rgn) must be legal move by move, with the captures, rosettes, choices and winners that RoyalUr finds.
Tables (NAME-f64.rgu, NAME-f32.rgu and NAME-percent16.rgu, with the answer of `ur value` in NAME.value) must have every
position that RoyalUr's rules reach, each with the value that one backup by those rules gives.
"""

import array
import itertools
import json
import re
import sys
from pathlib import Path

from royalur import BoardType, DiceType, Game, GameMetadata, GameSettings, PathType, PlayerType, SimpleRuleSetProvider
from royalur.model import Roll
from royalur.rules.state import WaitingForMoveGameState, WaitingForRollGameState, WinGameState

BOARDS = {"standard": BoardType.STANDARD, "aseb": BoardType.ASEB}
PATHS = {kind.text_name.lower(): kind for kind in PathType}
DICE = {"four_binary": DiceType.FOUR_BINARY, "three_binary_0eq4": DiceType.THREE_BINARY_0MAX}
LIGHT, DARK = PlayerType.LIGHT, PlayerType.DARK


def rules_of(settings):
    """Returns RoyalUr's rules by the settings that stand in a file."""
    return SimpleRuleSetProvider().create(
        GameSettings(
            BOARDS[settings["board_shape"]].create_board_shape(),
            PATHS[settings["paths"]].create_path_pair(),
            DICE[settings["dice"]].create_dice,
            settings["start_pieces"],
            settings["safe_rosettes"],
            settings["rosettes_grant_rolls"],
            settings["captures_grant_rolls"],
        ),
        GameMetadata(),
    )


def probabilities(rules):
    return rules.dice_factory().get_roll_probabilities()


def expect(found, expected, what):
    """Ends the check where two things differ."""
    if found != expected:
        raise AssertionError(f"{what}: RoyalUr has {found}, the file {expected}")


# Games in JSON


def signed(piece):
    return (piece.path_index + 1) * (1 if piece.owner == LIGHT else -1)


def shape(move):
    """Returns a move of RoyalUr's as it stands in JSON."""
    pieces = {"src": move.source_piece, "dest": move.dest_piece, "captured": move.captured_piece}
    return {key: signed(piece) for key, piece in pieces.items() if piece is not None}


def ordered(moves):
    return sorted(moves, key=json.dumps)


def play_json(text):
    """Plays a game in JSON; returns its settings and plies."""
    record = json.loads(text)
    game = Game(rules_of(record["settings"]))
    first = record["initial_state"]
    expect(game.get_board().count_pieces(LIGHT), len(first["board"]["pieces"]), "pieces at the start")
    for letter, player in (("L", LIGHT), ("D", DARK)):
        state = game.get_player(player)
        expect({"pieces": state.piece_count, "score": state.score}, first["players"][letter], f"{letter} at the start")
    for at, state in enumerate(record["states"]):
        play_state(game, state, f"state {at}")
    return record["settings"], game


def play_state(game, state, place):
    kind = state["type"]
    if kind == "win":
        expect(game.get_winner().character, state["winner"], f"{place}, winner")
        return
    expect(game.get_turn().character, state["turn"], f"{place}, turn")
    if kind == "wait4roll":
        expect(game.is_waiting_for_roll(), True, f"{place}, waiting for a roll")
        return
    if kind == "wait4move":
        expect(game.get_roll().value, state["roll"]["value"], f"{place}, roll")
        return
    game.roll_dice(Roll(state["roll"]["value"]))
    moves = game.find_available_moves() if game.is_waiting_for_move() else []
    if kind == "roll":
        expect(ordered(map(shape, moves)), ordered(state["moves"]), f"{place}, moves")
        return
    same = [move for move in moves if shape(move) == state["move"]]
    expect(len(same), 1, f"{place}, moves like {state['move']}")
    game.make_move(same[0])


# Games in RGN


def lane(tile):
    return chr(ord("A") + tile.x - 1)


def name(move, rules):
    """Returns a move of RoyalUr's as it stands in RGN, with its marks."""
    source = str(move.source) if move.has_source() else lane(move.dest) + "@"
    dest = str(move.dest) if move.has_dest() else lane(rules.settings.paths.get_end(move.player)) + "+"
    return source + dest + "x" * move.is_capture() + " *" * move.is_dest_rosette(rules.board_shape)


def play_rgn(text, settings):
    """Plays a game in RGN by these settings."""
    rules = rules_of(settings)
    game, player = Game(rules), LIGHT
    turns = "\n".join(line for line in text.splitlines() if not line.startswith("["))
    for token in re.findall(r"\d+\.|/|\d+ --|[A-Z]\S+(?: \*)?|#", turns):
        if token == "#":
            expect(game.is_finished(), True, "end of the game")
        elif token == "/":
            player = DARK
        elif token.endswith("."):
            player = LIGHT
        else:
            expect(game.get_turn(), player, f"turn at {token}")
            act(game, rules, token)
    return game


def act(game, rules, token):
    """Does what stands in RGN: a roll without a move, or a move with the one roll that it takes."""
    token = token.rstrip("#")
    if token.endswith("--"):
        game.roll_dice(Roll(int(token.split()[0])))
        expect(game.is_waiting_for_roll(), True, f"no move at {token}")
        return
    for steps, chance in enumerate(probabilities(rules)):
        roll = Roll(steps)
        moves = rules.find_available_moves(game.get_board(), game.get_turn_player(), roll) if chance else []
        same = [move for move in moves if name(move, rules) == token]
        if same:
            game.roll_dice(roll)
            game.make_move(same[0])
            return
    raise AssertionError(f"RoyalUr has no move {token}")


# Tables


class Keys:
    """The keys of positions with light about to roll, as RoyalUr's tables have them."""

    def __init__(self, rules, pieces):
        board = rules.board_shape
        index = lambda tile: tile.ix + board.width * tile.iy
        light, dark = set(rules.settings.paths.light), set(rules.settings.paths.dark)
        self.width = board.width
        self.safe = [sorted(map(index, tiles)) for tiles in (light - dark, dark - light)]
        war = sorted(map(index, light & dark))
        count = next(n for n in itertools.count(1) if -(-len(war) // n) <= 8)
        length = -(-len(war) // count)
        self.segments = [war[at : at + length] for at in range(0, len(war), length)]
        legal = [
            digits
            for digits in itertools.product(range(3), repeat=length)
            if digits.count(1) <= pieces and digits.count(2) <= pieces
        ]
        self.codes = {digits: code for code, digits in enumerate(legal)}
        self.bits = next(bits for bits in itertools.count(1) if 2**bits >= len(legal) - 1)

    def key(self, state):
        """Returns the key of a state, mirrored where dark is about to roll."""
        mine = state.get_turn()
        sign = {None: 0, mine.get_other_player(): 1, mine: 2}
        digits = [sign[piece.owner if piece else None] for piece in self.pieces(state.board, mine)]
        safe = [sum((digits[tile] > 0) << at for at, tile in enumerate(tiles)) for tiles in self.safe]
        war = 0
        for segment in self.segments:
            war = war << self.bits | self.codes[tuple(digits[tile] for tile in segment)]
        size, war_bits = len(self.safe[0]), len(self.segments) * self.bits
        hands = state.get_waiting_player().piece_count | state.get_turn_player().piece_count << 3
        return safe[1] | war << size | safe[0] << (size + war_bits) | hands << (2 * size + war_bits)

    def pieces(self, board, mine):
        """Returns what stands on every tile of the board, row by row, seen by who is about to roll."""
        columns = range(board.width) if mine == LIGHT else reversed(range(board.width))
        columns = list(columns)
        on = lambda x, y: board.get_by_indices(x, y) if board.contains_indices(x, y) else None
        return [on(x, y) for y in range(board.height) for x in columns]


def read_table(path):
    """Returns the settings of a table and its values (of 100) by key."""
    data = path.read_bytes()
    expect(data[:4], b"RGU\0", "the first bytes")
    end = 8 + int.from_bytes(data[4:8], "big")
    metadata = json.loads(data[8:end])
    maps, end = int.from_bytes(data[end : end + 4], "big"), end + 4
    counts = numbers("I", data[end : end + 4 * maps])
    middle = end + 4 * maps + 4 * sum(counts)
    uppers = itertools.chain.from_iterable(itertools.repeat(at, count) for at, count in enumerate(counts))
    keys = [upper << 32 | lower for upper, lower in zip(uppers, numbers("I", data[end + 4 * maps : middle]))]
    values = numbers({"percent16": "H", "f32": "f", "f64": "d"}[metadata["value_type"]], data[middle:])
    if metadata["value_type"] == "percent16":
        values = [value * 100 / 65535 for value in values]
    expect(len(keys), len(values), "entries")
    return metadata["game_settings"], dict(zip(keys, values))


def numbers(kind, data):
    found = array.array(kind, data)
    if sys.byteorder == "little":
        found.byteswap()
    return found.tolist()


def residual(rules, keys, values):
    """Returns the largest difference of a value and its backup, and how many positions were reached."""
    chances = [(Roll(steps), chance) for steps, chance in enumerate(probabilities(rules)) if chance]
    start = rules.generate_initial_game_state()
    largest, seen, open_states = 0.0, {keys.key(start)}, [start]

    def value(state):
        """Light's chance."""
        if isinstance(state, WinGameState):
            return 100.0 * (state.get_winner() == LIGHT)
        key = keys.key(state)
        if key not in seen:
            seen.add(key)
            open_states.append(state)
        return values[key] if state.get_turn() == LIGHT else 100 - values[key]

    def after(state, roll):
        last = rules.apply_roll(state, roll)[-1]
        if isinstance(last, WaitingForRollGameState):
            return value(last)
        assert isinstance(last, WaitingForMoveGameState)
        best = max if last.get_turn() == LIGHT else min
        return best(value(rules.apply_move(last, move)[-1]) for move in last.available_moves)

    while open_states:
        state = open_states.pop()
        backup = sum(chance * after(state, roll) for roll, chance in chances)
        largest = max(largest, abs(backup - value(state)))
    return largest, len(seen)


# How far rounding moves a value, of 100.
ROUNDING = {"percent16": 50 / 65535, "f32": 100 * 2**-24}
# What the certificate of our tables leaves, of 100.
CERTIFIED = 1e-12


def check_tables(folder):
    for exact in sorted(folder.glob("*-f64.rgu")):
        name = exact.name.removesuffix("-f64.rgu")
        settings, reference = read_table(exact)
        rules = rules_of(settings)
        keys = Keys(rules, settings["start_pieces"])
        start = json.loads((folder / f"{name}.value").read_text())["value"]
        assert abs(reference[keys.key(rules.generate_initial_game_state())] - 100 * start) < CERTIFIED, "the start"
        largest, reached = residual(rules, keys, reference)
        assert largest < CERTIFIED, f"{name}: residual {largest}"
        for kind, bound in ROUNDING.items():
            _, values = read_table(folder / f"{name}-{kind}.rgu")
            expect(values.keys() == reference.keys(), True, "the same keys")
            furthest = max(abs(values[key] - value) for key, value in reference.items())
            assert furthest <= bound * (1 + 1e-9), f"{name} {kind}: {furthest} from the exact value"
        print(f"{name}: {reached:,} of {len(reference):,} positions backed up, residual {largest:.1e} of 100")


def check_games(folder):
    for rules in sorted(path for path in folder.iterdir() if next(path.glob("*.json"), None)):
        actions = 0
        for path in sorted(rules.glob("*.json")):
            settings, game = play_json(path.read_text())
            actions += len(game.get_action_states())
            rgn = path.with_suffix(".rgn")
            if rgn.exists():
                other = play_rgn(rgn.read_text(), settings)
                expect(len(other.states), len(game.states), f"{rgn}, states")
                expect(other.get_winner(), game.get_winner(), f"{rgn}, winner")
        print(f"{rules.name}: {actions:,} rolls and moves")


if __name__ == "__main__":
    check_games(Path(sys.argv[1]))
    check_tables(Path(sys.argv[1]))
