"""False finds on look-alikes: every find counts, and a picture with a tile is refused."""

from pathlib import Path

import numpy as np
import pytest

from datasets.labels import LabelledPicture, LabelledTile
from referee.tiles import Tile
from tileref.cli import main
from vision.evaluation.negatives import negatives_summary, score_negatives, write_negatives
from vision.picture import Picture
from vision.readings import PhotoReading, TileReading

SIZE = (64, 48)
QUAD = np.array([[5, 5], [15, 5], [15, 19], [5, 19]], np.float32)


def _picture(kinds: str, tiles: tuple[LabelledTile, ...] = (), tone: int = 90) -> LabelledPicture:
    image = np.full((48, 64, 3), tone, np.uint8)
    return LabelledPicture(image, tiles, (), "empty", families={"negatives": kinds})


def _read(picture: Picture) -> PhotoReading:
    if picture.image_bgr[0, 0, 0] == 0:
        return PhotoReading(SIZE, "empty")
    tiles = tuple(TileReading(Tile.parse("B4"), 0.9, doubt, QUAD) for doubt in (False, True, True))
    return PhotoReading(SIZE, "table", tiles, face_down_xy_px=(QUAD,), unreadable=(QUAD,))


def test_every_find_counts_as_false(tmp_path: Path) -> None:
    pictures = [("busy", _picture("dice+domino")), ("clean", _picture("dice", tone=0))]
    busy, clean = score_negatives(pictures, _read)
    assert (busy.sure, busy.doubts, busy.backs, busy.finds) == (1, 3, 1, 5)
    assert clean.finds == 0
    text = negatives_summary((busy, clean))
    assert "2 pictures, 5 false finds (2.50 a picture)" in text
    assert "Nothing was found in 1 of 2" in text
    assert "| dice | 2 | 5 | 1 | 1 |" in text
    write_negatives((busy, clean), tmp_path / "new" / "negatives.csv")
    assert (tmp_path / "new" / "negatives.csv").read_text("utf-8").splitlines()[1] == "busy,dice+domino,5,1,3,1"


def test_a_picture_with_tiles_is_no_negative() -> None:
    with pytest.raises(ValueError, match="holds tiles"):
        score_negatives([("one", _picture("dice", (LabelledTile(Tile.parse("B4"), QUAD),)))], _read)


class _Blind:
    def read(self, picture: Picture) -> PhotoReading:
        return PhotoReading(picture.size_wh, "empty")


def test_evaluate_tells_the_false_finds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["evaluate", "--rendered", "1", "--negatives", "1", "--out", str(tmp_path / "out")]
    main(command, lambda settings, box: _Blind())
    assert "1 pictures, 0 false finds" in capsys.readouterr().out
    assert (tmp_path / "out" / "negatives.csv").is_file()


def test_negatives_go_with_rendered_pictures_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(tmp_path), "--negatives", "2"], lambda settings, box: _Blind()) != 0
    assert "--rendered" in capsys.readouterr().err
