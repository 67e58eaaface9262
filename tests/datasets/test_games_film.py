"""Films of games: what the script says is what is seen."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import Generator

from datasets.games.drawn import drawn_table, drawn_tiles
from datasets.games.film import corners_of, film, frame_times, shot_of
from datasets.games.film_light import LightShow
from datasets.games.incidents import held_in_hand, in_the_sun
from datasets.games.script import GameScript, Incident, Lying, Move, Piece, Pose, Reach
from datasets.games.sprites import Rgb, Rgba
from referee.tiles import ALL_TILES, Tile

SIZE = (640, 360)


@dataclass(frozen=True)
class PatternTiles:
    """Tiles with a coarse pattern each, to be told apart without reading."""

    name: str = "patterns"
    aspect: float = 1.4
    _shades: dict[int, Rgba] = field(default_factory=dict)

    def face(self, tile: Tile, copy: int, width_px: float) -> Rgba:
        rng = np.random.default_rng([tile.index, copy])
        grid = rng.choice([40, 240], (4, 3)).astype(np.uint8)
        return self._sprite(grid, width_px)

    def back(self, width_px: float) -> Rgba:
        return self._sprite(np.full((4, 3), 120, np.uint8), width_px)

    def _sprite(self, grid: Rgb, width_px: float) -> Rgba:
        w = round(width_px)
        grey = cv2.resize(grid, (w, round(w * self.aspect)), interpolation=cv2.INTER_NEAREST)
        return np.dstack([grey, grey, grey, np.full_like(grey, 255)])


@dataclass(frozen=True)
class GreenTable:
    """A plain table."""

    name: str = "green"

    def ground(self, size_wh: tuple[int, int], tile_px: float, rng: Generator) -> Rgb:
        return np.full((size_wh[1], size_wh[0], 3), (60, 110, 70), np.uint8)


def script_of(**changes: object) -> GameScript:
    """Return a game of 24 lying tiles in which one is brought, one shifted and one drawn from the pool."""
    pieces, lying = [], []
    for key in range(24):
        pieces.append(Piece(key, ALL_TILES[2 * key]))
        pose = Pose(-9 + 2.6 * (key % 8), -4 + 3.2 * (key // 8), 7.0 * (key % 5) - 14)
        lying.append(Lying(key, pose, face_down=key >= 22))
    pieces.append(Piece(30, ALL_TILES[51]))
    moves = (
        Move(30, 0, 2.0, 3.0, None, Pose(-4, 5, 10)),
        Move(3, 0, 3.6, 4.6, lying[3].pose, Pose(2, 5, -20)),
        Move(23, 2, 7.0, 8.0, lying[23].pose, None, face_down=True),
    )
    base = GameScript(
        seed=5,
        players=("A", "B", "C"),
        edition="ru",
        seat_sides=("near", "right", "far"),
        pieces=tuple(pieces),
        lying=tuple(lying),
        moves=moves,
        reaches=(Reach(0, 2.0, 5.2), Reach(2, 6.3, 8.0)),
        incidents=(),
        turns=(),
        signals=(),
        duration_s=10.0,
        half_size=(12.0, 7.0),
        difficulty="easy",
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def likeness(picture: Rgb, corners: np.ndarray, face: Rgba) -> float:
    """Return how well the face is seen at its corners: correlation, 1 is the same."""
    h, w = face.shape[:2]
    ends = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(corners.astype(np.float32), ends.astype(np.float32))
    seen = cv2.cvtColor(cv2.warpPerspective(picture, warp, (w, h)), cv2.COLOR_BGR2GRAY)
    inner = (slice(h // 10, -h // 10), slice(w // 8, -w // 8))
    a, b = seen[inner].astype(float).ravel(), face[..., 0][inner].astype(float).ravel()
    return float(np.corrcoef(a, b)[0, 1])


def seen_at(script: GameScript, t_s: float, seed: int = 0) -> dict[int, float]:
    """Return the likeness of every piece that lies face up at a time."""
    looks = PatternTiles()
    picture = shot_of(script, looks, GreenTable(), SIZE, seed).picture(t_s)
    tiles = {piece.key: piece.tile for piece in script.pieces}
    found = corners_of(script, t_s, looks, SIZE, seed)
    return {
        key: likeness(picture, quad, looks.face(tiles[key], 0, 60))
        for key, quad in found.items()
        if key < 22 or key == 30
    }


@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 99))
def test_pieces_lie_where_the_truth_says_they_do(seed: int) -> None:
    found = seen_at(script_of(), 6.0, seed)
    assert len(found) == 23
    assert min(found.values()) > 0.8


@pytest.mark.parametrize(
    "incident",
    [
        Incident("bump", 1.0, 1.3, None, 1.3),
        Incident("turn", 1.0, 1.6),
        Incident("sag", 0.0, 8.0),
        Incident("shake", 5.0, 7.0),
        Incident("sway", 0.0, 10.0),
        Incident("lamp", 1.0, 1.2),
        Incident("exposure", 1.0, 2.0),
    ],
    ids=lambda incident: incident.kind,
)
def test_the_truth_follows_camera_and_light(incident: Incident) -> None:
    script = script_of(incidents=(incident,), half_size=(13.0, 8.0), difficulty="hard")
    assert min(seen_at(script, 6.0).values()) > 0.75


def test_a_bump_moves_the_picture_for_good_and_a_shake_does_not() -> None:
    looks = PatternTiles()

    def shift(kind: str, t_s: float) -> float:
        script = script_of(incidents=(Incident(kind, 1.0, 1.5),))  # type: ignore[arg-type]
        now, before = (corners_of(script, t, looks, SIZE)[0] for t in (t_s, 0.5))
        return float(np.abs(now - before).max())

    assert shift("bump", 9.0) > 2
    assert shift("turn", 9.0) > 2
    assert shift("shake", 1.25) > 0.3
    assert shift("shake", 9.0) == 0


def test_a_phone_in_a_hand_sways_slowly_and_without_end() -> None:
    looks, script = PatternTiles(), held_in_hand(script_of())
    assert script.options["held"] == "yes"
    middles = np.array([corners_of(script, t, looks, SIZE)[0].mean(axis=0) for t in np.arange(0, 10, 0.2)])
    steps = np.linalg.norm(np.diff(middles, axis=0), axis=1)
    assert np.ptp(middles, axis=0).max() > 2
    assert steps.max() < 1
    assert np.median(steps) > 0.02


def test_in_the_sun_a_part_of_the_picture_lies_in_shadows_that_sway() -> None:
    script = in_the_sun(replace(script_of(), duration_s=60.0))
    assert script.options["sun"] == "yes"
    show, plain = (LightShow(one, SIZE, 3) for one in (script, script_of()))
    shares, places = [], []
    for t_s in np.arange(0, 60, 1.5):
        shade = show.field(t_s)[..., 1] < 0.8 * plain.field(t_s)[..., 1]
        shares.append(shade.mean())
        places.append(np.argwhere(shade).mean(axis=0))
    assert 0.01 < min(shares) < max(shares) < 0.6
    assert np.ptp(places, axis=0).max() > 2


def test_a_hand_hides_what_it_reaches_over_and_goes() -> None:
    script = script_of()
    before, during, after = (seen_at(script, t) for t in (1.0, 3.75, 6.0))
    assert min(before.values()) > 0.8
    assert min(after.values()) > 0.8
    assert 3 not in during
    assert 3 in after
    # The arm comes from the near side: the tiles that lie on its way are covered.
    assert min(during.values()) < 0.6


def test_a_mug_hides_and_uncovers() -> None:
    script = script_of(incidents=(Incident("mug", 0.0, 9.0, Pose(-3.8, -0.8)),), moves=(), reaches=())
    assert seen_at(script, 5.0)[10] < 0.6
    assert seen_at(script, 9.5)[10] > 0.8


def test_what_is_carried_lies_nowhere_and_what_went_to_a_rack_is_gone() -> None:
    script = script_of()
    at = {t: set(corners_of(script, t, PatternTiles(), SIZE)) for t in (0.0, 2.5, 4.0, 5.0, 7.5, 9.0)}
    everything = set(range(24))
    assert at[0.0] == everything == at[2.5]
    assert at[4.0] == everything - {3} | {30}
    assert at[5.0] == everything | {30}
    assert at[7.5] == at[9.0] == everything - {23} | {30}


def test_the_view_is_clear_when_no_hand_is_there() -> None:
    script = script_of(moves=script_of().moves[:1], reaches=script_of().reaches[:1])
    shot = shot_of(script, PatternTiles(), GreenTable(), SIZE)
    calm = shot.picture(0.0).astype(int)
    early, busy = (shot.picture(t).astype(int) for t in (1.9, 2.5))
    assert np.abs(calm - early).mean() < 0.3
    assert np.abs(calm - busy).mean() > 0.6


def _decoded(path: Path) -> tuple[list[float], list[Rgb], int]:
    with av.open(str(path)) as file:
        frames = list(file.decode(video=0))
        return (
            [float(f.time or 0.0) for f in frames],
            [f.to_ndarray(format="bgr24") for f in frames],
            (frames[0].rotation),
        )


def test_frame_times_and_pixels_reach_the_file(tmp_path: Path) -> None:
    script, looks = script_of(), PatternTiles()
    film(script, looks, GreenTable(), tmp_path / "a.mp4", SIZE, 25, begin_s=2.0, end_s=3.0)
    film(script, looks, GreenTable(), tmp_path / "b.mp4", SIZE, 25, begin_s=2.0, end_s=3.0)
    times, frames, _ = _decoded(tmp_path / "a.mp4")
    assert times == pytest.approx([k / 25 for k in range(25)])
    assert frames[0].shape == (360, 640, 3)
    wanted = shot_of(script, looks, GreenTable(), SIZE).picture(2.6)
    assert np.abs(frames[15].astype(int) - wanted).mean() < 4
    again = _decoded(tmp_path / "b.mp4")[1]
    assert all(np.array_equal(one, other) for one, other in zip(frames, again, strict=True))


def test_variable_rate_and_rotation_as_phones_write_them(tmp_path: Path) -> None:
    script, looks = script_of(), PatternTiles()
    path = tmp_path / "c.mp4"
    film(script, looks, GreenTable(), path, SIZE, 30, variable_rate=True, rotate=90, end_s=1.0)
    times, frames, rotation = _decoded(path)
    assert times == pytest.approx(list(frame_times(1.0, 30, True, 0)), abs=1e-4)
    assert frames[0].shape == (640, 360, 3)
    # A player turns by ``rotation`` degrees counter-clockwise to see it upright.
    upright = np.rot90(frames[0], rotation // 90)
    assert np.abs(upright.astype(int) - shot_of(script, looks, GreenTable(), SIZE).picture(0.0)).mean() < 4


@given(fps=st.sampled_from([15, 24, 29.97, 30]), seed=st.integers(0, 50))
def test_frame_times_rise(fps: float, seed: int) -> None:
    even = list(frame_times(20, fps, False, seed))
    uneven = list(frame_times(20, fps, True, seed))
    assert len(even) == round(20 * fps)
    assert even[0] == uneven[0] == 0
    assert all(b > a for a, b in pairwise(even))
    assert all(b > a for a, b in pairwise(uneven))
    assert 0.4 * len(even) < len(uneven) < 1.2 * len(even)


def test_a_film_that_cannot_be_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="even"):
        film(script_of(), PatternTiles(), GreenTable(), tmp_path / "x.mp4", (641, 360))
    with pytest.raises(ValueError, match="rotated"):
        film(script_of(), PatternTiles(), GreenTable(), tmp_path / "x.mp4", SIZE, rotate=45)


def test_drawn_looks_are_steady_and_of_the_size_asked_for() -> None:
    one, other = (drawn_tiles(np.random.default_rng(3)) for _ in range(2))
    face = one.face(ALL_TILES[7], 0, 48)
    assert face.shape == (round(48 * one.aspect), 48, 4)
    assert face.dtype == np.uint8
    assert np.array_equal(face, other.face(ALL_TILES[7], 0, 48))
    assert face[0, 0, 3] == 0
    assert face[30, 24, 3] == 255
    assert not np.array_equal(face, one.face(ALL_TILES[8], 0, 48))
    ground = drawn_table(np.random.default_rng(3)).ground((300, 200), 20, np.random.default_rng(1))
    assert ground.shape == (200, 300, 3)
    assert ground.std() > 1
