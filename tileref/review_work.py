"""A review in a process of its own, which tells everything through a connection."""

from __future__ import annotations

import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event as Flag
from typing import Any

from vision.errors import VisionError
from vision.review.run import Progress, StoppedError
from vision.review.work import Listener, Work, do_work

__all__ = ["work_apart"]


def work_apart(work: Work, connection: Connection, stop: Flag) -> None:
    """Review one recording; pairs of kind and value go through ``connection``, in order."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it, and says so by ``stop``

    def tell(kind: str, what: Any) -> None:
        connection.send((kind, what))

    listener = Listener(
        begun=lambda start_s: tell("begun", start_s),
        turn=lambda turn: tell("turn", turn),
        notice=lambda notice: tell("notice", notice),
        progress=_seldom(lambda progress: tell("progress", progress)),
        stopped=stop.is_set,
    )
    try:
        tell("done", do_work(work, listener))
    except StoppedError:
        tell("stopped", None)
    except VisionError as error:
        tell("error", str(error))
    finally:
        connection.close()


def _seldom(tell: Callable[[Progress], None], every: int = 10) -> Callable[[Progress], None]:
    """Pass on one progress in so many: a frame takes a millisecond, a message not much less."""
    count = 0

    def told(progress: Progress) -> None:
        nonlocal count
        count += 1
        if count % every == 0:
            tell(progress)

    return told
