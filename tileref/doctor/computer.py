"""Looks at this computer: Python, packages, OpenCV, weights, disk, port. Nothing of it needs OpenCV to load."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from importlib import metadata
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from tileref.doctor.check import Check
from tileref.opencv_trouble import DEBIAN_PACKAGES, opencv_sentence

__all__ = [
    "check_disk",
    "check_extras",
    "check_opencv",
    "check_packages",
    "check_port",
    "check_python",
    "check_weights",
]

LEAST_PYTHON: Final = (3, 11)
OPENCV_FLAVOURS: Final = (
    "opencv-python",
    "opencv-python-headless",
    "opencv-contrib-python",
    "opencv-contrib-python-headless",
)
"""They all put their files into the same folder, each over the other's."""
EXTRAS: Final = {
    "openvino": ("openvino", "is timed beside ONNX Runtime by 'tileref bench --speed-table'"),
    "train": ("ultralytics", "trains the networks anew"),
}
_LEAST_FREE_GB: Final = 0.2
"""Below this not even one game with its pictures fits."""

VersionOf = Callable[[str], str | None]
"""The version of an installed package, or None."""


def installed(name: str) -> str | None:
    """Return the version of an installed package; None where it is not installed."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def check_python(version: tuple[int, ...] = tuple(sys.version_info[:3])) -> Check:
    """Look at the Python that runs this."""
    shown = ".".join(map(str, version))
    if version[:2] < LEAST_PYTHON:
        wanted = ".".join(map(str, LEAST_PYTHON))
        return Check(
            "python", "failed", f"This is Python {shown}; {wanted} or later is needed.",
            f"Install Python {wanted} or later and make the environment with it.", {"version": shown},
        )  # fmt: skip
    return Check("python", "fine", f"Python {shown}.", figures={"version": shown})


def check_packages(needs: Sequence[str] | None = None, version_of: VersionOf = installed) -> Check:
    """Look for the packages that tileref declares, such as ``numpy>=1.26``."""
    if needs is None:
        try:
            needs = metadata.requires("tileref") or []
        except metadata.PackageNotFoundError:
            return Check(
                "packages", "note", "tileref is not installed but runs from a folder; its needs are unknown.",
                "Run it by 'python3 go.py', or install it: pip install .",
            )  # fmt: skip
    missing = []
    for need in needs:
        if "extra ==" in need:
            continue
        match = re.match(r"([A-Za-z0-9._-]+)\s*(?:\[[^\]]*\])?\s*\(?(?:>=\s*([\d.]+))?", need)
        if match is None:
            continue
        name, least = match[1], match[2]
        found = version_of(name)
        if found is None:
            missing.append(name)
        elif least and _numbers(found) < _numbers(least):
            missing.append(f"{name} {least} (found {found})")
    if missing:
        return Check(
            "packages", "failed", f"Missing or too old: {', '.join(missing)}.",
            "Install tileref again in its environment: pip install .", {"missing": missing},
        )  # fmt: skip
    return Check("packages", "fine", "All packages that are needed are installed.")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def check_opencv(version_of: VersionOf = installed, python: str = sys.executable) -> Check:
    """Look for exactly one OpenCV, and load it, in a process of its own: a broken one may crash."""
    found = [name for name in OPENCV_FLAVOURS if version_of(name) is not None]
    if len(found) > 1:
        return Check(
            "opencv", "failed",
            f"{len(found)} OpenCV packages overwrite each other's files: {', '.join(found)}.",
            f"Run: pip uninstall --yes {' '.join(found)} && pip install opencv-python", {"flavours": found},
        )  # fmt: skip
    try:
        done = subprocess.run(
            [python, "-c", "import cv2; print(cv2.__version__)"],
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return Check("opencv", "failed", f"OpenCV could not be tried: {error}.")
    if done.returncode == 0:
        version = done.stdout.strip()
        return Check(
            "opencv", "fine", f"OpenCV {version} loads.", figures={"version": version, "flavours": found}
        )
    lines = done.stderr.strip().splitlines() or [f"it ended with status {done.returncode}"]
    sentence = opencv_sentence(ImportError(lines[-1], name="cv2")) or lines[-1]
    mend = None
    if "apt-get" in sentence:
        mend = f"Run: sudo apt-get install {' '.join(DEBIAN_PACKAGES)}"
    elif "No module named" in sentence:
        mend = "Run: pip install opencv-python"
    return Check("opencv", "failed", f"{sentence.rstrip('.')}.", mend, {"flavours": found})


def check_weights(folder: Traversable) -> Check:
    """Look for every model of the manifest, and compare its checksum."""
    again = "Install tileref again; in a clone: git checkout -- vision/weights"
    try:
        manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
        entries = {
            name: (entry["file"], entry["sha256"]) for name, entry in manifest.items() if "sha256" in entry
        }
    except FileNotFoundError:
        return Check("weights", "failed", "The weights' manifest is missing.", again)
    except (ValueError, TypeError, KeyError):
        return Check("weights", "failed", "The weights' manifest is damaged.", again)
    wrong = []
    for file, sha256 in entries.values():
        try:
            data = (folder / file).read_bytes()
        except OSError:
            wrong.append(f"{file} is missing")
            continue
        if hashlib.sha256(data).hexdigest() != sha256:
            wrong.append(f"{file} differs from its checksum")
    if wrong or not entries:
        told = f"{'; '.join(wrong) or 'The manifest names no model'}."
        return Check("weights", "failed", told[:1].upper() + told[1:], again, {"wrong": wrong})
    return Check("weights", "fine", f"All {len(entries)} models are there and match their checksums.")


def check_disk(folder: Path, keep_gb: float) -> Check:
    """Look whether ``folder`` can be written, and has room for what the dashboard may keep."""
    there = folder
    while not there.exists() and there.parent != there:
        there = there.parent
    elsewhere = "Free some room, or keep everything elsewhere: tileref serve --data DIR"
    try:
        if there == folder:
            with tempfile.TemporaryFile(dir=there):
                pass
        elif not os.access(there, os.W_OK):
            raise PermissionError(13, "Permission denied")
        free_gb = shutil.disk_usage(there).free / 1e9
    except OSError as error:
        return Check("disk", "failed", f"{folder} cannot be written: {error.strerror}.", elsewhere)
    figures = {"folder": str(folder), "free_gb": round(free_gb, 2), "keep_gb": keep_gb}
    if free_gb < _LEAST_FREE_GB:
        return Check("disk", "failed", f"Only {free_gb:.2f} GB are free for {folder}.", elsewhere, figures)
    if free_gb < keep_gb:
        return Check(
            "disk", "note",
            f"{free_gb:.1f} GB are free for {folder}; up to {keep_gb:g} GB of pictures may be kept.",
            f"Free some room, or keep less: --set serve.keep_gb={max(free_gb / 2, 0.01):.2g}", figures,
        )  # fmt: skip
    return Check("disk", "fine", f"{free_gb:.0f} GB are free for {folder}.", figures=figures)


def check_port(port: int) -> Check:
    """Look whether the dashboard can listen on ``port`` of this computer."""
    figures = {"port": port}
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
            if os.name != "nt":  # as servers do, so that a port that was just left counts as free
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(("127.0.0.1", port))
    except OSError as error:
        return Check(
            "port", "failed", f"The dashboard cannot listen on port {port}: {error.strerror}.",
            "End the program that uses it (perhaps a tileref that still runs), or choose another: "
            "tileref serve --port 0", figures,
        )  # fmt: skip
    return Check("port", "fine", f"Port {port} is free.", figures=figures)


def check_extras(version_of: VersionOf = installed) -> Check:
    """Tell which optional parts are installed; none of them is needed."""
    there, absent = [], []
    for extra, (package, what) in EXTRAS.items():
        version = version_of(package)
        if version is None:
            absent.append(f"{extra} ({what})")
        else:
            there.append(f"{extra} ({package} {version})")
    told = f"Installed: {', '.join(there) or 'none'}; absent, and not needed: {', '.join(absent) or 'none'}."
    mend = "For one of them run: pip install '.[NAME]'" if absent else None
    return Check("extras", "fine", told, mend)
