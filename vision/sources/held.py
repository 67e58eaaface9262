"""Pictures that come seldom, held until the next one: a folder with one a turn, a film of one a second.

Whoever watches wants to see that a table lies still. Of a picture that was taken for itself nobody can say that
it lay so before and after; it stands for its table until the next one comes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import takewhile

from vision.sources.frame import Frame, SourceNotice

__all__ = ["held"]

_SELDOM_S = 0.7
"""Pictures further apart are held; hands come and go between them unseen."""
_LONGEST_S = 12.0
"""A picture stands for its table no longer: enough for every verdict that waits for a still table."""
_STEP_S = 0.2


def held(items: Iterable[Frame | SourceNotice], to_s: float = math.inf) -> Iterator[Frame | SourceNotice]:
    """Yield what a recording yields up to ``to_s``; between pictures far apart the former one again and again.

    Those have the former one's number and their own times; the next picture says in ``unseen_s`` how much went
    by unseen. Of pictures that come often enough nothing changes.
    """
    return takewhile(lambda item: item.t_s <= to_s, _held(items))


def _held(items: Iterable[Frame | SourceNotice]) -> Iterator[Frame | SourceNotice]:
    last: Frame | None = None
    gap_s = shown_s = 0.0
    for item in items:
        if last is not None and item.t_s - last.t_s > _SELDOM_S:
            for copy in _again(last, shown_s, item.t_s):
                shown_s = copy.t_s
                yield copy
        if isinstance(item, Frame):
            gap_s = item.t_s - last.t_s if last is not None else 0.0
            last, shown_s = item, item.t_s
            if gap_s > _SELDOM_S:
                item = replace(item, unseen_s=gap_s)
        yield item
    if last is not None and gap_s > _SELDOM_S:
        yield from _again(last, shown_s, last.t_s + gap_s)


def _again(frame: Frame, after_s: float, until_s: float) -> Iterator[Frame]:
    """Yield the picture at times of its own between these two."""
    image_bgr = frame.image_bgr  # made once, not with every copy
    for step in range(1, int(_LONGEST_S / _STEP_S) + 1):
        t_s = frame.t_s + step * _STEP_S
        if after_s < t_s < until_s - 1e-6:
            yield replace(frame, t_s=t_s, make_bgr=lambda: image_bgr, unseen_s=0.0)
