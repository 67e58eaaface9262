"""Bounds between a good, a borderline and a bad view of the table; docs/guide.md tells how they came."""

from __future__ import annotations

from dataclasses import dataclass

from vision.settings import SettingsOfRoom, setting

__all__ = ["ViewSettings"]


@dataclass(frozen=True, slots=True)
class ViewSettings(SettingsOfRoom):
    """Bounds of a view of the table. ValueError where a value is out of its range."""

    good_tile_px: float = setting(
        28.0,
        unit="pixels",
        low=4.0,
        high=1000.0,
        help="Tiles at least this wide in the picture are large enough.",
    )
    least_tile_px: float = setting(
        17.0,
        unit="pixels",
        low=4.0,
        high=1000.0,
        help="Tiles narrower than this are too small to be read surely.",
    )
    good_angle_deg: float = setting(
        50.0,
        unit="degrees above the table",
        low=5.0,
        high=90.0,
        help="A camera that looks down at least this steeply stands well; 90 is straight from above.",
    )
    least_angle_deg: float = setting(
        35.0,
        unit="degrees above the table",
        low=5.0,
        high=90.0,
        help="A camera that looks down less steeply than this sees tiles that hide one another.",
    )
    good_blur: float = setting(
        0.038, unit="tile widths", low=0.001, high=1.0, help="Edges blurred by no more than this are sharp."
    )
    most_blur: float = setting(
        0.052,
        unit="tile widths",
        low=0.001,
        high=1.0,
        help="With edges blurred by more than this, about half of the tiles are in doubt.",
    )
    good_luma: float = setting(
        100.0,
        unit="grey levels",
        low=1.0,
        high=255.0,
        help="Faces of tiles at least this bright have light enough.",
    )
    least_luma: float = setting(
        70.0, unit="grey levels", low=1.0, high=255.0, help="Faces of tiles darker than this are too dark."
    )
    good_washed_out: float = setting(
        0.1,
        unit="share of the face",
        low=0.0,
        high=1.0,
        help="Up to this share of the usual face may be too bright to show anything.",
    )
    most_washed_out: float = setting(
        0.5,
        unit="share of the face",
        low=0.0,
        high=1.0,
        help="With more of the usual face too bright than this, figures fade and tiles are missed.",
    )
    good_glare: float = setting(
        0.02,
        unit="share of the tiles",
        low=0.0,
        high=1.0,
        help="Up to this share of tiles may lie under glare.",
    )
    most_glare: float = setting(
        0.1,
        unit="share of the tiles",
        low=0.0,
        high=1.0,
        help="With glare on more tiles than this, move the lamp.",
    )

    def __post_init__(self) -> None:
        """Check every value against its record, and the bounds against one another."""
        # No super(): a dataclass with slots is another class than the one that super() would mean.
        SettingsOfRoom.__post_init__(self)
        for name, better, worse in (
            ("tile_px", self.good_tile_px, self.least_tile_px),
            ("angle_deg", self.good_angle_deg, self.least_angle_deg),
            ("blur", -self.good_blur, -self.most_blur),
            ("luma", self.good_luma, self.least_luma),
            ("washed_out", -self.good_washed_out, -self.most_washed_out),
            ("glare", -self.good_glare, -self.most_glare),
        ):
            if better < worse:
                raise ValueError(f"the bound for a good {name} must not be beyond that for a bad one")
