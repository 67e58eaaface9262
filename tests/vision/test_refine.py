"""The refiner's corners: where they begin, and what becomes of finds that are no tiles."""

import numpy as np
import pytest

from vision.readings import FoundTile
from vision.rectify import Pyramid
from vision.refine import Refiner

_UPRIGHT = np.array([[-0.3, -0.4], [0.3, -0.4], [0.3, 0.4], [-0.3, 0.4]], np.float32)
_TILE = np.array([[40, 30], [70, 30], [70, 70], [40, 70]], np.float32)


class _Net:
    """Says of every square that the same quad is in it, begun ``turn`` corners further on."""

    def __init__(self, turn: int, kind: int = 0) -> None:
        self.quad, self.kind = np.roll(_UPRIGHT, -turn, axis=0), kind

    def __call__(self, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        n = len(inputs["squares"])
        return {"corners": np.stack([self.quad] * n), "kind": np.eye(3, dtype=np.float32)[[self.kind] * n]}


@pytest.mark.parametrize("found", range(4))
@pytest.mark.parametrize("refined", range(4))
def test_exact_corners_begin_where_the_finder_began(found: int, refined: int) -> None:
    seen = FoundTile(np.roll(_TILE, -found, axis=0), 0.9, False, (40, 30, 70, 70))
    (exact,) = Refiner(_Net(refined)).refine(Pyramid(np.zeros((100, 120, 3), np.uint8)), [seen])
    away = np.linalg.norm(exact.corners_xy_px - seen.corners_xy_px, axis=1)
    turned = np.linalg.norm(exact.corners_xy_px - np.roll(seen.corners_xy_px, 1, axis=0), axis=1)
    assert away.max() < turned.min()


def test_what_is_neither_face_nor_back_is_refused() -> None:
    seen = FoundTile(_TILE, 0.9, False, (40, 30, 70, 70))
    (none,) = Refiner(_Net(0, kind=2)).refine(Pyramid(np.zeros((100, 120, 3), np.uint8)), [seen])
    assert none.refused
    (back,) = Refiner(_Net(0, kind=1)).refine(Pyramid(np.zeros((100, 120, 3), np.uint8)), [seen])
    assert back.face_down
    assert not back.refused


class _Astray(_Net):
    """Says of the first ``rounds`` squares that a quad turned by 45 degrees is in them."""

    def __init__(self, rounds: int) -> None:
        super().__init__(0)
        self.rounds = rounds

    def __call__(self, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        self.rounds -= 1
        turned = _UPRIGHT @ np.array([[0.7, 0.7], [-0.7, 0.7]], np.float32)
        self.quad = turned if self.rounds >= 0 else _UPRIGHT
        return super().__call__(inputs)


@pytest.mark.parametrize(
    ("rounds", "score", "stays_turned"), [(2, 0.9, False), (99, 0.9, True), (2, 0.3, True)]
)
def test_a_sure_find_turned_by_one_cut_alone_is_not_turned(
    rounds: int, score: float, stays_turned: bool
) -> None:
    seen = FoundTile(_TILE, score, False, (40, 30, 70, 70))
    (exact,) = Refiner(_Astray(rounds)).refine(Pyramid(np.zeros((100, 120, 3), np.uint8)), [seen])
    across = exact.corners_xy_px[1] - exact.corners_xy_px[0]
    assert bool(abs(np.arctan2(across[1], across[0])) > np.pi / 8) is stays_turned
