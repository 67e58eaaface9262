"""The gate: what moves is noticed, what the light and the codec do is not taken for it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.errors import SourceError
from vision.sources.frame import Frame
from vision.watch.gate import Activity, Gate
from vision.watch.settings import WatchSettings

SIZE_WH = (480, 270)
TILE_WH = (14, 20)


def table(seed: int = 0) -> np.ndarray:
    """A grained table with some tiles, brightness (H, W), float32."""
    rng = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(rng.normal(0, 1, SIZE_WH[::-1]).astype(np.float32), (0, 0), 6, sigmaY=1.5)
    picture = 110 + 12 * grain / grain.std()
    for k in range(8):
        put(picture, 60 + 16 * k, 60)
    return picture


def put(picture: np.ndarray, x: float, y: float) -> None:
    """Lay a tile with a figure on it."""
    ends = np.array([[x, y], [x + TILE_WH[0], y + TILE_WH[1]]])
    for (low, high), shade in ((ends, 225), (ends + np.array([[4, 5], [-4, -7]]), 60)):
        cv2.rectangle(picture, *(tuple(int(v * 16) for v in p) for p in (low, high)), shade, -1, cv2.LINE_AA, 4)


def hand(picture: np.ndarray, x: float, y: float) -> None:
    """Reach in from below, the fingers at (x, y)."""
    arm = np.array([[x, y], [x + 26, y], [x + 40, y + 400], [x - 20, y + 400]])
    cv2.fillConvexPoly(picture, np.round(arm * 16).astype(np.int32), 165, cv2.LINE_AA, 4)


def shoot(picture: np.ndarray, rng: np.random.Generator, noise: float = 2.0) -> np.ndarray:
    seen = picture + rng.normal(0, noise, picture.shape)
    return np.clip(np.round(seen), 0, 255).astype(np.uint8)


def watch(
    scene, seconds: float, fps: float = 15, gate: Gate | None = None, noise: float = 2.0
) -> list[Activity]:
    """Look at ``scene(t)``, brightness by time."""
    gate = gate or Gate(WatchSettings())
    rng = np.random.default_rng(1)
    looks = []
    for k in range(round(seconds * fps)):
        luma = shoot(scene(k / fps), rng, noise)
        looks.append(gate.look(Frame(k, k / fps, luma, lambda: np.zeros((1, 1, 3), np.uint8))))
    return looks


@pytest.mark.parametrize("noise", [0.5, 2.0, 6.0])
def test_a_table_on_which_nothing_happens_is_still(noise):
    base = table()
    looks = watch(lambda t: base, 3, noise=noise)
    assert not any(look.moving or look.light or look.shaking for look in looks)
    assert looks[-1].still_s == pytest.approx(looks[-1].t_s)


@pytest.mark.parametrize("fps", [5, 15, 30, 60])
def test_a_hand_is_noticed_at_any_rate_and_stillness_counts_from_its_end(fps):
    base = table()

    def scene(t):
        picture = base.copy()
        if 1 < t < 2:
            hand(picture, 200 + 100 * (t - 1), 300 - 180 * np.sin((t - 1) * np.pi))
        return picture

    looks = watch(scene, 4, fps)
    assert all(look.moving and look.still_s == 0 for look in looks if 1.3 < look.t_s < 1.8)
    assert not any(look.moving for look in looks if look.t_s < 0.95 or look.t_s > 2.5)
    assert 1.3 < looks[-1].still_s <= 2.0


def clock(picture: np.ndarray, text: str) -> None:
    """A lit phone that shows a time."""
    screen = np.full((62, 40), 60, np.uint8)
    cv2.putText(screen, text, (4, 36), cv2.FONT_HERSHEY_SIMPLEX, 0.8, 220, 2, cv2.LINE_AA)
    picture[200:262, 380:420] = screen


@pytest.mark.parametrize("a_second", [1, 10], ids=["a clock", "a stop-watch"])
def test_a_clock_that_ticks_ends_no_stillness_and_a_hand_over_it_does(a_second: int) -> None:
    """Beside a phone's timer no table was ever still, and a fault passed (bb01)."""

    def scene(t):
        picture = table()
        clock(picture, f"{int(t * a_second) % 60:02}")
        if 16 < t < 17:
            hand(picture, 390, 220)
        return picture

    looks = watch(scene, 20, 30)
    assert any(look.moving for look in looks if look.t_s < 3), "as long as nobody knows what it is"
    assert not any(look.moving for look in looks if 10.5 < look.t_s < 16), "ten changes another digit, once"
    assert looks[30 * 16].still_s > 5
    assert any(look.moving for look in looks if 16 < look.t_s < 17)
    assert looks[-1].still_s > 2


