"""What can go wrong with sight. Every message is one sentence for the person at the table.

VisionError
├── SourceError    a camera, a recording or an address cannot be used
├── PictureError   a picture cannot be used
└── WeightsError   the models cannot be used
"""

from __future__ import annotations


class VisionError(Exception):
    """Anything that reading refuses, said in one sentence."""


class SourceError(VisionError):
    """A camera, a recording or an address cannot be used."""


class CameraMissingError(SourceError):
    """There is no such camera, or another program has it."""

    def __init__(self, index: int) -> None:
        super().__init__(f"Camera {index} cannot be opened: there is none, or another program uses it.")
        self.index = index


class PictureError(VisionError):
    """A picture cannot be used."""


class WeightsError(VisionError):
    """The weights are missing, damaged or of another kind."""
