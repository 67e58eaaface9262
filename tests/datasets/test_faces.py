"""Designs and faces: seeded, told apart, upright, and split by family. Committed fonts only."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import assets
from datasets.design import HELDOUT_FAMILIES, Design, sample_design
from datasets.design_families import RESERVED_FAMILIES
from datasets.design_inks import delta_e, hue_deg, lab, lch_to_rgb
from datasets.face import render_back, render_face
from datasets.face_glyphs import fit, text_mask
from datasets.face_marks import SUITS, mark
from datasets.jokers import JOKER_FAMILIES, draw_joker
from referee.tiles import ALL_TILES, JOKER, Colour, Tile

SEEDS = st.integers(0, 2**32 - 1)
PLAIN = {"relief": "none", "logo": "none", "frame": "none", "nines": "none", "back": "plain", "size": "medium"}


def design(seed: int, split: str = "final", skin: str = "numbers", **families: str) -> Design:
    return sample_design(np.random.default_rng(seed), split, families, skin=skin, committed_only=True)


def bare(seed: int, **families: str) -> Design:
    """A design whose face bears the numeral and nothing else."""
    drawn = design(seed, body="paper-white", black="black-pure", **{**PLAIN, **families})
    plain = {"badge": "none", "corner_numerals": 0.0, "numeral_outline": 0.0}
    return replace(drawn, crossed_seven=False, shear=0.0, **plain)


def face(of: Design, text: str, height_px: int = 96, copy: int = 0):
    return render_face(of, Tile.parse(text), height_px, np.random.default_rng(0), copy=copy)


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_the_same_seed_gives_the_same_faces(seed):
    one, other = design(seed), design(seed)
    for text in ("R1", "B6", "O13", "J"):
        a, b = face(one, text), face(other, text)
        assert np.array_equal(a.rgb, b.rgb)
        assert a.ink_box_xyxy == b.ink_box_xyxy
    assert not np.array_equal(face(one, "R1").rgb, face(one, "R2").rgb)


def test_a_small_joker_may_stand_over_the_faces_border():
    of = replace(bare(1, logo="small-joker"), logo_y=0.97, numeral_y=0.2, logo_width=0.9)
    small = face(of, "R1", height_px=64)
    assert small.rgb.shape[0] == 64


PARTINGS = [
    ("train", "heldout", HELDOUT_FAMILIES, assets.font_family_is_heldout),
    ("ship", "reserved", RESERVED_FAMILIES, assets.font_family_is_reserved),
]
"""A split that is learnt, the one kept apart, its families, and whether a clan of fonts is one of them."""


@settings(max_examples=120, deadline=None)
@given(SEEDS, st.booleans(), st.sampled_from(PARTINGS))
def test_splits_keep_their_families_apart(seed, apart, parting):
    learnt, kept, families, font_is_kept = parting
    drawn = design(seed, kept if apart else learnt)
    assert font_is_kept(drawn.font.clan) == apart
    assert (drawn.families["joker"] in families["joker"]) == apart
    if not apart:
        assert not any(drawn.families[kind] in held for kind, held in families.items())


def test_what_is_reserved_was_held_out_before():
    assert all(kept <= HELDOUT_FAMILIES[kind] for kind, kept in RESERVED_FAMILIES.items())
    reserved = {font.clan for font in assets.fonts("reserved", committed_only=True)}
    assert reserved < {font.clan for font in assets.fonts("heldout", committed_only=True)}


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_inks_can_be_told_apart_from_each_other_and_from_the_body(seed):
    drawn = design(seed)
    inks = list(drawn.inks.values())
    assert len(inks) == 4
    for k, ink in enumerate(inks):
        assert delta_e(ink, drawn.body_rgb) >= 30
        assert all(delta_e(ink, other) >= 27 for other in inks[k + 1 :])
    assert (hue_deg(drawn.inks[Colour.ORANGE]) - hue_deg(drawn.inks[Colour.RED])) % 360 >= 17 - 1e-6


@settings(max_examples=25, deadline=None)
@given(SEEDS, st.sampled_from(ALL_TILES), st.sampled_from(["numbers", "cards"]))
def test_faces_have_the_promised_shape_and_the_ink_lies_in_its_box(seed, tile, skin):
    drawn = sample_design(np.random.default_rng(seed), "final", skin=skin, committed_only=True)
    assert 1.25 <= drawn.aspect <= 1.6
    texture = render_face(drawn, tile, 80, np.random.default_rng(1))
    assert texture.rgb.shape == (80, round(80 / drawn.aspect), 3)
    assert texture.rgb.dtype == np.float32
    assert float(texture.rgb.min()) >= 0
    assert float(texture.rgb.max()) <= 1
    assert texture.height is None or texture.height.shape == texture.rgb.shape[:2]
    left, top, right, bottom = texture.ink_box_xyxy
    assert 0 <= left < right <= 1
    assert 0 <= top < bottom <= 1


def test_nothing_is_printed_outside_the_ink_box_of_a_plain_tile():
    for seed in range(12):
        drawn = bare(seed)
        texture = face(drawn, "K8", 120)
        h, w = texture.rgb.shape[:2]
        dark = texture.rgb.max(axis=2) < 0.5
        left, top, right, bottom = texture.ink_box_xyxy
        inside = np.zeros((h, w), bool)
        inside[round(top * h) : round(bottom * h), round(left * w) : round(right * w)] = True
        assert dark[inside].mean() > 0.1
        assert dark[~inside].mean() < 0.01


@pytest.mark.parametrize("number", [2, 3, 4, 5, 6, 7, 9])
def test_digits_are_upright_and_never_mirrored(number):
    for seed in range(4):
        drawn = bare(seed, font="rubik")
        texture = face(drawn, f"K{number}", 160)
        h, w = texture.rgb.shape[:2]
        left, top, right, bottom = texture.ink_box_xyxy
        cut = texture.rgb[round(top * h) : round(bottom * h), round(left * w) : round(right * w)].mean(axis=2)
        ink = 1 - cut
        true = fit(text_mask(drawn.font.path, str(number)), ink.shape[1], ink.shape[0])

        def like(mask, ink=ink):
            return float(np.corrcoef(mask.ravel(), ink.ravel())[0, 1])

        assert like(true) > 0.7
        assert like(true) > max(like(true[:, ::-1]), like(true[::-1]), like(true[::-1, ::-1])) + 0.05


@pytest.mark.parametrize("kind", ["underline", "dot-below"])
def test_marked_nines_have_ink_below_the_figure_and_eights_do_not(kind):
    drawn, plain = bare(5, nines=kind), bare(5)
    for text, marked in (("K6", True), ("K9", True), ("K8", False)):
        low, high = face(drawn, text).ink_box_xyxy, face(plain, text).ink_box_xyxy
        taller = (low[3] - low[1]) > (high[3] - high[1]) + 0.02
        assert taller == marked


@settings(max_examples=20, deadline=None)
@given(SEEDS)
def test_numerals_that_fill_the_face_stay_on_it_and_are_large(seed):
    drawn = design(seed, size="filling")
    _, top, _, bottom = face(drawn, "B5").ink_box_xyxy
    assert bottom - top > 0.4
    wide = face(drawn, "B12").ink_box_xyxy
    assert wide[0] >= 0
    assert wide[2] <= 1
    assert wide[2] - wide[0] > 0.5


def test_engraved_numerals_lie_lower_than_the_face():
    drawn = next(d for d in (design(seed, **PLAIN) for seed in range(200)) if d.numeral_depth > 0.01)
    texture = face(drawn, "K8", 160)
    assert texture.height is not None
    assert float(texture.height.min()) < -0.5 * drawn.numeral_depth
    assert float(np.median(texture.height)) == 0.0


def test_the_two_jokers_may_differ_in_ink_and_both_are_drawn():
    drawn = next(d for d in (design(seed) for seed in range(200)) if d.joker_inks[0] != d.joker_inks[1])
    assert not np.array_equal(face(drawn, "J").rgb, face(drawn, "J", copy=1).rgb)


@pytest.mark.parametrize("family", sorted(JOKER_FAMILIES))
def test_every_joker_family_draws_something_of_its_own_inks(family):
    red, black = (0.8, 0.1, 0.1), (0.05, 0.05, 0.05)
    drawings = [draw_joker(family, seed, 60, (red, black), committed_only=True) for seed in range(6)]
    for rgb, mask in drawings:
        assert mask.shape == (60, 60)
        assert rgb.shape == (60, 60, 3)
        assert 0.02 < float(mask.mean()) < 0.7
        # Each pixel is one of the inks, or a mixture where they meet.
        along = np.array(red) - np.array(black)
        share = (rgb[mask > 0.99] - black) @ along / (along @ along)
        assert share.min(initial=0) > -0.01
        assert share.max(initial=1) < 1.01
        assert np.abs(rgb[mask > 0.99] - black - share[:, None] * along).max(initial=0) < 0.02
    again = draw_joker(family, 3, 60, (red, black), committed_only=True)
    assert np.array_equal(again[1], drawings[3][1])


def test_the_four_suits_are_four_drawings_of_their_own():
    sizes = {name: fit(mark(name, 60), 40, 40) for name in SUITS}
    for k, one in enumerate(SUITS):
        for other in SUITS[k + 1 :]:
            assert float(np.abs(sizes[one] - sizes[other]).mean()) > 0.05


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_backs_have_a_face_s_shape_and_bear_no_ink(seed):
    drawn = design(seed)
    back = render_back(drawn, 64, np.random.default_rng(seed))
    assert back.rgb.shape == (64, round(64 / drawn.aspect), 3)
    assert delta_e(tuple(np.median(back.rgb, axis=(0, 1)).tolist()), drawn.back_rgb) < 20


def test_committed_fonts_are_fit_for_tiles_and_serve_both_splits():
    found = assets.fonts("final", committed_only=True)
    assert len(found) >= 12
    assert all(assets.looks_like_figures(font.path) is None for font in found)
    assert len({f.clan for f in assets.fonts("heldout", committed_only=True)}) >= 2
    train = {f.clan for f in assets.fonts("train", committed_only=True)}
    assert not train & {f.clan for f in assets.fonts("heldout", committed_only=True)}
    licences = (assets.COMMITTED / "LICENCES.txt").read_text(encoding="utf-8")
    assert all(font.path.name in licences for font in found)


def test_colour_arithmetic_agrees_with_published_values():
    # CIELAB of the sRGB primaries under D65, as tabulated by Lindbloom.
    assert lab((1, 0, 0)) == pytest.approx([53.24, 80.09, 67.20], abs=0.1)
    assert lab((0, 0, 1)) == pytest.approx([32.30, 79.19, -107.86], abs=0.1)
    assert lch_to_rgb(100, 0, 0) == pytest.approx((1, 1, 1), abs=0.01)
    assert hue_deg(lch_to_rgb(50, 30, 40)) == pytest.approx(40, abs=0.5)


@pytest.mark.parametrize(
    ("split", "families", "skin"),
    [
        ("test", {}, "numbers"),
        ("train", {"hat": "red"}, "numbers"),
        ("train", {"joker": "xx"}, "numbers"),
        ("train", {}, "chess"),
        ("train", {"font": "no such font"}, "numbers"),
    ],
)
def test_what_cannot_be_drawn_is_refused(split, families, skin):
    with pytest.raises(ValueError, match=r".+"):
        sample_design(np.random.default_rng(0), split, families, skin=skin, committed_only=True)


def test_a_joker_has_no_number_but_an_ink_box():
    left, top, right, bottom = render_face(design(3), JOKER, 96, np.random.default_rng(0)).ink_box_xyxy
    assert (right - left) > 0.1
    assert (bottom - top) > 0.05
