"""What the faces of a laid-out set are: named by where they lie, and only where the layout is beyond doubt.

The rows say what each face is; the classifier's own readings vote for a row's direction and for its colour.
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
from vision.tile_set_rows import ROW_LENGTH, LaidOut, Row

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
_TILE_SCORE = 0.5
"""A find that does not read as a joker must be this sure to be taken for one by its place."""
_MOST_IN_LINE = 4
"""So many things may lie in line with a row: jokers behind it, or what the finder took for a tile."""

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
    """A photograph whose rows run from 1 to 13, and what may be a joker."""

    photo: LaidPhoto
    rows: list[Row]
    apart: NDArray[np.float32]
    """Shape (m, 4, 2): tiles behind or below the last row."""
    apart_rank: NDArray[np.intp]
    """Shape (m,): 2 for a sure find that reads as a joker, 1 for a weak one, 0 for a sure one that does not."""


@dataclass(frozen=True, slots=True, eq=False)
class _Ordered:
    """A row read one way."""

    row: Row
    start: int
    """The place of the 1."""
    score: float
    """Log probability of rising from there to 13."""
    clear: float
    """By how much it is better than the next start."""
    agreeing: int
    """How many of the thirteen places read as they lie."""


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
        colours: the colours of all rows in reading order, photograph after photograph; None asks the readings.
        as_laid: trust the layout where readings say that tiles lie in each other's places.

    Raises:
        TileSetError: the rows are not whole, not in order, or what they show stays in doubt; one sentence.
    """
    directed = [_directed(photo, classifier, as_laid) for photo in photos]
    jokers = _jokers(directed)
    quads, readings = [], []
    for one, extra in zip(directed, jokers, strict=True):
        quads.append(np.concatenate([*(row.quads for row in one.rows), extra]))
        readings.append(classifier.read(one.photo.pyramid.crops(quads[-1])))
    counts = [len(one.rows) for one in directed]
    named = _voted(readings, counts) if colours is None else _stated(colours, sum(counts))
    missing = [colour for colour in COLOURS if colour not in named]
    if missing:
        raise TileSetError(
            f"Of {_count(sum(counts), 'row')} in view none is {_listed(missing)}; all four colours are needed."
        )
    done = []
    for one, own, reading, extra in zip(directed, quads, readings, jokers, strict=True):
        rows, named = tuple(named[: len(one.rows)]), named[len(one.rows) :]
        tiles = [Tile(colour, number) for colour in rows for number in range(1, NUMBERS + 1)]
        tiles += [JOKER] * len(extra)
        done.append(NamedPhoto(one.photo.name, one.photo.pyramid, own, tuple(tiles), reading, rows))
    if not as_laid:
        _refuse_exchanged(done)
    return done


def _directed(photo: LaidPhoto, classifier: Classifier, as_laid: bool) -> _Directed:
    """Find out where each row begins, and what lies behind its end."""
    laid, name = photo.laid, photo.name
    if not laid.rows:
        raise TileSetError(f"{name} shows no row of tiles; lay each colour in one row from 1 to 13.")
    for place, row in enumerate(laid.rows, 1):
        if not ROW_LENGTH <= len(row.quads) <= ROW_LENGTH + _MOST_IN_LINE:
            raise TileSetError(
                f"In {name}, {_count(len(row.quads), 'tile')} of row {place} can be made out, not 13; lay each "
                "colour in one row from 1 to 13."
            )
    ways = [_ordered(photo, row, classifier) for row in laid.rows]
    margins = np.array([one.score - other.score for one, other in ways])
    whole = float(margins.sum())
    if abs(whole) < _CLEAR:
        raise TileSetError(f"In {name} it cannot be told where rows begin; take it sharper, or nearer.")
    chosen = []
    for place, (way, margin) in enumerate(zip(ways, margins, strict=True), 1):
        order = way[int(margin < 0 if abs(margin) >= _CLEAR else whole < 0)]
        if order.clear < _CLEAR or (order.agreeing < _LEAST_AGREEING and not as_laid):
            raise TileSetError(
                f"Row {place} of {name} does not read as 1 to 13: only {order.agreeing} of 13 places do; lay "
                "it in rising order, or say --as-laid where it is."
            )
        chosen.append(order)
    if whole < 0:
        chosen.reverse()
    rows = [Row(order.row.quads[order.start : order.start + ROW_LENGTH]) for order in chosen]
    behind = [order.row.quads[order.start + ROW_LENGTH :] for order in chosen]
    below, score = _below(laid, rows[-1], whole < 0)
    apart = np.concatenate([*behind, below])
    sure = np.concatenate([np.ones(len(apart) - len(below)), score]) >= _TILE_SCORE
    number = classifier.read(photo.pyramid.crops(apart)).number
    reads = number[:, JOKER_CLASS] > 0.5
    kept = reads | (sure & (number[:, NO_NUMERAL_CLASS] < 0.5))
    return _Directed(photo, rows, apart[kept], np.where(reads, 1 + sure, 0)[kept])


