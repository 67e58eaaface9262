"""The shipped weights on the shipped samples, as processes: what the README shows is what happens."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from referee import parse_table

ROOT = Path(__file__).resolve().parents[1]

pytestmark = pytest.mark.skipif(
    not (ROOT / "vision" / "weights" / "manifest.json").is_file(), reason="no weights are trained yet"
)


def tileref(*arguments: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TILEREF_")}
    command = [sys.executable, "-m", "tileref", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=kept, capture_output=True, text=True, encoding="utf-8", timeout=120, check=False
    )


def test_what_the_readme_shows_is_what_happens() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    shown = re.findall(r"^```console\n\$ tileref (.+?)\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    assert shown
    for command, output in shown:
        assert tileref(*command.split()).stdout == output, command


def sets_of(name: str) -> set[str]:
    """The sets that samples/README.md says lie in a picture; their order is not promised."""
    page = (ROOT / "samples" / "README.md").read_text("utf-8")
    line = next(line for line in page.splitlines() if line.startswith(f"| `{name}`"))
    tiles = line.rpartition("| `")[2].rstrip("` |").replace("\\|", "|")
    return {" ".join(map(str, one)) for one in parse_table(tiles).sets}


@pytest.mark.parametrize("name", ["table.jpg", "bench.jpg"])
def test_samples_are_read_whole(name: str) -> None:
    done = tileref("read", f"samples/{name}", "--json")
    found = json.loads(done.stdout)
    tiles = [tile["tile"] for tile in found["tiles"]]
    assert {" ".join(tiles[i] for i in one) for one in found["sets"]} == sets_of(name)
    assert (found["kind"], found["unreadable"], found["face_down"]) == ("table", 0, 0)
    assert done.returncode == (3 if any(tile["doubt"] for tile in found["tiles"]) else 0)


def test_the_whole_way_from_a_phones_formats(tmp_path: Path) -> None:
    """The same table turned by EXIF, as HEIC, and in grey, where every colour is a doubt."""
    import pillow_heif
    from PIL import Image

    expected = sets_of("table.jpg")
    with Image.open(ROOT / "samples" / "table.jpg") as sample:
        exif = Image.Exif()
        exif[0x0112] = 6
        sample.rotate(90, expand=True).save(tmp_path / "turned.jpg", quality=92, exif=exif)
        pillow_heif.from_pillow(sample.convert("RGB")).save(tmp_path / "phone.heic", quality=90)
        sample.convert("L").save(tmp_path / "grey.png")
    done = tileref(
        "read", *(str(tmp_path / name) for name in ("turned.jpg", "phone.heic", "grey.png")), "--json"
    )
    turned, phone, grey = map(json.loads, done.stdout.splitlines())
    for found in (turned, phone):
        tiles = [tile["tile"] for tile in found["tiles"]]
        assert {" ".join(tiles[i] for i in one) for one in found["sets"]} == expected
        assert found["size"] == [1280, 960]
    assert done.returncode == 3
    assert all(tile["doubt"] for tile in grey["tiles"] if tile["tile"] != "J")
