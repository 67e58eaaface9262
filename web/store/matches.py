"""Matches on disk."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from sqlite3 import Connection
from typing import Any, Literal

from referee import Event, event_from_json, event_line
from web.errors import NotFound
from web.store.database import Database

__all__ = ["Entry", "MatchStore", "NoteEntry", "StoredMatch", "Summary", "Writing"]

Mode = Literal["full", "clock"]
"""``full``: the referee keeps every turn. ``clock``: clock, score sheet, rounds and match alone."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An event of the log, with what is kept beside it."""

    event: Event
    """The event."""
    recorded_at: float
    """When it was written, seconds of the epoch."""
    picture: str | None = None
    """The name of its picture."""


@dataclass(frozen=True, slots=True)
class NoteEntry:
    """Something settled beside the log."""

    note: Mapping[str, Any]
    """Plain values; ``kind`` says what it is."""
    recorded_at: float
    """When it was written, seconds of the epoch."""


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """One match as it lies on disk."""

    id: str
    """Made by the program."""
    title: str
    """What people call it."""
    mode: Mode
    """How much of it is kept."""
    started_at: float
    """Seconds of the epoch."""
    entries: tuple[Entry, ...]
    """The log."""
    notes: tuple[NoteEntry, ...]
    """What was settled beside it."""
    working: Mapping[str, Any]
    """What is at work, by name."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A match as a list shows it."""

    id: str
    """Made by the program."""
    title: str
    """What people call it."""
    mode: Mode
    """How much of it is kept."""
    started_at: float
    """Seconds of the epoch."""
    last_at: float
    """When something last happened in it."""
    players: tuple[str, ...]
    """Names, by seat."""
    edition: str
    """The edition's code."""
    games: int
    """How many games were dealt or scored by the clock."""
    bytes: int
    """What its pictures take on disk."""


class Writing:
    """What one transaction adds to one match."""

    def __init__(self, connection: Connection, match_id: str, at: float) -> None:
        self._connection, self._id, self._at = connection, match_id, at

    def events(self, first: int, events: Sequence[Event], picture: str | None = None) -> None:
        """Add events to the log; ``first`` is the number of the first, which must be the next."""
        rows = [
            (self._id, first + place, event_line(event), self._at, picture)
            for place, event in enumerate(events)
        ]
        self._connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?)", rows)
        self._touch()

    def note(self, number: int, note: Mapping[str, Any]) -> None:
        """Add a note."""
        self._connection.execute(
            "INSERT INTO notes VALUES (?, ?, ?, ?)", (self._id, number, _json(note), self._at)
        )
        self._touch()

    def working(self, name: str, value: Any) -> None:
        """Set a value that is at work; None removes it."""
        if value is None:
            self._connection.execute("DELETE FROM working WHERE match_id = ? AND name = ?", (self._id, name))
        else:
            self._connection.execute(
                "INSERT INTO working VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
                (self._id, name, _json(value)),
            )

    def _touch(self) -> None:
        self._connection.execute("UPDATE matches SET last_at = ? WHERE id = ?", (self._at, self._id))


class MatchStore:
    """Reads and writes matches."""

    def __init__(self, database: Database) -> None:
        """Keep matches in ``database``."""
        self._database = database

    def create(
        self, title: str, mode: Mode, events: Sequence[Event], at: float, working: Mapping[str, Any]
    ) -> str:
        """Begin a match with its first events; return its id."""
        match_id = secrets.token_hex(8)
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT INTO matches (id, title, mode, started_at, last_at) VALUES (?, ?, ?, ?, ?)",
                (match_id, title, mode, at, at),
            )
            writing = Writing(connection, match_id, at)
            writing.events(0, events)
            for name, value in working.items():
                writing.working(name, value)
        return match_id

    def write(self, match_id: str, at: float) -> _Transaction:
        """Give a context for one transaction on a match."""
        return _Transaction(self._database, match_id, at)

    def load(self, match_id: str) -> StoredMatch:
        """Return a match; NotFound where there is none of that id."""
        found = self._database.rows("SELECT * FROM matches WHERE id = ? AND deleting = 0", (match_id,))
        if not found:
            raise NotFound("no-such-match")
        row = found[0]
        events = self._database.rows(
            "SELECT event, recorded_at, picture FROM events WHERE match_id = ? ORDER BY number", (match_id,)
        )
        notes = self._database.rows(
            "SELECT note, recorded_at FROM notes WHERE match_id = ? ORDER BY number", (match_id,)
        )
        working = self._database.rows("SELECT name, value FROM working WHERE match_id = ?", (match_id,))
        return StoredMatch(
            row["id"],
            row["title"],
            row["mode"],
            row["started_at"],
            tuple(
                Entry(event_from_json(json.loads(e["event"])), e["recorded_at"], e["picture"]) for e in events
            ),
            tuple(NoteEntry(json.loads(n["note"]), n["recorded_at"]) for n in notes),
            {one["name"]: json.loads(one["value"]) for one in working},
        )

    def listed(self, query: str = "", limit: int = 200) -> tuple[Summary, ...]:
        """Return matches, the latest first; ``query`` is looked for in titles and names."""
        rows = self._database.rows(
            """
            SELECT m.*,
                (SELECT event FROM events e WHERE e.match_id = m.id AND e.number = 0) AS start,
                (SELECT count(*) FROM events e WHERE e.match_id = m.id
                    AND json_extract(e.event, '$.event') = 'deal')
                + (SELECT count(*) FROM notes n WHERE n.match_id = m.id
                    AND json_extract(n.note, '$.kind') = 'game') AS games,
                (SELECT coalesce(sum(bytes), 0) FROM pictures p WHERE p.match_id = m.id) AS bytes
            FROM matches m WHERE m.deleting = 0 ORDER BY m.last_at DESC
            """
        )
        wanted = query.casefold().split()
        found = []
        for row in rows:
            start = json.loads(row["start"]) if row["start"] else {}
            players = tuple(start.get("players", ()))
            text = " ".join((row["title"], *players)).casefold()
            if all(word in text for word in wanted):
                found.append(
                    Summary(
                        row["id"], row["title"], row["mode"], row["started_at"], row["last_at"], players,
                        start.get("edition", ""), row["games"], row["bytes"],
                    )
                )  # fmt: skip
        return tuple(found[:limit])

    def delete(self, match_id: str) -> tuple[str, ...]:
        """Remove a match; return the names of its pictures, whose files are then without owner."""
        with self._database.transaction() as connection:
            if not connection.execute("UPDATE matches SET deleting = 1 WHERE id = ?", (match_id,)).rowcount:
                raise NotFound("no-such-match")
            names = connection.execute("SELECT name FROM pictures WHERE match_id = ?", (match_id,)).fetchall()
            for table in ("pictures", "working", "notes", "events"):
                connection.execute(f"DELETE FROM {table} WHERE match_id = ?", (match_id,))
            connection.execute("DELETE FROM matches WHERE id = ?", (match_id,))
        return tuple(row["name"] for row in names)


class _Transaction:
    """``with store.write(id, at) as writing``: all of it is kept, or nothing."""

    def __init__(self, database: Database, match_id: str, at: float) -> None:
        self._context = database.transaction()
        self._id, self._at = match_id, at

    def __enter__(self) -> Writing:
        return Writing(self._context.__enter__(), self._id, self._at)

    def __exit__(self, *error: Any) -> None:
        self._context.__exit__(*error)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
