"""Tiles keep their identity: which tile of the last look is which of this one, and where the others went."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np

from referee import Tile
from vision.readings import Corners, stacked
from vision.watch.evidence import number_worth
from vision.watch.look import Look, SeenFace, bring, tile_width
from vision.watch.track import (
    KNOWN_LOOKS,
    SURE,
    WELL_KNOWN,
    Track,
    agreement_of,
    alone_surely,
    exchange,
    holds_its_row,
    is_as_large,
    is_excluded,
    is_half_seen,
    is_part,
    leaves_no_part,
    shown_surely,
    top_of,
    well_known,
    went_along,
)

__all__ = ["Fate", "Tracker"]

Fate = Literal["bare", "taken", "covered", "unsure"]
"""What is where a tile lay: the table itself, another tile, something else, or what cannot be told."""

FateOf = Callable[[Sequence[Corners]], Sequence[Fate]]
"""Tells the fate of tiles by the corners, at home, at which they lay."""

_UNCOVERED: frozenset[Fate] = frozenset({"bare", "taken"})
_SAME_PLACE = 0.4
"""Tile widths: a tile of the same reading nearer than this has not been moved away."""
_UNMOVED = 0.12
"""Tile widths: nearer than this it was not touched."""
_ASIDE = 1.0
"""Tile widths up to which a tile is pushed aside, and lies over a part of its old place."""
_ROUNDING_PX = 0.01
"""By so much two ways to measure one distance may differ."""
_AGREES = 0.5
"""A reading that gives a tile so much is one of that tile."""
_SAME_TILE = 0.02
"""A reading that gives a tile at least this much may be that tile."""
_MOVED_TILE = 0.1
"""The same for a tile that was in view a look ago, and is said to lie elsewhere now."""

_CLEAR, _SAME_AGAIN = 0.95, 3
"""A whole face that reads so clearly as one other tile, in so many looks in a row, is that tile."""
_FAIRLY, _BARELY = 0.9, 0.02
"""So it is where it reads fairly so, as a tile in view does, and gives the tile itself less than this."""


class Tracker:
    """Keeps the tiles of a table from look to look."""

    def __init__(self, patience: int = 2, copies: Callable[[Tile], int] | None = None) -> None:
        """``patience``: looks in which a tile may stay unfound on bare ground before it counts as gone.

        ``copies`` tells how many of a tile the box holds; None where nobody knows.
        """
        self._patience, self._copies = patience, copies
        self._next = 1
        self.tracks: dict[int, Track] = {}
        """Every tile that lies there or is hidden, by key, and those gone since :meth:`settle`."""
        self.width_px = 0.0
        """A tile's width at home."""
        self._untouched: Callable[[Corners], bool] = lambda _: False
        self._joined: Callable[[Corners], bool] = lambda _: False
        self._faces = stacked([])
        self.misread: frozenset[int] = frozenset()
        """Tiles that surely read otherwise in the last look, with something new against them."""

    def lying(self) -> list[Track]:
        """Return the tiles on the table: in view or hidden."""
        return [track for track in self.tracks.values() if track.state != "gone"]

    @property
    def unsure(self) -> bool:
        """True where another look will tell: a tile was not found on bare ground, or reads as another."""
        return any(track.missed or track.challenged or track.rather[1] for track in self.lying())

    @property
    def seem_gone(self) -> frozenset[int]:
        """Keys of those that were not found in the last look, on bare ground."""
        return frozenset(track.key for track in self.lying() if track.missed and track.bare)

    def settle(self) -> None:
        """Forget tiles that are gone: a turn is over, and what comes now is another tile."""
        self.tracks = {key: track for key, track in self.tracks.items() if track.state != "gone"}

    def update(
        self,
        look: Look,
        fate_of: FateOf,
        untouched: Callable[[Corners], bool] | None = None,
        joined: Callable[[Corners], bool] | None = None,
    ) -> list[int]:
        """Take in a look; return the key of each of its faces.

        ``untouched`` tells of a face's corners at home whether the picture there is just what it was: then it
        is the same tile, however it reads now. So it is where it was ``joined`` by something that may stand on
        a part of it: of a 12, a 2 is left.
        """
        self._untouched, self._joined = untouched or (lambda _: False), joined or (lambda _: False)
        self.misread = frozenset()
        homes = [face.home for face in look.faces]
        self._faces, self.width_px = stacked(homes), tile_width(homes) or self.width_px
        keys: list[int | None] = [None] * len(look.faces)
        left = set(self.tracks)
        self._match(look.faces, keys, left, self._stayed, within=_SAME_PLACE)
        exchange(look.faces, keys, self.tracks)
        shown = shown_surely(look.faces, keys)
        while freed := self._let_go(look.faces, keys, shown):
            # One tile taken out of a row, and each of the others lies in the next one's place.
            left |= freed
            shown = shown_surely(look.faces, keys)
        relaid = partial(self._covered_in_part, shown, self._bests(left))
        self._match(look.faces, keys, left, relaid)
        stuck = self._covered_amid(look.faces, keys, left, fate_of)
        stuck -= self._all_in_view(look.faces, [self.tracks[key] for key in stuck])
        left -= stuck
        self._match(look.faces, keys, left, self._came_from("lying"))
        left |= stuck
        lost = [self.tracks[key] for key in sorted(left) if self.tracks[key].state == "lying"]
        self._match(look.faces, keys, left, self._came_from("gone"))
        self._match(look.faces, keys, left, partial(self._challenged, shown_surely(look.faces, keys)))
        hidden = [self.tracks[key] for key in sorted(left) if self.tracks[key].state == "hidden"]
        missing = [track for track in (*lost, *hidden) if track.key in left]
        fates = dict(zip([t.key for t in missing], fate_of([t.home for t in missing]), strict=True))
        # A hidden tile whose place is bare again must have gone somewhere, as one of which all are in view.
        elsewhere = self._all_in_view(look.faces, missing)
        moved = {key for key in left if fates.get(key) in _UNCOVERED or key in elsewhere}
        self._match(look.faces, keys, moved, self._came_from("hidden"))
        unnamed = len(keys) + 1
        while unnamed > (unnamed := keys.count(None)):  # one after the other along the row
            self._match(look.faces, keys, left, self._went_along(look.faces, keys))
        from_home = np.asarray(np.linalg.inv(look.to_home), np.float64)
        taken = {key for key in keys if key is not None}
        for track in missing:
            if track.key not in taken:
                self._miss(track, fates[track.key])
                track.corners_xy_px = bring(track.home, from_home)
        return [self._see(face, key, look.t_s) for face, key in zip(look.faces, keys, strict=True)]

    def _match(
        self,
        faces: Sequence[SeenFace],
        keys: list[int | None],
        left: set[int],
        score: Callable[[Track, SeenFace], float],
        within: float = math.inf,
    ) -> None:
        """Pair faces with tracks, best first, wherever ``score`` is above zero; it is so only ``within`` that.

        Tile widths from the middle of one to that of the other.
        """
        pairs = []
        for at, key in self._near(faces, [at for at, key in enumerate(keys) if key is None], left, within):
            worth = score(self.tracks[key], faces[at])
            if worth > 0:
                pairs.append((worth, at, key))
        pairs.sort(key=lambda pair: (-pair[0], pair[1], pair[2]))
        for _, at, key in pairs:
            if keys[at] is None and key in left:
                keys[at] = key
                left.discard(key)

    def _near(
        self, faces: Sequence[SeenFace], ats: Sequence[int], left: AbstractSet[int], within: float
    ) -> list[tuple[int, int]]:
        """Return those of the faces and tracks, by key, whose middles lie no farther apart than that."""
        keys = list(left)
        if within == math.inf or not ats or not keys:
            return [(at, key) for at in ats for key in keys]
        here = np.stack([faces[at].home for at in ats]).mean(axis=1)
        there = np.stack([self.tracks[key].home for key in keys]).mean(axis=1)
        apart = np.linalg.norm(here[:, None] - there[None], axis=2)
        most = within * max(self.width_px, 1e-6) + _ROUNDING_PX
        return [(ats[one], keys[other]) for one, other in np.argwhere(apart <= most)]

    def _all_in_view(self, faces: Sequence[SeenFace], missing: Sequence[Track]) -> frozenset[int]:
        """The missing ones that faces show, with more copies of them in all than the box holds."""
        if self._copies is None:
            return frozenset()
        tops = [top_of(face.listed) for face in faces if face.listed]
        count = Counter(tile for tile, worth in tops if worth >= _FAIRLY)
        lost = [(track.key, tile) for track in missing if (tile := track.evidence.best()[0]) in count]
        count.update(tile for _, tile in lost if tile is not None)
        return frozenset(key for key, tile in lost if tile is not None and count[tile] > self._copies(tile))

    def _away(self, track: Track, face: SeenFace) -> float:
        """How far a face is from where a tile lay, tile widths."""
        (x, y), (at_x, at_y) = face.home.sum(axis=0) / 4, track.middle
        return math.hypot(x - at_x, y - at_y) / max(self.width_px, 1e-6)

    def _stayed(self, track: Track, face: SeenFace) -> float:
        """Score of the same tile in the same place; only a reading that excludes it speaks against it."""
        away = self._away(track, face)
        if track.state == "gone" or away > _SAME_PLACE:
            return 0.0
        if away > _UNMOVED and agreement_of(track, face) < _SAME_TILE:
            return 0.0
        doubted = track.challenged or track.stirred or track.rather[1]
        # Where it was not in view, the picture of the last look is not its own.
        was_seen = away <= _UNMOVED and not doubted and track.state == "lying"
        untouched = was_seen and self._untouched(face.home)
        if is_excluded(track, face) and not untouched and not self._is_joined(track, face):
            return 0.0
        if self._is_another(track, face):
            return 0.0
        return 2.0 - away

    def _let_go(self, faces: Sequence[SeenFace], keys: list[int | None], shown: AbstractSet[Tile]) -> set[int]:
        """Unname faces that surely read otherwise, where the tile itself is ``shown`` elsewhere; return keys.

        A row may be relaid by just a tile, so that another lies where one lay. A picture that is what it was is
        the same tile, unless it reads as another as surely as the tile did: an 8 is much like a 9 from afar.
        """
        freed: set[int] = set()
        for at, (face, key) in enumerate(zip(faces, keys, strict=True)):
            if key is None or not face.listed:
                continue
            own = well_known(self.tracks[key])
            top, worth = top_of(face.listed)
            touched = worth >= WELL_KNOWN or not self._untouched(face.home)
            if own in shown and top != own and worth >= SURE and touched:
                keys[at] = None
                freed.add(key)
        return freed

    def _covered_amid(
        self, faces: Sequence[SeenFace], keys: Sequence[int | None], left: AbstractSet[int], fate_of: FateOf
    ) -> set[int]:
        """Tiles surely shown elsewhere whose place something covers, amid tiles of their row that stay.

        Then it is their twin that was laid there: nobody takes a tile out of a row's middle, or one of three,
        and leaves the others as they lay. What is shown over a part of the place is the tile, pushed aside.
        """
        lay = [key for key in left if self.tracks[key].state == "lying"]
        alone = alone_surely(faces, keys)

        def laid_elsewhere(track: Track) -> bool:
            own = track.evidence.best()[0]
            shown = [face for tile, face in alone if tile == own]
            return bool(shown) and all(self._away(track, face) >= _ASIDE for face in shown)

        twins = [key for key in lay if laid_elsewhere(self.tracks[key])]
        if not twins:
            return set()
        staying = [key for key in {*keys, *lay} if key is not None and key not in twins]
        amid = [
            self.tracks[key]
            for key in twins
            if holds_its_row(self.tracks[key].home, [self.tracks[other].home for other in staying])
        ]
        fates = fate_of([track.home for track in amid])
        return {track.key for track, fate in zip(amid, fates, strict=True) if fate == "covered"}

    def _bests(self, keys: AbstractSet[int]) -> frozenset[Tile | None]:
        return frozenset(self.tracks[key].evidence.best()[0] for key in keys)

    def _covered_in_part(
        self, shown: AbstractSet[Tile], missing: AbstractSet[Tile | None], track: Track, face: SeenFace
    ) -> float:
        """Score of a half-seen tile, but for a row that was relaid by nearly a tile.

        Then the tile itself is ``shown`` in another place, and the one that lies here now is ``missing`` from
        its own. With the first alone, it may be the other copy that was laid there.
        """
        if face.listed is not None and self._away(track, face) > _UNMOVED:
            here = top_of(face.listed)[0]
            if track.evidence.best()[0] in shown and here in missing:
                return 0.0
        return self._half_seen(track, face)

    def _half_seen(self, track: Track, face: SeenFace) -> float:
        """Score of a well-known tile that reads weakly otherwise in its place: a part of it is covered."""
        away = self._away(track, face)
        here = track.state != "gone" and away <= _SAME_PLACE
        if not here or not is_half_seen(track, face, part=self._is_part(track, face)):
            return 0.0
        return 0.0 if self._is_another(track, face) else 1.0 - away

    def _is_part(self, track: Track, face: SeenFace) -> bool:
        """True where a face is a part of the tile: much smaller than that was, and than those beside it."""
        return is_part(face.home, track.home) and not is_as_large(face.home, self._faces)

    def _is_another(self, track: Track, face: SeenFace) -> bool:
        """True where a whole face is read as the same other tile look after look: nothing covers it."""
        tile, looks = self._clearly_another(track, face)
        return tile is not None and looks >= _SAME_AGAIN

    def _clearly_another(self, track: Track, face: SeenFace) -> tuple[Tile | None, int]:
        """Return the other tile that a whole face clearly reads as, and in how many looks by now."""
        whole = self._away(track, face) <= _UNMOVED and not self._is_part(track, face)
        if face.listed is None or not whole:
            return None, 0
        top, worth = top_of(face.listed)
        again = track.rather[0] == top
        own = track.evidence.best()[0]
        fairly = worth
        if own is not None and leaves_no_part(own, top):
            fairly = number_worth(face.listed, top)  # in the shade a number is sure where its colour is not
        clear = worth >= _CLEAR or (
            fairly >= _FAIRLY and own is not None and face.listed.get(own, 0.0) < _BARELY
        )
        if not clear or top == own or (not again and self._untouched(face.home)):
            return None, 0
        if self._is_joined(track, face):
            return None, 0
        return top, track.rather[1] + 1 if again else 1

    def _is_joined(self, track: Track, face: SeenFace) -> bool:
        """True where something new may stand on a part of a well-known tile in its place."""
        return (
            self._away(track, face) <= _UNMOVED
            and well_known(track, KNOWN_LOOKS) is not None
            and self._joined(face.home)
        )

    def _is_itself(self, track: Track, face: SeenFace) -> bool:
        """True where a tile reads as what it is, in its place."""
        if track.state == "gone" or face.listed is None or self._away(track, face) > _SAME_PLACE:
            return False
        return top_of(face.listed)[0] == track.evidence.best()[0]

    def _challenged(self, shown: AbstractSet[Tile], track: Track, face: SeenFace) -> float:
        """Score of a face that surely reads otherwise, in the very same place: rather a misreading, once.

        It is none where the tile itself is ``shown`` elsewhere: a row may be relaid by just a tile.
        """
        away = self._away(track, face)
        if face.listed and track.evidence.best()[0] in shown and top_of(face.listed)[1] >= SURE:
            return 0.0
        doubted = track.challenged or self._is_another(track, face)
        return 0.0 if track.state == "gone" or away > _UNMOVED or doubted else 1.0 - away

    def _came_from(self, state: str) -> Callable[[Track, SeenFace], float]:
        """Score of a tile that was moved: the reading must agree, and near is likelier than far."""

        def score(track: Track, face: SeenFace) -> float:
            if track.state != state or face.listed is None:
                return 0.0
            agreement = agreement_of(track, face)
            if agreement < (_MOVED_TILE if state == "lying" else _SAME_TILE):
                return 0.0
            return agreement + 0.1 / (1.0 + self._away(track, face))

        return score

    def _went_along(
        self, faces: Sequence[SeenFace], keys: Sequence[int | None]
    ) -> Callable[[Track, SeenFace], float]:
        """Score of a hidden tile whose neighbour was moved, and has the same tile beside it again.

        Something may cover the place that they left, as another row that was laid there since does.
        """
        pairs = [(self.tracks[key], face) for face, key in zip(faces, keys, strict=True) if key is not None]
        moves = [(track.home, face.home) for track, face in pairs if self._away(track, face) > _ASIDE]

        def score(track: Track, face: SeenFace) -> float:
            if track.state != "hidden" or face.listed is None or agreement_of(track, face) < _AGREES:
                return 0.0
            return float(went_along(track.home, face.home, moves))

        return score

    def _miss(self, track: Track, fate: Fate) -> None:
        """A tile was not found where it lay."""
        track.moved = track.challenged = False
        track.rather, track.bare = (None, 0), fate == "bare"
        if fate == "covered":
            track.state, track.missed = "hidden", 0
            return
        if fate == "taken":
            track.state = "gone"  # no two tiles lie in one place
            return
        track.missed += 1 if fate == "bare" else 0
        # Unreadable is not gone: without the bare table in view it stays, as remembered.
        track.state = "gone" if fate == "bare" and track.missed >= self._patience else "hidden"

    def _see(self, face: SeenFace, key: int | None, t_s: float) -> int:
        """A face was found: a known tile's, or a new one's."""
        half_seen = part = covered = False
        if key is None:
            key, self._next = self._next, self._next + 1
            self.tracks[key] = Track(key, face.home, face.corners_xy_px, since_s=t_s)
            track = self.tracks[key]
        else:
            track = self.tracks[key]
            half_seen = bool(self._half_seen(track, face))
            track.rather = self._clearly_another(track, face) if half_seen else (None, 0)
            itself = self._is_itself(track, face)
            part = (half_seen or itself) and self._is_part(track, face)
            covered = half_seen or part or (itself and face.misfit)
            track.moved = not covered and (self._away(track, face) > _UNMOVED or track.state == "gone")
            if track.moved:
                track.since_s = t_s
            elif covered:
                face = replace(face, home=track.home)
        track.home, track.corners_xy_px = face.home, face.corners_xy_px
        track.state, track.missed, track.in_part = "lying", 0, covered
        surely_other = not track.moved and not part and is_excluded(track, face)
        misread = surely_other and self._is_joined(track, face)
        if misread:
            self.misread |= {key}
        # What lies untouched since the last look may have been laid there before that one.
        agrees = bool(face.listed) and agreement_of(track, face) >= _AGREES
        track.stirred = not agrees and (track.stirred or not self._untouched(face.home))
        track.challenged = surely_other and not misread and track.stirred
        if not track.challenged and not half_seen and not misread:
            track.evidence.add(face.listed)
        return key
