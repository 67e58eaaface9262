"""Photographs from files: the only place that knows Pillow and pillow-heif.

Convention: ``image_bgr`` is upright (the EXIF orientation is applied), uint8, shape (H, W, 3), blue first.

Errors form one tree, and each message is one complete sentence for the user::

    PictureError
    ├── MissingPictureError     nothing at that path
    ├── UnopenedPictureError    a folder, a device, no permission, a failing disk
    ├── NotAPictureError        an empty file, or one whose first bytes are no picture's
    ├── DamagedPictureError     cut short or damaged
    └── TooLargePictureError    more pixels than the limit, refused before decoding
"""

from __future__ import annotations

import importlib
import io
import os
import stat
import struct
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, BinaryIO

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from vision.errors import PictureError
from vision.recall import Recall

__all__ = [
    "DamagedPictureError",
    "MissingPictureError",
    "NotAPictureError",
    "Picture",
    "PictureError",
    "TooLargePictureError",
    "UnopenedPictureError",
    "decode_picture",
    "jpeg_of",
    "load_picture",
    "no_wider",
    "picture_from_array",
    "save_jpeg",
    "taken_s",
]

DEFAULT_MAX_MEGAPIXELS = 60.0
"""Pictures with more million pixels than this are refused."""

BACKDROP_GREY = 128
"""What shows through transparent pixels: mid-grey, because a tile cut out on white would have no outline."""

# Our own limit, checked before decoding, stands in for Pillow's, which at first only warns.
Image.MAX_IMAGE_PIXELS = None

_DECODING_ERRORS = (
    UnidentifiedImageError,
    OSError,
    SyntaxError,  # Pillow's own word for a broken file
    ValueError,
    EOFError,
    LookupError,
    TypeError,
    RuntimeError,
    ArithmeticError,
    MemoryError,
    struct.error,
    zlib.error,
)
"""What Pillow and libheif raise on broken files; each means the same to the user."""


class MissingPictureError(PictureError):
    """There is nothing at that path."""


class UnopenedPictureError(PictureError):
    """The path cannot be opened as a file: a folder, a device, no permission, a failing disk."""


class NotAPictureError(PictureError):
    """The file is empty, or is no picture of a kind that is read here."""


class DamagedPictureError(PictureError):
    """The file begins as a picture, but is cut short or damaged."""


class TooLargePictureError(PictureError):
    """The picture has more pixels than the limit."""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A photograph in memory, upright."""

    image_bgr: NDArray[np.uint8]
    """Shape (H, W, 3), blue first."""
    is_grey: bool
    """True where the picture carries no colour, so that no ink's colour can be read from it."""
    path: str = ""
    """Where it came from, as given; empty for a picture that never was a file."""
    recall: Recall | None = None
    """What was read of the picture before it, where it is one of a film."""

    def __post_init__(self) -> None:
        shape, dtype = self.image_bgr.shape, self.image_bgr.dtype
        if len(shape) != 3 or shape[2] != 3 or 0 in shape or dtype != np.uint8:
            raise ValueError(f"image_bgr must be uint8 of shape (H, W, 3), not {dtype} of shape {shape}")

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.image_bgr.shape[1], self.image_bgr.shape[0]


def picture_from_array(image_bgr: NDArray[np.uint8], path: str = "", recall: Recall | None = None) -> Picture:
    """Return an upright BGR array of shape (H, W, 3) as a picture, with its greyness measured."""
    return Picture(image_bgr, _has_no_colour(image_bgr), path, recall)


def load_picture(path: str | os.PathLike[str], max_megapixels: float = DEFAULT_MAX_MEGAPIXELS) -> Picture:
    """Return the photograph at ``path``.

    Reads JPEG (also CMYK and MPO), PNG, WebP, HEIC, AVIF, GIF, BMP, TIFF; of an animation the first frame.
    Sixteen bits are scaled to eight, transparency is laid on mid-grey.

    Raises:
        PictureError: see the module's tree.
    """
    name = os.fspath(path)
    with _open_file(name) as file:
        return _read(name, file, max_megapixels)


def decode_picture(data: bytes, name: str, max_megapixels: float = DEFAULT_MAX_MEGAPIXELS) -> Picture:
    """Return the picture in ``data``, a whole file of any kind that ``load_picture`` reads.

    Messages call it ``name``, a sentence's beginning. Raises PictureError as ``load_picture`` does.
    """
    return _read(name, io.BytesIO(data), max_megapixels)


