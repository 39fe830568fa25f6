# SPDX-License-Identifier: MIT
"""Pages of the C++ API: what Doxygen makes of the public headers."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

# Commands of docstrings that Doxygen does not know, and the titles of what they say.
TITLES = {
    "cost": "Cost",
    "errors": "Errors",
    "shape": "Shape",
    "source": "Source",
    "threads": "Threads",
    "units": "Units",
    "verified": "Verified by",
}
SETTINGS = {
    "PROJECT_NAME": "Thalweg",
    "FILE_PATTERNS": "*.hpp",
    "RECURSIVE": "YES",
    "EXCLUDE_PATTERNS": "*/detail/*",
    "EXTRACT_ALL": "YES",
    "JAVADOC_AUTOBRIEF": "YES",
    "GENERATE_LATEX": "NO",
    "HAVE_DOT": "NO",
    "VERBATIM_HEADERS": "NO",
    "SHOW_INCLUDE_FILES": "YES",
    "QUIET": "YES",
    "WARNINGS": "NO",
    "WARN_IF_DOC_ERROR": "NO",
    "WARN_IF_INCOMPLETE_DOC": "NO",
}


def public_folders(root: Path) -> list[Path]:
    """Give the folders of public headers of a repository."""
    return sorted(path for kind in ("libs", "apps") for path in (root / kind).rglob("include") if path.is_dir())


def write_cpp_pages(root: Path, folder: Path) -> None:
    """Write pages of all public headers of a repository into a folder. Raises SystemExit without Doxygen."""
    program = shutil.which("doxygen")
    if program is None:
        raise SystemExit("error: no doxygen (it makes the pages of the C++ API); tools/setup/install test installs it")
    folders = public_folders(root)
    aliases = [f'"{name}=@par {title}^^"' for name, title in TITLES.items()]
    settings = {
        **SETTINGS,
        "INPUT": " ".join(f'"{path}"' for path in folders),
        "STRIP_FROM_PATH": " ".join(f'"{path}"' for path in folders),
        "ALIASES": " ".join(aliases),
        "OUTPUT_DIRECTORY": f'"{folder.parent}"',
        "HTML_OUTPUT": folder.name,
    }
    text = "".join(f"{name} = {value}\n" for name, value in settings.items())
    folder.mkdir(parents=True)
    subprocess.run([program, "-"], input=text, text=True, check=True, stdout=subprocess.DEVNULL)