def test_where_a_clock_was_taken_away_a_tile_that_is_pushed_is_noticed() -> None:
    def scene(t):
        picture = table()
        if t < 6:
            clock(picture, f"{int(t) % 60:02}")
        if t > 20:
            put(picture, 384 + 10 * min(t - 20, 1), 220)
        return picture

    looks = watch(scene, 22, 15)
    assert not any(look.moving for look in looks if 4.5 < look.t_s < 5.9)
    assert any(look.moving for look in looks if look.t_s > 20)


def test_a_hand_that_comes_again_and_again_is_no_clock() -> None:
    def scene(t):
        picture = table()
        if t % 2 > 1.6:
            hand(picture, 300, 200)
        return picture

    looks = watch(scene, 14, 15)
    assert all(any(look.moving for look in looks if at < look.t_s < at + 2) for at in range(0, 14, 2))


def test_a_single_small_tile_that_slides_is_noticed():
    def scene(t):
        picture = table()
        put(picture, 300 + 20 * min(max(t - 1, 0), 1), 150)
        return picture

    looks = watch(scene, 3)
    assert any(look.moving for look in looks if 1.2 < look.t_s < 2)
    assert not any(look.moving for look in looks if look.t_s < 1 or look.t_s > 2.5)


def test_a_hand_that_creeps_is_never_still_for_long():
    def scene(t):
        picture = table()
        hand(picture, 200 + 4 * t, 150)
        return picture

    looks = watch(scene, 5)
    assert max(look.still_s for look in looks if look.t_s > 1.5) < 1.3


def test_a_hand_that_has_stopped_is_still():
    def scene(t):
        picture = table()
        hand(picture, 200, 150)
        return picture

    assert watch(scene, 2)[-1].still_s > 1.5


@pytest.mark.parametrize("gain", [0.5, 0.75, 1.15])
def test_a_lamp_or_an_exposure_step_is_light_not_motion(gain):
    base = table()
    looks = watch(lambda t: base * (gain if t >= 1 else 1), 3)
    assert any(look.light for look in looks)
    assert not any(look.moving for look in looks)
    assert looks[-1].still_s > 1


def test_exposure_that_drifts_slowly_disturbs_nothing():
    base = table()
    looks = watch(lambda t: base * (1 - 0.05 * t), 5)
    assert not any(look.moving or look.light for look in looks)


def test_a_soft_shadow_that_passes_is_light_and_not_still_while_it_does():
    base = table()
    x = np.arange(SIZE_WH[0])

    def scene(t):
        return base * (1 - 0.4 * np.exp(-(((x - (-200 + 300 * t)) / 100) ** 2)))[None]

    looks = watch(scene, 4)
    under = [look for look in looks if 1 < look.t_s < 2]
    assert all(look.light and look.still_s == 0 for look in under)
    assert not any(look.moving for look in looks)


def test_a_knock_at_the_camera_is_shaking():
    base = table()

    def scene(t):
        if not 1 < t < 2:
            return base
        move = np.array([[1, 0, 4 * np.sin(40 * t)], [0, 1, 3 * np.cos(31 * t)]])
        return cv2.warpAffine(base, move, SIZE_WH, borderMode=cv2.BORDER_REFLECT)

    looks = watch(scene, 3)
    during = [look for look in looks if 1.1 < look.t_s < 1.9]
    assert sum(look.shaking for look in during) > len(during) / 2
    assert all(look.still_s == 0 for look in during)
    assert looks[-1].still_s > 0.5
    assert not any(look.shaking for look in looks if look.t_s < 1)


def test_a_knock_that_no_single_shift_tells_of_is_shaking_all_the_same():
    """Every edge of a grained cloth is another where the camera turns and smears as it is knocked (11888)."""
    base = np.clip(table() + np.random.default_rng(5).normal(0, 40, table().shape), 0, 255).astype(np.uint8)

    def scene(t):
        if not 1 < t < 1.4:
            return base
        turned = cv2.getRotationMatrix2D((SIZE_WH[0] / 2, SIZE_WH[1] / 2), 4 * np.sin(17 * t), 1)
        return cv2.blur(cv2.warpAffine(base, turned, SIZE_WH, borderMode=cv2.BORDER_REFLECT), (9, 9))

    during = [look for look in watch(scene, 3) if 1.05 < look.t_s < 1.35]
    assert during
    assert all(look.shaking and look.changed is None for look in during)


def sways(base: np.ndarray, t: float) -> np.ndarray:
    """The table through a phone in a hand: it sways by a tile's width, and turns and nears a little."""
    turn, zoom = 0.006 * np.sin(t / 1.7), 1 + 0.004 * np.sin(t / 1.3)
    move = cv2.getRotationMatrix2D((SIZE_WH[0] / 2, SIZE_WH[1] / 2), np.degrees(turn), zoom)
    move[:, 2] += 4 * np.sin(t * 1.1), 3 * np.cos(t * 0.9)
    return cv2.warpAffine(base, move, SIZE_WH, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)


