"""Weights: what differs from its checksum is never run."""

import json
from pathlib import Path

import pytest

from vision.errors import WeightsError
from vision.models import load_weights


def test_missing_manifest_is_said(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="manifest is missing"):
        load_weights(folder=tmp_path)


def test_damaged_file_is_refused(tmp_path: Path) -> None:
    entry = {"file": "finder.onnx", "sha256": "0" * 64}
    (tmp_path / "finder.onnx").write_bytes(b"not the weights")
    (tmp_path / "manifest.json").write_text(json.dumps({"finder": entry}))
    with pytest.raises(WeightsError, match=r"finder\.onnx differ from their checksum"):
        load_weights(folder=tmp_path)


def test_missing_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps({"finder": {"file": "finder.onnx", "sha256": ""}}))
    with pytest.raises(WeightsError, match=r"finder\.onnx are missing"):
        load_weights(folder=tmp_path)
