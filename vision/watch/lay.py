"""The table as it lies: sets from the looks' layout, kept steady while their tiles lie still."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from referee import SeenTile
from vision.watch.look import Look
from vision.watch.pool import PoolKeeper
from vision.watch.track import Track
from vision.watch.tracks import Tracker
from vision.watch.types import LyingSet, LyingTable, LyingTile

__all__ = ["SetKeeper", "lying_table"]

_MOST_VOTES = 6
_SETTLED = 2.0
"""Votes from which on no doubt tells otherwise: how neat the rest of the table is shifts what a gap means."""
_NUDGED, _SAME_PLACE = 0.5, 0.5
"""Tile widths by which a sleeve may push a tile at a set's end aside without its having left the set, and
within which another one lies where its neighbour lay."""


class SetKeeper:
    """Which tiles lie together. Looks vote on every neighbourhood, until one of its tiles is moved.

    A tile that is hidden stays where it was remembered, so the set that it lies in stays whole.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self._votes: dict[tuple[int, int], float] = {}
        """Pairs of neighbours by ascending key: above zero together, below apart."""
        self._doubts: dict[tuple[int, int], bool] = {}
        self._middles: dict[int, NDArray[np.float32]] = {}
        self._nudged: dict[int, list[NDArray[np.float32]]] = {}
        """Tiles that were pushed aside a little and lie alone since, and where their neighbours lay."""

    def update(self, look: Look, keys: Sequence[int], tracker: Tracker) -> tuple[LyingSet, ...]:
        """Take in a look whose faces have the identities ``keys``; return the sets as they lie."""
        lying = {track.key: track for track in tracker.lying()}
        rows = [([keys[at] for at in members], doubt) for members, doubt in look.sets]
        held = self._held(lying)
        self._nudge({members[0] for members, _ in rows if len(members) == 1}, lying)
        moved = {key for key, track in lying.items() if track.moved}
        self._forget(moved | (self._known() - lying.keys()), but=held)
        set_of = {key: row for row, (members, _) in enumerate(rows) for key in members}
        together = set()
        for members, doubt in rows:
            for one, other in pairwise(members):
                pair = _pair(one, other)
                together.add(pair)
                self._vote(pair, 1.0, doubt)
        # What is seen of a half-covered tile lies a little beside its middle.
        whole = {key for key in set_of if not lying[key].in_part}
        for pair in list(self._votes):
            one, other = pair
            if pair not in together and {one, other} <= whole and set_of[one] != set_of[other]:
                self._vote(pair, -1.0, rows[set_of[one]][1] or rows[set_of[other]][1])
        return self._sets(lying, rows)

    def _held(self, lying: dict[int, Track]) -> set[tuple[int, int]]:
        """Return the neighbours of which one is hidden, and the other one was pushed aside a little.

        Or seems so: a mug that hides one may stand on a part of the other.
        """
        lay = self._middles
        aside = {
            key for key, track in lying.items() if key in lay and track.moved and _is_near(track, lay[key])
        }
        hidden = {key for key, track in lying.items() if track.state == "hidden"}
        return {pair for pair, vote in self._votes.items() if vote > 0 and aside & {*pair} and hidden & {*pair}}

    def _nudge(self, alone: set[int], lying: dict[int, Track]) -> None:
        for key, track in lying.items():
            before = self._middles.get(key)
            if not track.moved or before is None:
                continue
            neighbours = [
                self._middles[one if other == key else other]
                for (one, other), vote in self._votes.items()
                if vote > 0 and key in (one, other)
            ]
            if not _is_near(track, before):
                self._nudged.pop(key, None)
            elif neighbours:
                self._nudged[key] = neighbours
        self._nudged = {key: places for key, places in self._nudged.items() if key in alone}
        self._middles = {key: track.middle for key, track in lying.items()}

    def _known(self) -> set[int]:
        return {key for pair in self._votes for key in pair}

    def _forget(self, keys: set[int], but: set[tuple[int, int]]) -> None:
        """Forget what was read of these tiles; of the pairs ``but`` a single vote is left."""
        votes = {pair: min(vote, 1.0) if pair in but else vote for pair, vote in self._votes.items()}
        self._votes = {pair: vote for pair, vote in votes.items() if pair in but or not keys & set(pair)}
        self._doubts = {pair: doubt for pair, doubt in self._doubts.items() if pair in self._votes}

    def _vote(self, pair: tuple[int, int], vote: float, doubt: bool) -> None:
        weight = 0.5 if doubt else 1.0
        before = self._votes.get(pair, 0.0)
        if doubt and before * vote <= -_SETTLED:
            return
        self._votes[pair] = float(np.clip(before + vote * weight, -_MOST_VOTES, _MOST_VOTES))
        self._doubts[pair] = doubt and self._doubts.get(pair, True)

    def _sets(self, lying: dict[int, Track], rows: list[tuple[list[int], bool]]) -> tuple[LyingSet, ...]:
        """Join what the votes join, and put every set in reading order."""
        owner = {key: key for key in lying}

        def root(key: int) -> int:
            while owner[key] != key:
                key = owner[key]
            return key

        for (one, other), vote in sorted(self._votes.items()):
            if vote > 0 and one in owner and other in owner:
                owner[root(other)] = root(one)
        for key, places in self._nudged.items():
            for other, track in lying.items():
                away = [float(np.linalg.norm(track.middle - place)) for place in places]
                if other != key and min(away) <= _SAME_PLACE * _width(track):
                    owner[root(key)] = root(other)
        groups: dict[int, list[int]] = {}
        for key in [*(key for members, _ in rows for key in members), *sorted(lying)]:
            if key in lying and key not in groups.setdefault(root(key), []):
                groups[root(key)].append(key)
        doubtful = {key for pair, doubt in self._doubts.items() if doubt for key in pair}
        for members, doubt in rows:
            if doubt and len(members) == 1:
                doubtful.update(members)
        as_seen = {tuple(members) for members, _ in rows}
        return tuple(
            LyingSet(
                tuple(members) if tuple(members) in as_seen else _along_the_row(members, lying),
                bool(doubtful & set(members)),
            )
            for members in groups.values()
        )


