# SPDX-License-Identifier: MIT
"""One page about a run, or two beside each other: HTML with everything in it, no network needed."""

from __future__ import annotations

import json
import math
from importlib.resources import files
from pathlib import Path
from typing import Any

from thalweg.plotfile import identity, plotfiles_in
from thalweg.report.pictures import colour_stops, slices_of_run
from thalweg.report.run_data import read_run
from thalweg.report.trace_data import trace_of
from thalweg.whole_file import write_whole

SCRIPTS = ("elements.js", "charts.js", "timeline.js", "sections.js", "tracing.js")


def collect(folder: Path, program: str | None, variable: str | None) -> dict[str, Any]:
    """Gather all that a report shows of a run. Raises OSError or ValueError with the file that is wrong."""
    before = [(path, identity(path)) for path in plotfiles_in(folder)]
    run = read_run(folder)
    run["slices"], run["not_shown"], damage = slices_of_run(folder, variable)
    run["damage"] = sorted({*run["damage"], *damage})
    run["traces"] = [trace_of(path, program) for path in sorted(folder.glob("*.pftrace"))]
    if any(identity(path) != known for path, known in before):
        raise ValueError(f"plotfiles in {folder} were replaced or removed while they were read (a run began anew there, and the page would show parts of two); make the report again")
    return run


def _finite(value: Any) -> Any:
    """Put None, which JSON has, where a number is not finite, which it has not."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return value


def page(runs: list[dict[str, Any]]) -> str:
    """Give the page of one or two runs that were collected."""
    parts = files("thalweg.report") / "page"
    title = " beside ".join(run["name"] for run in runs)
    # In a script element only "</" and "<!--" mean something; JSON has no other "<" that matters.
    text = json.dumps(_finite({"runs": runs, "colours": colour_stops()}), allow_nan=False, default=str).replace("<", "\\u003c")
    escaped = title.replace("&", "&amp;").replace("<", "&lt;")
    replacements = {
        "@STYLE@": (parts / "style.css").read_text(),
        "@SCRIPT@": "\n".join((parts / name).read_text() for name in SCRIPTS),
        "@TITLE@": f"Thalweg: {escaped}",
        "@DATA@": text,  # last, for what it holds may look like the others
    }
    html = (parts / "page.html").read_text()
    for mark, replacement in replacements.items():
        html = html.replace(mark, replacement)
    return html


def write_report(folders: list[Path], output: Path, program: str | None, variable: str | None = None) -> None:
    """Write the page of one run, or of two beside each other.

    program: thalweg, for the accounting of traces; variable: of the slices over time.
    """
    runs = [collect(folder, program, variable) for folder in folders]
    write_whole(output, page(runs).encode())
