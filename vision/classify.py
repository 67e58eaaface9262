"""Read upright crops: number, colour and which way is up, for all tiles of one picture together.

Sources: temperature scaling, Guo et al. 2017, "On Calibration of Modern Neural Networks".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cuts import nearby_cuts
from vision.facing import heights_facing, in_row, ink_heights, neighbours_facing
from vision.models import Weights
from vision.rectify import READ_MARGIN, Pyramid, as_network_input, turned
from vision.tile_set import TileSet, TileSetError

NUMBERS = 13
JOKER_CLASS = 13
NO_NUMERAL_CLASS = 14
COLOUR_LETTERS = "RBKO"

_WHITE_SHARE = 0.85
_TURN_BAR = 0.97
"""Crops whose upright is less sure than this are read both ways."""
_CUTS_BAR = 0.995
"""Crops of which number, colour or upright is less sure than this are read in several cuts."""
_NO_FACE = 0.95
"""What shows no numeral so surely in one cut shows none in several."""
_NO_MATTER = 0.02
"""What is upside down with less probability than this hardly counts, however it reads."""

_SIX_AND_NINE = (5, 8)
_ROUND = (5, 7, 8)
"""Six, eight and nine: surely read, they still may lie upside down."""
_ROUND_T = 1.5
"""Temperature of what a round digit says of its own way: it tells little more than where its ink lies."""
_WAY_BAR = 0.9
"""So surely upright, a face tells how its neighbours lie."""

Probabilities = NDArray[np.float64]
Outputs = dict[str, NDArray[np.float32]]
"""What the model says of N crops, by the names of its outputs, each (N, ...)."""


@dataclass(frozen=True, slots=True, eq=False)
class FaceReadings:
    """What the classifier says of the faces of one picture; probabilities, rows sum to one."""

    number: Probabilities
    """Shape (N, 15): 1..13, joker, no numeral."""
    colour: Probabilities
    """Shape (N, 4): red, blue, black, orange, decided for the table as a whole."""
    colour_alone: Probabilities
    """Shape (N, 4): the same, each crop by itself."""
    turn: Probabilities
    """Shape (N, 4): quarter turns by which the corners are off the tile's own upright."""

    @property
    def way_known(self) -> NDArray[np.bool_]:
        """Shape (N,): true for the faces of which it is known by themselves that they lie upright."""
        tells_none = np.isin(self.number.argmax(axis=1), (*_ROUND, NO_NUMERAL_CLASS))
        return ~tells_none & (self.turn[:, 0] > _WAY_BAR)

    def only(self, which: NDArray[np.bool_]) -> FaceReadings:
        """Return the readings of some of the faces; ``which`` is (N,)."""
        return FaceReadings(self.number[which], self.colour[which], self.colour_alone[which], self.turn[which])


