"""Makes recorded games: ``python -m datasets.games.make --out DIR --count N --seed S``.

Each game is a folder that ``datasets.games.write`` describes. A game that is there already is left as it is, so
a run that was stopped goes on where it was. Clips (``--clips``) are one for each kind of foul and question.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from datasets.games.clips import clip_plans, draw_clip
from datasets.games.composing import draw_script
from datasets.games.cutout import CutoutError
from datasets.games.incidents import held_in_hand, in_the_sun
from datasets.games.script import GameScript
from datasets.games.sprites import TableLooks, TileLooks
from datasets.games.wishes import GameError
from datasets.games.write import Recording, write_game
from datasets.photos import PhotoLabelsError
from referee.errors import RefereeError

__all__ = ["main"]

_EDITIONS = ("ru", "ua", "en", "he", "pressman")


@dataclass(frozen=True, slots=True)
class Order:
    """One game to be made."""

    name: str
    """The folder's name."""
    seed: int
    """Settles everything about it."""
    clip: tuple[str, str] | None
    """Kind and edition of a clip; None for a whole game."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0, or 2 where the games cannot be made."""
    asked = _parser().parse_args(arguments)
    orders = _orders(asked)
    todo = [order for order in orders if not (asked.out / order.name / "game.json").exists()]
    try:
        if asked.jobs == 1:
            for order in todo:
                print(_make(order, asked), flush=True)
        else:
            with ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as workers:
                for done in as_completed([workers.submit(_make, order, asked) for order in todo]):
                    print(done.result(), flush=True)
    except (GameError, RefereeError, CutoutError, PhotoLabelsError, OSError) as error:
        print(f"datasets.games.make: {error}", file=sys.stderr)
        return 2
    return 0


def _orders(asked: argparse.Namespace) -> list[Order]:
    if asked.clips:
        return [
            Order(f"clip-{kind}-{edition}-{asked.seed + at:05d}", asked.seed + at, (kind, edition))
            for at in range(asked.count)
            for kind, edition in clip_plans()
            if asked.only is None or kind in asked.only
        ]
    return [Order(f"{asked.kind}-{asked.seed + at:05d}", asked.seed + at, None) for at in range(asked.count)]


def _script(order: Order, asked: argparse.Namespace) -> GameScript:
    chance = random.Random(f"order {order.seed}")
    difficulty = chance.choice(asked.difficulty)
    signals = chance.choice(asked.signals)
    if order.clip is not None:
        kind, edition = order.clip
        return draw_clip(kind, order.seed, edition, difficulty, signals, asked.half_size, asked.pace)
    clock = asked.turn_seconds
    return draw_script(
        order.seed,
        players=chance.randint(*asked.players),
        edition=chance.choice(asked.edition),
        turns=chance.randint(*asked.turns),
        difficulty=difficulty,
        turn_seconds=clock if clock is not None and chance.random() < asked.clock_share else None,
        pace=asked.pace,
        half_size=asked.half_size,
        signals=signals,
        middle_game=chance.random() < asked.middle_share,
        foul_rate=asked.foul_rate,
    )


def _make(order: Order, asked: argparse.Namespace) -> str:
    """Film one game; returns a line that tells of it."""
    from datasets.games.film import film  # PyAV is loaded only by those who film

    script = _script(order, asked)
    script = held_in_hand(script) if asked.held else script
    script = in_the_sun(script) if asked.sun else script
    folder = asked.out / order.name
    shutil.rmtree(folder, ignore_errors=True)  # what a run that was stopped has left
    folder.mkdir(parents=True)
    tiles, table = _looks(order, asked)
    chance = random.Random(f"phone {order.seed}")
    rotate = chance.choice((0, 90, 270)) if asked.phone else 0
    film(
        script, tiles, table, folder / "film.mp4", asked.size, asked.fps, order.seed,
        variable_rate=asked.phone, rotate=rotate,
    )  # fmt: skip
    recording = Recording(asked.kind, "film.mp4", asked.size, asked.fps, tiles.name, table.name)
    game = write_game(folder, script, recording)
    fouls = sum(turn.foul is not None for turn in game.turns)
    return f"{order.name}: {len(game.turns)} turns, {fouls} fouls, {game.duration_s:.0f} s"


