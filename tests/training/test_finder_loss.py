"""The finder's corner loss: nothing at the truth, little for a mere turn, most far away."""

import importlib.util

import pytest

# Looked for, not imported: the adapter has to import it first.
for _name in ("torch", "ultralytics"):
    if importlib.util.find_spec(_name) is None:
        pytest.skip(f"needs the training extra: {_name}", allow_module_level=True)

pytestmark = pytest.mark.filterwarnings("ignore")


def loss(pred: list[list[float]]) -> float:
    import torch

    from vision.training.finder import CornerLoss

    truth = torch.tensor([[[0.0, 0.0], [10.0, 0.0], [10.0, 14.0], [0.0, 14.0]]])
    mask, area = torch.ones(1, 4), torch.tensor([[140.0]])
    return float(CornerLoss()(torch.tensor([pred]), truth, mask, area))


EXACT = [[0.0, 0.0], [10.0, 0.0], [10.0, 14.0], [0.0, 14.0]]


def test_zero_at_the_truth_and_growing_from_there() -> None:
    off = [[[x + d, y] for x, y in EXACT] for d in (0.0, 0.5, 2.0, 8.0)]
    losses = [loss(quad) for quad in off]
    assert losses[0] == pytest.approx(0, abs=1e-6)
    assert losses == sorted(losses)


def test_a_true_outline_upside_down_beats_all_corners_in_the_middle() -> None:
    upside_down = EXACT[2:] + EXACT[:2]
    middle = [[5.0, 7.0]] * 4
    assert 0 < loss(upside_down) < loss(middle)
