"""Single values of this installation: last settings, pairing codes, the open match."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import Any

from web.errors import StoreError
from web.store.database import Database

__all__ = ["Kept", "secret_key"]


class Kept:
    """Values by name, as JSON."""

    def __init__(self, database: Database) -> None:
        """Keep values in ``database``."""
        self._database = database

    def get(self, name: str, default: Any = None) -> Any:
        """Return a value, or ``default``."""
        rows = self._database.rows("SELECT value FROM kept WHERE name = ?", (name,))
        return json.loads(rows[0]["value"]) if rows else default

    def set(self, name: str, value: Any) -> None:
        """Keep a value; it is on disk when this returns."""
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT INTO kept VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
                (name, json.dumps(value, ensure_ascii=False)),
            )


def secret_key(folder: Path) -> str:
    """Return the key that signs cookies, made at the first call; nobody but the user may read its file."""
    path = folder / "secret.key"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            key = path.read_text("ascii").strip()
            if len(key) >= 32:
                return key
            raise StoreError("store-unusable", path=str(path), why="it holds no key") from None
        key = secrets.token_hex(32)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(key)
            file.flush()
            os.fsync(file.fileno())
        return key
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError("store-unusable", path=str(path), why=str(error)) from error