def taken_s(path: str | os.PathLike[str]) -> float | None:
    """Return when a photograph was taken, in seconds of its camera's own clock; None where it does not say.

    The clock's zero means nothing: only times of one camera can be compared. Pixels are not decoded.
    """
    name = os.fspath(path)
    try:
        with _open_file(name) as file, _quiet_pillow(), _open_image(file, _kind(name, file)) as image:
            told = image.getexif().get_ifd(_EXIF_IFD)
            when = datetime.strptime(str(told[_TAKEN]).strip("\0 "), "%Y:%m:%d %H:%M:%S")
            part = str(told.get(_TAKEN_PART, "")).strip("\0 ")
    except (PictureError, *_DECODING_ERRORS, KeyError):
        return None
    return (when - datetime(1970, 1, 1)).total_seconds() + (float(f"0.{part}") if part.isdecimal() else 0.0)


_EXIF_IFD, _TAKEN, _TAKEN_PART = 0x8769, 0x9003, 0x9291
"""Where EXIF keeps the time and its fraction of a second, ``DateTimeOriginal`` and ``SubSecTimeOriginal``."""


def no_wider(image_bgr: NDArray[np.uint8], most_px: int) -> NDArray[np.uint8]:
    """Return a picture of shape (H, W, 3), made smaller where it is wider than ``most_px``."""
    height, width = image_bgr.shape[:2]
    if width <= most_px:
        return image_bgr
    size_wh = (most_px, max(1, round(height * most_px / width)))
    return np.asarray(cv2.resize(image_bgr, size_wh, interpolation=cv2.INTER_AREA), np.uint8)


def jpeg_of(image_bgr: NDArray[Any], quality: int) -> bytes:
    """Return a BGR array of shape (H, W, 3) as a JPEG of a quality of 0 to 100."""
    return cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def save_jpeg(path: str | os.PathLike[str], image_bgr: NDArray[Any]) -> None:
    """Write a BGR array of shape (H, W, 3) as a JPEG; PictureError where the place cannot be written."""
    data = jpeg_of(image_bgr, 92)
    name = os.fspath(path)
    try:
        with open(name, "wb") as file:
            file.write(data)
    except OSError as error:
        raise PictureError(f"{_shown(name)} cannot be written: {error.strerror}.") from error


def _shown(name: str) -> str:
    """Return the path for use in a one-line message."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in name)


def _read(name: str, file: BinaryIO, max_megapixels: float) -> Picture:
    kind = _kind(name, file)
    try:
        with _quiet_pillow(), _open_image(file, kind) as image:
            _refuse_by_size(name, image.size, max_megapixels)
            image.load()
            return _to_picture(image, name)
    except _DECODING_ERRORS as error:
        raise DamagedPictureError(
            f"{_shown(name)} is cut short or damaged, so the picture in it cannot be read."
        ) from error


def _open_file(name: str) -> BinaryIO:
    """Open a regular file; everything else is refused (a pipe or device could block or never end)."""
    try:
        mode = os.stat(name).st_mode
        if stat.S_ISDIR(mode):
            raise UnopenedPictureError(f"{_shown(name)} is a folder, not a picture.")
        if not stat.S_ISREG(mode):
            raise UnopenedPictureError(f"{_shown(name)} is a device or a pipe, not a picture file.")
        return open(name, "rb")
    except FileNotFoundError:
        raise MissingPictureError(f"There is no file {_shown(name) or 'without a name'}.") from None
    except PermissionError:
        raise UnopenedPictureError(f"There is no permission to read {_shown(name)}.") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise UnopenedPictureError(f"{_shown(name)} cannot be opened: {why}.") from error


def _kind(name: str, file: BinaryIO) -> str:
    """Return Pillow's name of the file's format, told by its first bytes."""
    try:
        head = file.read(32)
        file.seek(0)
    except OSError as error:
        raise UnopenedPictureError(f"{_shown(name)} cannot be read: {error.strerror}.") from error
    if not head:
        raise NotAPictureError(f"{_shown(name)} is empty.")
    for start, kind in _STARTS:
        if head.startswith(start):
            return kind
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "WEBP"
    if head[4:8] == b"ftyp":
        brand = head[8:12]
        if brand in (b"avif", b"avis"):
            return "AVIF"
        if brand in _HEIF_BRANDS:
            return "AVIF" if brand in (b"mif1", b"msf1") and b"avif" in head[16:] else "HEIF"
    raise NotAPictureError(
        f"{_shown(name)} is not a picture that can be read (JPEG, PNG, WebP, HEIC, AVIF, GIF, BMP or TIFF)."
    )


_STARTS = (
    (b"\xff\xd8\xff", "JPEG"),
    (b"\x89PNG\r\n\x1a\n", "PNG"),
    (b"GIF87a", "GIF"),
    (b"GIF89a", "GIF"),
    (b"BM", "BMP"),
    (b"II*\x00", "TIFF"),
    (b"MM\x00*", "TIFF"),
)
_HEIF_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")
_PLUGINS = {
    "WEBP": "WebP",
    "AVIF": "Avif",
    "TIFF": "Tiff",
    "JPEG": "Jpeg",
    "PNG": "Png",
    "GIF": "Gif",
    "BMP": "Bmp",
}


@contextmanager
def _quiet_pillow() -> Iterator[None]:
    """Keep Pillow's remarks on odd metadata from the user's terminal; what is unusable raises anyway."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module=r"PIL\.")
        yield


