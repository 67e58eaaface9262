"""Clips: for every kind of foul and of question a short script around it, from a position that allows it.

A clip is a position in the middle of a game, the foul turn, what follows from it (the put-back of the same
player, unless it is a question that may stand), and one more turn.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from datasets.games.composer import Composer
from datasets.games.fouls import KINDS, UNOPENED, make_foul
from datasets.games.position import COLOURS, LaidSet, Position, number
from datasets.games.script import Difficulty, GameScript
from datasets.games.wishes import GameError, Signals, Wishes
from referee.axes import Rules

__all__ = ["CLIPS", "TIMEOUTS", "clip_plans", "draw_clip"]

_OTHERS = "O1 B1 K1 | R11 R12 R13"
_JOKER_GROUP = "R3 B3 J=K3 | K6 K7 K8 K9"

CLIPS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "pair": ("B4 B5 B6 | O1 B1 K1", "R7 K7 O12"),
        "loose-tile": ("B4 B5 B6 | O1 B1 K1", "R7 O12"),
        "colour-repeated": ("B7 R7 K7 | O1 O2 O3", "R7 O12"),
        "fifth-tile": ("B7 R7 K7 O7 | O1 O2 O3", "R7 B12"),
        "fifth-joker": ("B7 R7 K7 O7 | O1 O2 O3", "J B12"),
        "mixed-run": ("B4 B5 B6 | O1 B1 K1", "K7 O12"),
        "numbers-differ": ("B7 R7 K7 | O1 O2 O3", "O8 B12"),
        "gap": ("B4 B5 B6 | O1 R1 K1", "B8 O12"),
        "number-repeated": ("B4 B5 B6 | O1 R1 K1", "B5 O12"),
        "wrap": ("K11 K12 K13 | O4 R4 B4", "K1 O8"),
        "out-of-order": (_OTHERS, "B4 B5 B6"),
        "pair-left": ("B4 R4 K4 | O1 O2 O3", "B5 B6 O12"),
        "loose-left": ("R3 R4 R5 R6 | O1 B1 K1", "R7 O12"),
        "tile-vanished": ("B3 B4 B5 B6 | O1 R1 K1", "B7 O12"),
        "joker-pocketed": (_JOKER_GROUP, "K3 O12"),
        "nothing-played": ("R3 R4 R5 R6 R7 R8 | O1 B1 K1", "B9 O12"),
        "played-after-drawing": ("R3 R4 R5 | O1 B1 K1", "R6 O12"),
        "third-copy": ("R9 B9 K9 | R9 B9 O9", "R10 R11 R9"),
        "joker-left-alone": ("R3 B3 J=K3 O3 | K6 K7 K8", "K9 O12"),
        "joker-lifted": ("R4 B4 K4 J=O4 | K6 K7 K8", "O10 R10"),
        "joker-to-old-set": ("R3 B3 J=K3 | R6 R7 R8", "K3 O12"),
        "joker-without-rack-tile": ("R3 B3 J=K3 | B7 K7 O7 R7 | B8 K8 O8 R8", "K3 O12"),
        "joker-slides": ("B6 B7 J=B8 | O1 R1 K1", "B8 O12"),
        "low-opening": (_OTHERS, "O9 B9 K9 K2"),
        "unopened-adds": ("R3 R4 R5 | O1 B1 K1", "R6 O12"),
        "opening-builds": ("K6 K7 K8 | O1 R1 B1", "R10 B10 K10 K9"),
        "opening-with-table-tile": ("R10 B10 K10 O10 | O1 R1 B1", "O11 O12"),
        "joker-before-opening": (_JOKER_GROUP, "K3 O9 R9"),
        "joker-in-opening": (_OTHERS, "R10 B10 J"),
        "opening-slides": (_OTHERS, "B9 B10 J"),
        "group-or-run": (_OTHERS, "O9 J J"),
        "set-broken": ("R3 R4 R5 R6 | O1 B1 K1", "B6 K6 O12"),
    }
)
"""By kind: the table, where ``J=K3`` is a joker that stands for K3, and what the player holds for it."""

TIMEOUTS: Final = ("time-out", "time-out-legal", "time-out-untouched")
"""Clips of turns that the clock ends: with a foul on the table, with a legal one, with nothing done."""

_EDITIONS: Final = MappingProxyType(
    {
        "set-broken": ("american",),
        "joker-in-opening": ("ua",),
        "opening-builds": ("ru", "ua"),
        "nothing-played": ("ru", "cards"),
        "joker-lifted": ("ru", "pressman2009"),
        "joker-to-old-set": ("ru", "pressman2009"),
        "joker-without-rack-tile": ("ru", "pressman2009"),
    }
)
_CLOCK_S = 40.0
_TRIES = 60


def clip_plans() -> tuple[tuple[str, str], ...]:
    """Every kind of clip with an edition for it: two where sheets differ in the verdict."""
    fouls = [(kind, edition) for kind in KINDS for edition in _EDITIONS.get(kind, ("ru",))]
    return (*fouls, *((kind, "ru") for kind in TIMEOUTS))


def draw_clip(
    kind: str,
    seed: int,
    edition: str = "ru",
    difficulty: Difficulty = "normal",
    signals: Signals = "all",
    half_size: tuple[float, float] | None = None,
    pace: float = 1.0,
) -> GameScript:
    """Draw the clip of a kind of foul, or of a time-out; the same arguments give the same clip.

    Raises GameError for a kind that there is not, or that the edition allows.
    """
    if kind not in CLIPS and kind not in TIMEOUTS:
        raise GameError(f"there is no clip {kind!r}; there are {', '.join((*KINDS, *TIMEOUTS))}")
    wishes = Wishes(
        seed,
        2,
        edition,
        4,
        difficulty,
        turn_seconds=_CLOCK_S if kind in TIMEOUTS else None,
        pace=pace,
        half_size=half_size,
        signals=signals,
        middle_game=True,
        pool_in_view=True if kind == "played-after-drawing" else None if kind not in TIMEOUTS else False,
    )
    rules = wishes.check()
    for attempt in range(_TRIES):
        chance = random.Random(f"clip {kind} {edition} {seed} {attempt}")
        position = _stacked(kind, chance, rules)
        game = Composer(wishes, position, rules, chance)
        game.begin()
        if _filmed(game, kind) and _one_more(game):
            return game.script(clip=kind, pace=str(pace))
    raise GameError(f"the edition {edition} has no clip {kind!r}: there it is no fault and no question")


def _filmed(game: Composer, kind: str) -> bool:
    if kind in TIMEOUTS:
        return game.time_out(0, {"time-out": "foul"}.get(kind, kind.removeprefix("time-out-")))
    foul = make_foul(game.position, 0, kind, game.chance, game.rules, pool_in_view=bool(game.pool))
    return foul is not None and game.foul_turn(0, foul)


def _one_more(game: Composer) -> bool:
    """The next player's legal turn; a draw where sets may not be rearranged."""
    if game.rules.rearrange == "yes":
        return game.legal_turn(1, may_end=False)
    game.quiet_turn(1)
    return True