def tile_white(crops_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return each tile's own white (N, 3), RGB 0..1: the bright tone of the inner part of its crop."""
    height, width = crops_bgr.shape[1:3]
    inner = crops_bgr[:, height // 5 : -(height // 5) : 2, width // 5 : -(width // 5) : 2, ::-1]
    flat = inner.reshape(len(crops_bgr), -1, 3)
    k = int(_WHITE_SHARE * (flat.shape[1] - 1))
    return np.asarray(np.partition(flat, k, axis=1)[:, k] / 255, np.float32)


class Classifier:
    """The classifier on ONNX Runtime."""

    def __init__(self, weights: Weights, tile_set: TileSet | None = None) -> None:
        """Take the opened weights with their temperatures, and the tile set on the table where it was learnt.

        TileSetError where the set was learnt with other weights.
        """
        self._model = weights.classifier
        self._colours = weights.colours if self.can_learn else None
        self._number_t, self._colour_t = weights.number_temperature, weights.colour_temperature
        self._tile_set = tile_set
        self.sha256 = weights.classifier_sha256
        self.suits = weights.suits
        """True where it reads card faces: a colour stands for a suit."""
        if tile_set is not None and (tile_set.classifier_sha256 != self.sha256 or not self.can_learn):
            raise TileSetError(
                f"The tile set {tile_set.name!r} was learnt with other weights; learn it again from its "
                "photographs."
            )

    @property
    def can_learn(self) -> bool:
        """True where the weights tell the features that a tile set is learnt from."""
        return "features" in self._model.outputs

    def logits(self, crops_bgr: NDArray[np.uint8]) -> Outputs:
        """Return the model's own outputs for crops (N, 64, 48, 3) of one picture, no tile set added.

        ``white`` (N, 3) is among them: what each tile's colour was told by.
        """
        return self._settled(self._each(crops_bgr))

    def _each(self, crops_bgr: NDArray[np.uint8]) -> Outputs:
        """Return what the model says of crops, as it is."""
        white = tile_white(crops_bgr)
        return {**self._model({"crops": as_network_input(crops_bgr), "white": white}), "white": white}

    def logits_at(self, pyramid: Pyramid, corners: NDArray[np.float32]) -> Outputs:
        """Return the outputs for the tiles of a picture at ``corners`` (N, 4, 2)."""
        return self._settled(self.each_at(pyramid, corners))

    def each_at(self, pyramid: Pyramid, corners: NDArray[np.float32]) -> Outputs:
        """Return the same for tiles that others' outputs are mixed with, whose colours are settled then."""
        if not (pyramid.recalls and self.can_settle_colours):
            return self._each(pyramid.crops(corners))

        def alone(which: NDArray[np.intp]) -> Outputs:
            told = self._each(pyramid.crops(corners[which]))
            return {name: values for name, values in told.items() if name != "colour"}

        return pyramid.rows("face", corners, 2 * READ_MARGIN, alone)

    def with_others(self, outputs: Outputs, rows: NDArray[np.intp], other: Outputs) -> Outputs:
        """Return the outputs for the same picture with ``other`` ones, of other crops, in ``rows`` (M,).

        What a crop says by itself is taken over; only the table's colours are settled anew.
        """
        if not self.can_settle_colours:
            raise ValueError("these weights cannot settle colours by themselves")
        mixed = {name: values.copy() for name, values in outputs.items()}
        for name, values in other.items():
            mixed[name][rows] = values
        return self._settled(mixed)

    def averaged(self, outputs: Outputs, rows: NDArray[np.intp], cuts: Outputs) -> Outputs:
        """Return the outputs with the mean over ``cuts``, C times M, of the tiles in ``rows`` (M,)."""
        count = len(cuts["number"]) // len(rows)
        means = {}
        for name, values in cuts.items():
            every = values.reshape(count, len(rows), *values.shape[1:])
            means[name] = (outputs[name][rows] + every.sum(axis=0)) / (1 + count)
        return self.with_others(outputs, rows, means)

    def _settled(self, outputs: Outputs) -> Outputs:
        """Return the outputs with the table's colours settled by what each crop says by itself.

        Weights without that part settled them as they read.
        """
        if self._colours is None:
            return outputs
        told = {name: outputs[name] for name in ("features", "colour_alone", "white")}
        return {**outputs, "colour": self._colours(told)["colour"]}

    @property
    def can_settle_colours(self) -> bool:
        """True where the weights hold the part that settles a table's colours as a file of its own."""
        return self._colours is not None

    def read(self, crops_bgr: NDArray[np.uint8]) -> FaceReadings:
        """Read all crops (N, 64, 48, 3) of one picture."""
        if not len(crops_bgr):
            none = np.zeros((0, 4))
            return FaceReadings(np.zeros((0, 15)), none, none, none)
        return self.readings(self.logits(crops_bgr))

    def readings(self, out: Outputs) -> FaceReadings:
        """Return the model's outputs as probabilities, with the tile set's own share."""
        if self._tile_set is not None:
            out = self._tile_set.adjusted(out)
        return FaceReadings(
            softmax(out["number"] / self._number_t),
            softmax(out["colour"] / self._colour_t),
            softmax(out["colour_alone"] / self._colour_t),
            softmax(out["turn"]),
        )


def softmax(logits: NDArray[np.float32]) -> Probabilities:
    """Return probabilities over the last axis."""
    z = logits.astype(np.float64)
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return np.asarray(e / e.sum(axis=-1, keepdims=True))


def read_faces(
    pyramid: Pyramid,
    corners: NDArray[np.float32],
    classifier: Classifier,
    *,
    cuts: bool = True,
    facing: NDArray[np.float32] | None = None,
) -> tuple[FaceReadings, NDArray[np.float32]]:
    """Read the faces at ``corners`` (N, 4, 2); return the readings and the corners, set upright.

    A crop that seems turned is cut again upright, and one that is not quite sure is read in several cuts. Where
    it is not sure which way is up, both ways are read and weighed by their probability, so that a six that may
    be a nine comes out as a doubt. ``cuts``: False reads every face once, for who asks what may be a tile.
    ``facing`` (M, 4, 2): other faces of the picture whose way is known, upright.
    """
    if not len(corners):
        return classifier.read(pyramid.crops([])), corners

    def surer(told: Outputs, quads: NDArray[np.float32], among: NDArray[np.intp]) -> Outputs:
        return _in_cuts(classifier, told, pyramid, quads, among) if cuts else told

    outputs = surer(classifier.logits_at(pyramid, corners), corners, np.arange(len(corners)))
    settled = classifier.readings(outputs)
    back = (4 - settled.turn.argmax(axis=1)) % 4
    upright = np.stack([turned(c, int(q)) for c, q in zip(corners, back, strict=True)])
    lying = np.flatnonzero(back)
    if len(lying) and classifier.can_settle_colours:
        outputs = classifier.with_others(outputs, lying, classifier.each_at(pyramid, upright[lying]))
        settled = classifier.readings(surer(outputs, upright, lying))
    elif len(lying):
        settled = classifier.read(pyramid.crops(upright))
    number = settled.number.copy()
    looks_round = np.isin(number.argmax(axis=1), _SIX_AND_NINE)
    unsure = np.flatnonzero((settled.turn[:, 0] < _TURN_BAR) | looks_round)
    if len(unsure):
        odds = np.log(np.maximum(settled.turn[unsure, 2], 1e-6) / np.maximum(settled.turn[unsure, 0], 1e-6))
        others = np.zeros((0, 4, 2), np.float32) if facing is None else facing
        known = np.concatenate([settled.way_known, np.ones(len(others), np.bool_)])
        if looks_round.any():
            quads = np.concatenate([upright, others])
            row_of, no_others = in_row(quads), np.zeros(len(others), np.bool_)
            rather = np.append(looks_round & (settled.turn[:, 0] > _WAY_BAR), no_others)
            upside = neighbours_facing(quads, known, row_of, rather)
            tells = known & np.append(number.argmax(axis=1) < NUMBERS, ~no_others)
            asked = np.append(looks_round, no_others)
            heights = _heights(pyramid, quads, asked | (tells & row_of[asked].any(axis=0)))
            upside += heights_facing(heights, tells, row_of)
            odds = np.where(looks_round[unsure], odds / _ROUND_T - upside[unsure], odds)
        weight = 1 / (1 + np.exp(-odds))
        over_xy = np.roll(upright[unsure], -2, axis=1)
        told = classifier.logits_at(pyramid, over_xy)
        flipped = classifier.readings(surer(told, over_xy, np.flatnonzero(weight > _NO_MATTER)))
        number[unsure] = (1 - weight)[:, None] * settled.number[unsure] + weight[:, None] * flipped.number
        over = unsure[weight > 0.5]
        upright[over] = np.roll(upright[over], -2, axis=1)
    return FaceReadings(number, settled.colour, settled.colour_alone, settled.turn), upright


def _in_cuts(
    classifier: Classifier,
    outputs: Outputs,
    pyramid: Pyramid,
    corners: NDArray[np.float32],
    among: NDArray[np.intp],
) -> Outputs:
    """Return the outputs for ``corners`` (N, 4, 2) with the unsure ``among`` them read in several cuts."""
    if not len(among) or not classifier.can_settle_colours:
        return outputs
    told = classifier.readings(outputs)
    least = np.min([told.number.max(axis=1), told.turn.max(axis=1), told.colour.max(axis=1)], axis=0)
    no_face = told.number[:, NO_NUMERAL_CLASS] > _NO_FACE
    rows = np.intersect1d(np.flatnonzero((least < _CUTS_BAR) & ~no_face), among)
    if not len(rows):
        return outputs
    cuts = nearby_cuts(corners[rows]).reshape(-1, 4, 2)
    return classifier.averaged(outputs, rows, classifier.each_at(pyramid, cuts))


def _heights(pyramid: Pyramid, corners: NDArray[np.float32], asked: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return at what share of its crop's height the ink of each face asked about lies, (N,); NaN for others."""

    def told(which: NDArray[np.intp]) -> dict[str, NDArray[np.float32]]:
        crops = pyramid.crops(corners[asked][which])
        return {"height": ink_heights(crops, tile_white(crops)).astype(np.float32)}

    heights = np.full(len(corners), np.nan)
    heights[asked] = pyramid.rows("ink", corners[asked], 2 * READ_MARGIN, told)["height"]
    return heights
