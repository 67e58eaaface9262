"""What tells tiles from what looks like them is trained by itself. Needs the training extra."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

# Looked for, not imported: the adapter has to import it first.
for _name in ("torch", "ultralytics"):
    if importlib.util.find_spec(_name) is None:
        pytest.skip(f"needs the training extra: {_name}", allow_module_level=True)

pytestmark = pytest.mark.filterwarnings("ignore")


def squares(rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Half of them bodies: a pale face with an edge, on noise; the others the noise alone."""
    seen = rng.integers(60, 200, (count, 64, 64, 3)).astype(np.uint8)
    tile = rng.random(count) < 0.5
    seen[tile, 14:50, 14:50] = 235
    seen[tile, 50:53, 14:50] = 20
    return seen, tile


def test_it_learns_to_tell_bodies_from_none(tmp_path: Path) -> None:
    from vision.onnx_adapter import OnnxModel
    from vision.rectify import as_network_input
    from vision.training.lookalikes import train

    rng = np.random.default_rng(5)
    seen, tile = squares(rng, 600)
    np.savez(tmp_path / "finds-0.npz", allow_pickle=False, squares=seen, tile=tile, kind=np.zeros(600, int))
    train([tmp_path], tmp_path / "out", minutes=0.3, batch=32)
    others, true = squares(rng, 100)
    model = OnnxModel.from_file(tmp_path / "out" / "lookalikes.onnx")
    told = model({"squares": as_network_input(others)})["none"].argmax(axis=1) == 0
    assert (told == true).mean() > 0.9


def test_without_anything_seen_it_says_what_to_do(tmp_path: Path) -> None:
    from vision.training.lookalikes import train

    with pytest.raises(SystemExit, match="run 'see' first"):
        train([tmp_path], tmp_path / "out", minutes=0.01)


def test_exports_of_other_models_keep_it_and_take_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from vision.models import load_weights
    from vision.training import export

    shipped = Path(__file__).parents[2] / "vision" / "weights"
    monkeypatch.setattr("sys.argv", ["export", "--others", str(shipped), "--out", str(tmp_path / "a")])
    export.main()
    kept = (tmp_path / "a" / "lookalikes.onnx").read_bytes()
    assert kept == (shipped / "lookalikes.onnx").read_bytes()
    new = tmp_path / "new.onnx"
    new.write_bytes((shipped / "stance.onnx").read_bytes())
    asked = ["export", "--others", str(tmp_path / "a"), "--lookalikes", str(new), "--out", str(tmp_path / "b")]
    monkeypatch.setattr("sys.argv", asked)
    export.main()
    assert (tmp_path / "b" / "lookalikes.onnx").read_bytes() == new.read_bytes()
    load_weights(1, tmp_path / "b")
