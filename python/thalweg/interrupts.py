# SPDX-License-Identifier: MIT
"""Ctrl-C while a simulation goes on: it waits until the cells are whole."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Protocol


class Interruptible(Protocol):
    """What can stop between two steps, as the compiled Run does."""

    def set_interrupted(self, is_interrupted: bool) -> None:
        """Say whether to stop there, and raise KeyboardInterrupt."""


@contextmanager
def raised_between_steps(run: Interruptible) -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt between two steps, or when the mesh is built, and not in a function of blocks.

    This thread runs such functions as others do, and an exception in one ends the run. A second Ctrl-C does not
    wait: a function may not come to its end. A handler that somebody else has set stays as it is.
    """
    is_mine = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not is_mine:
        yield
        return
    n_asked = 0

    def ask(number: int, frame: FrameType | None) -> None:
        nonlocal n_asked
        n_asked += 1
        if n_asked > 1:
            signal.default_int_handler(number, frame)
        run.set_interrupted(True)

    signal.signal(signal.SIGINT, ask)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if n_asked > 0:
            run.set_interrupted(False)
    if n_asked > 0:  # at the last step, say, so that it was not raised
        raise KeyboardInterrupt
