"""What the faces of a laid-out set are: named by where they lie, and only where the layout is beyond doubt.

The rows say what each face is; the classifier's own readings vote for the direction of a row and for its colour.
Where the vote is not clear, or the readings say that tiles lie in each other's places, it is said, not guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from referee.tiles import JOKER, Colour, Tile
from vision.classify import COLOUR_LETTERS, JOKER_CLASS, NO_NUMERAL_CLASS, NUMBERS, Classifier, FaceReadings
from vision.rectify import Pyramid
from vision.tile_set import TileSetError
from vision.tile_set_rows import MOST_JOKERS, ROW_LENGTH, LaidOut, Row

__all__ = ["LaidPhoto", "NamedPhoto", "name_faces"]

_FLOOR = 1e-3
"""No single reading speaks more loudly than this probability."""
_CLEAR = 8.0
"""Log odds from which on the readings of a row, or of a photograph, have told which end is the 1."""
_COLOUR_CLEAR = 5.0
"""Log odds of the best assignment of colours to rows over the next."""
_LEAST_AGREEING = 6
"""So many of a row's thirteen places must read as they lie, or it is no row of 1 to 13."""
_SURE = 0.9

COLOURS = tuple(Colour(letter) for letter in COLOUR_LETTERS)


@dataclass(frozen=True, slots=True, eq=False)
class LaidPhoto:
    """A photograph with its rows found."""

    name: str
    """What the user calls it."""
    pyramid: Pyramid
    """Its pixels."""
    laid: LaidOut
    """Its rows."""


@dataclass(frozen=True, slots=True, eq=False)
class NamedPhoto:
    """A photograph with every face named."""

    name: str
    """What the user calls it."""
    pyramid: Pyramid
    """Its pixels."""
    quads: NDArray[np.float32]
    """Shape (N, 4, 2): corners clockwise from each tile's own upper left."""
    tiles: tuple[Tile, ...]
    """What they show."""
    readings: FaceReadings
    """What the classifier made of them before anything was learnt."""
    rows: tuple[Colour, ...]
    """The colours of the rows in reading order."""


@dataclass(frozen=True, slots=True, eq=False)
class _Directed:
    """A photograph whose rows run from 1 to 13; jokers apart."""

    photo: LaidPhoto
    rows: list[Row]
    jokers: NDArray[np.float32]
    number: NDArray[np.float64]
    """Shape (rows, 13, 15)."""
    readings: FaceReadings
    """Of the rows' tiles, then of the jokers."""


def name_faces(
    photos: Sequence[LaidPhoto],
    classifier: Classifier,
    colours: Sequence[Colour] | None = None,
    as_laid: bool = False,
) -> list[NamedPhoto]:
    """Name every face of photographs that show a set in order.

    Args:
        photos: the photographs with their rows.
        classifier: reads the faces, for the votes.
        colours: the colours of all rows in reading order, one photograph after the other; None asks the readings.
        as_laid: trust the layout where readings say that tiles lie in each other's places.

    Raises:
        TileSetError: the rows are not whole, not in order, or what they show stays in doubt; one sentence.
    """
    directed = [_directed(photo, classifier, as_laid) for photo in photos]
    count = sum(len(one.rows) for one in directed)
    if not sum(len(one.jokers) for one in directed):
        raise TileSetError("No joker was seen; lay it behind the last row, or below it.")
    named = _stated(colours, count) if colours is not None else _voted(directed)
    missing = [colour for colour in COLOURS if colour not in named]
    if missing:
        raise TileSetError(
            f"The photographs show {_count(count, 'row')}, none of them {_listed(missing)}; all four colours are "
            "needed."
        )
    done = []
    for one in directed:
        own, named = tuple(named[: len(one.rows)]), named[len(one.rows) :]
        tiles = [Tile(colour, number) for colour in own for number in range(1, NUMBERS + 1)]
        tiles += [JOKER] * len(one.jokers)
        quads = np.concatenate([*(row.quads for row in one.rows), one.jokers])
        done.append(NamedPhoto(one.photo.name, one.photo.pyramid, quads, tuple(tiles), one.readings, own))
    if not as_laid:
        _refuse_exchanged(done)
    return done


def _directed(photo: LaidPhoto, classifier: Classifier, as_laid: bool) -> _Directed:
    """Find out where each row begins, and take the jokers from its end."""
    laid = photo.laid
    if not laid.rows:
        raise TileSetError(f"{photo.name} shows no row of tiles; lay each colour in one row from 1 to 13.")
    for place, row in enumerate(laid.rows, 1):
        if not ROW_LENGTH <= len(row.quads) <= ROW_LENGTH + MOST_JOKERS:
            raise TileSetError(
                f"In {photo.name}, {_count(len(row.quads), 'tile')} of row {place} can be made out, not 13; lay each "
                "colour in one row from 1 to 13, with nothing else in line."
            )
    ways = []
    for rows in (laid.rows, [row.other_way() for row in laid.rows]):
        read = classifier.read(photo.pyramid.crops([quad for row in rows for quad in row.quads]))
        ways.append(_split(read.number, rows))
    scores = np.array([[_order_score(number) for number in way] for way in ways])
    margin = scores[0] - scores[1]
    whole = float(margin.sum())
    if abs(whole) < _CLEAR:
        raise TileSetError(
            f"In {photo.name} it cannot be told where the rows begin; take it sharper, or nearer."
        )
    rows, jokers, numbers = [], [], []
    for place, (row, m) in enumerate(zip(laid.rows, margin, strict=True)):
        forward = m > 0 if abs(m) >= _CLEAR else whole > 0
        chosen = row if forward else row.other_way()
        number = ways[0 if forward else 1][place]
        agreeing = int((number[:ROW_LENGTH].argmax(axis=1) == np.arange(ROW_LENGTH)).sum())
        if agreeing < _LEAST_AGREEING and not as_laid:
            raise TileSetError(
                f"Row {place + 1} of {photo.name} does not read as 1 to 13: only {agreeing} of 13 places do; lay it in "
                "rising order, or say --as-laid where it is."
            )
        rows.append(Row(chosen.quads[:ROW_LENGTH]))
        jokers += list(chosen.quads[ROW_LENGTH:])
        numbers.append(number[:ROW_LENGTH])
    if whole < 0:
        rows.reverse()
        numbers.reverse()
    jokers += _jokers_beside(photo, laid, whole > 0, classifier)
    if len(jokers) > MOST_JOKERS:
        raise TileSetError(
            f"In {photo.name}, {len(jokers)} tiles lie apart from the rows, and only jokers may: take away what is "
            "no joker of the set."
        )
    apart = np.stack(jokers) if jokers else np.zeros((0, 4, 2), np.float32)
    quads = [*(quad for row in rows for quad in row.quads), *apart]
    return _Directed(photo, rows, apart, np.stack(numbers), classifier.read(photo.pyramid.crops(quads)))


