"""Tables, turns and entries of the log as plain values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

from referee import (
    Correct,
    Event,
    Note,
    Play,
    Question,
    SeenTile,
    SetJudgement,
    Table,
    TimeOut,
    event_to_json,
    parse_table,
    put_back,
)
from web.desk.desk import OpenMatch
from web.desk.ledger import Ledger
from web.desk.seen import SeenNow, TileNow, typed
from web.desk.telling import Teller, texts

__all__ = ["last_turn", "log_entry", "set_json", "texts_of", "tile_json"]

_NAMES = {"legal": "good", "ask": "doubtful"}


def texts_of(table: Table) -> list[list[str]]:
    """The sets of a table as lists of texts."""
    return [texts(tiles) for tiles in table.sets]


def tile_json(
    key: str,
    seen: SeenTile,
    likely: Sequence[tuple[SeenTile, float]] = (),
    corners: Sequence[tuple[float, float]] | None = None,
    *,
    new: bool = False,
    faulty: bool = False,
) -> dict[str, Any]:
    """Return one tile."""
    candidates = sorted(seen.candidates)
    return {
        "key": key,
        "text": str(seen),
        "candidates": [str(tile) for tile in candidates] if len(candidates) <= 13 else [],
        "likely": [{"tile": str(other), "share": round(share, 4)} for other, share in likely],
        "hidden": seen.hidden,
        "new": new,
        "faulty": faulty,
        "corners": None if corners is None else [[round(x, 5), round(y, 5)] for x, y in corners],
    }


def set_json(
    lying: SeenNow,
    tiles: Sequence[TileNow],
    new: list[SeenTile],
    judged: SetJudgement | None,
    illegal: Literal["unfinished", "faulty"],
    teller: Teller,
    faulty: list[SeenTile] | None = None,
) -> dict[str, Any]:
    """Return one set of the table; ``new`` and ``faulty`` tiles are taken from those lists as they are met."""
    blamed = Counter(seen for problem in judged.problems for seen in problem.tiles) if judged else Counter()
    plain = []
    for tile in tiles:
        seen = lying.tile(tile)
        is_new = seen in new
        if is_new:
            new.remove(seen)
        by_turn = faulty is not None and seen in faulty
        if by_turn and faulty is not None:
            faulty.remove(seen)
        by_set = illegal == "faulty" and blamed[seen] > 0
        blamed[seen] -= by_set
        plain.append(tile_json(tile.key, seen, tile.likely, tile.corners, new=is_new, faulty=by_turn or by_set))
    state = None if judged is None else _NAMES.get(judged.verdict, illegal)
    said = teller.all((*judged.problems, *judged.questions)) if judged is not None else []
    return {"tiles": plain, "state": state, "doubt": False, "told": said}


def last_turn(match: OpenMatch, teller: Teller) -> dict[str, Any] | None:
    """Return the last turn of this game with its verdict and, where it has to go back, the plan for that."""
    number = match.ledger.last_turn()
    return None if number is None else turn_json(match.ledger, number, teller, len(match.ledger.entries) - 1)


def turn_json(ledger: Ledger, number: int, teller: Teller, last: int) -> dict[str, Any]:
    """Return the turn that event ``number`` ended, or tried to end."""
    event, outcome, before = ledger.effective[number], ledger.outcomes[number], ledger.before(number)
    seat = getattr(event, "seat", None)
    is_table = isinstance(event, Play | TimeOut)
    now = parse_table(event.table) if isinstance(event, Play | TimeOut) else before.table
    after = ledger.states[number].table
    judged = outcome.turn
    back: list[dict[str, Any]] = []
    if is_table and outcome.verdict == "illegal":
        back = _plan(now, before.table, before.rules.sets, teller)
    elif isinstance(event, TimeOut) and str(after) != str(now):
        back = _plan(now, after, before.rules.sets, teller)
    lying = typed(now, "log")
    new = list(judged.played) if judged else []
    blamed = [seen for problem in outcome.problems for seen in problem.tiles] if judged else []
    sets = []
    for place, tiles in enumerate(lying.sets):
        of_set = judged.table.sets[place] if judged else None
        sets.append(set_json(lying, tiles, new, of_set, "faulty", teller, blamed))
    picture = ledger.entries[number].picture
    return {
        "number": number,
        "seat": seat,
        "player": _name(ledger, seat),
        "event": _kind(event),
        "verdict": outcome.verdict,
        "ruled": getattr(event, "ruling", None),
        "told": teller.all((*outcome.problems, *outcome.questions, *outcome.notes)),
        "table": {"sets": sets, "notation": str(now)},
        "before": texts_of(before.table),
        "after": texts_of(after),
        "played": texts(judged.played) if judged else [],
        "gone": texts(judged.gone) if judged else [],
        "opening_points": judged.opening_points if judged else None,
        "picture": f"/pictures/{picture}.jpg" if picture else None,
        "put_back": back,
        "puts_back": ledger.puts_back(number),
        "standing": number == last,
    }


def _plan(now: Table, before: Table, rules: Any, teller: Teller) -> list[dict[str, Any]]:
    """The steps that lead back; none where sets cross."""
    if now.shared or before.shared:
        return []
    return [
        {
            "kind": step.kind,
            "told": teller.told(step.note),
            "tile": str(step.tile),
            "lies_in": texts(step.lies_in),
            "goes_to": texts(step.goes_to),
            "table": texts_of(step.table),
        }
        for step in put_back(now, before, rules)
    ]


def log_entry(ledger: Ledger, number: int, teller: Teller) -> dict[str, Any]:
    """Return one event of the log as the history shows it."""
    entry = ledger.entries[number]
    first, now, outcome = entry.event, ledger.effective[number], ledger.outcomes[number]
    shown = first if now is None else now
    seat = getattr(shown, "seat", None)
    if isinstance(first, Correct):
        state = "correction" if outcome.verdict == "legal" else "refused"
    elif now is None:
        state = "taken-back"
    elif outcome.verdict == "illegal":
        state = "refused"
    else:
        state = "changed" if now != first else "counts"
    said: tuple[Note | Question, ...] = (*outcome.problems, *outcome.questions, *outcome.notes)
    return {
        "number": number,
        "event": event_to_json(shown),
        "first": event_to_json(first) if now != first else None,
        "kind": _kind(shown),
        "puts_back": ledger.puts_back(number),
        "of": first.of if isinstance(first, Correct) else None,
        "seat": seat,
        "player": _name(ledger, seat),
        "verdict": outcome.verdict if now is not None else None,
        "told": teller.all(said if now is not None else ()),
        "game": ledger.game_of(number),
        "t_s": getattr(shown, "t_s", None),
        "at": entry.recorded_at,
        "state": state,
        "corrected_by": list(ledger.corrected_by.get(number, ())),
        "picture": f"/pictures/{entry.picture}.jpg" if entry.picture else None,
        "played": texts(outcome.turn.played) if outcome.turn is not None else [],
    }


def _name(ledger: Ledger, seat: int | None) -> str:
    players = ledger.state.players
    return players[seat] if seat is not None and seat < len(players) else ""


def _kind(event: Event | None) -> str:
    return "" if event is None else str(event_to_json(event)["event"])
