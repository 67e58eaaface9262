"""A recording's pictures got ready ahead: decoded and passed by the gate while those before are worked at.

A look at the table takes as long as half a hundred frames; neither the decoder nor the gate needs what it says.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from types import TracebackType

from vision.sources.frame import Frame, SourceNotice
from vision.watch.gate import Activity

__all__ = ["Ahead", "Ready"]

_MOST_BYTES, _MOST_FRAMES, _LEAST_FRAMES = 100e6, 48, 4
"""What may wait: at 1920 x 1080 some 32 frames, of three bytes to two pixels each."""
_STOPS_WITHIN_S = 0.1

Ready = tuple[Frame, Activity] | tuple[SourceNotice, None]
"""A picture with what the gate says of it, or what the source has to say."""


class Ahead:
    """Gets what a source yields ready in a thread of its own. Use it as a context manager."""

    def __init__(self, items: Iterator[Frame | SourceNotice], gate: Callable[[Frame], Activity]) -> None:
        """Begin; ``gate`` is called for every frame, in order, in that thread."""
        self._items, self._gate = items, gate
        self._ready: queue.Queue[Ready | BaseException | None] = queue.Queue()
        self._room = threading.Semaphore(_LEAST_FRAMES)
        self._widened = False
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pictures ahead", daemon=True)
        self.decoding_s = 0.0
        """Time spent so far on getting pictures from the source."""

    def __enter__(self) -> Ahead:
        """Start, and return itself."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop; the source may be closed from then on."""
        self._stop.set()
        self._thread.join()

    def __iter__(self) -> Iterator[Ready]:
        """Yield all of them in order; raise what the source or the gate raised in its place."""
        while (ready := self._ready.get()) is not None:
            self._room.release()
            if isinstance(ready, BaseException):
                raise ready
            yield ready

    def _run(self) -> None:
        try:
            while self._has_room():
                asked = time.perf_counter()
                item = next(self._items, None)
                self.decoding_s += time.perf_counter() - asked
                if item is None:
                    break
                if isinstance(item, Frame):
                    self._widen(item)
                    self._ready.put((item, self._gate(item)))
                else:
                    self._ready.put((item, None))
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            self._ready.put(error)
        else:
            self._ready.put(None)

    def _has_room(self) -> bool:
        while not self._stop.is_set():
            if self._room.acquire(timeout=_STOPS_WITHIN_S):
                return True
        return False

    def _widen(self, frame: Frame) -> None:
        """Let as many frames wait as their size allows, once that is known."""
        if self._widened:
            return
        self._widened = True
        frames = min(int(_MOST_BYTES / (1.5 * frame.luma.size)), _MOST_FRAMES)
        if frames > _LEAST_FRAMES:
            self._room.release(frames - _LEAST_FRAMES)
