"""What to say where a foreign library cannot be loaded, OpenCV above all."""

from __future__ import annotations

import re

__all__ = ["DEBIAN_PACKAGES", "import_sentence", "opencv_sentence"]

_OWN = ("tileref", "vision", "referee", "web", "datasets")

DEBIAN_PACKAGES = ("libgl1", "libglib2.0-0")
"""The packages with the system libraries that OpenCV's wheel expects and a bare Debian lacks."""


def import_sentence(error: ImportError) -> str | None:
    """Return one sentence for an import that failed; None where the fault is the program's own."""
    sentence = opencv_sentence(error)
    name = (error.name or "").split(".")[0]
    if sentence is None and isinstance(error, ModuleNotFoundError) and name and name not in _OWN:
        return f"The package {name} is missing; install tileref again in its environment: pip install ."
    return sentence


def opencv_sentence(error: ImportError) -> str | None:
    """Return one sentence that says what is missing and how to mend it; None where it is not OpenCV's fault."""
    text = " ".join(str(error).split())
    missing = re.search(r"(lib[\w.+-]*\.so[.\d]*): cannot open shared object file", text)
    if missing and re.match(r"lib(GL|gthread|glib|gobject)", missing[1]):
        return (
            f"OpenCV cannot be loaded, because the system library {missing[1]} is missing; on Debian or Ubuntu "
            f"run: sudo apt-get install {' '.join(DEBIAN_PACKAGES)}"
        )
    name = (error.name or "").split(".")[0]
    if name == "cv2" or "cv2" in text:
        return (
            f"OpenCV cannot be loaded ({text}); install it again: pip install --force-reinstall opencv-python"
        )
    return None
