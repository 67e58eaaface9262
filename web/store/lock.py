"""One program to a data folder: two would write over each other's clock."""

from __future__ import annotations

import sys
from pathlib import Path
from types import TracebackType
from typing import IO

from web.errors import StoreError

__all__ = ["FolderLock"]


class FolderLock:
    """Holds a folder for this process until it is closed, or the process ends, however it ends."""

    def __init__(self, folder: Path) -> None:
        """Take the folder; StoreError where another program holds it."""
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # pictures of a room are for its owner
            self._file: IO[bytes] = (folder / "lock").open("a+b")
        except (FileExistsError, NotADirectoryError) as error:
            raise StoreError("store-unusable", path=str(folder), why="it is no folder") from error
        except OSError as error:
            raise StoreError("store-unusable", path=str(folder), why=error.strerror or str(error)) from error
        try:
            _lock(self._file)
        except OSError as error:
            self._file.close()
            raise StoreError("folder-taken", path=str(folder)) from error

    def __enter__(self) -> FolderLock:
        """Return the lock."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let the folder go."""
        self._file.close()


def _lock(file: IO[bytes]) -> None:
    if sys.platform == "win32":
        import msvcrt

        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
