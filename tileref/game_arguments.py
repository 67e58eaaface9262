"""What a game is played by, from the command line: players, rules, the part of the picture to watch."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from referee import AXES, VARIANTS, AxisValue, RefereeError
from tileref.arguments import add_edition
from vision.errors import VisionError
from vision.readings import Corners, as_corners
from vision.watch.setup import HouseRules, WatchSetup

__all__ = ["SetupError", "add_game", "setup_of"]


class SetupError(VisionError):
    """A game cannot be played as the arguments say."""


def add_game(parser: argparse.ArgumentParser) -> None:
    """Add the options that say who plays, and by which rules."""
    parser.add_argument(
        "--players", required=True, type=_names, metavar="A,B,...", help="names, by seat; the first starts"
    )
    add_edition(parser)
    parser.add_argument("--variant", choices=list(VARIANTS), help="a variant on top of the edition")
    parser.add_argument(
        "--rule",
        action="append",
        default=[],
        type=_rule,
        metavar="AXIS=VALUE",
        help="a house rule on top of it, such as opening_points=50; may be given again",
    )
    parser.add_argument(
        "--turn-time", type=_seconds, metavar="S", help="seconds that a turn may take (the edition's)"
    )
    parser.add_argument(
        "--button-only",
        action="store_true",
        help="turns end only by the button (a key, or with 'review' --signals), never by themselves",
    )
    for name, what in (("area", "the table"), ("river", "the river's row, which is never a set")):
        parser.add_argument(
            f"--{name}",
            nargs=4,
            type=_point,
            metavar="X,Y",
            help=f"four corners, in pixels of the picture, of {what}",
        )
    parser.add_argument(
        "--opened",
        type=_opened,
        metavar="A,...",
        help="watching begins in mid-game: who has opened already ('none' for nobody)",
    )


def setup_of(arguments: argparse.Namespace) -> WatchSetup:
    """Return the setup; SetupError where a game cannot be played so."""
    players: tuple[str, ...] = arguments.players
    opened = arguments.opened
    if opened is not None:
        strangers = [name for name in opened if name not in players]
        if strangers:
            raise SetupError(f"--opened names {strangers[0]!r}, who is no player: {', '.join(players)}.")
        opened = tuple(name in opened for name in players)
    house: HouseRules = tuple(arguments.rule)
    try:
        return WatchSetup(
            players=players,
            edition=arguments.edition,
            house_rules=house,
            variant=arguments.variant,
            turn_seconds=arguments.turn_time,
            automatic=not arguments.button_only,
            area_xy_px=_corners(arguments.area),
            river_xy_px=_corners(arguments.river),
            opened=opened,
        )
    except RefereeError as error:
        sentence = str(error)
        raise SetupError(f"{sentence[:1].upper()}{sentence[1:]}.") from error


def _names(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise argparse.ArgumentTypeError(f"{text!r} holds a character that cannot be read")
    if not all(names):
        raise argparse.ArgumentTypeError(f"{text!r} holds an empty name: write names apart by commas")
    if len(set(names)) < len(names):
        raise argparse.ArgumentTypeError(f"{text!r} holds a name twice: nobody could tell the two apart")
    return names


def _opened(text: str) -> tuple[str, ...]:
    return () if text.strip() == "none" else _names(text)


def _rule(text: str) -> tuple[str, AxisValue]:
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals or name not in AXES:
        raise argparse.ArgumentTypeError(f"{text!r} is no house rule: axes are {', '.join(AXES)}")
    taken: AxisValue = (
        None if value in ("none", "null") else int(value) if value.lstrip("-").isdigit() else value
    )
    try:
        AXES[name].check(taken)
    except RefereeError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return name, taken


def _seconds(text: str) -> int:
    seconds = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= seconds <= 86_400:
        raise argparse.ArgumentTypeError(f"{text!r} is no time for a turn: write whole seconds from 1")
    return seconds


def _point(text: str) -> tuple[float, float]:
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no point: write X,Y in pixels") from None
    if not (abs(x) < 1e6 and abs(y) < 1e6):
        raise argparse.ArgumentTypeError(f"{text!r} lies in no picture")
    return x, y


def _corners(points: Sequence[tuple[float, float]] | None) -> Corners | None:
    if points is None:
        return None
    corners = as_corners(points)
    area = 0.0
    for at in range(4):
        (x, y), (next_x, next_y) = corners[at], corners[(at + 1) % 4]
        area += float(x * next_y - next_x * y) / 2
    if abs(area) < 100:
        raise SetupError("The four corners enclose no area: give them in order round it.")
    return corners
