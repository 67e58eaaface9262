"""Everything stays on the computer: what runs the weights reports nothing to its makers."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOADS_A_MODEL = """
from pathlib import Path
from vision.onnx_adapter import OnnxModel
OnnxModel(Path("vision/weights/stance.onnx").read_bytes(), "stance", 1)
"""
LOADS_OPENVINO = """
import socket
def told(*address):
    raise SystemExit(f"a connection was asked for: {address}")
socket.getaddrinfo = socket.create_connection = socket.socket.connect = told
from pathlib import Path
from vision.openvino_adapter import OpenVinoModel
OpenVinoModel(Path("vision/weights/stance.onnx").read_bytes(), "stance", 1)
import sys
if "openvino_telemetry.main" in sys.modules:
    raise SystemExit("OpenVINO has loaded what reports")
"""


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(LOADS_A_MODEL, id="ONNX Runtime"),
        pytest.param(
            LOADS_OPENVINO,
            id="OpenVINO",
            # Only measured beside ONNX Runtime: nothing needs it, so the test command does not install it.
            marks=pytest.mark.skipif(
                importlib.util.find_spec("openvino") is None, reason="needs the extra openvino"
            ),
        ),
    ],
)
def test_loading_a_model_leaves_no_identifier_and_no_reports_behind(tmp_path, code):
    # ONNX Runtime is silent by itself on CI machines and in its own tests, but not at a user's.
    silent = {"CI", "GITHUB_ACTIONS", "TF_BUILD", "ORT_RUNNING_UNIT_TESTS", "ORT_DISABLE_TELEMETRY"}
    environment = {name: value for name, value in os.environ.items() if name not in silent}
    environment |= {
        "HOME": str(tmp_path),
        "USERPROFILE": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }
    subprocess.run([sys.executable, "-B", "-c", code], cwd=ROOT, env=environment, check=True)
    assert list(tmp_path.rglob("*")) == []
