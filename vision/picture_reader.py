"""Whatever turns pictures into readings, and how one comes by it.

Nothing here loads OpenCV or a network before the first reader is made.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from referee.tiles import Inventory
from vision.settings import ReadSettings

if TYPE_CHECKING:
    from vision.picture import Picture
    from vision.readings import PhotoReading

__all__ = ["MakeReader", "PictureReader", "shipped_reader"]


class PictureReader(Protocol):
    """Whatever turns a picture into a reading, as :class:`vision.reader.Reader` does."""

    def read(self, picture: Picture, *, quick: bool = False) -> PhotoReading:
        """Return everything read from ``picture``; ``quick``: some backs of a crowd may be left out."""
        ...


MakeReader = Callable[[ReadSettings, Inventory], PictureReader]
"""Makes a reader for settings and a box; something that pickle can name, where another process calls it."""


def shipped_reader(settings: ReadSettings, inventory: Inventory) -> PictureReader:
    """Return the reader with the weights that come with the program; WeightsError where that fails."""
    from vision.reader import Reader  # loads ONNX Runtime, which a refused picture should not wait for

    return Reader.load(settings, inventory)
