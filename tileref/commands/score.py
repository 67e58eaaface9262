"""Add up the tiles left on racks, one photograph a rack.

Several racks give a score sheet: an empty rack is the winner's; where nobody is
out, the edition says who wins. With --table,
the pool is taken for empty and one player for out: the racks must then hold
the whole box less the table, 788 points less the table's in the standard box,
jokers at 30.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

from referee.editions import EDITIONS, Edition
from referee.rack import PointRange, TotalCheck, check_total, rack_points
from referee.scoring import ScoreSheet, score_sheet
from referee.seen import SeenTile, print_tiles
from tileref.arguments import add_edition
from tileref.session import ReadPhoto, Session, Unusable, emit_json
from tileref.status import Status, worst
from tileref.stock import sure_excess
from vision.errors import PictureError
from vision.report import doubts, lying_table, seen_table

_ROWS_OF_A_RACK = 2


@dataclass(frozen=True, slots=True)
class Rack:
    """One photographed rack."""

    photo: str
    """The path as given."""
    tiles: tuple[SeenTile, ...]
    """Its tiles, in reading order."""
    points: PointRange
    """Their sum."""
    doubts: tuple[str, ...]
    """A sentence for each tile that was not read surely."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("racks", nargs="+", metavar="RACK_PHOTO", help="photographs of racks, one player each")
    parser.add_argument(
        "--joker", type=_points, metavar="POINTS", help="what a joker left on a rack counts (the edition's: 30)"
    )
    add_edition(parser)
    parser.add_argument("--out", action="store_true", help="a player whose rack is not photographed went out")
    parser.add_argument("--table", metavar="PHOTO", help="check the sum against this photograph of the table")
    parser.add_argument(
        "--json", action="store_true", help="print JSON: one object a line for each rack, then the sheet"
    )


def _points(text: str) -> int:
    """Return a joker's points; argparse's own error where it counts none such."""
    points = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= points <= 1000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of points from 0 to 1000")
    return points


def run(arguments: argparse.Namespace, session: Session) -> Status:
    """Sum every rack, then score the game and check the total as asked."""
    edition = EDITIONS[arguments.edition]
    joker = edition.rules.joker_points if arguments.joker is None else arguments.joker
    several = len(arguments.racks) > 1
    statuses: list[Status] = []
    racks: list[Rack] = []
    for read in session.photos(arguments.racks):
        if isinstance(read, Unusable):
            if arguments.json:
                emit_json({"photo": read.photo, "error": read.error})
            statuses.append(Status.UNUSABLE)
            continue
        rack = _rack(read, joker, session)
        racks.append(rack)
        statuses.append(Status.DOUBT if rack.doubts else Status.FINE)
        _print_rack(rack, arguments.json, several, session)
    table, table_status = _table(arguments.table, session)
    statuses.append(table_status)
    if len(racks) < len(arguments.racks) or (arguments.table is not None and table is None):
        return worst(statuses)  # a sheet or a check without one of its racks would be wrong
    return worst([*statuses, _conclude(racks, table, edition, joker, arguments, session)])


def _rack(read: ReadPhoto, joker: int, session: Session) -> Rack:
    table = seen_table(read.reading, session.settings.read.alternative_bar)
    tiles = tuple(table.tiles())
    groups = len(read.reading.sets)
    if read.reading.kind == "table" and groups > _ROWS_OF_A_RACK:
        session.complain(
            f"{read.photo} looks like a table, with tiles in {groups} groups; they are summed all the same."
        )
    doubtful = () if all(tile.is_sure for tile in tiles) else tuple(_tile_doubts(read, session))
    return Rack(read.photo, tiles, rack_points(tiles, joker), doubtful)


def _tile_doubts(read: ReadPhoto, session: Session) -> list[str]:
    """The doubts that matter for a sum: of tiles, not of where a row ends."""
    found = doubts(read.reading, session.settings.read.alternative_bar)
    return [sentence for sentence in found if sentence.startswith("Tile")]


def _print_rack(rack: Rack, as_json: bool, with_name: bool, session: Session) -> None:
    if as_json:
        emit_json(
            {
                "photo": rack.photo,
                "tiles": [str(tile) for tile in rack.tiles],
                "sum": rack.points.least if rack.points.is_sure else None,
                "least": rack.points.least,
                "most": rack.points.most,
                "doubt": bool(rack.doubts),
            }
        )
        return
    indent = "  " if with_name else ""
    if with_name:
        print(f"{rack.photo}:")
    print(f"{indent}{session.show(print_tiles(rack.tiles)) or 'No tiles.'}")
    for sentence in rack.doubts:
        print(f"{indent}{session.show(sentence)}")
    print(f"{indent}Sum: {_range(rack.points)}", flush=True)