def _is_near(track: Track, lay: NDArray[np.float32]) -> bool:
    """Say whether a tile lies so near to where its middle lay, (2,), that it was only brushed aside."""
    return bool(np.linalg.norm(track.middle - lay) <= _NUDGED * _width(track))


def _width(track: Track) -> float:
    return float(np.linalg.norm(track.home[1] - track.home[0]))


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def _along_the_row(members: list[int], lying: dict[int, Track]) -> tuple[int, ...]:
    """Order by place, where hidden tiles or two rows come together: in the direction that the tiles face."""
    quads = np.stack([lying[key].home for key in members])
    right = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]).sum(axis=0)
    middles = quads.mean(axis=1)
    spread = middles - middles.mean(axis=0)
    if len(members) > 2:
        axis = np.linalg.svd(spread, full_matrices=False)[2][0]
        right = axis if axis @ right >= 0 else -axis
    along = spread @ right
    return tuple(members[at] for at in np.argsort(along, kind="stable"))


def lying_table(
    t_s: float,
    tracker: Tracker,
    sets: Sequence[LyingSet],
    pool: PoolKeeper | None,
    river: frozenset[int] = frozenset(),
    *,
    bar: float,
    alternative_bar: float,
) -> LyingTable:
    """Put tiles and sets together; the river's tiles are in no set."""
    tiles = []
    for track in tracker.lying():
        tile, share = track.evidence.best()
        posterior = track.evidence.posterior()
        others = tuple((SeenTile.sure(other), p) for other, p in posterior if other != tile and p >= 5e-4)
        seen = track.evidence.seen(bar, alternative_bar, hidden=track.state == "hidden")
        clearest = track.evidence.clearest.get(tile, 0.0) if tile is not None else 0.0
        looks = track.evidence.looks
        tiles.append(LyingTile(track.key, seen, track.corners_xy_px, share, looks, others[:6], clearest))
    kept = []
    for lying in sets:
        members = tuple(key for key in lying.keys if key not in river)
        if members:
            kept.append(LyingSet(members, lying.doubt))
    found = LyingTable(
        t_s,
        tuple(tiles),
        tuple(kept),
        river=tuple(sorted(river)),
        tiles_unsure=tracker.unsure,
        seem_gone=tracker.seem_gone,
    )
    if pool is None:
        return found
    return replace(found, backs=pool.count, taken=pool.taken, pool_unsure=pool.unsure)
