"""Where what is uploaded lies while it comes in: beside the data, not in a system's small folder in memory."""

from __future__ import annotations

import io
from tempfile import TemporaryFile
from typing import IO, Final

from flask import Request

from web.site import site

__all__ = ["UploadRequest"]

_IN_MEMORY: Final = 500_000


class UploadRequest(Request):
    """A request whose large files are taken in on the disk of the data; they have no name there."""

    def _get_file_stream(
        self,
        total_content_length: int | None,
        content_type: str | None,
        filename: str | None = None,
        content_length: int | None = None,
    ) -> IO[bytes]:
        if total_content_length is not None and total_content_length <= _IN_MEMORY:
            return io.BytesIO()
        return TemporaryFile("w+b", dir=site().upload_dir)
