"""What settles a table's colours is trained by itself. Needs the training extra."""

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

WEIGHTS = Path(__file__).parents[2] / "vision" / "weights" / "colours.onnx"


def tables(rng: np.random.Generator, count: int) -> dict[str, np.ndarray]:
    """Tables of six tiles whose colours one feature tells, and a joker, which tells none."""
    colour = np.tile([0.0, 1.0, 2.0, 3.0, 0.0, -1.0], count).astype(np.float32)
    features = rng.normal(0, 1, (len(colour), 192)).astype(np.float32)
    features[np.arange(len(colour)), np.maximum(colour, 0).astype(int)] += 12 * (colour >= 0)
    return {
        "features": features, "colour_alone": np.zeros((len(colour), 4), np.float32),
        "white": np.full((len(colour), 3), 0.8, np.float32), "colour": colour,
    }  # fmt: skip


def told(file: Path, seen: dict[str, np.ndarray]) -> np.ndarray:
    from vision.onnx_adapter import OnnxModel

    given = {name: seen[name] for name in ("features", "colour_alone", "white")}
    return np.asarray(OnnxModel.from_file(file)(given)["colour"])


def test_a_training_begins_with_what_is_shipped(tmp_path: Path) -> None:
    from vision.training.export import export_colours
    from vision.training.net import TileNet
    from vision.training.unfused import unfuse

    net = TileNet()
    unfuse(WEIGHTS, net, partly=True)
    assert export_colours(net, tmp_path / "colours.onnx", {})["probability"] < 1e-3
    seen = tables(np.random.default_rng(3), 2)
    assert told(tmp_path / "colours.onnx", seen) == pytest.approx(told(WEIGHTS, seen), abs=0.02)


def test_it_learns_to_tell_colours_by_what_is_seen_of_a_table(tmp_path: Path) -> None:
    from vision.training.colours import train

    rng = np.random.default_rng(4)
    np.savez(tmp_path / "lights-0.npz", allow_pickle=False, counts=np.full(120, 6), **tables(rng, 120))
    train(tmp_path, tmp_path / "out", minutes=0.05, seed=0, rate=3e-3, warm=WEIGHTS, share=1.0)
    other = tables(rng, 20)
    known = other["colour"] >= 0
    right = told(tmp_path / "out" / "colours.onnx", other).argmax(axis=1) == other["colour"]
    before = told(WEIGHTS, other).argmax(axis=1) == other["colour"]
    assert before[known].mean() < 0.6 < 0.9 < right[known].mean()


def test_without_anything_seen_it_says_what_to_do(tmp_path: Path) -> None:
    from vision.training.colours import train

    with pytest.raises(SystemExit, match="run 'see' first"):
        train(tmp_path, tmp_path / "out", minutes=0.01, seed=0, rate=1e-3, warm=WEIGHTS)


def test_exports_of_other_models_keep_it_and_take_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from vision.models import load_weights
    from vision.training import export

    monkeypatch.setattr("sys.argv", ["export", "--others", str(WEIGHTS.parent), "--out", str(tmp_path / "a")])
    export.main()
    assert (tmp_path / "a" / "colours.onnx").read_bytes() == WEIGHTS.read_bytes()
    new = tmp_path / "new.onnx"
    new.write_bytes((tmp_path / "a" / "stance.onnx").read_bytes())
    asked = ["export", "--others", str(tmp_path / "a"), "--colours", str(new), "--out", str(tmp_path / "b")]
    monkeypatch.setattr("sys.argv", asked)
    export.main()
    assert (tmp_path / "b" / "colours.onnx").read_bytes() == new.read_bytes()
    load_weights(1, tmp_path / "b")


def test_pictures_not_made_for_it_are_seen_in_four_lights_each_at_several_sizes(
    tmp_path: Path,
) -> None:
    from vision.training.colours import see

    tables = see(labelled_folder(tmp_path / "pictures"), tmp_path, "ship", 60.0, 0, as_they_are=True)
    seen = np.load(next(tmp_path.glob("lights-*.npz")))
    assert tables == len(seen["counts"]) == 2 * 4 * 3
    assert len(set(seen["counts"])) == 2
    assert set(np.unique(seen["colour"])) <= {-1, 0, 1, 2, 3}