def _open_image(file: BinaryIO, kind: str) -> Image.Image:
    """Open the file with the one decoder that fits; nothing is decoded yet."""
    if kind == "HEIF":
        pillow_heif = importlib.import_module("pillow_heif")
        pillow_heif.register_heif_opener(thumbnails=False)
    else:
        importlib.import_module(f"PIL.{_PLUGINS[kind]}ImagePlugin")
    return Image.open(file, formats=[kind])


def _refuse_by_size(name: str, size_wh: tuple[int, int], max_megapixels: float) -> None:
    width, height = size_wh
    if width * height > max_megapixels * 1e6:
        raise TooLargePictureError(
            f"{_shown(name)} has {width * height / 1e6:.1f} megapixels ({width} x {height}), "
            f"more than the {max_megapixels:g} megapixels that are read."
        )


def _to_picture(image: Image.Image, name: str) -> Picture:
    orientation = _orientation(image)
    pixels = _grey_or_rgb(image)
    if pixels.ndim == 2:
        upright_bgr, is_grey = cv2.cvtColor(_turned(pixels, orientation), cv2.COLOR_GRAY2BGR), True
    else:
        upright_bgr = _turned(cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), orientation)
        is_grey = _has_no_colour(upright_bgr)
    return Picture(np.ascontiguousarray(upright_bgr), is_grey, name)


def _grey_or_rgb(image: Image.Image) -> NDArray[Any]:
    """Return the pixels, uint8: shape (H, W) for grey, (H, W, 3) red first for colour."""
    mode = image.mode
    if mode == "I" or mode.startswith("I;16"):
        return _eight_bits(np.asarray(image))
    if mode == "F":
        raise ValueError("floating-point pixels have no agreed scale")
    if mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in image.info:
        return _on_backdrop(image)
    if mode in ("L", "1"):
        return np.asarray(image.convert("L"))
    if mode == "CMYK" and image.format == "JPEG" and "adobe" not in image.info:
        # Pillow takes every CMYK JPEG for Adobe's, which stores ink inverted; without Adobe's mark it is not.
        image = image.point(lambda value: 255 - value)
    return np.asarray(image if mode == "RGB" else image.convert("RGB"))


def _eight_bits(deep: NDArray[Any]) -> NDArray[np.uint8]:
    """Scale 16-bit grey to 8 bits, rounded: 65535 becomes 255."""
    return np.asarray((np.clip(deep, 0, 65535).astype(np.uint32) + 128) // 257, dtype=np.uint8)


def _on_backdrop(image: Image.Image) -> NDArray[Any]:
    rgba = np.asarray(image.convert("RGBA"))
    alpha = rgba[:, :, 3:]
    rgb = np.ascontiguousarray(rgba[:, :, :3])
    if int(alpha.min()) == 255:
        return rgb
    weight = alpha.astype(np.uint16)
    blended = (rgb * weight + BACKDROP_GREY * (255 - weight) + 127) // 255
    return blended.astype(np.uint8)


def _orientation(image: Image.Image) -> int:
    """Return the EXIF orientation, 1 (upright) to 8; a broken EXIF block counts as upright."""
    try:
        value = image.getexif().get(0x0112, 1)
    except _DECODING_ERRORS:
        return 1
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _turned(pixels: NDArray[Any], orientation: int) -> NDArray[Any]:
    """Turn the stored pixels upright; ``orientation`` as in EXIF 2.3, tag 0x0112."""
    if orientation in (5, 6, 7, 8):
        pixels = cv2.transpose(pixels)
    if orientation in (2, 6, 7, 3):
        pixels = cv2.flip(pixels, 1)
    if orientation in (4, 8, 7, 3):
        pixels = cv2.flip(pixels, 0)
    return pixels


def _has_no_colour(image_bgr: NDArray[Any]) -> bool:
    """Tell whether the channels are equal up to what a lossy format adds.

    A colour camera never gets there: white balance and chroma noise lift its mean spread above 2 levels.
    """
    height, width = image_bgr.shape[:2]
    step = max(1, int((height * width / 200_000) ** 0.5))
    blue, green, red = cv2.split(np.ascontiguousarray(image_bgr[::step, ::step]))
    spread = cv2.subtract(cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red))
    return bool(spread.mean() <= 2.0 and np.percentile(spread, 99.9) <= 10)
