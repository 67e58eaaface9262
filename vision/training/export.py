"""Export trained models to ONNX: checked against their source, stored in half the space, with a manifest.

``python -m vision.training.export --finder last.pt --classifier classifier.pt --out vision/weights``
Models that are not named are taken over, unchanged, from the folder that ``--others`` names.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from torch import nn

from vision.models import CARDS, COLOURS, LOOKALIKES, ROLES
from vision.onnx_adapter import OnnxModel
from vision.rectify import LOOSE_SIDE_PX
from vision.training.net import FEATURES, TileNet
from vision.training.refiner import Refiner
from vision.training.stance import StanceNet
from vision.training.stored import finish


class _BoxDistances(nn.Module):
    """Stands in for ultralytics' DFL: the same means, by one product of matrices.

    ONNX Runtime's softmax over a middle axis runs on one thread, and was a tenth of the finder's time.
    """

    def __init__(self, bins: int) -> None:
        """Take the number of distances that a side of a box may have."""
        super().__init__()
        self.register_buffer("sums", torch.stack([torch.arange(bins), torch.ones(bins)]).float())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the mean distances (B, 4, anchors) of logits (B, 4 * bins, anchors)."""
        b, _, anchors = x.shape
        # Clipped, because there is no maximum to subtract; logits of 50 are sure many times over.
        sums = self.sums @ x.view(b, 4, -1, anchors).clamp(-50, 50).exp()
        return sums[:, :, 0] / sums[:, :, 1]


class _Halves(nn.Module):
    """Stands in for a convolution whose channels are cut in two at once: cutting copies every number."""

    def __init__(self, whole: nn.Module) -> None:
        """Take ultralytics' fused convolution."""
        super().__init__()
        conv = whole.conv
        n = conv.out_channels // 2
        self.act = whole.act
        self.parts = nn.ModuleList()
        for share in (slice(0, n), slice(n, 2 * n)):
            part = nn.Conv2d(conv.in_channels, n, conv.kernel_size, conv.stride, conv.padding)
            part.weight, part.bias = nn.Parameter(conv.weight[share]), nn.Parameter(conv.bias[share])
            self.parts.append(part)

    def forward(self, x: torch.Tensor) -> list[torch.Tensor]:
        """Return both halves."""
        return [self.act(part(x)) for part in self.parts]


class _Cut(nn.Module):
    """Stands in for ultralytics' ``C2f`` and its kin: what its first convolution gives comes in halves."""

    def __init__(self, block: nn.Module) -> None:
        """Take a block whose first convolution is fused."""
        super().__init__()
        self.cv1, self.m, self.cv2 = _Halves(block.cv1), block.m, block.cv2
        self.f, self.i, self.type = block.f, block.i, block.type

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return what the block did."""
        parts: list[torch.Tensor] = self.cv1(x)
        if isinstance(self.m, nn.ModuleList):
            for step in self.m:
                parts.append(step(parts[-1]))
        else:
            parts[1] = self.m(parts[1])
        joined: torch.Tensor = self.cv2(torch.cat(parts, 1))
        return joined


class FinderGraph(nn.Module):
    """The finder as the table wants it: BGR bytes in, decoded objects out."""

    def __init__(self, model: nn.Module) -> None:
        """Wrap a trained ultralytics pose model."""
        super().__init__()
        self.model = model.float().eval()
        head = self.model.model[-1]
        head.export, head.format, head.dynamic = True, "onnx", True
        head.dfl = _BoxDistances(head.reg_max)
        for k, block in enumerate(self.model.model):
            if type(block).__name__ in ("C3k2", "C2f", "C2PSA") and not hasattr(block.cv1, "bn"):
                self.model.model[k] = _Cut(block)

    def forward(self, image_bgr: torch.Tensor) -> torch.Tensor:
        """``image_bgr`` (1, H, W, 3) uint8 to (1, 15, anchors) in pixels."""
        x = image_bgr.permute(0, 3, 1, 2).flip(1).float() / 255
        out = self.model(x)
        return out[0] if isinstance(out, (tuple, list)) else out


def load_finder(checkpoint: Path) -> nn.Module:
    """Return the averaged model of an ultralytics checkpoint made by this project's own training."""
    from vision import ultralytics_adapter as ultra

    ultra.go_quiet()
    # The checkpoint is our own; it never ships: what ships is ONNX.
    saved = torch.load(checkpoint, map_location="cpu", weights_only=False)
    model = saved["ema"] or saved["model"]
    model.float().eval()
    for module in model.modules():
        if hasattr(module, "fuse_convs"):
            module.fuse_convs()
    model.fuse(verbose=False)
    return model


