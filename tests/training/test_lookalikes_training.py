"""What tells tiles from what looks like them is trained by itself. Needs the training extra."""

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


def squares(rng: np.random.Generator, tile: np.ndarray) -> np.ndarray:
    """Bodies where ``tile`` (N,) says so: a pale face with an edge, on noise; the others the noise alone."""
    seen = rng.integers(60, 200, (len(tile), 64, 64, 3)).astype(np.uint8)
    seen[tile, 14:50, 14:50] = 235
    seen[tile, 50:53, 14:50] = 20
    return seen


def finds(rng: np.random.Generator, tile: np.ndarray, counts: list[int]) -> dict[str, np.ndarray]:
    """What ``see`` writes of pictures with so many finds each."""
    n = len(tile)
    at = rng.uniform(50, 900, (n, 1, 2)) + np.array([[-20, -28], [20, -28], [20, 28], [-20, 28]])
    return {
        "squares": squares(rng, tile), "tile": np.where(tile, 0, 1).astype(np.int8),
        "corners": at.astype(np.float32), "number": np.full((n, 15), 1 / 15, np.float32),
        "clear": np.full(n, 0.95, np.float32), "size": np.array([[1000, 1000]] * len(counts)),
        "kind": np.zeros(len(counts), int), "counts": np.array(counts),
    }  # fmt: skip


def test_it_learns_to_tell_bodies_from_none(tmp_path: Path) -> None:
    from vision.onnx_adapter import OnnxModel
    from vision.rectify import as_network_input
    from vision.training.lookalikes import train

    rng = np.random.default_rng(5)
    seen = finds(rng, rng.random(600) < 0.5, [10] * 60)
    seen["tile"][:20] = -1  # neither counts
    np.savez(tmp_path / "finds-0.npz", allow_pickle=False, **seen)
    train([tmp_path], tmp_path / "out", minutes=0.3, batch=4)
    # Known bodies are where another training may begin.
    warm = tmp_path / "out" / "lookalikes.onnx"
    train([tmp_path], tmp_path / "again", minutes=0.05, batch=4, rate=1e-4, warm=warm)
    true = rng.random(100) < 0.5
    for file in (warm, tmp_path / "again" / "lookalikes.onnx"):
        told = {"squares": as_network_input(squares(rng, true)), "signs": np.zeros((100, 11), np.float32)}
        said = OnnxModel.from_file(file)(told)
        for name in ("none", "among"):
            assert ((said[name].argmax(axis=1) == 0) == true).mean() > 0.9


def test_what_no_body_tells_the_other_finds_may(tmp_path: Path) -> None:
    """All finds look alike; tiles are those as large as most of their picture's."""
    from vision.lookalikes import signs
    from vision.onnx_adapter import OnnxModel
    from vision.rectify import as_network_input
    from vision.training.lookalikes import train

    rng = np.random.default_rng(6)
    tile = np.arange(800) % 8 != 0
    seen = finds(rng, np.ones(800, bool), [8] * 100)
    seen["tile"] = np.where(tile, 0, 1).astype(np.int8)
    middles = seen["corners"].mean(axis=1, keepdims=True)
    seen["corners"] = (middles + (seen["corners"] - middles) * np.where(tile, 1.0, 1.6)[:, None, None]).astype(
        "f4"
    )
    np.savez(tmp_path / "finds-0.npz", allow_pickle=False, **seen)
    train([tmp_path], tmp_path / "out", minutes=0.3, batch=8)
    model = OnnxModel.from_file(tmp_path / "out" / "lookalikes.onnx")
    right = []
    for k in range(0, 160, 8):
        at = slice(k, k + 8)
        told = signs(seen["clear"][at], seen["number"][at], seen["corners"][at], (1000, 1000))
        said = model({"squares": as_network_input(seen["squares"][at]), "signs": told})["among"]
        right.append((said.argmax(axis=1) == 0) == tile[at])
    assert np.mean(right) > 0.9


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


def test_pictures_not_made_for_it_are_seen_once_in_two_sizes(tmp_path: Path) -> None:
    from vision.training.lookalikes import see

    finds = see(labelled_folder(tmp_path / "pictures"), tmp_path, "ship", 60.0, 0, as_they_are=True)
    seen = np.load(next(tmp_path.glob("finds-*.npz")))
    assert finds == len(seen["tile"]) == seen["counts"].sum()
    assert seen["size"].tolist() == [[640, 480], [384, 288]] * 2
    assert (seen["tile"] == 0).mean() > 0.8
