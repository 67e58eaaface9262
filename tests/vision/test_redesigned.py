"""Photographs in held-out designs: the same each time, the tiles where they were."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.design_families import HELDOUT_FAMILIES, RESERVED_FAMILIES
from datasets.labels import LabelledTile
from datasets.photos import LabelledPhoto
from referee.tiles import Tile
from vision.evaluation import changed
from vision.evaluation.redesigned import main, redesigned

_TILES = tuple(
    LabelledTile(
        Tile.parse(name),
        np.array([[x, 80], [x + 100, 80], [x + 100, 220], [x, 220]], np.float32),
        1.0,
        1.0,
        0,
        k,
    )
    for k, (name, x) in enumerate((("B4", 100), ("B5", 200), ("J", 300)))
)


def _photo(folder: Path, tiles: tuple[LabelledTile, ...] = _TILES) -> LabelledPhoto:
    image = np.full((300, 500, 3), (60, 120, 60), np.uint8)
    image[80:220, 100:400] = (190, 220, 228)
    image[110:160, [145, 245, 345]] = (40, 40, 40)
    cut = np.array([[440, 0], [499, 0], [499, 90], [440, 90]], np.float32)
    path = folder / "a.png"
    cv2.imwrite(str(path), image)
    return LabelledPhoto("a", path, (500, 300), tiles, True, "table", ((0, 1, 2),), (cut,))


def test_designs_are_held_out_and_the_same_each_time(tmp_path: Path) -> None:
    photo = _photo(tmp_path)
    made = list(redesigned([photo], range(2)))
    again = list(redesigned([photo], range(2)))
    assert [name for name, _ in made] == ["a-0", "a-1"]
    for (_, one), (_, other) in zip(made, again, strict=True):
        assert np.array_equal(one.image_bgr, other.image_bgr)
        assert one.families["joker"] in HELDOUT_FAMILIES["joker"]
    assert not np.array_equal(made[0][1].image_bgr, made[1][1].image_bgr)


def test_designs_may_be_of_the_families_that_no_weights_learn(tmp_path: Path) -> None:
    ((_, one),) = redesigned([_photo(tmp_path)], range(1), "reserved")
    assert one.families["joker"] in RESERVED_FAMILIES["joker"]


def test_places_stay_and_what_nobody_labelled_is_grey(tmp_path: Path) -> None:
    ((_, picture),) = redesigned([_photo(tmp_path)], range(1))
    for old, new in zip(_TILES, picture.tiles, strict=True):
        assert np.array_equal(old.corners_xy_px, new.corners_xy_px)
    assert (picture.image_bgr[40, 470] == 114).all()
    assert (picture.image_bgr[280, 20] == (60, 120, 60)).all()


def test_a_photograph_without_tiles_is_left_out(tmp_path: Path) -> None:
    assert not list(redesigned([_photo(tmp_path, ())], range(1)))


@pytest.mark.parametrize("command", [main, changed.main])
def test_a_folder_that_is_missing_is_said_in_a_sentence(
    command: Callable[[list[str]], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        command([str(tmp_path / "nowhere")])
    assert ended.value.code == 2
    assert f"There is no folder {tmp_path / 'nowhere'}." in capsys.readouterr().err