def _split(number: NDArray[np.float64], rows: Sequence[Row]) -> list[NDArray[np.float64]]:
    return np.split(number, np.cumsum([len(row.quads) for row in rows])[:-1])


def _order_score(number: NDArray[np.float64]) -> float:
    """Log probability that a row of (n, 15) readings rises from 1 to 13."""
    return float(np.log(np.maximum(number[np.arange(ROW_LENGTH), np.arange(ROW_LENGTH)], _FLOOR)).sum())


def _jokers_beside(
    photo: LaidPhoto, laid: LaidOut, forward: bool, classifier: Classifier
) -> list[NDArray[np.float32]]:
    """Return the tiles below the last row that may be jokers; what shows nothing at all is none."""
    if not len(laid.beside):
        return []
    quads = laid.beside if forward else np.roll(laid.beside, 2, axis=1)
    last = laid.rows[-1] if forward else laid.rows[0].other_way()
    across = last.quads[-1].mean(axis=0) - last.quads[0].mean(axis=0)
    down = np.array([-across[1], across[0]]) / np.linalg.norm(across)
    below = (quads.mean(axis=1) - last.quads.mean(axis=(0, 1))) @ down
    beyond = (quads.mean(axis=1) - last.quads[-1].mean(axis=0)) @ across > 0
    number = classifier.read(photo.pyramid.crops(quads)).number
    height = np.linalg.norm(last.quads[:, 3] - last.quads[:, 0], axis=1).mean()
    behind = (below > 0.5 * height) | (beyond & (np.abs(below) < 0.5 * height))
    tile = (laid.beside_score >= 0.5) & (number[:, NO_NUMERAL_CLASS] < 0.5)
    return list(quads[behind & (tile | (number[:, JOKER_CLASS] > 0.5))])


def _stated(colours: Sequence[Colour], count: int) -> list[Colour]:
    if len(colours) != count:
        raise TileSetError(
            f"{_count(len(colours), 'colour')} were named for {_count(count, 'row')}; name one a row."
        )
    return list(colours)


def _voted(directed: Sequence[_Directed]) -> list[Colour]:
    """Return the rows' colours as the readings vote, each colour once in a photograph, and once in all of four."""
    votes = []
    for one in directed:
        colour = one.readings.colour[: len(one.rows) * ROW_LENGTH].reshape(len(one.rows), ROW_LENGTH, 4)
        votes.append(np.log(np.maximum(colour, _FLOOR)).sum(axis=1))
    if sum(len(vote) for vote in votes) == len(COLOURS):
        votes = [np.concatenate(votes)]
    named: list[Colour] = []
    for vote in votes:
        if len(vote) > len(COLOURS):
            raise TileSetError(
                "A photograph shows more than four rows; lay each colour in one row from 1 to 13."
            )
        ways = sorted(
            (
                (float(vote[np.arange(len(vote)), list(way)].sum()), way)
                for way in permutations(range(4), len(vote))
            ),
            reverse=True,
        )
        if ways[0][0] - ways[1][0] < _COLOUR_CLEAR:
            raise TileSetError(
                "The colours of the rows cannot be told apart surely; name them in reading order, photograph after "
                "photograph, such as --colours R,B,K,O."
            )
        named += [COLOURS[k] for k in ways[0][1]]
    return named


def _refuse_exchanged(photos: Sequence[NamedPhoto]) -> None:
    """Refuse tiles that surely read as one another in a ring: they lie in each other's places."""
    for photo in photos:
        reads: dict[Tile, Tile] = {}
        for k, tile in enumerate(photo.tiles):
            number, colour = photo.readings.number[k], photo.readings.colour[k]
            if (
                tile.number is None
                or number.max() < _SURE
                or colour.max() < _SURE
                or number.argmax() >= NUMBERS
            ):
                continue
            read = Tile(COLOURS[int(colour.argmax())], int(number.argmax()) + 1)
            if read != tile:
                reads[tile] = read
        for first in reads:
            ring = [first]
            while reads.get(ring[-1]) in reads and reads[ring[-1]] not in ring:
                ring.append(reads[ring[-1]])
            if reads[ring[-1]] == first:
                raise TileSetError(
                    f"In {photo.name}, {_listed(ring)} seem to lie in each other's places; lay them in order, or say "
                    "--as-laid where they are."
                )


def _count(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _listed(what: Sequence[object]) -> str:
    texts = [one.name.lower() if isinstance(one, Colour) else str(one) for one in what]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"
