#!/usr/bin/env python3
"""Set up tileref beside this file, once, and run it: needs nothing but Python 3.11 or later.

    python3 go.py serve             the dashboard: open the address that it prints in a browser
    python3 go.py check             judge the sample table (or: check PHOTO)
    python3 go.py demo              watch it referee a recorded game, in the browser
    python3 go.py doctor            what is missing on this computer, and how to mend it
    python3 go.py read PHOTO        any other command of tileref works the same way
    python3 go.py read --help       what a command takes; README.md names them all
    python3 go.py test              style, types, import contract and tests

The set-up lives in the folder .venv, and is made again only when pyproject.toml changes. What this script
says goes to standard error, so that the output of a command stays clean.
"""

import hashlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
# Stays where an installation was killed: pip cannot go on from packages that are half there.
UNFINISHED = VENV / "unfinished"
SAMPLE = ROOT / "samples" / "table.jpg"
OPENCV_NEEDS = ["libgl1", "libglib2.0-0"]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def main(arguments):
    """Run what was asked for, and return its exit status."""
    if sys.version_info < (3, 11):  # noqa: UP036 - this runs before anything could check it
        return refuse("tileref needs Python 3.11 or later; this is " + sys.version.split()[0] + ".")
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0
    testing = arguments[0] == "test"
    problem = set_up("dev" if testing else "run")
    if problem:
        return refuse(problem)
    if testing:
        if is_ci() and not any(shutil.which(name) for name in BROWSERS):
            # Without one the tests of the dashboard's pages say that they are skipped.
            problem = install_packages(["chromium"], "test the dashboard in a real browser")
            if problem:
                say(problem)
        return test(arguments[1:])
    if arguments == ["check"]:
        arguments = ["check", os.path.relpath(SAMPLE) if Path.cwd() == ROOT else str(SAMPLE)]
    return hand_over([str(PYTHON), "-m", "tileref", *arguments])


def say(sentence):
    """Tell the user what happens, apart from the output of the command."""
    print("go: " + sentence, file=sys.stderr, flush=True)


def refuse(sentence):
    """Say why nothing can be done; the status is that of unusable input."""
    say(sentence)
    return 2


