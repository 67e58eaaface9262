"""Learn a tile set from photographs of its faces laid in order.

The net stays as it is. On top of its last layer two small linear maps are fitted, one for the numbers and the
joker, one for the colours, to crops of the set's own faces as they would look from further off or out of focus.
Ridge keeps them small: where the net reads the set well already, next to nothing is learnt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.tiles import JOKER, Colour, Tile
from vision.classify import COLOUR_LETTERS, JOKER_CLASS, NO_NUMERAL_CLASS, Classifier
from vision.light import cleared
from vision.picture import Picture
from vision.reader import Reader
from vision.readings import Corners, FoundTile, corners_of
from vision.rectify import READ_SIZE_WH, Pyramid
from vision.tile_set import COLOUR_CLASSES, NUMBER_CLASSES, TileSet, TileSetError
from vision.tile_set_labels import LaidPhoto, NamedPhoto, name_faces
from vision.tile_set_rows import find_rows

__all__ = ["Learnt", "learn_tile_set"]

_LOOKS = 16
"""So many crops of each face."""
_FURTHEST = 4.0
"""They are made up to so many times smaller."""
_JITTER = 0.02
"""Corners err by this share of a tile's width, as they do at the table."""
_RIDGE = 0.02
_GROUNDS, _GROUND_TRIES = 100, 400
"""So many places without a tile are looked at in each photograph, of so many drawn."""
_STEPS = 300

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Learnt:
    """A tile set, and what was seen on the way."""

    tile_set: TileSet
    """The profile."""
    rows: tuple[tuple[str, tuple[Colour, ...], int], ...]
    """For each photograph its name, the colours of its rows in reading order, and how many jokers it shows."""
    misread: tuple[tuple[Tile, Tile], ...]
    """Faces that were read otherwise before: what they are, and what they were read as."""


def learn_tile_set(
    pictures: Sequence[tuple[str, Picture]],
    reader: Reader,
    name: str,
    *,
    colours: Sequence[Colour] | None = None,
    as_laid: bool = False,
    seed: int = 0,
) -> Learnt:
    """Learn the set that ``pictures`` (with what to call them) show, and call it ``name``.

    ``reader`` must have no tile set of its own. ``colours`` and ``as_laid`` as in
    :func:`vision.tile_set_labels.name_faces`. TileSetError says in a sentence why it cannot be learnt.
    """
    classifier = reader.classifier
    if not classifier.can_learn:
        raise TileSetError("These weights are too old to learn a tile set from; install a newer tileref.")
    photos = []
    for called, picture in pictures:
        if picture.is_grey:
            raise TileSetError(f"{called} has no colours; take the photograph in colour.")
        photos.append(_laid(called, picture, reader))
    named = name_faces(photos, classifier, colours, as_laid)
    tile_set = _fitted(named, classifier, name, np.random.default_rng(seed))
    return Learnt(
        tile_set,
        tuple((one.name, one.rows, sum(tile.is_joker for tile in one.tiles)) for one in named),
        tuple(pair for one in named for pair in _misread(one)),
    )


def _laid(name: str, picture: Picture, reader: Reader) -> LaidPhoto:
    pyramid = Pyramid(cleared(picture.image_bgr))

    def fill(expected: Corners) -> Corners | None:
        """Take the refiner's word for a tile that the finder missed, where it lies as its neighbours say."""
        found = reader.refined(pyramid, [FoundTile(expected, 1.0)])
        if not found:
            return None
        corners = found[0].corners_xy_px
        start = int(np.argmin([np.linalg.norm(np.roll(corners, -k, axis=0) - expected) for k in range(4)]))
        corners = np.roll(corners, -start, axis=0)
        off = np.linalg.norm(corners - expected, axis=1).max()
        return corners if off < 0.35 * np.linalg.norm(expected[1] - expected[0]) else None

    tiles = reader.find(pyramid)
    corners = corners_of(tiles)
    return LaidPhoto(name, pyramid, find_rows(corners, np.array([tile.score for tile in tiles]), fill))


def _misread(photo: NamedPhoto) -> list[tuple[Tile, Tile]]:
    pairs = []
    for k, tile in enumerate(photo.tiles):
        number = int(photo.readings.number[k, :NUMBER_CLASSES].argmax())
        colour = Colour(COLOUR_LETTERS[int(photo.readings.colour[k].argmax())])
        read = JOKER if number == JOKER_CLASS else Tile(colour, number + 1)
        if read != tile:
            pairs.append((tile, read))
    return pairs


