"""What a figure was measured on, and how much memory the measuring took."""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Machine", "peak_memory_mb", "this_machine"]


@dataclass(frozen=True, slots=True)
class Machine:
    """A computer, as far as speed depends on it."""

    processor: str
    """The processor's own name where the system tells it, else its family."""
    cores: int
    """Cores that this process may use."""
    system: str
    """Operating system and its release."""
    python: str
    """Version of Python."""


def this_machine() -> Machine:
    """Describe the computer that this runs on."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return Machine(_processor(), cores, f"{platform.system()} {platform.release()}", platform.python_version())


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text("utf-8", "replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def peak_memory_mb() -> float | None:
    """Return the most memory that this process has held, in MB (10**6 bytes); None where no one tells."""
    status = Path("/proc/self/status")
    if status.is_file():
        # Unlike getrusage, this does not begin with the memory of the process that started us.
        for line in status.read_text("ascii", "replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024 / 1e6
    if sys.platform == "win32":
        return None
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6
