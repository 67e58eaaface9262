"""What is odd about racks that are shown at the end of a game, by the log and by the box."""

from __future__ import annotations

from collections.abc import Sequence

from referee.gamestate import GameState
from referee.messages import Problem
from referee.seen import SeenTile
from referee.stock import judge_copies
from referee.table import Table

__all__ = ["rack_remarks", "rack_size_differs"]


def rack_remarks(
    state: GameState, racks: Sequence[Sequence[SeenTile] | None]
) -> tuple[tuple[Problem, ...], ...]:
    """Return the remarks on each player's rack, by seat; None for a rack that nobody has told yet.

    It holds more or fewer tiles than by the log, or any though its player went out, or one of which table and
    racks together show more than the box has. Those are no faults: the log may have missed a draw, and a tile
    may have been misread.
    """
    shown = Table((*state.table.sets, *(tuple(rack) for rack in racks if rack)))
    too_many, _ = judge_copies(shown, state.rules.inventory)
    remarks: list[tuple[Problem, ...]] = []
    for seat, (rack, kept) in enumerate(zip(racks, state.racks, strict=True)):
        if rack is None:
            remarks.append(())
            continue
        size: tuple[Problem, ...] = ()
        if seat == state.out and rack:
            size = (Problem("out-holds-tiles", args=(("player", state.players[seat]),)),)
        elif len(rack) != kept:
            size = (rack_size_differs(state.players[seat], len(rack), kept),)
        copies = [
            Problem("too-many-copies-shown", one.tiles, one.args)
            for one in too_many
            if set(one.tiles) & {seen for seen in rack if not seen.hidden}
        ]
        remarks.append((*size, *copies))
    return tuple(remarks)


def rack_size_differs(player: str, held: int, kept: int) -> Problem:
    """Return the remark that ``player`` holds ``held`` tiles where the log counts ``kept``."""
    return Problem("rack-size-differs", args=(("player", player), ("held", held), ("kept", kept)))
