"""A photograph in, its tiles and sets out."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from referee.tiles import Inventory
from vision.checks import without_checks, without_ground
from vision.classify import NO_NUMERAL_CLASS, Classifier, FaceReadings, read_faces
from vision.cut_off import cut_off
from vision.dark_tiles import reads_better, sure_width, turned_round, worth_turning_round
from vision.decide import decide, faced, tile_probabilities
from vision.doubles import Double, rather_two, with_halves
from vision.find import distinct, elsewhere, find_tiles, known_width, look_again
from vision.finder_looks import FinderModel, OnnxFinder
from vision.flat_views import reads_more, stretched, taken_back, worth_stretching
from vision.inks import doubted_by_ink, suits_doubted_by_ink
from vision.layout import read_layout
from vision.layout.jokers import jokers_upright
from vision.light import cleared, is_dim, without_cast
from vision.lookalikes import LookAlikeNet
from vision.models import CARDS, checksum, load_weights
from vision.network import OpenNetwork
from vision.odd_ones import guesses_of_odd_size, without_odd_ones
from vision.onnx_adapter import OnnxModel
from vision.parts import made_whole
from vision.picture import Picture, load_picture
from vision.pool import backs_among, crowd_again, in_blocks, without_blocks
from vision.quads import covered_shares, with_neighbours
from vision.readings import Corners, FoundTile, PhotoReading, SetReading, TileReading, corners_of
from vision.rectify import Pyramid
from vision.refine import Refiner
from vision.refused import after_all, worth_hearing
from vision.reshaper import Reshaper
from vision.room import have_room
from vision.settings import ReadSettings
from vision.shade import without_shade
from vision.stance import StanceNet, racks_around
from vision.tile_set import TileSet, load_tile_set
from vision.tile_sizes import parts_of_tiles
from vision.unfound import between, passed_over
from vision.user_data import tile_set_path

_SECOND_LOOKS = 3
"""At most so many tiles are looked at again, so that a hopeless picture does not take minutes."""
_CLEAR = 0.8
"""A weak find that reads this clearly is a tile all the same."""
_HALF_CLEAR, _FACED = 0.5, 0.9
"""A find edge to edge with a tile is one that reads half as clearly, if it shows some face this surely."""
_FACE_AFTER_ALL = 0.97
"""What the finder took for a face and the refiner for a back has to read this clearly to be one."""
_FAINT = 0.1
"""From this score on a find is worth reading."""
_STANDS = 0.5
"""Mean probability from which on tiles behind a rack's front are believed to stand on it."""
_SAME_PLACE = 0.6
"""Share of a find that lies under clearer ones from which on it is one of them, found again."""


