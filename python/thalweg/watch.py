# SPDX-License-Identifier: MIT
"""Follow a run in a terminal, from what it writes: progress, blocks, efficiency, a coarse picture.

Only files are read, what is new in the log and each new plotfile once, so the run is not asked for
anything.
"""

from __future__ import annotations

import math
import shutil
import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from thalweg.log_file import read_event
from thalweg.plotfile import Plotfile, check_run, identity, plotfiles_in
from thalweg.scale import finite_range
from thalweg.words import printable, regular

RECENT = 20  # steps from which speed is taken
SHADES = " .:-=+*#%@"
BARS = "▁▂▃▄▅▆▇█"
# For terminals without such characters; of two rows in one, the lower is left.
PLAIN = str.maketrans(BARS + "▀", SHADES[1 : 1 + len(BARS)] + " ")
# From dark blue to yellow, of the 256 colours of terminals.
COLOURS = (17, 18, 24, 30, 36, 41, 77, 113, 149, 185, 221, 227)
OVER = {"end", "stopped", "failed"}
LOCK = ".thalweg-lock"  # in a folder that a run writes to


def is_written_to(folder: Path) -> bool:
    """Whether a run holds the lock of its folder, as the program takes it; one that was killed leaves the file alone."""
    import fcntl  # where there is none, there are no runs either

    try:
        with regular(folder / LOCK).open() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:  # somebody has it, or this file system knows no locks
        return True
    return False


@dataclass
class Log:
    """The events of a log.jsonl that grows; looks only at what is new."""

    path: Path
    offset: int = 0
    last_line: bytes = b""  # that was taken in, and ends at the offset
    n_lines: int = 0
    steps: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=RECENT))
    last: dict[str, Any] = field(default_factory=dict)  # event that is no step

    def read_on(self) -> bool:
        """Take in new whole lines. Gives whether there were any."""
        *lines, _ = self._new_text().split(b"\n")  # the rest is being written
        for line in lines:
            self.last_line = line + b"\n"
            self.offset += len(self.last_line)
            self.n_lines += 1
            event = read_event(line.decode(errors="replace"), self.path, self.n_lines)
            if event["event"] == "step":
                if self.steps and event["step"] <= self.steps[-1]["step"]:  # a run went on from an earlier one
                    self.steps.clear()
                self.steps.append(event)
                self.last = {}
            else:
                self.last = event
        return bool(lines)

    def _new_text(self) -> bytes:
        """Read what is behind the lines that were taken in; all, where these are no longer there, as a run began anew."""
        try:
            with regular(self.path).open("rb") as file:
                file.seek(self.offset - len(self.last_line))
                if file.read(len(self.last_line)) != self.last_line:
                    self._forget()
                    file.seek(0)
                return file.read()
        except FileNotFoundError:
            self._forget()
            return b""

    def _forget(self) -> None:
        self.offset, self.last_line, self.n_lines, self.last = 0, b"", 0, {}
        self.steps.clear()

    @property
    def is_over(self) -> bool:
        return self.last.get("event") in OVER


def _limit(deck: dict[str, Any], key: str) -> float:
    """Give a limit that the deck sets; infinity where it sets none, or none that is a number above 0."""
    limit = deck.get("time", {}).get(key)
    return limit if type(limit) in (int, float) and 0 < limit <= sys.float_info.max else math.inf


def part_done(step: int, now: float, deck: dict[str, Any]) -> float:
    """Give the part of a run that is over, 0 to 1: of its time, or of its steps."""
    return min(1.0, max(0.0, now / _limit(deck, "end"), step / _limit(deck, "max_steps")))


def time_left(steps: list[dict[str, Any]], deck: dict[str, Any]) -> float | None:
    """Guess the seconds left from the last steps; steps grow and blocks multiply."""
    if len(steps) < 2:
        return None
    first, last = (part_done(s["step"], s["time"], deck) for s in (steps[0], steps[-1]))
    spent = sum(s["wall_s"] for s in steps[1:])
    return (1 - last) * spent / (last - first) if last > first else None


