"""A folder of rendered pictures, labelled as photographs are."""

import json
from pathlib import Path

import cv2

from datasets.render import render_picture


def labelled_folder(folder: Path) -> Path:
    """Write a rack and a table of the train part, 640 x 480 each; return the folder."""
    (folder / "images").mkdir(parents=True)
    lines = []
    for kind, profile in (("rack", "rack"), ("table", "sets")):
        shown = render_picture(3, profile=profile, size_wh=(640, 480))
        cv2.imwrite(str(folder / "images" / f"{kind}.jpg"), shown.image_bgr)
        tiles = [
            {"tile": str(tile.tile), "corners": (tile.corners_xy_px / [640, 480]).tolist(), "cut": False}
            for tile in shown.tiles
            if tile.tile is not None
        ]
        lines.append(
            {"name": kind, "size": [640, 480], "kind": kind, "place": "p", "scene": kind, "split": "train"}
            | {"tiles": tiles, "sets": [], "sets_unsure": True, "ignore": []}
        )
    (folder / "truth.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    return folder