def test_a_camera_that_sways_in_a_hand_disturbs_nothing():
    base = table()
    looks = watch(lambda t: sways(base, t), 6)
    assert sum(look.moving or look.shaking or look.light for look in looks) <= 0.02 * len(looks)
    assert max(look.still_s for look in looks) > 3


def test_a_camera_that_trembles_disturbs_nothing():
    """As it does on a shelf that people knock against: a step of 0.4 pixels each way a picture, drawn back."""
    base, rng, at = table(), np.random.default_rng(4), np.zeros(2)

    def scene(t):
        at[:] = 0.8 * at + rng.normal(0, 0.4, 2)
        move = np.array([[1, 0, at[0]], [0, 1, at[1]]])
        return cv2.warpAffine(base, move, SIZE_WH, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)

    looks = watch(scene, 6, fps=10)
    assert sum(look.moving or look.shaking for look in looks) <= 0.05 * len(looks)


def test_a_hand_under_a_camera_that_sways_is_noticed():
    base = table()

    def scene(t):
        picture = base.copy()
        if 2 < t < 4:
            hand(picture, 200 + 40 * (t - 2), 300 - 160 * np.sin((t - 2) * np.pi / 2))
        return sways(picture, t)

    looks = watch(scene, 6)
    assert all(look.moving and look.still_s == 0 for look in looks if 2.4 < look.t_s < 3.6)
    assert looks[-1].still_s > 1


@pytest.mark.parametrize("grain", [0.0, 1.0])
def test_a_hand_that_comes_slowly_is_not_taken_for_the_camera(grain):
    base = 110 + grain * (table() - 110)

    def scene(t):
        picture = base.copy()
        hand(picture, 220, 270 - 20 * max(0.0, t - 1))
        return picture

    looks = watch(scene, 6)
    assert sum(look.moving for look in looks if look.t_s > 2.5) > 0.9 * sum(look.t_s > 2.5 for look in looks)


def test_only_the_area_counts():
    base = table()

    def scene(t):
        picture = base.copy()
        hand(picture, 400 + 30 * np.sin(6 * t), 100)
        return picture

    left = np.array([[0, 0], [300, 0], [300, 270], [0, 270]], np.float32)
    assert not any(look.moving for look in watch(scene, 2, gate=Gate(WatchSettings(), left)))
    assert any(look.moving for look in watch(scene, 2))


def test_pulses_of_key_frames_are_no_motion():
    """Between key frames a codec loses the grain; each key frame brings it back at once."""
    base = table()
    smooth = cv2.GaussianBlur(base, (0, 0), 1.5)

    def scene(t):
        fade = (t % 1.0) * 0.6
        return np.round((base * (1 - fade) + smooth * fade) / 2) * 2

    looks = watch(scene, 5, noise=0.3)
    assert not any(look.moving or look.light for look in looks)


def test_the_sharpest_frame_of_a_still_stretch_can_be_chosen():
    base = table()
    blurs = {10: 0.8, 20: 1.6, 30: 3.0}

    def scene(t):
        blur = blurs.get(round(t * 15))
        return base if blur is None else cv2.GaussianBlur(base, (0, 0), blur)

    looks = watch(scene, 3, noise=1.0)
    assert looks[10].sharp < looks[9].sharp
    assert looks[20].sharp < looks[10].sharp
    assert looks[30].sharp < looks[20].sharp
    assert looks[-1].sharp > 0.9


def test_darkness_is_said():
    base = table()
    looks = watch(lambda t: base * (0.05 if t > 1 else 1), 2)
    assert not looks[5].too_dark
    assert looks[-1].too_dark


def test_another_size_begins_anew():
    gate = Gate(WatchSettings())
    watch(lambda t: table(), 1, gate=gate)
    half = cv2.resize(table(), (240, 136))
    look = gate.look(Frame(99, 9.0, half.astype(np.uint8), lambda: np.zeros((1, 1, 3), np.uint8)))
    assert (look.moving, look.still_s) == (False, 0.0)


@pytest.mark.parametrize(
    "corners",
    [
        [[5000, 5000], [6000, 5000], [6000, 6000], [5000, 6000]],
        [[100, 100], [1800, 100], [1800, 1000], [100, 1000]],
    ],
    ids=["elsewhere", "of a larger picture"],
)
def test_an_area_that_is_not_in_the_picture_is_refused(corners):
    gate = Gate(WatchSettings(), np.array(corners, np.float32))
    with pytest.raises(SourceError, match="outside the picture, which is 480 x 270"):
        watch(lambda _: table(), 0.1, gate=gate)


def test_a_camera_that_changes_its_size_in_the_middle_ends_nothing():
    width, height = SIZE_WH
    area = np.array([[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]], np.float32) * [width, height]
    gate = Gate(WatchSettings(), area.astype(np.float32))
    watch(lambda _: table(), 0.1, gate=gate)
    half = np.zeros((height // 2, width // 2), np.uint8) + 120
    gate.look(Frame(9, 1.0, half, lambda: np.zeros((1, 1, 3), np.uint8)))