def progress_lines(steps: list[dict[str, Any]], deck: dict[str, Any], width: int) -> list[str]:
    """Say in three lines how far a run is."""
    now = steps[-1]
    part = part_done(now["step"], now["time"], deck)
    left = time_left(steps, deck)
    n = max(10, min(40, width - 30))
    n_full = round(part * n)
    spent = sum(s["wall_s"] for s in steps)
    zones = sum(s["zone_updates"] for s in steps) / spent if spent > 0 else 0.0
    efficiency = 100 * sum(s["parallel_efficiency"] * s["wall_s"] for s in steps) / spent if spent > 0 else 0.0
    remaining = "" if left is None else f"  {int(left) // 60}m{int(left) % 60:02}s left"
    return [
        f"[{'#' * n_full}{'.' * (n - n_full)}] {100 * part:5.1f} %{remaining}",
        f"step {now['step']}  time {now['time']:.6g}  dt {now['dt']:.3g}  "
        f"{zones / 1e6:.3g} M zones/s  efficiency {efficiency:.1f} %  {now['memory_bytes'] / 2**20:.1f} MiB",
        "blocks of each level: " + " ".join(map(str, now["blocks"])),
    ]


def _sampled(values: np.ndarray, n: int, axis: int) -> np.ndarray:
    """Take n of the values along an axis, at the middles of equal parts."""
    size = values.shape[axis]
    return np.asarray(values.take(((np.arange(n) + 0.5) * size / n).astype(int), axis=axis))


def _scaled(values: np.ndarray, n: int) -> np.ndarray:
    """Put values into n classes, from the least finite one to the greatest; what is no number into the first."""
    low, high = finite_range([values]) or (0.0, 0.0)
    if not high > low:
        return np.zeros(values.shape, dtype=int)
    finite = np.nan_to_num(values, nan=low, posinf=high, neginf=low)
    return np.asarray(np.clip((finite - low) / (high - low) * n, 0, n - 1)).astype(int)


def picture(plot: Plotfile, variable: str, width: int, height: int, has_colours: bool) -> list[str]:
    """Draw a plane of a plotfile (of a 1-D one, the line) in characters, two cells of the plane in each.

    width, height: of the picture at most [characters]. The title has the least and greatest value.
    """
    if plot.dimension == 1:
        cells = plot.leaf_cells([variable])
        values = cells.values[0, cells.centre[:, 0].argsort()]
        rows = ["".join(BARS[n] for n in _scaled(_sampled(values, min(width, len(values)), 0), len(BARS)))]
    else:
        image = plot.slice(variable, most_cells=512)
        values = image.values
        left, right, bottom, top = image.extent
        # A character is about twice as high as wide.
        across = min(width, int(2 * height * (right - left) / (top - bottom)))
        up = max(2, 2 * round(across * (top - bottom) / (right - left) / 2))
        shown = _sampled(_sampled(values, up, 0), max(1, across), 1)[::-1]
        rows = _coloured(shown) if has_colours else _shaded(shown)
    low, high = finite_range([values]) or (0.0, 0.0)
    title = f"{variable} from {low:.4g} to {high:.4g}{', infinite in places' if np.isinf(values).any() else ''}, step {plot.step}, time {plot.time:.6g}"
    return [title, *rows]


def _shaded(values: np.ndarray) -> list[str]:
    return ["".join(SHADES[n] for n in row) for row in _scaled(values[::2], len(SHADES))]


def _coloured(values: np.ndarray) -> list[str]:
    """Two rows a line: the upper half of a character in its colour, on that of the lower one."""
    classes = _scaled(values, len(COLOURS))
    lines = []
    for upper, lower in zip(classes[::2], classes[1::2], strict=True):
        cells = (f"\x1b[38;5;{COLOURS[a]};48;5;{COLOURS[b]}m▀" for a, b in zip(upper, lower, strict=True))
        lines.append("".join(cells) + "\x1b[0m")
    return lines


