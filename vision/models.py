"""The shipped models: found, checked against their manifest, and opened.

``weights/manifest.json`` holds for each model its file, SHA-256 and size, and for the classifier the
temperatures that make its probabilities honest. A file that differs from its checksum is never run.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.errors import WeightsError
from vision.network import Network, OpenNetwork
from vision.onnx_adapter import OnnxModel

ROLES = ("finder", "refiner", "stance", "classifier")
"""The models of every manifest, in the order in which a picture meets them."""
COLOURS = "colours"
"""A part of the classifier that newer manifests hold as a file of its own."""
LOOKALIKES = "lookalikes"
"""What tells tiles by their bodies; newer manifests hold it."""
CARDS = "cards"
"""What takes the classifier's place where tiles have the faces of playing cards."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The models of one manifest."""

    finder: Network
    """Finds tiles; see :mod:`vision.find`."""
    classifier: Network
    """Reads them; see :mod:`vision.classify`."""
    refiner: Network
    """Finds the corners of each; see :mod:`vision.refine`."""
    stance: Network
    """Tells a rack from a table; see :mod:`vision.stance`."""
    number_temperature: float
    """Divides the number logits."""
    colour_temperature: float
    """Divides the colour logits."""
    classifier_sha256: str = ""
    """The classifier's checksum, which tile sets learnt with it carry."""
    colours: Network | None = None
    """The classifier's last part by itself, which settles the colours of a table; None in older folders."""
    lookalikes: Network | None = None
    """Tells tiles from what looks like them; see :mod:`vision.lookalikes`; None in older folders, and for card
    faces, which it has never seen."""
    suits: bool = False
    """True where colours stand for suits, which are told by their shape, whatever their ink."""


class _Alone:
    """Settles nothing: a suit is what its own face shows."""

    outputs = frozenset({"colour"})

    def __call__(self, inputs: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[np.float32]]:
        return {"colour": inputs["colour_alone"]}


def load_weights(
    threads: int = 0,
    folder: Path | None = None,
    open_network: OpenNetwork = OnnxModel,
    *,
    cards: bool = False,
) -> Weights:
    """Open the models in ``folder`` (the shipped ones by default), verifying every checksum.

    ``open_network`` chooses the library that runs them; ``cards``: what reads card faces is the classifier.

    WeightsError says which file is missing or damaged.
    """
    source, manifest = _source(folder), _manifest(folder)
    if cards and CARDS not in manifest:
        raise WeightsError("These weights read no faces of playing cards.")
    reads = CARDS if cards else ROLES[-1]
    opened: dict[str, Network] = {}
    parts = [part for part in (COLOURS, LOOKALIKES) if part in manifest and not cards]
    for role in (*ROLES[:-1], reads, *parts):
        entry = manifest[role]
        try:
            data = (source / entry["file"]).read_bytes()
        except FileNotFoundError as error:
            raise WeightsError(f"The weights {entry['file']} are missing; install tileref again.") from error
        if hashlib.sha256(data).hexdigest() != entry["sha256"]:
            raise WeightsError(
                f"The weights {entry['file']} differ from their checksum; install tileref again."
            )
        opened[role] = open_network(data, entry["file"], threads)
    temperatures = manifest[reads]["temperatures"]
    return Weights(
        opened["finder"],
        opened[reads],
        opened["refiner"],
        opened["stance"],
        float(temperatures["number"]),
        float(temperatures["colour"]),
        str(manifest[reads]["sha256"]),
        _Alone() if cards else opened.get(COLOURS),
        opened.get(LOOKALIKES),
        suits=cards,
    )


def checksum(role: str, folder: Path | None = None) -> str:
    """Return the checksum of a model of that folder, the shipped ones by default; empty where it holds none.

    WeightsError where the folder has no manifest.
    """
    return str(_manifest(folder).get(role, {}).get("sha256", ""))


def _source(folder: Path | None) -> Traversable:
    return resources.files("vision") / "weights" if folder is None else folder


def _manifest(folder: Path | None) -> dict[str, Any]:
    try:
        manifest: dict[str, Any] = json.loads((_source(folder) / "manifest.json").read_text("utf-8"))
    except FileNotFoundError as error:
        raise WeightsError("The weights' manifest is missing; install tileref again.") from error
    except ValueError as error:
        raise WeightsError("The weights' manifest is damaged; install tileref again.") from error
    return manifest
