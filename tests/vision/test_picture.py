"""Files of every kind become the same upright picture, and unusable ones are refused in one sentence."""

from __future__ import annotations

import contextlib
import io
import os
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageCms, ImageOps

from vision import picture as pictures
from vision.picture import Picture, PictureError, load_picture, picture_from_array


def gradient(width: int = 96, height: int = 64) -> np.ndarray:
    """RGB, smooth (so that lossy formats keep it), different in every corner and channel."""
    y, x = np.mgrid[0:height, 0:width]
    red, green = 255 * x / (width - 1), 255 * y / (height - 1)
    return np.dstack([red, green, 255 - red / 2 - green / 2]).astype(np.uint8)


def assert_shows(picture: Picture, rgb: np.ndarray, tolerance: float) -> None:
    assert picture.image_bgr.dtype == np.uint8
    assert picture.image_bgr.flags.c_contiguous
    assert picture.size_wh == (rgb.shape[1], rgb.shape[0])
    assert np.abs(picture.image_bgr[:, :, ::-1].astype(int) - rgb.astype(int)).mean() <= tolerance


@pytest.mark.parametrize(
    ("suffix", "options", "tolerance"),
    [
        ("jpg", {"quality": 95, "subsampling": 0}, 2),
        ("jpg", {"quality": 90, "progressive": True}, 4),
        ("png", {}, 0),
        ("webp", {"quality": 95}, 4),
        ("webp", {"lossless": True}, 0),
        ("bmp", {}, 0),
        ("tif", {}, 0),
        ("gif", {}, 14),
    ],
)
def test_formats_show_the_same_picture(tmp_path: Path, suffix: str, options: dict, tolerance: float) -> None:
    path = tmp_path / f"picture.{suffix}"
    Image.fromarray(gradient()).save(path, **options)
    picture = load_picture(path)
    assert_shows(picture, gradient(), tolerance)
    assert not picture.is_grey
    assert picture.path == str(path)


def test_the_name_does_not_matter_the_content_does(tmp_path: Path) -> None:
    path = tmp_path / "picture.txt"
    Image.fromarray(gradient()).save(path, "PNG")
    assert_shows(load_picture(path), gradient(), 0)


@pytest.mark.parametrize("quality", [90, -1])
def test_heic(tmp_path: Path, quality: int) -> None:
    import pillow_heif

    if not pillow_heif.libheif_info().get("HEIF"):
        pytest.skip("this build of pillow-heif has no HEVC encoder")
    path = tmp_path / "picture.heic"
    pillow_heif.from_pillow(Image.fromarray(gradient())).save(path, quality=quality)
    assert_shows(load_picture(path), gradient(), 5)


def test_avif(tmp_path: Path) -> None:
    from PIL import features

    if not features.check("avif"):
        pytest.skip("this build of Pillow has no AVIF")
    path = tmp_path / "picture.avif"
    Image.fromarray(gradient()).save(path, quality=95)
    assert_shows(load_picture(path), gradient(), 5)


