"""The recorded game that comes with the program: ``python -m datasets.games.sample --out DIR``.

Its play is written down here by hand, for it is to show the way through a game in three minutes; hands, places
and times are drawn like those of every other recorded game. Its truth is what the turns were made to be: no
judge is asked. Tiles, table and racks are chosen so that the program reads them, for it demonstrates the way
through a game, not sight.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from datasets.games.choreography import Step
from datasets.games.composer import LEGAL, Composer
from datasets.games.fouls import Foul
from datasets.games.placing import Ground, pool_poses, pool_width
from datasets.games.position import LaidSet, Position
from datasets.games.script import GameScript
from datasets.games.wishes import GameError, Signals, Wishes
from datasets.games.write import Recording, write_game
from referee.tiles import Tile

__all__ = ["EDITION", "PLAYERS", "draw_sample", "main", "make_sample"]

PLAYERS: Final = ("Anna", "Boris", "Clara")
"""Who plays, by seat."""

EDITION: Final = "ru"
"""The dashboard's usual edition: the opening is 30 points or more."""

_SEED: Final = 0
_TILES_SEED: Final = 10
_GROUND: Final = "marble/green"
_SIZE_WH: Final = (1280, 720)
_FPS: Final = 10.0
_QUALITY: Final = 26
_RACK_SEEDS: Final = (13, 0, 0)
_JPEG_QUALITY: Final = 85

_HALF_SIZE: Final = (12.4, 7.0)
_BACKS_IN_VIEW: Final = 12

_RACKS: Final = (
    "R7 B7 K7 O7 K3 K4 K7 R4 B3 O2 K13 O9 R13 B5",
    "B10 B11 B12 B13 R8 R9 O4 J O6 R1 B1 K1 R10 B9",
    "R11 K11 O5 K12 O12 B2 B4 O8 R3 K6 K10 B6 O3 B8",
)
_DRAWN: Final = "K5 O11 R2 K9"
"""The pool's next tiles; each comes to the player who draws then."""


@dataclass(frozen=True, slots=True)
class _Turn:
    """A turn as it is written down."""

    seat: int
    """Whose."""
    table: str | None
    """The table that it leaves, ``J=R12`` for a joker and what it stands for; None for a draw."""
    foul: str | None = None
    """The kind of foul that it is; the player then puts it back."""
    code: str = ""
    """The foul's code, as ``referee`` names it."""


_TURNS: Final = (
    # Four sevens are worth 28.
    _Turn(0, "R7 B7 K7 O7", "low-opening", "opening-too-low"),
    _Turn(1, "B10 B11 B12"),
    _Turn(2, None),
    # With what was drawn for the foul the opening is worth 40.
    _Turn(0, "B10 B11 B12 | R7 B7 K7 O7 | K3 K4 K5"),
    _Turn(1, "B10 B11 B12 B13 | B7 K7 O7 | K3 K4 K5 | R7 R8 R9"),
    _Turn(2, "B10 B11 B12 B13 | B7 K7 O7 | K3 K4 K5 | R7 R8 R9 | R11 K11 O11"),
    _Turn(
        0,
        "B10 B11 B12 B13 | B7 K7 O7 K7 | K3 K4 K5 | R7 R8 R9 | R11 K11 O11",
        "colour-repeated",
        "colour-repeated",
    ),
    _Turn(
        1,
        "B10 B11 B12 B13 | B7 K7 O7 | K3 K4 K5 | R7 R8 R9 | R11 K11 O11 | O4 J=O5 O6 | R1 B1 K1",
    ),
    # The joker is freed by the tile for which it stands, and lies in a new set.
    _Turn(
        2,
        "B10 B11 B12 B13 | B7 K7 O7 | K3 K4 K5 | R7 R8 R9 | R11 K11 O11 | O4 O5 O6 | R1 B1 K1 | K12 O12 J=R12",
    ),
    _Turn(0, None),
    # The last two tiles of the rack.
    _Turn(
        1,
        "B9 B10 B11 B12 B13 | B7 K7 O7 | K3 K4 K5 | R7 R8 R9 R10 | R11 K11 O11 | O4 O5 O6 | R1 B1 K1"
        " | K12 O12 J=R12",
    ),
)


class _Table(Composer):
    """A game whose play is settled. A part of the pool lies in view, its next tiles among it."""

    def _lay_out_pool(self) -> Ground:
        poses = pool_poses(_BACKS_IN_VIEW, self.half_size, 1, self.chance)
        self.pool = dict(zip(self.position.pool[-_BACKS_IN_VIEW:], poses, strict=True))
        low, high = (-self.half_size[0], -self.half_size[1]), self.half_size
        return Ground(low, (high[0] - pool_width(poses, self.half_size), high[1]))

    def drawing(self, seat: int, count: int) -> list[Step]:
        """Take the pool's next tiles, which all lie in view."""
        keys = [self.position.pool.pop() for _ in range(count)]
        self.position.racks[seat] += keys
        return [Step(key, self.pool.pop(key), None, face_down=True) for key in keys]


