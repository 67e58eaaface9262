"""Export: the ONNX file says what its source model says. Needs the training extra."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

# Looked for, not imported: the adapter has to import it first.
for _name in ("torch", "ultralytics"):
    if importlib.util.find_spec(_name) is None:
        pytest.skip(f"needs the training extra: {_name}", allow_module_level=True)


pytestmark = pytest.mark.filterwarnings("ignore")


def test_fresh_classifier_and_its_file_agree(tmp_path: Path) -> None:
    import torch

    from vision.training.export import export_classifier
    from vision.training.net import TileNet

    torch.manual_seed(0)
    difference = export_classifier(TileNet(), tmp_path / "c.onnx", {"recipe": "test"})
    # Half-float storage rounds weights to 11 bits; fresh weights keep that far under a thousandth.
    assert difference["probability"] < 1e-3


def test_the_classifier_file_tells_the_features_behind_its_numbers(tmp_path: Path) -> None:
    import torch

    from vision.onnx_adapter import OnnxModel
    from vision.training.export import export_classifier
    from vision.training.net import TileNet

    torch.manual_seed(0)
    net = TileNet()
    export_classifier(net, tmp_path / "c.onnx", {})
    crops = np.random.default_rng(0).random((4, 3, 64, 48), dtype=np.float32)
    out = OnnxModel.from_file(tmp_path / "c.onnx")({"crops": crops, "white": np.full((4, 3), 0.8, np.float32)})
    head = net.number.weight.detach().numpy(), net.number.bias.detach().numpy()
    assert np.abs(out["features"] @ head[0].T + head[1] - out["number"]).max() < 0.01


def test_fresh_refiner_and_its_file_agree(tmp_path: Path) -> None:
    import torch

    from vision.training.export import export_squares
    from vision.training.refiner import Refiner

    torch.manual_seed(0)
    assert export_squares(Refiner(), tmp_path / "r.onnx", ["corners", "kind"], {})["corners"] < 1e-2


def test_fresh_finder_and_its_file_agree(tmp_path: Path) -> None:
    from vision import ultralytics_adapter as ultra
    from vision.finder_looks import OnnxFinder
    from vision.onnx_adapter import OnnxModel
    from vision.training.export import export_finder

    model = ultra.PoseModel("yolo11n-pose.yaml", nc=3, ch=3, data_kpt_shape=[4, 2], verbose=False).eval()
    difference = export_finder(model, tmp_path / "f.onnx", {"recipe": "test"})
    assert difference["score"] < 1e-3
    assert difference["pixels"] < 0.1
    file = OnnxModel.from_file(tmp_path / "f.onnx")
    assert file.metadata["recipe"] == "test"
    # The second backend gives the table the same answer.
    picture = np.random.default_rng(0).integers(0, 255, (96, 128, 3), dtype=np.uint8)
    head = model.model[-1]
    head.export = head.dynamic = False
    one, other = OnnxFinder(file).raw(picture), ultra.UltralyticsFinder(model, "cpu").raw(picture)
    assert one.shape == other.shape
    assert np.abs(one - other).max() < 0.1


def test_the_part_that_settles_colours_is_cut_out_of_the_classifier(tmp_path: Path) -> None:
    import torch

    from vision.onnx_adapter import OnnxModel
    from vision.training.export import cut_colours, export_classifier
    from vision.training.net import TileNet

    torch.manual_seed(0)
    export_classifier(TileNet(), tmp_path / "c.onnx", {})
    assert cut_colours(tmp_path / "c.onnx", tmp_path / "colours.onnx")
    rng = np.random.default_rng(0)
    white = rng.uniform(0.5, 1, (5, 3)).astype(np.float32)
    whole = OnnxModel.from_file(tmp_path / "c.onnx")(
        {"crops": rng.random((5, 3, 64, 48), np.float32), "white": white}
    )
    told = {"features": whole["features"], "colour_alone": whole["colour_alone"], "white": white}
    part = OnnxModel.from_file(tmp_path / "colours.onnx")(told)
    assert np.allclose(part["colour"], whole["colour"], atol=1e-4)


def test_a_finder_trains_on_from_its_own_file(tmp_path: Path) -> None:
    import torch

    from vision import ultralytics_adapter as ultra
    from vision.training.export import export_finder
    from vision.training.unfused import spread_norms, unfuse

    def fresh(seed: int) -> torch.nn.Module:
        torch.manual_seed(seed)
        return ultra.PoseModel("yolo11n-pose.yaml", nc=3, data_kpt_shape=(4, 2), verbose=False)

    def say(model: torch.nn.Module) -> np.ndarray:
        with torch.no_grad():
            out = model.eval()(picture)
        return np.asarray(out[0] if isinstance(out, tuple | list) else out)

    picture = torch.rand(2, 3, 128, 96)
    model = fresh(0)
    for module in model.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.running_mean.normal_(0, 0.1)
            module.running_var.uniform_(0.5, 2)
    want = say(model)
    export_finder(model.fuse(verbose=False), tmp_path / "f.onnx", {})
    again = fresh(1)
    unfuse(tmp_path / "f.onnx", again)
    # Half-float storage rounds the weights.
    assert np.abs(say(again)[:, 4:7] - want[:, 4:7]).max() < 2e-3
    spread_norms(again, lambda: again(picture))
    assert np.abs(say(again)[:, 4:7] - want[:, 4:7]).max() < 2e-3
    norms = [m for m in again.modules() if isinstance(m, torch.nn.BatchNorm2d)]
    seen: list[torch.Tensor] = []
    hook = norms[5].register_forward_hook(lambda m, x, y: seen.append(x[0]))
    say(again)
    hook.remove()
    # Each norm now knows what its convolution shows, as in a model that was never folded.
    assert torch.allclose(norms[5].running_mean, seen[0].mean((0, 2, 3)), atol=1e-4)
    with pytest.raises(ValueError, match="not of this model"):
        unfuse(tmp_path / "f.onnx", torch.nn.Sequential(torch.nn.Conv2d(3, 3, 1)))


def test_classifier_and_refiner_train_on_from_their_own_files(tmp_path: Path) -> None:
    import torch

    from vision.training.export import export_classifier, export_squares
    from vision.training.net import TileNet
    from vision.training.refiner import Refiner
    from vision.training.unfused import spread_norms, unfuse

    def check(net: torch.nn.Module, again: torch.nn.Module, *shown: torch.Tensor) -> None:
        for module in net.modules():
            if isinstance(module, torch.nn.BatchNorm2d):
                module.running_mean.normal_(0, 0.1)
                module.running_var.uniform_(0.5, 2)
        with torch.no_grad():
            want = net.eval()(*shown)
        if isinstance(net, TileNet):
            export_classifier(net, tmp_path / "n.onnx", {})
        elif isinstance(net, Refiner):
            export_squares(net, tmp_path / "n.onnx", ["corners", "kind"], {})
        unfuse(tmp_path / "n.onnx", again)
        spread_norms(again, lambda: again(*shown))
        with torch.no_grad():
            found = again.eval()(*shown)
        for one, other in zip(want, found, strict=True):
            assert torch.allclose(one, other, atol=0.01)

    torch.manual_seed(0)
    check(TileNet(), TileNet(), torch.rand(6, 3, 64, 48), torch.rand(6, 3))
    check(Refiner(), Refiner(), torch.rand(6, 3, 64, 64))


def test_the_mean_of_two_classifiers_lies_between_them_and_refuses_another_model(tmp_path: Path) -> None:
    import torch

    from vision.training.average import average
    from vision.training.export import export_classifier, export_squares
    from vision.training.net import TileNet
    from vision.training.refiner import Refiner

    nets, files = [], []
    for seed in range(2):
        torch.manual_seed(seed)
        nets.append(TileNet().eval())
        files.append(tmp_path / f"{seed}.onnx")
        export_classifier(nets[-1], files[-1], {})
    mean = TileNet().eval()
    mean.load_state_dict(average(*files, share=0.25))
    expected = 0.75 * nets[0].number.weight + 0.25 * nets[1].number.weight
    assert (mean.number.weight - expected).abs().max() < 1e-3
    mean.load_state_dict(average(files[0], files[0]))
    crops, white = torch.rand(1, 3, 64, 48), torch.full((1, 3), 0.8)
    with torch.no_grad():
        told, same = (net(crops, white)[0].softmax(1) for net in (nets[0], mean))
    assert (told - same).abs().max() < 1e-2
    export_squares(Refiner(), tmp_path / "r.onnx", ["corners", "kind"], {})
    with pytest.raises(ValueError, match="is not of this model"):
        average(files[0], tmp_path / "r.onnx")
    (tmp_path / "broken.onnx").write_bytes(b"no model")
    with pytest.raises(ValueError, match=r"broken\.onnx is no ONNX file"):
        average(files[0], tmp_path / "broken.onnx")


def test_small_files_say_nearly_the_same_and_can_be_trained_on(tmp_path: Path) -> None:
    import torch

    from vision.training.export import export_squares
    from vision.training.stance import StanceNet
    from vision.training.unfused import unfuse

    torch.manual_seed(0)
    net, small, other = StanceNet().eval(), tmp_path / "small.onnx", tmp_path / "other.onnx"
    # Logits of a fresh net spread by a tenth or so.
    assert export_squares(net, small, ["stance"], {}, small=True)["stance"] < 0.01
    export_squares(net, other, ["stance"], {})
    assert small.stat().st_size < 0.6 * other.stat().st_size
    again = StanceNet().eval()
    unfuse(small, again)
    seen = torch.rand(4, 3, 64, 64)
    with torch.no_grad():
        assert (again(seen) - net(seen)).abs().max() < 0.02