class Reader:
    """Reads photographs; loads its models once."""

    def __init__(
        self,
        finder: FinderModel,
        refiner: Refiner,
        stance: StanceNet,
        classifier: Classifier,
        settings: ReadSettings,
        inventory: Inventory,
        look_alikes: LookAlikeNet | None = None,
    ) -> None:
        """Take the models; use :meth:`load` for the shipped ones."""
        self._finder, self._refiner = finder, refiner
        self._stance, self._classifier = stance, classifier
        self._settings, self._inventory = settings, inventory
        self._look_alikes = look_alikes or LookAlikeNet(None)
        self._reshaper = Reshaper(classifier, settings.tile_bar)

    @classmethod
    def load(
        cls,
        settings: ReadSettings | None = None,
        inventory: Inventory | None = None,
        weights_folder: Path | None = None,
        finder: FinderModel | None = None,
        tile_set: TileSet | None = None,
        any_set: bool = False,
        cards: bool = False,
        open_network: OpenNetwork = OnnxModel,
    ) -> Reader:
        """Open the shipped models, or those in ``weights_folder``; WeightsError where that fails.

        ``tile_set`` is the set on the table, where it was learnt; without one that of the settings, if any,
        unless ``any_set`` says to read every set alike. ``cards``, or that name in the settings where no set
        was learnt by it, reads the faces of playing cards.
        TileSetError where it cannot be read, or was learnt with other weights.

        ``finder`` takes the place of the shipped one, such as an
        :class:`vision.ultralytics_adapter.UltralyticsFinder` on a GPU. ``open_network`` chooses the library
        that runs the networks.
        """
        settings = settings or ReadSettings()
        named = "" if tile_set is not None or any_set else settings.tile_set
        cards = cards or (named == CARDS and not tile_set_path(named).exists())
        if named and not cards:
            tile_set = load_tile_set(tile_set_path(named))
        if tile_set is not None:
            cards = tile_set.classifier_sha256 == checksum(CARDS, weights_folder)
        weights = load_weights(settings.threads, weights_folder, open_network, cards=cards)
        finder = finder or OnnxFinder(weights.finder)
        return cls(
            finder,
            Refiner(weights.refiner),
            StanceNet(weights.stance),
            Classifier(weights, tile_set),
            settings,
            inventory or Inventory(),
            LookAlikeNet(weights.lookalikes),
        )

    def read(self, picture: Picture, *, quick: bool = False) -> PhotoReading:
        """Read one picture; ``quick``: no nearer look at a crowd of backs, of which some may be missed."""
        reading = self._read(picture, quick=quick)
        if worth_turning_round(reading, dim=lambda: is_dim(picture.image_bgr)):
            width = sure_width(reading)
            turned = self._read(turned_round(picture), quick=quick, tile_px=width, as_it_is=picture)
            if reads_better(turned, reading, bodies=self._look_alikes.knows):
                return _in_all(turned, reading)
            reading = _in_all(reading, turned)
        stretch = worth_stretching(reading) if picture.recall is None else None
        if stretch is None:
            return reading
        flat = taken_back(self._read(stretched(picture, stretch), quick=quick), reading)
        return _in_all(flat, reading) if reads_more(flat, reading) else _in_all(reading, flat)

    def _read(
        self, picture: Picture, *, quick: bool, tile_px: float | None = None, as_it_is: Picture | None = None
    ) -> PhotoReading:
        """Read a picture once; ``as_it_is``: the one that it was made of, turned round."""
        s, ms = self._settings, _Clock()
        with ms.stage("find"):
            if picture.recall is not None:
                picture.recall.see(picture.image_bgr, known_width(picture.recall))
            clear = cleared(picture.image_bgr)
            image = without_cast(without_shade(clear))
            found = find_tiles(
                image,
                self._finder,
                s.find_score,
                s.find_size_px,
                _FAINT,
                recall=picture.recall,
                tile_px=tile_px,
            )
        pyramid = Pyramid(clear, picture.recall)
        with ms.stage("refine"):
            tiles_found = self.refined(pyramid, found.tiles, found.faint)
        blank = without_checks(image, [t for t in tiles_found if t.face_down])
        plain = [t for t in tiles_found if not t.face_down]
        with ms.stage("pool"):
            crowd = (
                []
                if quick
                else crowd_again(
                    image, blank, plain, self._finder, s.bare_find_score, s.find_score, picture.recall
                )
            )
            refined = self._refiner.refine(pyramid, crowd)
            closer = in_blocks([t for t in refined if t.face_down and not t.refused])
            blank, plain = without_blocks(blank, closer), without_blocks(plain, closer)
            in_crowd = elsewhere(closer, plain)
            blank = distinct([*blank, *in_crowd])
            blank = without_checks(image, blank) if in_crowd else blank
            blank = without_ground(image, blank)
        faces, doubles = with_halves(plain, blank)
        backs = tuple(backs_among(blank, s.bare_find_score))
        perhaps = elsewhere(blank, [FoundTile(quad, 1.0, face_down=True) for quad in backs])
        with ms.stage("classify"):
            readings, corners = read_faces(pyramid, corners_of(faces), self._classifier)
            anew = self._reshaper.set_anew(pyramid, [*found.tiles, *found.faint], readings, corners)
            if (anew != corners).any():
                readings, corners = read_faces(pyramid, anew, self._classifier)
        with ms.stage("second_look"):
            readings, corners = self._second_look(image, pyramid, plain, readings, corners)
            keep = self._worth_keeping(faces, readings, corners, doubles)
            readings, corners = readings.only(keep), corners[keep]
            more = self._passed_over(pyramid, tiles_found, [*found.tiles, *found.faint], readings, corners)
            if len(more):
                readings, corners = read_faces(pyramid, np.concatenate([corners, more]), self._classifier)
            if picture.recall is None:
                # Of what is watched, such a find may be a tile under a hand.
                readings, corners = without_odd_ones(pyramid, readings, corners, self._look_alikes)
            by_ink = suits_doubted_by_ink if self._classifier.suits else doubted_by_ink
            readings = by_ink(pyramid, readings, corners)
            readings = self._reshaper.doubted(pyramid, readings, corners, [*found.tiles, *found.faint])
            readings = guesses_of_odd_size(readings, corners)
        with ms.stage("decide"):
            decision = decide(
                readings, list(corners), self._inventory, tile_bar=s.tile_bar,
                unreadable_bar=s.unreadable_bar, grey=picture.is_grey,
            )  # fmt: skip
        with ms.stage("layout"):
            no_way = [r is None or r.doubt or r.tile.is_joker for r in decision.readings]
            corners = jokers_upright(corners, no_way)
            standing = self._stance.on_rack(pyramid, corners)
            if as_it_is is not None and len(corners):
                # The net has seen no dark tiles, and none turned round: both have to say so.
                other = Pyramid(cleared(as_it_is.image_bgr))
                standing = np.minimum(standing, self._stance.on_rack(other, corners))
            # In films a row of the table once taken for a rack's would be gone from the game.
            racks = racks_around(standing, corners, by_row=picture.recall is None) or found.racks_xy_px
            layout = read_layout(corners, racks, (image.shape[1], image.shape[0]))
            if layout.on_rack and standing[list(layout.on_rack)].mean() < _STANDS:
                # What the finder took for a rack's front has tiles behind it that lie.
                layout = read_layout(corners, [], (image.shape[1], image.shape[0]))
        tiles: list[TileReading] = []
        unreadable: list[Corners] = []
        place: list[int] = []
        for reading, quad in zip(decision.readings, corners, strict=True):
            if reading is None:
                place.append(-1 - len(unreadable))
                unreadable.append(quad)
            else:
                place.append(len(tiles))
                tiles.append(reading)
        return PhotoReading(
            size_wh=(image.shape[1], image.shape[0]),
            kind=layout.kind if len(corners) else "table" if backs else "empty",
            tiles=tuple(tiles),
            sets=tuple(SetReading(tuple(place[m] for m in s.members), s.doubt) for s in layout.sets),
            face_down_xy_px=backs,
            maybe_down_xy_px=tuple(find.corners_xy_px for find in perhaps),
            unreadable=tuple(unreadable),
            on_rack=tuple(place[m] for m in layout.on_rack),
            notes=decision.notes,
            ms=ms.ms,
        )

    @property
    def classifier(self) -> Classifier:
        """The classifier, for who learns a tile set with it."""
        return self._classifier

    def refined(
        self,
        pyramid: Pyramid,
        tiles: Sequence[FoundTile],
        faint: Sequence[FoundTile] = (),
    ) -> list[FoundTile]:
        """Return tiles with exact corners, each once; what proves to be none is left out.

        What the refiner refuses, or the finder saw only faintly, is a tile all the same where it reads clearly
        by its corners and the finder's, or has a tile's body.
        """
        closer = self._faces_after_all(pyramid, tiles, self._refiner.refine(pyramid, [*tiles, *faint]))
        refined, weak = closer[: len(tiles)], closer[len(tiles) :]
        accepted = distinct([tile for tile in refined if not tile.refused])
        pairs = worth_hearing(
            [*tiles, *faint], [*refined, *(replace(t, refused=not t.face_down) for t in weak)], accepted
        )
        if pairs:
            # By themselves, so that what is none has no say in the colours of the table.
            by_finder, by_refiner = (
                faced(read_faces(pyramid, corners_of(one), self._classifier, cuts=False)[0])
                for one in zip(*pairs, strict=True)
            )
            none = self._look_alikes.no_tile(pyramid, corners_of([near for _, near in pairs]))
            accepted += after_all(pairs, accepted, by_finder, by_refiner, none)
        seen = zip([*tiles, *faint], closer, strict=True)
        faces = [one for one, near in seen if not (near.refused or near.face_down)]
        accepted += self._reshaper.dragged(pyramid, elsewhere(faces, accepted), accepted)
        return made_whole(
            accepted,
            lambda wholes: self._refiner.refine(pyramid, wholes),
            lambda parts: _numbered(read_faces(pyramid, corners_of(parts), self._classifier, cuts=False)[0]),
        )

    def find(self, pyramid: Pyramid) -> list[FoundTile]:
        """Return the tiles of a picture, faces and backs, with exact corners."""
        s = self._settings
        found = find_tiles(without_cast(pyramid.level(0)), self._finder, s.find_score, s.find_size_px, _FAINT)
        return self.refined(pyramid, found.tiles, found.faint)

    def _faces_after_all(
        self, pyramid: Pyramid, tiles: Sequence[FoundTile], refined: list[FoundTile]
    ) -> list[FoundTile]:
        """Return the refined finds with those as faces that only the refiner takes for backs, and that read."""
        pairs = enumerate(zip(tiles, refined, strict=False))
        torn = [k for k, (one, near) in pairs if near.face_down and not (one.face_down or near.refused)]
        if not torn:
            return refined
        read, _ = read_faces(pyramid, corners_of([refined[k] for k in torn]), self._classifier, cuts=False)
        faces = {k for k, worth in zip(torn, faced(read).max(axis=1), strict=True) if worth >= _FACE_AFTER_ALL}
        return [replace(near, face_down=near.face_down and k not in faces) for k, near in enumerate(refined)]

    def _worth_keeping(
        self,
        faces: list[FoundTile],
        readings: FaceReadings,
        corners: NDArray[np.float32],
        doubles: Sequence[Double],
    ) -> NDArray[np.bool_]:
        """Tell which finds are tiles: those with a clear reading, and those that the finder is sure of.

        Two tiles cannot be in one place: of such finds the clearer one stays, whatever the second look has
        moved one of them to. ``doubles`` are faces that may be two tiles, each with its halves.
        """
        score = np.array([t.score for t in faces])
        clear = faced(readings).max(axis=1)
        for whole, halves in doubles:
            out = [whole] if rather_two(float(clear[whole]), clear[halves].tolist(), _CLEAR) else halves
            score[out] = clear[out] = 0.0
        parts = parts_of_tiles(corners)
        score[parts] = clear[parts] = 0.0
        rank = np.argsort(np.lexsort((score, clear)))
        alone = covered_shares(corners, rank) < _SAME_PLACE
        reads = clear >= _CLEAR
        sure = alone & ((score >= self._settings.bare_find_score) | reads)
        sure &= have_room(corners, ~reads, alone & reads)
        shows_some = 1 - readings.number[:, NO_NUMERAL_CLASS]
        # Edge to edge with a tile lies a tile: one that cannot be read clearly is a doubt, not nothing.
        return with_neighbours(corners, sure, alone & (clear >= _HALF_CLEAR) & (shows_some >= _FACED))

    def _passed_over(
        self,
        pyramid: Pyramid,
        refined: Sequence[FoundTile],
        found: Sequence[FoundTile],
        readings: FaceReadings,
        corners: NDArray[np.float32],
    ) -> NDArray[np.float32]:
        """Return the corners (M, 4, 2) of further tiles; see ``passed_over``, ``cut_off`` and ``between``."""

        def told(quads: NDArray[np.float32]) -> NDArray[np.float64]:
            return _numbered(read_faces(pyramid, quads, self._classifier, cuts=False)[0])

        clear = faced(readings).max(axis=1, initial=0.0)
        height, width = pyramid.level(0).shape[:2]
        more = passed_over(pyramid, corners, clear, refined, lambda at: self._refiner.refine(pyramid, at), told)
        known = np.concatenate([corners, more])
        more = np.concatenate([more, cut_off(found, known, (width, height), told, pyramid.steady)])
        return np.concatenate([more, between(pyramid, np.concatenate([corners, more]), found)])

    def _second_look(
        self,
        image: NDArray[np.uint8],
        pyramid: Pyramid,
        faces: list[FoundTile],
        readings: FaceReadings,
        corners: NDArray[np.float32],
    ) -> tuple[FaceReadings, NDArray[np.float32]]:
        """Find doubtful tiles again in an enlarged cut-out, and read them anew from the better corners.

        ``faces`` are those that may be looked at again, the first ones of the readings.
        """
        top = tile_probabilities(readings).max(axis=1)[: len(faces)] if len(faces) else np.zeros(0)
        doubtful = np.flatnonzero(top < self._settings.second_look_bar)
        if not len(doubtful):
            return readings, corners
        doubtful = doubtful[np.argsort(top[doubtful])][:_SECOND_LOOKS]
        nearer = corners[doubtful]
        for place, k in enumerate(doubtful):
            again = look_again(image, faces[k], self._finder)
            closer = self._refiner.refine(pyramid, [again]) if again is not None else []
            if closer and not closer[0].refused:
                nearer[place] = closer[0].corners_xy_px
        # Colour stays as the whole table settled it: a few tiles alone know less of it.
        known = readings.way_known
        known[doubtful] = False
        second, upright = read_faces(pyramid, nearer, self._classifier, facing=corners[known])
        better = second.number.max(axis=1) > readings.number[doubtful].max(axis=1)
        number, turn, settled = readings.number.copy(), readings.turn.copy(), corners.copy()
        number[doubtful[better]] = second.number[better]
        turn[doubtful[better]] = second.turn[better]
        settled[doubtful[better]] = upright[better]
        return FaceReadings(number, readings.colour, readings.colour_alone, turn), settled


def read_photo(path: str | Path, reader: Reader | None = None) -> PhotoReading:
    """Read one photograph from a file; PictureError or WeightsError say in a sentence why not."""
    reader = reader or Reader.load()
    return reader.read(load_picture(path))


def _in_all(kept: PhotoReading, other: PhotoReading) -> PhotoReading:
    """Return the one that is kept of two readings, with the time that both took."""
    return replace(kept, ms={name: round(spent + other.ms[name], 2) for name, spent in kept.ms.items()})


class _Clock:
    """Milliseconds by stage."""

    def __init__(self) -> None:
        self.ms: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.ms[name] = round((time.perf_counter() - start) * 1000, 2)


def _numbered(readings: FaceReadings) -> NDArray[np.float64]:
    """Return how probable it is that a find has a face and is that number, or a joker, shape (N, 14)."""
    return np.asarray(np.delete(readings.number, NO_NUMERAL_CLASS, axis=1))