def _looks(order: Order, asked: argparse.Namespace) -> tuple[TileLooks, TableLooks]:
    rng = np.random.default_rng([order.seed, 77])
    if asked.kind == "cutout":
        from datasets.games.cutout import load_cutouts

        tiles, grounds = load_cutouts(asked.photos, asked.split, order.seed)
        return tiles, grounds[int(rng.integers(len(grounds)))]
    from datasets.games.drawn import drawn_table, drawn_tiles

    return drawn_tiles(rng), drawn_table(rng)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m datasets.games.make", description=__doc__)
    add = parser.add_argument
    add("--out", type=Path, required=True, metavar="DIR", help="where the games' folders go")
    add("--count", type=_positive, default=1, metavar="N", help="how many games (of clips: how many of each)")
    add("--seed", type=int, default=0, metavar="S", help="the first game's seed; the others follow")
    add("--turns", type=_range, default=(20, 60), metavar="A-B", help="turns of a game (20-60)")
    add("--players", type=_range, default=(2, 4), metavar="A-B", help="players of a game (2-4)")
    add("--edition", type=_words(_EDITIONS), default=_EDITIONS, help="editions, drawn from (with commas)")
    levels = ("easy", "normal", "hard")
    add("--difficulty", type=_words(levels, True), default=("normal",), help="easy, normal, hard (with commas)")
    presses = ("all", "quiet", "none")
    add("--signals", type=_words(presses, True), default=("all",), help="all, quiet, none (with commas)")
    add("--size", type=_size, default=(1280, 720), metavar="WxH", help="picture size (1280x720)")
    add("--half-size", type=_half, default=None, metavar="XxY", help="half the table in view, tile widths")
    add("--fps", type=float, default=15.0, help="frames a second (15)")
    add("--pace", type=float, default=1.0, help="2 for hands twice as fast (1)")
    add("--phone", action="store_true", help="variable frame rate, and turned as phones store it")
    add("--held", action="store_true", help="the camera in a hand, which sways")
    add("--sun", action="store_true", help="hard sun, in which heads throw shadows that sway")
    add("--kind", choices=("drawn", "cutout"), default="drawn", help="drawn tiles, or cut out of photographs")
    add("--photos", type=Path, default=Path("../shared/photos"), help="photographs to cut tiles out of")
    add("--split", choices=("train", "test", "all"), default="test", help="part of the photographs (test)")
    add("--turn-seconds", type=float, default=None, metavar="S", help="a clock, and time-outs with it")
    add("--clock-share", type=float, default=1.0, help="share of the games that have the clock (1)")
    add("--middle-share", type=float, default=0.15, help="share of the games that begin in the middle (0.15)")
    add("--foul-rate", type=float, default=0.15, help="share of turns in which a foul is tried (0.15)")
    add("--clips", action="store_true", help="a clip for every kind of foul, in place of whole games")
    add("--only", type=_words((), True), default=None, help="with --clips: these kinds (with commas)")
    add("--jobs", type=_positive, default=1, metavar="N", help="processes (1)")
    return parser


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"a number of at least 1, not {text}")
    return value


def _range(text: str) -> tuple[int, int]:
    low, _, high = text.partition("-")
    found = int(low), int(high or low)
    if not 1 <= found[0] <= found[1]:
        raise argparse.ArgumentTypeError(f"a range such as 20-60, not {text}")
    return found


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    return int(width), int(height)


def _half(text: str) -> tuple[float, float]:
    width, _, height = text.partition("x")
    return float(width), float(height)


def _words(known: Sequence[str], strict: bool = False) -> Callable[[str], Any]:
    def parse(text: str) -> tuple[str, ...]:
        words = tuple(text.split(","))
        unknown = [word for word in words if strict and known and word not in known]
        if unknown:
            raise argparse.ArgumentTypeError(f"{', '.join(known)}, not {unknown[0]}")
        return words

    return parse


if __name__ == "__main__":
    sys.exit(main())
