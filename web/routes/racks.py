"""Photographs of racks."""

from __future__ import annotations

import secrets

import numpy as np
from flask import Blueprint, Response, jsonify, request

from referee import ANY_TILE, Note, SeenTile
from vision.errors import VisionError
from vision.picture import Picture, PictureError, load_picture
from vision.readings import Corners, PhotoReading
from vision.report import seen_tile
from web.desk.finishing import MOST_RACK, may_count, take_rack
from web.desk.racks import RackNow
from web.desk.seen import TileNow
from web.desk.snapshot import rack_json
from web.errors import Refused
from web.live.picture import encode
from web.routes.speech import teller
from web.security.guard import need
from web.site import Site, site

__all__ = ["blueprint", "rack_from"]

blueprint = Blueprint("racks", __name__)


@blueprint.post("/rack/<int:seat>/photo")
def photo(seat: int) -> Response:
    """Read the photograph of a rack."""
    who, here = need("referee", "player"), site()
    may_count(here.desk.match, seat, who)
    picture = _picture(here)
    match = here.desk.match
    try:
        with here.readers.busy:  # one at a time: reading takes all cores
            reading = here.readers.reader(match.state.rules.inventory, match.faces).read(picture)
    except VisionError as error:
        raise Refused("no-reader", why=str(error)) from error
    now = here.config.now()
    name = here.pictures.add(encode(picture.image_bgr, 1600, 85), "rack", match.id, now)
    said = Note("rack-read", args=(("player", match.name(seat)),))
    with here.desk.lock:
        may_count(here.desk.match, seat, who)
        take_rack(here.desk, seat, rack_from(reading, name), said)
    return jsonify(
        {"ok": True, "rack": rack_json(here.desk.match, seat, teller()), "version": here.desk.version}
    )


def _picture(here: Site) -> Picture:
    """The photograph that was sent, decoded under limits."""
    sent = request.files.get("photo")
    if sent is None:
        raise Refused("photo-missing")
    path = here.upload_dir / secrets.token_hex(16)
    try:
        sent.save(path)
        return load_picture(path, here.config.settings.photo_megapixels)
    except PictureError as error:
        # The name of the file is ours, and means nothing to whoever sent it.
        raise Refused("photo-unusable", why=str(error).replace(str(path), "The photograph")) from error
    finally:
        path.unlink(missing_ok=True)


def rack_from(reading: PhotoReading, picture: str | None) -> RackNow:
    """Return a photograph's reading as a rack, row by row; corners in shares of the picture."""
    size = np.asarray(reading.size_wh, np.float32)

    def tile(
        at: int, seen: SeenTile, corners_xy_px: Corners, likely: tuple[tuple[SeenTile, float], ...]
    ) -> TileNow:
        corners = tuple((float(x), float(y)) for x, y in corners_xy_px / size)
        return TileNow(str(at), seen, likely, corners)

    tiles: list[TileNow] = []
    for row in reading.sets:
        for member in row.members:
            at = len(tiles)
            if member < 0:
                tiles.append(tile(at, ANY_TILE, reading.unreadable[-1 - member], ()))
            else:
                one = reading.tiles[member]
                likely = tuple((SeenTile.sure(other), share) for other, share in one.alternatives)
                tiles.append(tile(at, seen_tile(one), one.corners_xy_px, likely))
    if len(tiles) > MOST_RACK:
        raise Refused("photo-unusable", why=f"The photograph shows more than {MOST_RACK} tiles.")
    return RackNow(tuple(tiles), True, False, picture, tuple(reading.notes))
