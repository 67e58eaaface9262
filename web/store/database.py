"""The one door to SQLite: opening, migrating, transactions, backup."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path

from web.errors import StoreError

__all__ = ["Database"]


class Database:
    """An open database, safe to use from any thread; one transaction at a time.

    A transaction is on disk when ``transaction`` returns: write-ahead log, ``synchronous=FULL``. Raises
    StoreError where the file cannot be used, or was written by a newer program.
    """

    def __init__(self, path: Path) -> None:
        """Open the database at ``path``, or begin one, and bring it up to date."""
        self._path = path
        self._lock = threading.RLock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=10)
            self._connection.row_factory = sqlite3.Row
            for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
                self._connection.execute(f"PRAGMA {pragma}")
            self._migrate()
        except (sqlite3.Error, OSError) as error:
            raise StoreError("store-unusable", path=str(path), why=str(error)) from error

    def _migrate(self) -> None:
        steps = _migrations()
        (at,) = self._connection.execute("PRAGMA user_version").fetchone()
        if at > len(steps):
            raise StoreError("store-newer", path=str(self._path))
        for number, script in enumerate(steps[at:], at + 1):
            self._connection.executescript(
                f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version={number};\nCOMMIT;"
            )

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Give the connection for one transaction: all of it is kept, or, on an error, nothing.

        StoreError where the disk refuses it.
        """
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                try:
                    yield self._connection
                    self._connection.execute("COMMIT")
                except BaseException:
                    if self._connection.in_transaction:  # a full disk may have ended it already
                        self._connection.execute("ROLLBACK")
                    raise
            except sqlite3.OperationalError as error:
                raise StoreError("store-unusable", path=str(self._path), why=str(error)) from error

    def rows(self, query: str, values: tuple[object, ...] = ()) -> list[sqlite3.Row]:
        """Return the rows of a query that changes nothing."""
        with self._lock:
            return self._connection.execute(query, values).fetchall()

    def backup(self, to: Path) -> None:
        """Copy the database to ``to`` while it is in use; StoreError where that cannot be written."""
        part = to.with_name(to.name + ".part")
        try:
            part.unlink(missing_ok=True)
            copy = sqlite3.connect(part)
            try:
                with self._lock:
                    self._connection.backup(copy)
                copy.execute("PRAGMA journal_mode=DELETE")
            finally:
                copy.close()
            part.replace(to)
        except (sqlite3.Error, OSError) as error:
            raise StoreError("backup-failed", path=str(to), why=str(error)) from error

    def close(self) -> None:
        """Close the database."""
        with self._lock:
            self._connection.close()


def _migrations() -> list[str]:
    """The scripts in the order of their numbers, which run from 1 without a gap."""
    folder = resources.files("web.store").joinpath("migrations")
    named = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".sql")), key=lambda e: e.name)
    return [entry.read_text("utf-8") for entry in named]