def _ordered(photo: LaidPhoto, row: Row, classifier: Classifier) -> tuple[_Ordered, _Ordered]:
    """Read a row both ways."""
    ways = []
    for way in (row, row.other_way()):
        number = classifier.read(photo.pyramid.crops(way.quads)).number
        starts = range(len(number) - ROW_LENGTH + 1)
        rising = [number[k + np.arange(ROW_LENGTH), np.arange(ROW_LENGTH)] for k in starts]
        scores = [float(np.log(np.maximum(p, _FLOOR)).sum()) for p in rising]
        start = int(np.argmax(scores))
        others = [score for k, score in enumerate(scores) if k != start]
        read = number[start : start + ROW_LENGTH].argmax(axis=1)
        clear = scores[start] - max(others) if others else np.inf
        ways.append(_Ordered(way, start, scores[start], clear, int((read == np.arange(ROW_LENGTH)).sum())))
    return ways[0], ways[1]


def _below(laid: LaidOut, last: Row, turned: bool) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Return the tiles below the last row, or behind its end, and how sure the finder was of them."""
    quads = np.roll(laid.beside, 2, axis=1) if turned else laid.beside
    along = last.quads[-1].mean(axis=0) - last.quads[0].mean(axis=0)
    down = np.array([-along[1], along[0]]) / np.linalg.norm(along)
    middles = quads.mean(axis=1)
    below = (middles - last.quads.mean(axis=(0, 1))) @ down
    beyond = (middles - last.quads[-1].mean(axis=0)) @ along > 0
    height = np.linalg.norm(last.quads[:, 3] - last.quads[:, 0], axis=1).mean()
    kept = (below > 0.5 * height) | (beyond & (np.abs(below) < 0.5 * height))
    return quads[kept], laid.beside_score[kept]


def _jokers(directed: Sequence[_Directed]) -> list[NDArray[np.float32]]:
    """Return each photograph's jokers: what reads as one, or the only thing that lies where one may."""
    ranks = np.concatenate([one.apart_rank for one in directed])
    if not len(ranks):
        raise TileSetError("No joker was seen; lay it below the last row.")
    best = int(ranks.max())
    alike = int((ranks == best).sum())
    if best < 2 and alike > 1:
        raise TileSetError(f"Any of {alike} things beside the rows may be the joker; lay it on a plain ground.")
    return [one.apart[one.apart_rank == best] for one in directed]


def _stated(colours: Sequence[Colour], count: int) -> list[Colour]:
    if len(colours) != count:
        raise TileSetError(f"{_count(len(colours), 'colour')} were named for {_count(count, 'row')}.")
    return list(colours)


def _voted(readings: Sequence[FaceReadings], counts: Sequence[int]) -> list[Colour]:
    """Return the rows' colours as the readings vote: each once in a photograph, or in all of four."""
    votes = []
    for reading, count in zip(readings, counts, strict=True):
        if count > len(COLOURS):
            raise TileSetError("A photograph shows more than four rows; lay each colour in one row, 1 to 13.")
        colour = reading.colour[: count * ROW_LENGTH].reshape(count, ROW_LENGTH, 4)
        votes.append(np.log(np.maximum(colour, _FLOOR)).sum(axis=1))
    if sum(counts) == len(COLOURS):
        votes = [np.concatenate(votes)]
    named: list[Colour] = []
    for vote in votes:
        each = np.arange(len(vote))
        ways = [(float(vote[each, list(way)].sum()), way) for way in permutations(range(4), len(vote))]
        ways.sort(reverse=True)
        if ways[0][0] - ways[1][0] < _COLOUR_CLEAR:
            raise TileSetError(
                "The colours of the rows cannot be told apart surely; name them in reading order, photograph "
                "after photograph, such as --colours R,B,K,O."
            )
        named += [COLOURS[k] for k in ways[0][1]]
    return named


def _refuse_exchanged(photos: Sequence[NamedPhoto]) -> None:
    """Refuse tiles that surely read as one another in a ring: they lie in each other's places."""
    reads: dict[Tile, Tile] = {}
    for photo in photos:
        for k, tile in enumerate(photo.tiles):
            number, colour = photo.readings.number[k], photo.readings.colour[k]
            if tile.is_joker or number[:NUMBERS].max() < _SURE or colour.max() < _SURE:
                continue
            read = Tile(COLOURS[int(colour.argmax())], int(number.argmax()) + 1)
            if read != tile:
                reads[tile] = read
    for first in reads:
        ring = [first]
        while reads[ring[-1]] in reads and reads[ring[-1]] not in ring:
            ring.append(reads[ring[-1]])
        if reads[ring[-1]] == first:
            raise TileSetError(
                f"{_listed(ring)} seem to lie in each other's places; lay them in order, or say --as-laid "
                "where they are."
            )


def _count(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _listed(what: Sequence[object]) -> str:
    texts = [one.name.lower() if isinstance(one, Colour) else str(one) for one in what]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"