def _table(path: str | None, session: Session) -> tuple[ReadPhoto | None, Status]:
    if path is None:
        return None, Status.FINE
    try:
        read = session.photo(path)
    except PictureError as error:
        session.complain(str(error))
        return None, Status.UNUSABLE
    if read.reading.kind == "rack":
        session.complain(f"{path} shows a rack, not a table.")
        return None, Status.UNUSABLE
    return read, Status.FINE


def _conclude(
    racks: list[Rack],
    table: ReadPhoto | None,
    edition: Edition,
    joker: int,
    arguments: argparse.Namespace,
    session: Session,
) -> Status:
    """Print sheet, check and excess copies, and return what they come to."""
    tiles = [rack.tiles for rack in racks]
    laid = None if table is None else lying_table(table.reading, session.settings.read.alternative_bar)
    check = None if laid is None else check_total(laid, tiles, session.rules.inventory)
    excess = sure_excess(
        [tile for rack in tiles for tile in rack] + ([] if laid is None else list(laid.tiles())),
        session.rules.inventory,
    )
    someone_out = any(not rack for rack in tiles)
    another_out = arguments.out or (table is not None and not someone_out)
    sheet = (
        score_sheet(tiles, edition.rules, joker, another_is_out=another_out)
        if len(racks) > 1 or another_out
        else None
    )
    if arguments.json:
        if sheet or check or excess:
            emit_json(_conclusion_json(racks, sheet, check, excess, edition))
    else:
        for line in _conclusion_text(racks, sheet, check, [session.show(one) for one in excess], edition):
            print(line)
        if table is not None and table.reading.face_down_xy_px:
            print("Tiles lie face down beside the table: the sums only compare once the pool is empty.")
    statuses = [Status.FAULT] if excess or (check and check.outcome == "mismatch") else []
    if (sheet and sheet.question) or (check and check.outcome == "unknown"):
        statuses.append(Status.DOUBT)
    return worst(statuses)


def _conclusion_json(
    racks: list[Rack], sheet: ScoreSheet | None, check: TotalCheck | None, excess: list[str], edition: Edition
) -> dict[str, Any]:
    value: dict[str, Any] = {"edition": edition.code}
    if sheet is not None:
        value["sheet"] = [
            {"photo": rack.photo, "tiles": line.tiles, "held": _bounds(line.held), "score": _bounds(line.score)}
            for rack, line in zip(racks, sheet.lines, strict=True)
        ]
        value["winner"] = None if sheet.winner is None else racks[sheet.winner].photo
        value["winner_score"] = _bounds(sheet.winner_score)
        value["question"] = None if sheet.question is None else sheet.question.message
    if check is not None:
        value["total"] = {
            "outcome": check.outcome,
            "expected": _bounds(check.expected),
            "counted": _bounds(check.counted),
            "message": check.message,
        }
    value["problems"] = excess
    return value


def _conclusion_text(
    racks: list[Rack], sheet: ScoreSheet | None, check: TotalCheck | None, excess: list[str], edition: Edition
) -> list[str]:
    lines = [] if sheet is None else ["", f"Score sheet ({edition.sheet}):"]
    if sheet is not None:
        width = max(len(rack.photo) for rack in racks)
        for place, (rack, line) in enumerate(zip(racks, sheet.lines, strict=True)):
            score = "open" if line.score is None else _signed(line.score)
            won = "  winner" if place == sheet.winner else ""
            lines.append(f"  {rack.photo:<{width}}  holds {_range(line.held):>6}  scores {score:>6}{won}")
        if sheet.winner is None and sheet.winner_score is not None:
            lines.append(f"  {'the player who is out':<{width}}  scores {_signed(sheet.winner_score)}  winner")
        if sheet.question:
            lines.append(f"Question: {sheet.question}")
    if check is not None:
        lines.append(f"{'Fault: ' if check.outcome == 'mismatch' else ''}{check.message}")
    return lines + [f"Fault: {sentence}" for sentence in excess]


def _bounds(points: PointRange | None) -> list[int] | None:
    return None if points is None else [points.least, points.most]


def _range(points: PointRange) -> str:
    return str(points.least) if points.is_sure else f"{points.least} to {points.most}"


def _signed(points: PointRange) -> str:
    return f"{points.least:+d}" if points.is_sure else f"{points.least:+d} to {points.most:+d}"
