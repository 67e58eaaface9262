"""What tells a rack from a table is trained by itself. Needs the training extra."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from labelled_folder import labelled_folder

# Looked for, not imported: the adapter has to import it first.
for _name in ("torch", "ultralytics"):
    if importlib.util.find_spec(_name) is None:
        pytest.skip(f"needs the training extra: {_name}", allow_module_level=True)

pytestmark = pytest.mark.filterwarnings("ignore")

SHIPPED = Path(__file__).parents[2] / "vision" / "weights" / "stance.onnx"


def squares(rng: np.random.Generator, stands: np.ndarray) -> np.ndarray:
    """A pale tile on noise; with a dark ledge below it where it stands."""
    seen = rng.integers(60, 200, (len(stands), 64, 64, 3)).astype(np.uint8)
    seen[:, 16:44, 22:42] = 235
    seen[stands, 44:52] = 20
    return seen


@pytest.mark.parametrize("warm", [None, SHIPPED], ids=["fresh", "warm"])
def test_it_learns_to_tell_what_stands(tmp_path: Path, warm: Path | None) -> None:
    import torch

    from vision.rectify import as_network_input
    from vision.training.stance import StanceNet, train

    rng = np.random.default_rng(7)
    stands = rng.random(600) < 0.5
    np.savez(tmp_path / "stances-0.npz", allow_pickle=False, squares=squares(rng, stands), stands=stands)
    path = train(tmp_path, tmp_path / "out", minutes=0.2, warm=warm)
    net = StanceNet().eval()
    net.load_state_dict(torch.load(path))
    true = rng.random(100) < 0.5
    with torch.no_grad():
        told = net(torch.from_numpy(as_network_input(squares(rng, true)))).argmax(dim=1).numpy() == 1
    assert (told == true).mean() > 0.9


def test_without_anything_seen_it_says_what_to_do(tmp_path: Path) -> None:
    from vision.training.stance import train

    with pytest.raises(SystemExit, match="run 'see' first"):
        train(tmp_path, tmp_path / "out", minutes=0.01)


def test_half_of_what_it_sees_stands_on_racks(tmp_path: Path) -> None:
    """From pictures that it renders, and from photographs in other designs."""
    from vision.training.stance import see

    folder = labelled_folder(tmp_path / "photos")
    assert see(folder, tmp_path, "train", seconds=8, first=40) > 0
    seen = [np.load(file) for file in tmp_path.glob("stances-*.npz")]
    assert 0.1 < np.concatenate([one["stands"] for one in seen]).mean() < 0.9
    assert seen[0]["squares"].shape[1:] == (64, 64, 3)