def draw_sample(seed: int = 0, signals: Signals = "all") -> GameScript:
    """Return the game; ``seed`` settles hands, places and times, and the same arguments give the same game.

    Raises GameError where this seed finds no room for a turn.
    """
    wishes = Wishes(
        seed, len(PLAYERS), EDITION, len(_TURNS), "easy", signals=signals, half_size=_HALF_SIZE,
        pool_in_view=True, another_way=0.0,
    )  # fmt: skip
    rules = wishes.check()
    chance = random.Random(f"sample {seed}")
    game = _Table(wishes, _dealt(chance, [str(tile) for tile in rules.inventory.tiles()]), rules, chance)
    game.names = PLAYERS
    game.begin()
    for turn in _TURNS:
        if turn.table is None:
            game.quiet_turn(turn.seat)
            continue
        table = _laid(game.position, turn.seat, turn.table)
        if turn.foul is not None:
            done = game.foul_turn(turn.seat, Foul(turn.foul, table, "illegal", (turn.code,)))
        else:
            done = game.turn_to(turn.seat, table, "play", LEGAL)
            game.position.opened[turn.seat] = True
        if not done:
            raise GameError(f"with the seed {seed} there is no room for turn {len(game.turns) + 1}")
    return game.script()


def _dealt(chance: random.Random, box: Sequence[str]) -> Position:
    """The position before the first turn: racks and next tiles as they are written down, the rest shuffled."""
    names = dict(enumerate(box))
    free = list(names)
    chance.shuffle(free)

    def take(name: str) -> int:
        key = next(key for key in free if names[key] == name)
        free.remove(key)
        return key

    racks = [[take(name) for name in rack.split()] for rack in _RACKS]
    drawn = [take(name) for name in _DRAWN.split()]
    return Position(names, racks, [*free, *reversed(drawn)], [False] * len(racks), [])


def _laid(position: Position, seat: int, text: str) -> tuple[LaidSet, ...]:
    """The table that ``text`` tells, made of the tiles that lie there and of those of the player's rack."""
    lying = [key for tiles in position.table for key, _ in tiles]
    held = list(position.racks[seat])
    table = []
    for part in text.split("|"):
        tiles = []
        for word in part.split():
            name, _, stands = word.partition("=")
            source = lying if any(position.names[key] == name for key in lying) else held
            key = next(key for key in source if position.names[key] == name)
            source.remove(key)
            tiles.append((key, stands or name))
        table.append(tuple(tiles))
    return tuple(table)


def make_sample(folder: Path) -> None:
    """Make the bundled game in ``folder``: the film, its truth, and a photograph of each rack that is left.

    Only what the repository holds is drawn with, so that everyone gets the same pictures: ``TILEREF_ASSETS`` is
    pointed away from whatever ``datasets.assets`` has collected, for the rest of this process.
    """
    with tempfile.TemporaryDirectory() as nothing:
        os.environ["TILEREF_ASSETS"] = nothing
        _make(folder)


def _make(folder: Path) -> None:
    from datasets.games.drawn import DrawnTable, drawn_tiles
    from datasets.games.film import film  # PyAV is loaded only by those who film
    from datasets.games.sample_racks import photograph_rack
    from datasets.grounds import PROCEDURAL

    script = draw_sample(_SEED)
    tiles = drawn_tiles(np.random.default_rng([_TILES_SEED, 77]))
    ground = next(ground for ground in PROCEDURAL if ground.name == _GROUND)
    table = DrawnTable(ground.name, ground)
    (folder / "racks").mkdir(parents=True, exist_ok=True)
    film(script, tiles, table, folder / "film.mp4", _SIZE_WH, _FPS, _SEED, quality=_QUALITY)
    for name, rack, seed in zip(PLAYERS, script.racks, _RACK_SEEDS, strict=True):
        if rack:
            held = [Tile.parse(tile) for tile in rack]
            photo = photograph_rack(held, tiles.design, table, seed)
            path = folder / "racks" / f"{name.lower()}.jpg"
            if not cv2.imwrite(str(path), photo, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY]):
                raise OSError(f"{path} cannot be written")
    write_game(folder, script, Recording("drawn", "film.mp4", _SIZE_WH, _FPS, tiles.name, table.name))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0, or 2 where the game cannot be made."""
    parser = argparse.ArgumentParser(prog="python -m datasets.games.sample", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the files go")
    asked = parser.parse_args(arguments)
    try:
        make_sample(asked.out)
    except (GameError, OSError) as error:
        print(f"datasets.games.sample: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