@pytest.mark.parametrize("suffix", ["jpg", "png", "webp", "tif"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation_is_applied(tmp_path: Path, orientation: int, suffix: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    path = tmp_path / f"turned.{suffix}"
    Image.fromarray(gradient()).save(path, exif=exif, **({} if suffix == "tif" else {"quality": 95}))
    with Image.open(path) as stored:
        upright = np.asarray(ImageOps.exif_transpose(stored.convert("RGB")))
    assert_shows(load_picture(path), upright, 2)


@pytest.mark.parametrize("exif", [b"Exif\0\0II*\0\xff\xff\xff\xff", b"Exif\0\0rubbish", b"Exif\0\0"])
def test_a_broken_exif_block_counts_as_upright(tmp_path: Path, exif: bytes) -> None:
    path = tmp_path / "exif.jpg"
    Image.fromarray(gradient()).save(path, quality=95, exif=exif)
    assert_shows(load_picture(path), gradient(), 4)


def test_cmyk_with_and_without_adobes_mark(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    Image.fromarray(gradient()).convert("CMYK").save(buffer, "JPEG", quality=95, subsampling=0)
    adobe = buffer.getvalue()
    (tmp_path / "adobe.jpg").write_bytes(adobe)
    assert_shows(load_picture(tmp_path / "adobe.jpg"), gradient(), 3)

    # The same numbers without the mark mean the opposite amounts of ink.
    start = adobe.index(b"\xff\xee")
    length = struct.unpack(">H", adobe[start + 2 : start + 4])[0]
    (tmp_path / "plain.jpg").write_bytes(adobe[:start] + adobe[start + 2 + length :])
    inks = 255 - np.asarray(Image.fromarray(gradient()).convert("CMYK"))
    expected = np.asarray(Image.fromarray(inks, "CMYK").convert("RGB"))
    assert_shows(load_picture(tmp_path / "plain.jpg"), expected, 3)


def png16(pixels: np.ndarray, colour_type: int) -> bytes:
    """A 16-bit PNG written by hand: Pillow writes none with colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width = pixels.shape[:2]
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in pixels)
    head = struct.pack(">IIBBBBB", width, height, 16, colour_type, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    )


def test_sixteen_bits_are_scaled(tmp_path: Path) -> None:
    rgb = gradient()
    (tmp_path / "colour.png").write_bytes(png16(rgb.astype(np.uint16) * 257, 2))
    assert_shows(load_picture(tmp_path / "colour.png"), rgb, 0)

    (tmp_path / "grey.png").write_bytes(png16(rgb[:, :, 0].astype(np.uint16) * 257, 0))
    grey = load_picture(tmp_path / "grey.png")
    assert_shows(grey, np.repeat(rgb[:, :, :1], 3, axis=2), 0)
    assert grey.is_grey

    Image.fromarray(rgb[:, :, 1].astype(np.uint16) * 257).save(tmp_path / "grey.tif")
    assert_shows(load_picture(tmp_path / "grey.tif"), np.repeat(rgb[:, :, 1:2], 3, axis=2), 0)

    rgba = np.dstack([rgb, np.full(rgb.shape[:2], 255, np.uint8)]).astype(np.uint16) * 257
    (tmp_path / "alpha.png").write_bytes(png16(rgba, 6))
    assert_shows(load_picture(tmp_path / "alpha.png"), rgb, 0)


def test_transparency_is_laid_on_mid_grey(tmp_path: Path) -> None:
    rgb = gradient()
    alpha = np.zeros(rgb.shape[:2], np.uint8)
    alpha[:, :48] = 255
    alpha[:, 40:48] = 128
    Image.fromarray(np.dstack([rgb, alpha])).save(tmp_path / "alpha.png")
    shown = load_picture(tmp_path / "alpha.png").image_bgr[:, :, ::-1]
    assert (shown[:, 48:] == 128).all()
    assert (shown[:, :40] == rgb[:, :40]).all()
    assert np.abs(shown[:, 40:48].astype(int) - (rgb[:, 40:48].astype(int) + 128) / 2).max() <= 1.5

    Image.fromarray(np.dstack([rgb[:, :, 0], alpha])).save(tmp_path / "grey.png")
    grey = load_picture(tmp_path / "grey.png")
    assert grey.is_grey
    assert (grey.image_bgr[:, 48:] == 128).all()


def test_palette_one_bit_and_transparent_palette(tmp_path: Path) -> None:
    rgb = gradient()
    palette = Image.fromarray(rgb).quantize(256)
    palette.save(tmp_path / "palette.png")
    assert_shows(load_picture(tmp_path / "palette.png"), np.asarray(palette.convert("RGB")), 0)

    palette.save(tmp_path / "clear.png", transparency=palette.getpixel((0, 0)))
    clear = load_picture(tmp_path / "clear.png").image_bgr
    assert (clear[0, 0] == 128).all()
    assert_shows(load_picture(tmp_path / "clear.png"), np.asarray(palette.convert("RGB")), 2)

    Image.fromarray(rgb[:, :, 0]).convert("1").save(tmp_path / "bits.png")
    bits = load_picture(tmp_path / "bits.png")
    assert bits.is_grey
    assert set(np.unique(bits.image_bgr)) == {0, 255}


def test_the_first_frame_of_an_animation(tmp_path: Path) -> None:
    rgb = gradient()
    frames = [Image.fromarray(rgb), Image.fromarray(255 - rgb)]
    for suffix, tolerance in (("gif", 14), ("webp", 6), ("png", 0)):
        path = tmp_path / f"moving.{suffix}"
        frames[0].save(path, save_all=True, append_images=frames[1:], duration=100)
        assert_shows(load_picture(path), rgb, tolerance)


def test_a_phones_multi_picture_file_gives_its_main_picture(tmp_path: Path) -> None:
    rgb = gradient()
    frames = [Image.fromarray(rgb), Image.fromarray(255 - rgb)]
    frames[0].save(tmp_path / "two.jpg", "MPO", save_all=True, append_images=frames[1:], quality=95)
    assert_shows(load_picture(tmp_path / "two.jpg"), rgb, 3)


def test_other_colour_spaces(tmp_path: Path) -> None:
    rgb = Image.fromarray(gradient())
    rgb.convert("YCbCr").save(tmp_path / "ycc.tif")
    assert_shows(load_picture(tmp_path / "ycc.tif"), gradient(), 2)
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    rgb.save(tmp_path / "profile.png", icc_profile=profile)
    assert_shows(load_picture(tmp_path / "profile.png"), gradient(), 0)


@pytest.mark.parametrize("quality", [40, 75, 95])
def test_grey_is_told_from_colour(tmp_path: Path, quality: int) -> None:
    rng = np.random.default_rng(1)
    grey = np.clip(rng.normal(120, 40, (300, 400)), 0, 255).astype(np.uint8)
    Image.fromarray(np.dstack([grey] * 3)).save(tmp_path / "grey.jpg", quality=quality)
    assert load_picture(tmp_path / "grey.jpg").is_grey

    # Grey cloth with one small tile whose ink is red, under a slightly warm lamp, as cameras see it.
    colour = np.dstack([np.clip(grey * k, 0, 255) for k in (1.04, 1.0, 0.94)]).astype(np.uint8)
    colour[100:140, 100:130] = (236, 230, 215)
    colour[110:125, 110:116] = (190, 30, 40)
    Image.fromarray(colour).save(tmp_path / "colour.jpg", quality=quality)
    assert not load_picture(tmp_path / "colour.jpg").is_grey


def test_an_array_becomes_a_picture_and_wrong_shapes_are_named() -> None:
    assert picture_from_array(np.full((10, 20, 3), 90, np.uint8)).is_grey
    assert not picture_from_array(gradient()).is_grey
    with pytest.raises(ValueError, match=r"\(H, W, 3\), not uint8 of shape \(10, 20\)"):
        Picture(np.zeros((10, 20), np.uint8), True)
    with pytest.raises(ValueError, match="not float64"):
        Picture(np.zeros((10, 20, 3)), True)  # type: ignore[arg-type]


def refusal(path: str | Path, **options: float) -> PictureError:
    with pytest.raises(PictureError) as caught:
        load_picture(path, **options)
    message = str(caught.value)
    assert message.isprintable()
    assert message.endswith(".")
    return caught.value


def test_refusals_name_the_reason(tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").touch()
    (tmp_path / "text.jpg").write_text("This is no picture at all.")
    (tmp_path / "zeros.jpg").write_bytes(bytes(5000))
    (tmp_path / "drawing.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    assert isinstance(refusal(tmp_path / "gone.jpg"), pictures.MissingPictureError)
    assert "is empty" in str(refusal(tmp_path / "empty.jpg"))
    assert "not a picture" in str(refusal(tmp_path / "text.jpg"))
    assert "not a picture" in str(refusal(tmp_path / "zeros.jpg"))
    assert "not a picture" in str(refusal(tmp_path / "drawing.svg"))
    assert "is a folder" in str(refusal(tmp_path))
    assert "device or a pipe" in str(refusal(os.devnull))
    assert "cannot be opened" in str(refusal(tmp_path / ("x" * 300)))
    assert isinstance(refusal("nul\0byte.jpg"), pictures.UnopenedPictureError)
    assert isinstance(refusal(""), pictures.MissingPictureError)
    assert "\n" not in str(refusal("two\nlines.jpg"))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "locked.png"
    Image.fromarray(gradient()).save(path)
    path.chmod(0)
    if os.access(path, os.R_OK):  # root may read everything, so the refusal is played to it
        import builtins

        def refuse(*_: object, **__: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(builtins, "open", refuse)
    assert "no permission" in str(refusal(path))


@pytest.mark.parametrize(
    ("suffix", "options"),
    [
        ("jpg", {}),
        ("jpg", {"progressive": True}),
        ("png", {}),
        ("webp", {}),
        ("webp", {"lossless": True}),
        ("gif", {}),
        ("bmp", {}),
        ("tif", {"compression": "tiff_lzw"}),
        ("heic", {}),
    ],
)
@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.9])
def test_truncated_files_are_refused(tmp_path: Path, suffix: str, options: dict, share: float) -> None:
    rng = np.random.default_rng(2)
    image = Image.fromarray(rng.integers(0, 256, (120, 160, 3), dtype=np.uint8))
    path = tmp_path / f"cut.{suffix}"
    if suffix == "heic":
        import pillow_heif

        pillow_heif.from_pillow(image).save(path)
    else:
        image.save(path, **options)
    data = path.read_bytes()
    path.write_bytes(data[: max(16, int(len(data) * share))])
    assert "cut short or damaged" in str(refusal(path))


@pytest.mark.parametrize("suffix", ["jpg", "png", "webp", "gif", "bmp", "tif", "heic"])
def test_damaged_bytes_never_raise_anything_else(tmp_path: Path, suffix: str) -> None:
    rng = np.random.default_rng(3)
    path = tmp_path / f"bad.{suffix}"
    if suffix == "heic":
        import pillow_heif

        pillow_heif.from_pillow(Image.fromarray(gradient())).save(path)
    else:
        Image.fromarray(gradient()).save(path)
    good = np.frombuffer(path.read_bytes(), np.uint8)
    for _ in range(60):
        bad = good.copy()
        places = rng.integers(8, len(bad), size=rng.integers(1, 20))
        bad[places] = rng.integers(0, 256, size=len(places))
        path.write_bytes(bad.tobytes())
        with contextlib.suppress(PictureError):  # some damage shows, some only changes pixels
            assert load_picture(path).image_bgr.size > 0


def test_too_large_is_refused_before_decoding(tmp_path: Path) -> None:
    # Only the header claims the size: decoding these pixels would fail, or take gigabytes.
    def header(width: int, height: int) -> Path:
        ihdr = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
        path = tmp_path / f"{width}.png"
        idat = b"IDAT" + zlib.compress(b"\0" * 10)
        chunks = [ihdr, idat]
        body = b"".join(struct.pack(">I", len(c) - 4) + c + struct.pack(">I", zlib.crc32(c)) for c in chunks)
        path.write_bytes(b"\x89PNG\r\n\x1a\n" + body)
        return path

    error = refusal(header(10_000, 6_001))
    assert isinstance(error, pictures.TooLargePictureError)
    assert "60.0 megapixels (10000 x 6001)" in str(error)
    assert isinstance(refusal(header(100_000, 100_000)), pictures.TooLargePictureError)
    assert isinstance(refusal(header(2**31 - 1, 2**31 - 1)), pictures.TooLargePictureError)
    # Sixty megapixels exactly are allowed, so this one fails only for want of pixels.
    assert isinstance(refusal(header(10_000, 6_000)), pictures.DamagedPictureError)


def test_the_limit_can_be_moved(tmp_path: Path) -> None:
    path = tmp_path / "small.png"
    Image.fromarray(gradient(1000, 500)).save(path)
    assert load_picture(path, max_megapixels=0.5).size_wh == (1000, 500)
    assert "0.4 megapixels that are read" in str(refusal(path, max_megapixels=0.4))
