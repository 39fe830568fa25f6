# SPDX-License-Identifier: MIT
"""What a simulation asks of the program, in the program's words, and what the program says, in those of Python."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path

import numpy as np

from thalweg.arguments import encoded, wrong

# What messages of the program call its options, and what they are here.
ARGUMENTS = {
    "--restart latest": 'restart="latest"',
    "--restart": "restart=",
    "--out": "out=",
    "--force": "force=True",
    "--threads": "threads=",
    "--model": "model=",
}
# What messages call a deck that is no file.
DECK = "the deck"
# What a message of the program says to look at, and what it is where there is a function of blocks of this kind.
BLAMED = {
    "initial": ("check what the deck says of the problem", "check what the function of @sim.initial makes of what the deck's problem has set"),
    "source": (
        "may come from a source or a boundary: look at these first",
        "may come from a source or a boundary: look at these first, and at the function of @sim.source "
        "(it gives the state dt later: it adds rate * dt, and keeps positive what must be so)",
    ),
}


def toml(value: object) -> str:
    """Write a value as a deck has it: numbers, strings, and lists and tables of them, and enums of these. Raises TypeError."""
    if isinstance(value, Enum):
        return toml(value.value)
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, np.ndarray) or (isinstance(value, np.generic) and not isinstance(value.item(), np.generic)):
        if value.dtype.kind not in "mM":  # times of the calendar are no numbers
            return toml(value.tolist())
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return repr(int(value))
    if isinstance(value, (str, Path)):
        return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{toml(_key(key))} = {toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray, memoryview)):
        return "[" + ", ".join(toml(item) for item in value) + "]"
    raise TypeError(f"{value!r} is no value of a deck; give a number, a string, or a list or dict of these")


def _key(key: object, of: str = "a table") -> str:
    if not isinstance(key, str):
        raise wrong(f"a key of {of}", key, 'a string: "time.end", say')
    return key


def _word(key: str, value: object) -> str:
    key = _key(key, "overrides")
    if isinstance(value, Mapping) and value and "." not in key:
        first, of_first = next(iter(value.items()))
        raise ValueError(f'overrides: "{key}" is a section of the deck (keys are given with it); write "{key}.{first}": {of_first!r}')
    try:
        return encoded("overrides", f"{key}={toml(value)}")
    except TypeError as problem:
        raise TypeError(f"{key}: {problem}") from None


def words_of(overrides: Mapping[str, object]) -> list[str]:
    """Give keys of a deck with their values as the program takes them, section.key=value."""
    return [_word(key, value) for key, value in overrides.items()]


def _entries(deck: Mapping[str, object], section: str = "") -> Iterator[tuple[str, object]]:
    for key, value in deck.items():
        name = section + _key(key, "the deck")
        if isinstance(value, Mapping):
            yield from _entries(value, f"{name}.")
        else:
            yield name, value


def text_of(deck: Mapping[str, object]) -> str:
    """Write a deck, keys with values and sections with these, as TOML: each key on a line, "section"."key" = value."""
    lines: dict[str, str] = {}
    for name, value in _entries(deck):
        for other in lines:
            if f"{name}.".startswith(f"{other}.") or other.startswith(f"{name}."):
                raise ValueError(f"{name}: given beside {other} (a key is given once, and a section has no value of its own); leave one out")
        try:
            lines[name] = encoded("deck", f"{'.'.join(map(toml, name.split('.')))} = {toml(value)}\n")
        except TypeError as problem:
            raise TypeError(f"{name}: {problem}") from None
    return "".join(lines.values())


def of_functions(message: str, kinds: Collection[str]) -> str:
    """Say of functions of blocks of these kinds what a message says of the deck."""
    for kind, (words, of_function) in BLAMED.items():
        if kind in kinds:
            message = message.replace(words, of_function)
    return message


def of_arguments(message: str, overrides: Collection[str] = ()) -> str:
    """Say of arguments what a message says of options and of keys that are none of these overrides, and of a deck that is no file without the line."""
    message = re.sub(f"^{DECK}:[0-9]+:", f"{DECK}:", message, flags=re.MULTILINE)
    for key in {"run.model", "run.threads"} - set(overrides):
        message = re.sub(f"^override '{key}=.*?': ", "", message, flags=re.MULTILINE)
    for option, argument in ARGUMENTS.items():
        message = message.replace(option, argument)
    mine = f"process {os.getpid()} on "
    if mine in message:
        message += "; or close() the simulation of this program that has it, or make it by `with`"
    return message
