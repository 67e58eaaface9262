"""Everything stays on the computer: ONNX Runtime's reports to its makers are off before it is loaded."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOADS_A_MODEL = """
from pathlib import Path
from vision.onnx_adapter import OnnxModel
OnnxModel(Path("vision/weights/stance.onnx").read_bytes(), "stance", 1)
"""


def test_loading_a_model_leaves_no_identifier_and_no_reports_behind(tmp_path):
    # ONNX Runtime is silent by itself on CI machines and in its own tests, but not at a user's.
    silent = {"CI", "GITHUB_ACTIONS", "TF_BUILD", "ORT_RUNNING_UNIT_TESTS", "ORT_DISABLE_TELEMETRY"}
    environment = {name: value for name, value in os.environ.items() if name not in silent}
    environment |= {
        "HOME": str(tmp_path),
        "USERPROFILE": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }
    subprocess.run([sys.executable, "-B", "-c", LOADS_A_MODEL], cwd=ROOT, env=environment, check=True)
    assert list(tmp_path.rglob("*")) == []