def _fitted(
    photos: Sequence[NamedPhoto], classifier: Classifier, name: str, rng: np.random.Generator
) -> TileSet:
    """Return what the faces of ``photos`` teach, from several crops of each."""
    outputs, numbers, colours = [], [], []
    for photo in photos:
        number = np.array([JOKER_CLASS if t.number is None else t.number - 1 for t in photo.tiles])
        colour = np.array(
            [-1 if t.colour is None else COLOUR_LETTERS.index(t.colour.letter) for t in photo.tiles]
        )
        ground = _ground(photo, rng)
        for look in range(_LOOKS):
            outputs.append(classifier.logits(_crops(photo, rng, plain=look == 0)))
            numbers.append(number)
            colours.append(colour)
        if len(ground):
            outputs.append(classifier.logits(photo.pyramid.crops(ground)))
            numbers.append(np.full(len(ground), NO_NUMERAL_CLASS))
            colours.append(np.full(len(ground), -1))
    features, number_logits, colour_logits = (
        np.concatenate([out[key] for out in outputs]).astype(np.float64)
        for key in ("features", "number", "colour")
    )
    number, colour = np.concatenate(numbers), np.concatenate(colours)
    inked = colour >= 0
    return TileSet(
        name,
        classifier.sha256,
        _head(features, number_logits, number, NUMBER_CLASSES, _RIDGE),
        _head(features[inked], colour_logits[inked], colour[inked], COLOUR_CLASSES, _RIDGE),
        len(photos),
        sum(len(photo.tiles) for photo in photos),
    )


def _ground(photo: NamedPhoto, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return quads (N, 4, 2) of a tile's size where no tile lies: what the set must not be seen in."""
    height, width = photo.pyramid.level(0).shape[:2]
    middles = photo.quads.mean(axis=1)
    shape = photo.quads - middles[:, None]
    apart = 1.1 * float(np.linalg.norm(shape, axis=2).max())
    spots = rng.uniform(0, 1, (_GROUND_TRIES, 2)) * [width, height]
    free = np.linalg.norm(spots[:, None] - middles[None], axis=2).min(axis=1) > apart
    kept = spots[free][:_GROUNDS]
    turned = np.roll(shape[rng.integers(len(shape), size=len(kept))], int(rng.integers(4)), axis=1)
    return np.asarray(turned + kept[:, None], np.float32)


def _crops(photo: NamedPhoto, rng: np.random.Generator, plain: bool) -> NDArray[np.uint8]:
    """Cut every face of a photograph a little off, and but for the ``plain`` look as if from further off."""
    width = np.linalg.norm(photo.quads[:, 1] - photo.quads[:, 0], axis=1)[:, None, None]
    error = rng.normal(0, _JITTER, photo.quads.shape) + rng.normal(0, 0.7 * _JITTER, (len(photo.quads), 1, 2))
    crops = photo.pyramid.crops((photo.quads + width * error).astype(np.float32))
    further = float(np.exp(rng.uniform(0, np.log(_FURTHEST))))
    if plain or further < 1.05:
        return crops
    small_wh = (round(READ_SIZE_WH[0] / further), round(READ_SIZE_WH[1] / further))
    blurred = [
        cv2.resize(
            cv2.resize(crop, small_wh, interpolation=cv2.INTER_AREA),
            READ_SIZE_WH,
            interpolation=cv2.INTER_LINEAR,
        )
        for crop in crops
    ]
    return np.asarray(np.stack(blurred), np.uint8)


def _head(
    features: NDArray[np.float64],
    logits: NDArray[np.float64],
    truth: NDArray[np.intp],
    classes: int,
    ridge: float,
) -> Floats:
    """Fit what is added to the first ``classes`` logits, shape (features + 1, classes).

    Multinomial logistic regression with ridge, by Nesterov's accelerated gradient steps. Each class counts
    the same, or the one joker would hardly count.
    """
    scale = np.sqrt(features.shape[1]) / max(float(np.linalg.norm(features, axis=1).mean()), 1e-9)
    inputs = np.concatenate([features * scale, np.ones((len(features), 1))], axis=1)
    counts = np.bincount(truth, minlength=logits.shape[1])
    weight = 1 / np.maximum(counts, 1)[truth]
    weight /= weight.sum()
    wanted = np.eye(logits.shape[1])[truth]
    head = ahead = np.zeros((inputs.shape[1], classes))
    steep = 0.5 * float(np.linalg.norm((inputs * weight[:, None]).T @ inputs, 2)) + ridge
    pace = 1.0
    for _ in range(_STEPS):
        at = logits.copy()
        at[:, :classes] += inputs @ ahead
        at -= at.max(axis=1, keepdims=True)
        share = np.exp(at)
        share /= share.sum(axis=1, keepdims=True)
        slope = inputs.T @ ((share - wanted)[:, :classes] * weight[:, None]) + ridge * ahead
        following = ahead - slope / steep
        next_pace = (1 + np.sqrt(1 + 4 * pace * pace)) / 2
        ahead = following + (pace - 1) / next_pace * (following - head)
        head, pace = following, next_pace
    head[:-1] *= scale
    return np.asarray(head, np.float32)
