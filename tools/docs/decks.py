# SPDX-License-Identifier: MIT
"""Pages on what decks may set, made from what `thalweg params` says."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

KEY = re.compile(
    r"(?P<name>\S+\.\S+) = (?P<default>\.\.\. \(must be given\)|\[.*?\]|\"[^\"]*\"|\S+)"
    r"(?: \[(?P<unit>[^]]*)\])?\s{2,}(?P<range>.+)"
)
PROBLEM = re.compile(r"^# With problem\.name = \"(\w+)\": (.+)$", re.MULTILINE)
IN_PLACE = "in place of the default above"
APPLICATION = re.compile(r"#   (?P<name>\w+) {2,}(?P<what>.+)")


@dataclass(frozen=True)
class Key:
    """A key of a deck as the program describes it."""

    name: str
    default: str
    unit: str
    range: str
    meaning: str


def keys_of(text: str) -> list[Key]:
    """Read what `thalweg params` printed. Raises ValueError at a line that is no part of it."""
    found: list[Key] = []
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    for line in lines:
        if line.startswith("    ") and found and not found[-1].meaning:
            found[-1] = Key(**{**vars(found[-1]), "meaning": line.strip()})
            continue
        words = KEY.fullmatch(line)
        if not words:
            raise ValueError(f"'{line}' is no key of a deck (section.key = default [unit], type and range)")
        found.append(Key(words["name"], words["default"], words["unit"] or "", words["range"], ""))
    return found


def applications_of(text: str) -> dict[str, str]:
    """Read the applications and what they are, from the head of `thalweg params`."""
    return {found["name"]: found["what"] for found in map(APPLICATION.fullmatch, text.splitlines()) if found}


def listed(keys: list[Key]) -> str:
    """Make a list of keys, each with default, unit, type and range, and what it means."""
    items = []
    for key in keys:
        is_given = not key.default.startswith("...")
        head = f"`{key.name} = {key.default}`" if is_given else f"`{key.name}`, which must be given"
        unit = f" \\[{key.unit}\\]" if key.unit else ""
        items.append(f"- {head}{unit}, {_plain(key.range)}" + (f"  \n  {key.meaning}\n" if key.meaning else "\n"))
    return "".join(items)


def _plain(type_and_range: str) -> str:
    """Say "choice a|b" as "one of a, b"; the rest as it is, as code."""
    if type_and_range == IN_PLACE:
        return IN_PLACE
    for kind, words in (("choice ", "one of"), ("strings ", "any of")):
        if type_and_range.startswith(kind):
            choices = type_and_range.removeprefix(kind).split("|")
            return f"{words} " + ", ".join(f"`{choice}`" for choice in choices)
    return f"`{type_and_range}`"


def page_of(name: str, what: str, text: str) -> str:
    """Make the page of an application of what `thalweg params NAME` printed."""
    shared, *problems = PROBLEM.split(text)
    page = f"# Decks of {name}\n\n{what} This page is made of what `thalweg params {name}` says.\n"
    keys = keys_of(shared)
    for section in dict.fromkeys(key.name.split(".")[0] for key in keys):
        page += f"\n## {section}\n\n" + listed([k for k in keys if k.name.startswith(section + ".")])
    for problem, says, own in zip(problems[::3], problems[1::3], problems[2::3], strict=True):
        page += f"\n## problem {problem}\n\n{says}\n\n{listed(keys_of(own))}"
    return page


def write_pages(program: Path, folder: Path) -> list[str]:
    """Write a page for each application and give their names."""

    def params(*words: str) -> str:
        command = [str(program), "params", *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    folder.mkdir(parents=True, exist_ok=True)
    applications = applications_of(params())
    for name, what in applications.items():
        (folder / f"{name}.md").write_text(page_of(name, what, params(name)))
    return list(applications)