def export_finder(model: nn.Module, path: Path, metadata: dict[str, str]) -> dict[str, float]:
    """Write the finder; return by how much the file differs from the model on noise of two sizes."""
    graph = FinderGraph(model).eval()
    example = torch.randint(0, 255, (1, 96, 128, 3), dtype=torch.uint8)
    torch.onnx.export(
        graph, (example,), path, input_names=["image_bgr"], output_names=["objects"], opset_version=17,
        dynamic_axes={"image_bgr": {1: "height", 2: "width"}, "objects": {2: "anchors"}}, dynamo=False,
    )  # fmt: skip
    finish(path, metadata)
    run = OnnxModel.from_file(path)
    worst = 0.0
    for size in ((1, 96, 128, 3), (1, 224, 160, 3)):
        picture = torch.randint(0, 255, size, dtype=torch.uint8)
        with torch.no_grad():
            want = graph(picture).numpy()
        got = run({"image_bgr": picture.numpy()})["objects"]
        worst = max(worst, float(np.abs(want - got)[:, 4:7].max()))
        pixels = float(np.abs(want - got)[:, 7:].max())
    return {"score": worst, "pixels": pixels}


class ClassifierGraph(nn.Module):
    """The classifier as the table wants it: its readings, and the features that a tile set is learnt from."""

    def __init__(self, net: TileNet) -> None:
        """Wrap a trained net."""
        super().__init__()
        self.net = net.float().eval()

    def forward(self, crops: torch.Tensor, white: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return what ``TileNet`` does, and the features (N, 192) as ``features``."""
        f, own = self.net.features(crops, white)
        joint = self.net.together(f[None], own["colour_alone"][None], white[None], None)[0]
        return own["number"], joint, own["colour_alone"], own["turn"], f


def export_classifier(net: TileNet, path: Path, metadata: dict[str, str]) -> dict[str, float]:
    """Write the classifier; return by how much the file's probabilities differ from the model's."""
    outputs = ["number", "colour", "colour_alone", "turn", "features"]
    shapes = {"crops": (3, 64, 48), "white": (3,)}
    return _export_tiles(ClassifierGraph(net).eval(), path, shapes, outputs, metadata)


def _export_tiles(
    graph: nn.Module,
    path: Path,
    shapes: Mapping[str, tuple[int, ...]],
    outputs: list[str],
    metadata: Mapping[str, str],
) -> dict[str, float]:
    """Write a graph of a picture's tiles; return by how much the probabilities of its file differ.

    ``shapes`` of the inputs, one tile's each.
    """

    def drawn(count: int) -> dict[str, torch.Tensor]:
        given = {name: torch.rand(count, *shape) for name, shape in shapes.items()}
        return given | {"white": given["white"] / 2 + 0.5}

    torch.onnx.export(
        graph, tuple(drawn(3).values()), path, input_names=list(shapes), output_names=outputs, opset_version=17,
        dynamic_axes={name: {0: "tiles"} for name in [*shapes, *outputs]}, dynamo=False,
    )  # fmt: skip
    finish(path, metadata)
    run, worst = OnnxModel.from_file(path), 0.0
    for count in (1, 7):
        given = drawn(count)
        with torch.no_grad():
            told = graph(*given.values())
        out = run({name: values.numpy() for name, values in given.items()})
        for name, want in zip(outputs, told if isinstance(told, tuple) else (told,), strict=True):
            if name != "features":
                apart = torch.from_numpy(out[name]).softmax(-1) - want.softmax(-1)
                worst = max(worst, float(apart.abs().max()))
    return {"probability": worst}


def cut_colours(classifier: Path, path: Path) -> bool:
    """Write the part of a classifier that settles colours as a file of its own; False without its features.

    With it, crops that lay askew are read anew without the others.
    """
    if "features" not in OnnxModel.from_file(classifier).outputs:
        return False
    onnx.utils.extract_model(
        str(classifier), str(path), ["features", "colour_alone", "white"], ["colour"], check_model=True
    )
    return True


class ColoursGraph(nn.Module):
    """The part of the classifier that settles a table's colours, by itself."""

    def __init__(self, net: TileNet) -> None:
        """Wrap a trained net."""
        super().__init__()
        self.net = net.float().eval()

    def forward(self, features: torch.Tensor, alone: torch.Tensor, white: torch.Tensor) -> torch.Tensor:
        """Return the joint colour logits (N, 4) of one picture's tiles."""
        return self.net.together(features[None], alone[None], white[None], None)[0]


def export_colours(net: TileNet, path: Path, metadata: dict[str, str]) -> dict[str, float]:
    """Write what settles colours, trained by itself; return by how much its file's probabilities differ."""
    shapes = {"features": (FEATURES,), "colour_alone": (4,), "white": (3,)}
    return _export_tiles(ColoursGraph(net).eval(), path, shapes, ["colour"], metadata)


def export_squares(
    net: nn.Module,
    path: Path,
    outputs: list[str],
    metadata: dict[str, str],
    *,
    signs: int = 0,
    small: bool = False,
) -> dict[str, float]:
    """Write a net that looks at squares, such as the refiner; return by how much the file differs.

    ``signs``: so many numbers are told of each square besides; ``small``: see :func:`finish`.
    """
    net = net.float().eval()
    names = ["squares", "signs"] if signs else ["squares"]

    def drawn(count: int) -> list[torch.Tensor]:
        squares = torch.rand(count, 3, LOOSE_SIDE_PX, LOOSE_SIDE_PX)
        return [squares, torch.rand(count, signs)] if signs else [squares]

    torch.onnx.export(
        net, tuple(drawn(3)), path, input_names=names, output_names=outputs, opset_version=17,
        dynamic_axes={name: {0: "tiles"} for name in [*names, *outputs]}, dynamo=False,
    )  # fmt: skip
    finish(path, metadata, small=small)
    run, given = OnnxModel.from_file(path), drawn(5)
    with torch.no_grad():
        want = net(*given)
    first = (want[0] if isinstance(want, tuple) else want).numpy()
    told = run({name: values.numpy() for name, values in zip(names, given, strict=True)})
    return {outputs[0]: float(np.abs(told[outputs[0]] - first).max())}


def write_manifest(
    folder: Path,
    temperatures: Mapping[str, Mapping[str, float]],
    differences: dict[str, dict[str, float]],
    about: dict[str, Any],
) -> None:
    """Write ``manifest.json`` beside the ONNX files; ``temperatures`` and ``differences`` by role."""
    manifest: dict[str, Any] = {"about": about}
    parts = [role for role in (COLOURS, LOOKALIKES, CARDS) if (folder / f"{role}.onnx").is_file()]
    for role in (*ROLES, *parts):
        data = (folder / f"{role}.onnx").read_bytes()
        manifest[role] = {
            "file": f"{role}.onnx", "sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data),
            "export_difference": differences.get(role, {}),
        }  # fmt: skip
    for role, told in temperatures.items():
        manifest[role]["temperatures"] = dict(told)
    text = json.dumps(manifest, indent=2, sort_keys=True) + "\n"
    (folder / "manifest.json").write_text(text, "utf-8")


def _state(path: Path) -> dict[str, torch.Tensor]:
    """Read a net's weights, from a checkpoint or from safetensors."""
    if path.suffix == ".safetensors":
        from safetensors.torch import load_file

        loaded: dict[str, torch.Tensor] = load_file(path)
        return loaded
    state: dict[str, torch.Tensor] = torch.load(path, map_location="cpu", weights_only=True)
    return state


def _add_colours(args: argparse.Namespace, old: Mapping[str, Any]) -> None:
    """Write what settles colours: that of ``--colours``, the old one of an old classifier, or its own."""
    path = args.out / f"{COLOURS}.onnx"
    if args.colours is not None:
        path.write_bytes(args.colours.read_bytes())
    elif args.classifier is None and COLOURS in old:
        path.write_bytes((args.others / old[COLOURS]["file"]).read_bytes())
    else:
        cut_colours(args.out / "classifier.onnx", path)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    for role in ROLES:
        parser.add_argument(f"--{role}", type=Path)
    parser.add_argument("--colours", type=Path, metavar="FILE", help="what vision.training.colours wrote")
    parser.add_argument("--lookalikes", type=Path, metavar="FILE", help="what vision.training.lookalikes wrote")
    parser.add_argument("--cards", type=Path, metavar="DIR", help="folder that vision.training.cards wrote")
    parser.add_argument("--others", type=Path, metavar="DIR", help="folder with the models that are not named")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--number-temperature", type=float, help="default: that of --others, or 1")
    parser.add_argument("--colour-temperature", type=float, help="default: that of --others, or 1")
    parser.add_argument("--about", help="recipe and data in a line; default: that of --others")
    args = parser.parse_args()
    taken = [role for role in ROLES if getattr(args, role) is None]
    if taken and args.others is None:
        parser.error(f"name --{taken[0]}, or the folder with the --others")
    args.out.mkdir(parents=True, exist_ok=True)
    old: dict[str, Any] = {}
    if args.others is not None:
        old |= json.loads((args.others / "manifest.json").read_text("utf-8"))
    about = {"recipe": args.about or old.get("about", {}).get("recipe", ""), "licence": "AGPL-3.0-or-later"}
    squares: dict[str, tuple[nn.Module, list[str]]] = {
        "refiner": (Refiner(), ["corners", "kind"]), "stance": (StanceNet(), ["stance"]),
    }  # fmt: skip
    differences: dict[str, dict[str, float]] = {}
    for role in ROLES:
        path, checkpoint = args.out / f"{role}.onnx", getattr(args, role)
        if checkpoint is None:
            data = (args.others / old[role]["file"]).read_bytes()
            path.write_bytes(data)
            differences[role] = old[role].get("export_difference", {})
        elif role == "finder":
            differences[role] = export_finder(load_finder(checkpoint), path, about)
        elif role == "classifier":
            net = TileNet()
            net.load_state_dict(_state(checkpoint))
            differences[role] = export_classifier(net, path, about)
        else:
            model, outputs = squares[role]
            model.load_state_dict(_state(checkpoint))
            differences[role] = export_squares(model, path, outputs, about, small=role == "stance")
    _add_colours(args, old)
    if args.lookalikes is not None or LOOKALIKES in old:
        looks = args.lookalikes or args.others / old[LOOKALIKES]["file"]
        (args.out / f"{LOOKALIKES}.onnx").write_bytes(looks.read_bytes())
    were = old.get("classifier", {}).get("temperatures", {})
    temperatures = {
        "number": args.number_temperature or were.get("number", 1.0),
        "colour": args.colour_temperature or were.get("colour", 1.0),
    }
    by_role = {"classifier": temperatures}
    if args.cards is not None:
        (args.out / f"{CARDS}.onnx").write_bytes((args.cards / f"{CARDS}.onnx").read_bytes())
        told = json.loads((args.cards / f"{CARDS}.json").read_text("utf-8"))
        by_role[CARDS] = {name: told[name] for name in temperatures}
    elif CARDS in old:
        (args.out / f"{CARDS}.onnx").write_bytes((args.others / old[CARDS]["file"]).read_bytes())
        by_role[CARDS] = old[CARDS]["temperatures"]
    write_manifest(args.out, by_role, differences, about)
    print(json.dumps(differences, indent=2))


if __name__ == "__main__":
    main()
