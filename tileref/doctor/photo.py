"""Tells from a photograph of the table whether the camera sees it well."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from tileref.session import ReadPhoto
from tileref.status import Status
from vision.view import Finding, Grade, ViewMeasure, grade_view, measure_view, worst_grade
from vision.view_settings import ViewSettings

__all__ = ["STATUS", "photo_json", "photo_text", "view_of"]

STATUS: dict[Grade, Status] = {"good": Status.FINE, "borderline": Status.DOUBT, "bad": Status.FAULT}
"""The exit status of each grade."""


def view_of(read: ReadPhoto, settings: ViewSettings) -> tuple[ViewMeasure, tuple[Finding, ...]]:
    """Return what was measured in a photograph that was read, and how good that is."""
    measure = measure_view(read.picture.image_bgr, read.reading)
    return measure, grade_view(measure, settings)


def photo_text(photo: str, measure: ViewMeasure, findings: tuple[Finding, ...]) -> list[str]:
    """Return the lines for a person."""
    tiles = "no tile" if not measure.tiles else "1 tile" if measure.tiles == 1 else f"{measure.tiles} tiles"
    lines = [f"{photo}: {worst_grade(findings)} ({tiles})"]
    for one in findings:
        lines.append(f"  {one.grade:<10} {one.name}: {one.told}")
        if one.mend:
            lines.append(f"             {one.mend}")
    if measure.tiles and measure.angle_deg is None:
        lines.append(
            "  not told   angle: lay out four tiles or more, so that the camera's angle can be measured."
        )
    return lines


def photo_json(photo: str, measure: ViewMeasure, findings: tuple[Finding, ...]) -> dict[str, Any]:
    """Return the JSON object for a program."""
    measured = {
        name: round(value, 4) if isinstance(value, float) else value for name, value in asdict(measure).items()
    }
    return {
        "photo": photo,
        "grade": worst_grade(findings),
        "measured": measured,
        "findings": [asdict(one) for one in findings],
    }
