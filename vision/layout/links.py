"""Which tile sides face each other, and how likely they belong to one set.

A link joins one side (left or right) of a tile to one side of another. What tells a set from two sets end
to end is not a fixed distance but how tiles lie on *this* table: the spread of gaps, offsets and turns within
its sets is unknown, so it is summed over (a grid of spreads, each weighed by how well it explains all links
of the table), and each link gets the probability that it lies within a set.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.layout.plane import Floats, TileFrames

Ints = NDArray[np.intp]

MAX_GAP = 1.6
"""Tile widths; sides further apart are never linked."""
_MIN_GAP = -0.45
_MAX_OFFSET = 0.55
_MAX_TURN = np.deg2rad(32.0)

# How tiles may lie within sets: gap (mean and spread, tile widths), offset (tile heights), turn (radians).
_GAP_MEAN = np.array([0.0, 0.05, 0.1, 0.17, 0.25, 0.35, 0.5])
_GAP_SPREAD = np.array([0.03, 0.055, 0.09, 0.14, 0.2, 0.28])
_OFFSET_SPREAD = np.array([0.02, 0.06, 0.12, 0.22])
_TURN_SPREAD = np.deg2rad([1.5, 4.0, 9.0, 16.0])
_SHARE_WITHIN = np.array([0.2, 0.5, 0.8, 0.95])
# One set may be crooked on a table of neat ones, a child's: so many of all links lie in any way, and how.
_CROOKED = 0.06
_CROOKED_GAP, _CROOKED_GAP_SPREAD = 0.1, 0.1
_CROOKED_OFFSET, _CROOKED_TURN = 0.22, np.deg2rad(11.0)
# Whoever lays crookedly hardly ever lays so neatly.
_NEAT_OFFSET, _NEAT_TURN = 0.08, np.deg2rad(4.0)
# Tiles nearer than this lie together, however tidy the rest of the table.
_LEAST_CUT = 0.13
# A tile upside down is rare within a set; across sets, players sit on both sides.
_FLIP_WITHIN = 0.12
_FLIP_BETWEEN = 0.4
_TINY = np.float32(1e-35)


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """Candidate links between sides. A side's number is twice its tile's, plus 1 for the right side."""

    sides: Ints
    """Shape (L, 2): the two sides."""
    gap: Floats
    """Shape (L,): least space between the sides, tile widths; negative where they overlap."""
    offset: Floats
    """Shape (L,): how far the sides are shifted along each other, tile heights."""
    turn: Floats
    """Shape (L,): angle between the two tiles, radians, not counting a half turn."""
    flipped: NDArray[np.bool_]
    """Shape (L,): whether the tiles face opposite ways."""

    def __len__(self) -> int:
        return len(self.gap)

    def take(self, chosen: Ints | NDArray[np.bool_]) -> Links:
        """Return the chosen links."""
        return Links(
            self.sides[chosen], self.gap[chosen], self.offset[chosen], self.turn[chosen], self.flipped[chosen]
        )

    @property
    def plain_cost(self) -> Floats:
        """Shape (L,): how ill the sides fit, before anything is known about the table."""
        gap = np.where(self.gap < 0, 2.0 * self.gap, self.gap)
        return np.asarray(np.hypot(np.hypot(gap / 0.3, self.offset / 0.15), self.turn / np.deg2rad(8.0)))


def candidate_links(frames: TileFrames) -> Links:
    """Return all pairs of sides that face each other within reach, with no tile between them."""
    centre, right = frames.centre_xy, frames.right_xy
    between = centre[None] - centre[:, None]
    reach = MAX_GAP + 1.4
    near = (between**2).sum(axis=2) < reach**2
    first, second = np.nonzero(np.triu(near & frames.alike[:, None] & frames.alike[None], 1))
    found: list[tuple[Ints, Floats, Floats, Floats, NDArray[np.bool_]]] = []
    for one in (-1, 1):
        for other in (-1, 1):
            out = one * right[first]
            back = -other * right[second]
            middle = out + back
            length = np.hypot(middle[:, 0], middle[:, 1])
            middle = middle / np.maximum(length, 1e-9)[:, None]
            start = centre[first] + out * (0.5 * frames.width[first])[:, None]
            end = centre[second] - back * (0.5 * frames.width[second])[:, None]
            step = end - start
            gap = (step * middle).sum(axis=1)
            offset = (middle[:, 0] * step[:, 1] - middle[:, 1] * step[:, 0]) / frames.height
            turn = np.arctan2(out[:, 0] * back[:, 1] - out[:, 1] * back[:, 0], (out * back).sum(axis=1))
            # Turned tiles touch with their corners: their sides' middles cannot come nearer than this.
            gap = gap - frames.height * np.sin(0.5 * np.abs(turn))
            near = (gap > _MIN_GAP) & (gap < MAX_GAP) & (np.abs(offset) < _MAX_OFFSET)
            near &= np.abs(turn) < _MAX_TURN
            # A tile fits between only where there is room for it.
            wide = np.flatnonzero(near & (gap > 0.3))
            near[wide] &= ~_blocked(frames, first[wide], second[wide], start[wide], step[wide])
            sides = np.column_stack([2 * first + (one > 0), 2 * second + (other > 0)])[near]
            flipped = np.full(int(near.sum()), one == other)
            found.append((sides, gap[near], offset[near], turn[near], flipped))
    return Links(*(np.concatenate(column) for column in zip(*found, strict=True)))


def _blocked(frames: TileFrames, first: Ints, second: Ints, start: Floats, step: Floats) -> NDArray[np.bool_]:
    """Tell for each link whether a third tile lies across it."""
    shares = np.array([0.2, 0.5, 0.8])
    points = start[:, None] + shares[None, :, None] * step[:, None]
    away = points[:, :, None] - frames.centre_xy[None, None]
    along = np.abs((away * frames.right_xy).sum(axis=3))
    across = np.abs((away * frames.down_xy).sum(axis=3))
    inside = ((along < 0.4) & (across < 0.4 * frames.height)).any(axis=1) & frames.alike
    rows = np.arange(len(first))
    inside[rows, first] = False
    inside[rows, second] = False
    return np.asarray(inside.any(axis=1))


def greedy(links: Links, worth: Floats, tiles: int) -> Ints:
    """Choose links, best ``worth`` first, so that each side has one link at most and no ring closes.

    Returns indices into ``links``.
    """
    taken: set[int] = set()
    group = list(range(tiles))

    def root(tile: int) -> int:
        while group[tile] != tile:
            group[tile] = group[group[tile]]
            tile = group[tile]
        return tile

    chosen = []
    for index in np.argsort(-worth, kind="stable"):
        one, other = (int(side) for side in links.sides[index])
        if one in taken or other in taken:
            continue
        head, tail = root(one // 2), root(other // 2)
        if head == tail:
            continue
        group[head] = tail
        taken.update((one, other))
        chosen.append(int(index))
    return np.array(chosen, dtype=np.intp)


def _normal(values: Floats, spread: Floats | float) -> Floats:
    return np.asarray(np.exp(-0.5 * (values / spread) ** 2) / (spread * 2.5066283))


def _tailed(values: Floats, spread: Floats) -> Floats:
    return 0.9 * _normal(values, spread) + 0.1 * _normal(values, 2.0 * spread)


def within_probability(links: Links, sample: Ints, noise: float) -> Floats:
    """Return for every link the probability, shape (L,), that it lies within a set.

    ``sample``: the links (indices) from which the table's habits are learnt, each side at most once.
    ``noise``: error of a corner coordinate, tile widths.
    """
    noise = min(noise, 0.12)
    gaps = np.meshgrid(_GAP_MEAN, _GAP_SPREAD, indexing="ij")
    mean, spread = (grid.ravel()[:, None] for grid in gaps)
    gap_prior = np.exp(-mean / 0.25 - spread / 0.3)
    # A gap lies between two sides, each the mean of four corners.
    gap_spread = np.hypot(spread, 0.8 * noise)
    shift, twist = (grid.ravel()[:, None] for grid in np.meshgrid(_OFFSET_SPREAD, _TURN_SPREAD, indexing="ij"))
    pose_prior = np.exp(-shift / 0.15 - twist / np.deg2rad(10.0))
    shift_spread = np.hypot(shift, noise)
    twist_spread = np.hypot(twist, noise)

    flip_within = np.where(links.flipped, _FLIP_WITHIN, 1 - _FLIP_WITHIN)
    flip_between = np.where(links.flipped, _FLIP_BETWEEN, 1 - _FLIP_BETWEEN)
    # Within: everything near the table's habit. Shape (gaps, 1, L) * (1, poses, L).
    gap_within = _tailed(links.gap - mean, gap_spread) * flip_within
    pose_within = _tailed(links.offset, shift_spread) * _tailed(links.turn, twist_spread)
    # Between, as laid on one line: a gap clearly larger than the habit, offset and turn often small as well.
    flat_offset, flat_turn = 1 / (2 * _MAX_OFFSET), 1 / (2 * _MAX_TURN)
    least = np.maximum(mean + 1.5 * gap_spread + 0.06, _LEAST_CUT)
    ramp = np.clip((links.gap - least) / np.maximum(0.7 * gap_spread, 0.02), 0.0, 1.0)
    # Sets end to end are mostly laid not much further apart than it takes to tell them apart.
    scale = np.maximum(0.2, least)
    more = np.maximum(links.gap - least, 0.0)
    gap_between = ramp * flip_between * (0.5 / (MAX_GAP - least) + 0.5 * np.exp(-more / scale) / scale)
    pose_between = (0.5 * _normal(links.offset, np.hypot(0.1, shift_spread)) + 0.5 * flat_offset) * (
        0.5 * _normal(links.turn, np.hypot(np.deg2rad(4.0), twist_spread)) + 0.5 * flat_turn
    )
    # Between, by chance: any place and turn.
    chance = 0.5 / (MAX_GAP - _MIN_GAP) * flat_offset * flat_turn * np.ones(len(links))

    crooked = _normal(links.gap - _CROOKED_GAP, _CROOKED_GAP_SPREAD) * _normal(links.offset, _CROOKED_OFFSET)
    crooked *= _normal(links.turn, _CROOKED_TURN) * flip_within
    crooked *= -np.expm1(-0.5 * ((links.offset / _NEAT_OFFSET) ** 2 + (links.turn / _NEAT_TURN) ** 2))
    within = (1 - _CROOKED) * gap_within[:, None] * pose_within[None] + _CROOKED * crooked
    # Half of the neighbours on one line are laid as neatly as a set, so that neatness alone joins nothing.
    apart = 0.35 * gap_between[:, None] * (pose_within + pose_between)[None] + 0.3 * chance
    prior = np.log(gap_prior / gap_prior.sum()) + np.log(pose_prior / pose_prior.sum()).T
    # Single precision: these logarithms are most of the work.
    seen, other = (values[:, :, sample].astype(np.float32) for values in (within, apart))
    total, mass = np.zeros(len(links)), 0.0
    evidence = [
        prior + np.log(np.float32(share) * seen + np.float32(1 - share) * other + _TINY).sum(axis=2)
        for share in _SHARE_WITHIN
    ]
    best = max(float(part.max()) for part in evidence)
    for share, part in zip(_SHARE_WITHIN, evidence, strict=True):
        weight = np.exp(part - best)
        telling = weight > 1e-4
        likely = share * within[telling]
        total += weight[telling] @ (likely / (likely + (1 - share) * apart[telling] + 1e-300))
        mass += float(weight[telling].sum())
    return total / mass
