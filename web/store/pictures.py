"""Kept pictures: JPEG files with names made here, bounded in room and age."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path
from typing import Final, Literal

from web.errors import NotFound, StoreError
from web.store.database import Database

__all__ = ["PictureStore"]

Kind = Literal["table", "rack", "review"]

_NAME: Final = re.compile(r"[0-9a-f]{24}")
_DAY_S: Final = 86400.0


class PictureStore:
    """Keeps pictures in a folder; what a name from outside may be is checked against one strict form."""

    def __init__(self, database: Database, folder: Path) -> None:
        """Keep pictures in ``folder``, and what is known of them in ``database``."""
        self._database, self._folder = database, folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError("store-unusable", path=str(folder), why=error.strerror or str(error)) from error

    def add(self, jpeg: bytes, kind: Kind, match_id: str | None, at: float) -> str:
        """Keep a JPEG; return its name. StoreError where the disk refuses."""
        name = secrets.token_hex(12)
        try:
            with self._path(name).open("xb") as file:
                file.write(jpeg)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            self._path(name).unlink(missing_ok=True)
            raise StoreError(
                "store-unusable", path=str(self._folder), why=error.strerror or str(error)
            ) from error
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT INTO pictures VALUES (?, ?, ?, ?, ?)", (name, match_id, kind, at, len(jpeg))
            )
        return name

    def read(self, name: str) -> tuple[bytes, Kind]:
        """Return a picture and its kind; NotFound for any name that was not given out here."""
        rows = (
            self._database.rows("SELECT kind FROM pictures WHERE name = ?", (name,))
            if _NAME.fullmatch(name)
            else []
        )
        if not rows:
            raise NotFound("no-such-picture")
        try:
            return self._path(name).read_bytes(), rows[0]["kind"]
        except FileNotFoundError:
            raise NotFound("no-such-picture") from None

    def owner(self, name: str) -> str | None:
        """Return the match of a picture."""
        rows = self._database.rows("SELECT match_id FROM pictures WHERE name = ?", (name,))
        return rows[0]["match_id"] if rows else None

    def remove_files(self, names: tuple[str, ...]) -> None:
        """Remove the files of pictures that the database has let go."""
        for name in names:
            self._path(name).unlink(missing_ok=True)

    def remove(self, names: tuple[str, ...]) -> None:
        """Remove pictures."""
        with self._database.transaction() as connection:
            connection.executemany("DELETE FROM pictures WHERE name = ?", [(name,) for name in names])
        self.remove_files(names)

    def total_bytes(self) -> int:
        """What all pictures take."""
        return int(self._database.rows("SELECT coalesce(sum(bytes), 0) AS total FROM pictures")[0]["total"])

    def keep_within(self, max_bytes: float, max_days: float, at: float) -> int:
        """Remove what is too old, then the oldest until all fits; return how many went.

        Files that a crash left without an entry go too.
        """
        rows = self._database.rows("SELECT name, taken_at, bytes FROM pictures ORDER BY taken_at DESC, name")
        room, gone = max_bytes, []
        for row in rows:
            room -= row["bytes"]
            if room < 0 or row["taken_at"] < at - max_days * _DAY_S:
                gone.append(row["name"])
        self.remove(tuple(gone))
        known = {row["name"] for row in rows}
        for path in self._folder.glob("*.jpg"):
            if path.stem not in known and path.stat().st_mtime < at - 3600:
                path.unlink(missing_ok=True)
        return len(gone)

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.jpg"
