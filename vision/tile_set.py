"""What the faces of one tile set look like to the classifier: a profile of a few kilobytes, learnt there.

A profile holds, for each number, the joker and each colour, a direction in the classifier's feature space that
is added to the classifier's own logits. It belongs to the weights it was learnt with, and to no others.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError

__all__ = ["COLOUR_CLASSES", "NUMBER_CLASSES", "TileSet", "TileSetError", "load_tile_set", "save_tile_set"]

NUMBER_CLASSES = 14
"""1..13 and the joker. What shows no numeral is not learnt: no photograph of a set shows it."""
COLOUR_CLASSES = 4
"""In the classifier's order."""

_FORMAT = "tileref tile set"
_VERSION = 1
_MOST_BYTES = 200_000
_MOST_FEATURES = 4096

Floats = NDArray[np.float32]


class TileSetError(VisionError):
    """A tile set cannot be learnt, found or used; one sentence for the user."""


@dataclass(frozen=True, slots=True, eq=False)
class TileSet:
    """One tile set, as learnt. ValueError where the shapes do not fit together."""

    name: str
    """What the user calls it."""
    classifier_sha256: str
    """The classifier's checksum: features of another one mean nothing here."""
    number: Floats
    """Shape (features + 1, 14): added to the number logits; the last row is the bias."""
    colour: Floats
    """Shape (features + 1, 4): added to the joint colour logits, likewise."""
    photographs: int
    """How many photographs it was learnt from."""
    faces: int
    """How many faces they showed."""

    def __post_init__(self) -> None:
        rows = self.number.shape[0] if self.number.ndim == 2 else 0
        if (
            self.number.shape != (rows, NUMBER_CLASSES)
            or self.colour.shape != (rows, COLOUR_CLASSES)
            or rows < 2
        ):
            raise ValueError(
                f"number and colour must have shapes (n, 14) and (n, 4), not {self.number.shape} and "
                f"{self.colour.shape}"
            )

    def adjusted(self, logits: dict[str, Floats]) -> dict[str, Floats]:
        """Return the classifier's outputs with the set's own share in ``number`` and ``colour``.

        ``logits`` holds ``features`` (N, features), ``number`` (N, 15) and ``colour`` (N, 4), among others.
        """
        features = logits["features"]
        own = np.concatenate([features, np.ones((len(features), 1), np.float32)], axis=1)
        number = logits["number"].copy()
        number[:, :NUMBER_CLASSES] += own @ self.number
        return {
            **logits,
            "number": number,
            "colour": np.asarray(logits["colour"] + own @ self.colour, np.float32),
        }


def save_tile_set(tile_set: TileSet, path: Path) -> int:
    """Write a profile and return its bytes; TileSetError where it cannot be written."""
    text = json.dumps(
        {
            "format": _FORMAT, "version": _VERSION, "name": tile_set.name,
            "classifier_sha256": tile_set.classifier_sha256, "photographs": tile_set.photographs,
            "faces": tile_set.faces, "number": _packed(tile_set.number), "colour": _packed(tile_set.colour),
        },
        indent=1,
    )  # fmt: skip
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Beside it and then renamed, so that an interrupted run leaves the old profile whole.
        part.write_text(text + "\n", "utf-8")
        part.replace(path)
    except OSError as error:
        raise TileSetError(f"The tile set cannot be written to {path}: {error.strerror}.") from error
    return len(text) + 1


def load_tile_set(path: Path) -> TileSet:
    """Read a profile; TileSetError says in a sentence why it cannot be used."""
    try:
        data = path.read_bytes() if path.stat().st_size <= _MOST_BYTES else b""
    except FileNotFoundError as error:
        raise TileSetError(f"There is no tile set {path}; 'tileref learn' makes one.") from error
    except OSError as error:
        raise TileSetError(f"The tile set {path} cannot be read: {error.strerror}.") from error
    try:
        kept: dict[str, Any] = json.loads(data)
        if kept["format"] != _FORMAT:
            raise ValueError(_FORMAT)
        if kept["version"] != _VERSION:
            raise TileSetError(f"The tile set {path} was made by another version; learn the set again.")
        return TileSet(
            str(kept["name"]), str(kept["classifier_sha256"]),
            _unpacked(kept["number"], NUMBER_CLASSES), _unpacked(kept["colour"], COLOUR_CLASSES),
            int(kept["photographs"]), int(kept["faces"]),
        )  # fmt: skip
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise TileSetError(f"{path} is no tile set, or damaged; 'tileref learn' makes one.") from error


def _packed(values: Floats) -> dict[str, Any]:
    """One byte a weight, with a scale for each column."""
    scale = np.maximum(np.abs(values).max(axis=0), 1e-12) / 127
    small = np.round(values / scale).astype(np.int8)
    return {
        "shape": list(values.shape),
        "scale": [float(f"{s:.6g}") for s in scale],
        "weights": base64.b64encode(small.tobytes()).decode("ascii"),
    }


def _unpacked(kept: dict[str, Any], classes: int) -> Floats:
    rows, columns = (int(n) for n in kept["shape"])
    scale = np.asarray([float(s) for s in kept["scale"]], np.float32)
    if columns != classes or scale.shape != (classes,) or not 2 <= rows <= _MOST_FEATURES:
        raise ValueError("shape")
    if not all(math.isfinite(s) for s in scale):
        raise ValueError("scale")
    try:
        small = np.frombuffer(base64.b64decode(kept["weights"], validate=True), np.int8)
    except binascii.Error as error:
        raise ValueError("weights") from error
    return np.asarray(small.reshape(rows, columns) * scale, np.float32)