def _stacked(kind: str, chance: random.Random, rules: Rules) -> Position:
    """The position of a kind, with its colours exchanged at random, in a box that is dealt for the rest."""
    table, held = CLIPS.get(kind, CLIPS["loose-left"])
    swap = dict(zip(COLOURS, chance.sample(COLOURS, len(COLOURS)), strict=True))
    names = {key: str(tile) for key, tile in enumerate(rules.inventory.tiles())}
    free = list(names)
    chance.shuffle(free)

    def dyed(name: str) -> str:
        return name if name == "J" else swap[name[0]] + name[1:]

    def take(name: str) -> int:
        key = next((key for key in free if names[key] == name), None)
        if key is None:  # a tile of another box
            key = max(names) + 1
            names[key] = name
        else:
            free.remove(key)
        return key

    sets: list[LaidSet] = []
    for part in table.split("|"):
        tiles = []
        for word in part.split():
            name, _, stands = word.partition("=")
            tiles.append((take(dyed(name)), dyed(stands or name)))
        sets.append(tuple(tiles))
    rack = [take(dyed(name)) for name in held.split()]
    # What else the players hold must not get in the way: no second joker, nothing that a set could want twice.
    plain = [key for key in free if names[key] != "J"]
    used = {number(stands) for tiles in sets for _, stands in tiles}
    others = [key for key in plain if number(names[key]) not in used]
    rack += others[: max(0, 9 - len(rack))]
    left = [key for key in free if key not in rack]
    racks = [rack, left[:12]]
    return Position(names, racks, left[12:], [kind not in UNOPENED, True], sets)
