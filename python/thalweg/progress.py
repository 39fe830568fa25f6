# SPDX-License-Identifier: MIT
"""How far a run is, shown while it goes on: a bar in Jupyter, a line in a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from html import escape
from typing import Any


def notebook_display() -> Callable[..., Any] | None:
    """Give IPython's function that shows an object, in a notebook; elsewhere none."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if not hasattr(shell, "kernel"):
        return None
    from IPython.display import display  # type: ignore[import-not-found, unused-ignore]

    return display  # type: ignore[no-any-return, unused-ignore]


class Progress:
    """A bar that is drawn anew at most five times per second.

    fraction: of the way, 0 to 1; words: where the run is.
    """

    interval_s = 0.2

    def __init__(self, fraction: float, words: str) -> None:
        self._began = self._drawn = time.monotonic()
        self._began_at = fraction
        self._set(fraction, words)
        display = notebook_display()
        self._shown = display(self, display_id=True) if display else None

    def update(self, fraction: float, words: str) -> None:
        """Say where the run is by now."""
        self._set(fraction, words)
        if time.monotonic() - self._drawn >= self.interval_s:
            self._draw("\r")

    def end(self) -> None:
        """Draw it for the last time."""
        self._draw("\n")

    def __str__(self) -> str:
        return f"{self.words}: {100 * self.fraction:.0f} %{self._left()}"

    def _repr_html_(self) -> str:
        return f'<progress value="{self.fraction:.4f}" style="width: 20em"></progress> {escape(str(self))}'

    def _set(self, fraction: float, words: str) -> None:
        self.fraction = min(max(fraction, 0.0), 1.0)
        self.words = words

    def _left(self) -> str:
        made = self.fraction - self._began_at
        if made <= 0 or self.fraction >= 1:
            return ""
        seconds = (time.monotonic() - self._began) * (1 - self.fraction) / made
        return f", {seconds:.0f} s left"

    def _draw(self, end: str) -> None:
        self._drawn = time.monotonic()
        if self._shown is not None:
            self._shown.update(self)
        elif end == "\n" or sys.stderr.isatty():
            print(f"{self!s:<70}", end=end, file=sys.stderr, flush=True)