def set_up(extra):
    """Make the environment with what ``extra`` (run or dev) needs; return a sentence where that fails."""
    if is_stamped(extra):
        return None
    say(f"setting up {VENV}, which takes about a minute, once.")
    problem = make_venv()
    if problem:
        return problem
    # On CI the export is tested, too; that needs torch, which is much to ask of everyone else.
    extras = {"dev": "[dev,train]" if is_ci() else "[dev]", "run": ""}
    target = str(ROOT) + extras[extra]
    pip = [str(PYTHON), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    UNFINISHED.touch()
    status = call_quietly_stopped([*pip, "install", "--editable", target])
    if status >= 0:
        UNFINISHED.unlink()
    if status != 0:
        return "The installation failed; the lines above say why."
    problem = make_opencv_work()
    if problem is None:
        (VENV / ("stamp-" + extra)).write_text(fingerprint())
    return problem


def call_quietly_stopped(command):
    """Run a command; who stops it with Ctrl-C is spared its own last words."""
    with subprocess.Popen(command, stdout=sys.stderr, start_new_session=True) as running:
        try:
            return running.wait()
        except KeyboardInterrupt:
            if hasattr(os, "killpg"):
                os.killpg(running.pid, signal.SIGTERM)  # with all that it started
            else:
                running.terminate()
            raise


def fingerprint():
    """Return what the set-up depends on: the project's needs, its place, and the Python that made it."""
    parts = [(ROOT / "pyproject.toml").read_bytes(), str(ROOT).encode(), sys.version.encode(), bytes(is_ci())]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def is_stamped(extra):
    """Tell whether the set-up is current; that for the tests serves for running, too."""
    if not PYTHON.exists():
        return False
    stamps = [VENV / ("stamp-" + name) for name in {extra, "dev"}]
    return any(stamp.is_file() and stamp.read_text() == fingerprint() for stamp in stamps)


def make_venv():
    """Make an empty environment, unless a working one is there; return a sentence where that fails."""
    usable = PYTHON.exists() and not UNFINISHED.exists()
    if usable and subprocess.call([str(PYTHON), "-c", "import pip"], stderr=subprocess.DEVNULL) == 0:
        return None
    if importlib.util.find_spec("ensurepip") is None:  # Debian splits it off
        problem = install_packages(["python3-venv"], "make its environment")
        if problem:
            return problem
    shutil.rmtree(VENV, ignore_errors=True)
    if subprocess.call([sys.executable, "-m", "venv", str(VENV)], stdout=sys.stderr) != 0:
        return f"The environment {VENV} could not be made; the lines above say why."
    return None


def make_opencv_work():
    """Bring the system libraries that OpenCV's wheel expects; return a sentence where they stay missing."""
    error = opencv_error()
    if error is None:
        return None
    if ".so" not in error:
        return f"OpenCV cannot be loaded: {error}"
    problem = install_packages(OPENCV_NEEDS, f"load OpenCV ({error})")
    if problem:
        return problem
    error = opencv_error()
    return None if error is None else f"OpenCV still cannot be loaded: {error}"


def opencv_error():
    """Return the last line of what importing OpenCV complains of, or None where it works."""
    done = subprocess.run([str(PYTHON), "-c", "import cv2"], stderr=subprocess.PIPE)
    if done.returncode == 0:
        return None
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else f"status {done.returncode}"


def install_packages(packages, purpose):
    """Install Debian packages where that is ours to do; otherwise return the command that does it."""
    install = "apt-get install --yes --no-install-recommends " + " ".join(packages)
    if shutil.which("apt-get") is None:
        return "To {}, the system libraries of the Debian packages {} are needed.".format(
            purpose,
            " ".join(packages),
        )
    if not is_ours_to_change():
        return f"To {purpose}, run this first: sudo apt-get update && sudo {install}"
    say("installing {} with apt-get.".format(" ".join(packages)))
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    for command in ("apt-get update", install):
        done = subprocess.run(
            command.split(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment
        )
        if done.returncode != 0:
            sys.stderr.write(done.stdout.decode("utf-8", "replace"))
            return f"'{command}' failed; the lines above say why."
    return None


def is_ci():
    """Tell whether this runs on a CI machine."""
    return os.environ.get("CI", "").lower() in ("1", "true")


def is_ours_to_change():
    """Tell whether this is root on a throw-away machine: a CI runner or a container, no one's computer."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return False
    if is_ci() or "container" in os.environ:
        return True
    if Path("/.dockerenv").exists() or Path("/run/.containerenv").exists():
        return True
    try:
        first = Path("/proc/1/comm").read_text().strip()
    except OSError:
        return False
    return first not in ("systemd", "init", "runit", "launchd")


def test(arguments):
    """Run every check, also after one failed, and return 1 where any did."""
    checks = [
        ("style", [str(PYTHON), "-m", "ruff", "check", "."]),
        ("layout of the code", [str(PYTHON), "-m", "ruff", "format", "--check", "."]),
        ("types", [str(PYTHON), "-m", "mypy"]),
        ("import contract", [str(BIN / "lint-imports"), "--no-cache"]),
        # The tests of a file share what is dear to set up: they stay together.
        ("tests", [str(PYTHON), "-m", "pytest", "-n", "2", "--dist", "loadfile", *arguments]),
    ]
    failed = []
    for name, command in checks:
        say(name)
        if subprocess.call(command, cwd=str(ROOT)) != 0:
            failed.append(name)
    say("failed: {}.".format(", ".join(failed)) if failed else "all passed.")
    return 1 if failed else 0


def hand_over(command):
    """Become the command where the system can, so that its status and signals are the user's."""
    if os.name != "nt":
        os.execv(command[0], command)
    try:
        return subprocess.call(command)
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        say("stopped.")
        sys.exit(130)
