# SPDX-License-Identifier: MIT
"""Lines of a log.jsonl, an event each: what is read of them later is there, and of its type."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from thalweg.arguments import shown
from thalweg.words import printable

MOST_DIGITS = 20  # of whole numbers
WHOLE, NUMBER, COUNTS = "a whole number", "a number", "a list of whole numbers"
OF_ALL = {"step": WHOLE, "time": NUMBER}
OF_STEPS = {"dt": NUMBER, "blocks": COUNTS} | dict.fromkeys(["zone_updates", "wall_s", "parallel_efficiency", "memory_bytes"], NUMBER)


def _is(value: Any, kind: str) -> bool:
    if kind == COUNTS:
        return type(value) is list and all(_is(item, WHOLE) for item in value)
    if kind == WHOLE:
        return type(value) is int
    return type(value) in (int, float) and math.isfinite(value)


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError("no run counts so far")
    return int(digits)


def _no_event(path: Path, number: int, why: str) -> ValueError:
    return ValueError(f"{path}:{number}: no event of a log ({why}); mend or remove the line")


def read_event(line: str, path: Path, number: int) -> dict[str, Any]:
    """Read the event of a line of a file. Raises ValueError, with the file and the line's number from 1, where it is none."""
    try:
        event: dict[str, Any] = json.loads(line, parse_int=_whole)
        name = event["event"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _no_event(path, number, f"'{printable(line, 40)}'") from None
    if not isinstance(name, str):
        raise _no_event(path, number, f"event = {shown(name)} must be a name")
    for key, kind in (OF_ALL | OF_STEPS if name == "step" else OF_ALL).items():
        if not _is(event.get(key), kind):
            raise _no_event(path, number, f"{key} = {shown(event.get(key))} must be {kind}")
    return event