@dataclass
class Screen:
    """What is known of a run, drawn anew whenever there is something new."""

    folder: Path
    variable: str | None = None
    has_colours: bool = False
    log: Log = field(init=False)
    shown: tuple[Path, tuple[int, int] | None] | None = None  # the plotfile, and what tells it from one in its place
    deck: dict[str, Any] = field(default_factory=dict)
    picture: list[str] = field(default_factory=list)
    is_over: bool = False

    def __post_init__(self) -> None:
        self.log = Log(self.folder / "log.jsonl")

    def look(self, width: int, height: int) -> bool:
        """Read what is new, and see whether the run is over. Gives whether there was anything."""
        is_new, was_over = self._read_on(width, height), self.is_over
        self.is_over = self.log.is_over
        has_results = self.shown is not None or self.log.offset > 0
        if has_results and not self.is_over and not is_written_to(self.folder):
            is_new |= self._read_on(width, height)  # what it has written at its end
            self.is_over = True
        return is_new or self.is_over != was_over

    def _read_on(self, width: int, height: int) -> bool:
        is_new = self.log.read_on()
        return self._draw_newest(width, height) or is_new

    def _draw_newest(self, width: int, height: int) -> bool:
        """Draw the newest plotfile, unless it is shown. Gives whether what is shown is another."""
        plots = plotfiles_in(self.folder)
        newest = (plots[-1], identity(plots[-1])) if plots else None
        if newest == self.shown:
            return False
        if newest is None:  # a run began anew
            self.shown, self.deck, self.picture = None, {}, []
            return True
        try:
            plot = Plotfile(newest[0])
            name = self.variable or plot.default_variable
            shown, deck = picture(plot, name, width, height, self.has_colours), plot.deck()
        except (OSError, ValueError):
            now = identity(newest[0])
            if now is not None and now == newest[1]:
                raise
            return False  # it was replaced or removed meanwhile: the next look finds what there is
        self.shown, self.deck, self.picture = newest, deck, shown
        return True

    def lines(self, width: int) -> list[str]:
        """Give the screen: progress, what happened last, the picture."""
        steps = list(self.log.steps)
        if steps:
            found = progress_lines(steps, self.deck, width)
        elif self.shown:
            found = ["no log.jsonl yet (run with run.log=both for progress): plotfiles only"]
        else:
            found = [f"nothing in {self.folder} yet"]
        if text := self.log.last.get("text"):
            found.append(printable(text))
        if self.is_over:
            found.append("no run is writing here")
        # A terminal would break what is longer; a file or a pipe is to have all of it.
        return [*(line[:width] if self.has_colours else line for line in found), *self.picture]


def shown_in(encoding: str | None, text: str) -> str:
    """Give a text in characters that an encoding has: shades for bars, and for what else is missing a question mark."""
    encoding = encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(PLAIN).encode(encoding, "replace").decode(encoding)
    return text


def watch(
    screen: Screen, out: TextIO, size: Callable[[], tuple[int, int]], interval_s: float, is_once: bool
) -> None:
    """Draw a run, whenever there is something new, until it is over. size: of the terminal, columns and lines."""
    is_first = True
    while True:
        width, height = size()
        is_new = screen.look(width - 1, max(4, height - 8))
        if is_new or is_once:
            # On a terminal the cursor goes home and what is below is cleared.
            start = "\x1b[H\x1b[J" if screen.has_colours and not is_once else ""
            out.write(shown_in(out.encoding, start + "\n".join(screen.lines(width)) + "\n"))
        elif is_first:
            out.write(shown_in(out.encoding, f"waiting for a run in '{screen.folder}' (no log, no plotfile yet)\n"))
        out.flush()
        is_first = False
        if is_once or screen.is_over:
            return
        time.sleep(interval_s)


def watch_folder(folder: Path, variable: str | None, interval_s: float, is_once: bool) -> None:
    """Follow a run on the standard output; Ctrl-C ends it. Raises OSError or ValueError where there is none."""
    check_run(folder)
    if not 0 <= interval_s < math.inf:
        raise ValueError(f"an interval of {interval_s:g} s between looks (it must be 0 or more, and finite); choose another")
    if sys.stdout is None:
        raise ValueError("the standard output is closed (a run is drawn there); leave it open")
    screen = Screen(folder, variable, has_colours=sys.stdout.isatty())

    def size() -> tuple[int, int]:
        terminal = shutil.get_terminal_size((80, 40))
        return terminal.columns, terminal.lines

    try:
        watch(screen, sys.stdout, size, interval_s, is_once)
    except KeyboardInterrupt:
        print()
