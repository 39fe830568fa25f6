#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make the documentation as a site: build/venv/bin/python tools/docs/build.py [--program thalweg] [--output FOLDER]

The Markdown texts of the repository, where they are, with navigation and search; a reference of
decks, made by the program; the Python package's docstrings; Doxygen's pages of the C++ headers. No network is needed, to make it or to
read it. A link that leads nowhere is an error.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from cpp import public_folders, write_cpp_pages
from decks import write_pages

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = {"build", ".git", "venv"}
# Titles of the navigation, and the texts below each: the first that matches counts.
SECTIONS = [
    ("Start", r"README\.md|docs/tutorials/how_many_nodes/README\.md"),
    ("Guides", r"docs/(guide/.*|python\.md)"),
    ("Tutorials", r"docs/tutorials/.*"),
    ("How it works", r"docs/(architecture|how_a_step_runs|numerics|flow|conventions|lulesh)\.md|libs/numerics/(schemes|systems)\.md"),
    ("Decks", r"decks/.*"),
    ("Applications", r"apps/.*"),
    ("Python", r"python/.*"),
    ("C++", r"cpp\.md"),
    ("Modules", r"libs/.*"),
    ("Decisions", r"docs/adr/.*"),
    ("Measurements and tests", r"docs/published\.md|(bench|tests)/.*"),
    ("Project", r".*"),
]
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?(\))")
PYTHON_PAGE = """# The Python package

What `import thalweg` gives. How to use it: [Read results in Python](../docs/guide/reading_results.md),
[Simulations from Python](../docs/python.md).

```{eval-rst}
.. automodule:: thalweg
   :members:
   :imported-members:
   :member-order: bysource

.. autoclass:: thalweg.Simulation
   :members:

.. autofunction:: thalweg.run

.. autoclass:: thalweg.Graph
   :members:

.. automodule:: thalweg.blocks
   :members: Level, Block
   :special-members: __getitem__

.. automodule:: thalweg.cells
   :members:
   :special-members: __getitem__, __setitem__
```
"""
CPP_PAGE = """# The C++ API

```{eval-rst}
.. raw:: html

   <p><a href="cpp/files.html">Headers</a>, <a href="cpp/annotated.html">types</a> and
   <a href="cpp/namespacemembers.html">functions</a>, with a search of their own.</p>
```

Doxygen makes these pages of the public headers. Which header is for what: the READMEs of the [modules](libs/app/README.md).
A first program: [your first equation](docs/tutorials/first_equation/README.md), or [tasks](docs/tutorials/flow/README.md).
"""
CONFIGURATION = """# Written by tools/docs/build.py.
import sys
sys.path.insert(0, {python!r})
project = "Thalweg"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = "Thalweg"
html_copy_source = False
html_show_sphinx = False
templates_path = []
myst_heading_anchors = 4
autodoc_typehints = "description"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
autodoc_mock_imports = ["thalweg._thalweg"]
copyright = ""
html_show_copyright = False
html_extra_path = {extra!r}
"""


def texts(root: Path) -> list[Path]:
    """Give the Markdown texts and notebooks below a folder, relative to it, without what was built."""
    found = (path.relative_to(root) for kind in ("*.md", "*.ipynb") for path in root.rglob(kind))
    return sorted(path for path in found if not SKIPPED & set(path.parts))


def text_of(path: Path) -> str:
    """Read a text; of a notebook, its cells."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    cells = [(cell["cell_type"], "".join(cell["source"])) for cell in json.loads(text)["cells"]]
    blocks = [f"```python\n{source}\n```" if kind == "code" else source for kind, source in cells]
    return "\n\n".join(blocks) + f"\n\nAs a notebook: {{download}}`{path.name}`.\n"


def linked(text: str, folder: Path, root: Path) -> str:
    """Make links to folders links to their READMEs, as the repository's web page shows them."""

    def target(found: re.Match[str]) -> str:
        before, path, anchor, after = found.groups(default="")
        path = path.replace(".ipynb", ".md") if "://" not in path else path
        place = folder / path
        if "://" not in path and (root / place).is_dir() and (root / place / "README.md").exists():
            path = path.rstrip("/") + "/README.md"
        return before + path + anchor + after

    parts, at = [], 0
    for code in CODE.finditer(text):  # links in code are no links
        parts += [LINK.sub(target, text[at : code.start()]), code[0]]
        at = code.end()
    return "".join([*parts, LINK.sub(target, text[at:])])


def stage(root: Path, source: Path) -> list[str]:
    """Copy the texts, and the files that they link to, into a folder. Gives the texts' names."""
    names = []
    for path in texts(root):
        (source / path.parent).mkdir(parents=True, exist_ok=True)
        text = linked(text_of(root / path), path.parent, root)
        page = path.with_suffix(".md")
        (source / page).write_text(text, encoding="utf-8")
        if path.suffix == ".ipynb":
            shutil.copyfile(root / path, source / path)
        names.append(page.as_posix())
        for _, link, _, _ in LINK.findall(CODE.sub("", text)):
            file = root / path.parent / link
            if "://" not in link and file.is_file() and file.suffix != ".md":
                copy = source / path.parent / link
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, copy)
    return names


def contents(names: list[str]) -> str:
    """Make the first page: navigation by section, a README before what lies beside it."""
    text = "# Thalweg\n\nBegin with [what it is and how to try it](README.md).\n"
    left = set(names)
    for title, pattern in SECTIONS:
        mine = sorted((n for n in left if re.fullmatch(pattern, n)), key=lambda n: (Path(n).parent.parts, not n.endswith("README.md"), n))
        left -= set(mine)
        if mine:
            pages = "\n".join("/" + name.removesuffix(".md") for name in mine)
            text += f"\n```{{toctree}}\n:caption: {title}\n:maxdepth: 1\n:hidden:\n\n{pages}\n```\n"
    return text


def find_program(name: str | None) -> Path:
    """Give the program that was named, or one that was built here."""
    choices = [Path(name)] if name else [ROOT / "build" / kind / "bin/thalweg" for kind in ("release", "ci-release", "quickstart")]
    for choice in choices:
        if choice.exists():
            return choice
    raise SystemExit(
        f"error: no program at {', '.join(map(str, choices))} (the reference of decks is made by it); "
        "build thalweg, or name one with --program"
    )


def build(root: Path, program: Path, output: Path) -> int:
    """Make the site of a repository in output/html. Gives Sphinx's exit code: a warning is an error."""
    source = output / "source"
    shutil.rmtree(output, ignore_errors=True)
    source.mkdir(parents=True)
    names = stage(root, source)
    names += [f"decks/{name}.md" for name in write_pages(program, source / "decks")]
    (source / "python/package.md").parent.mkdir(exist_ok=True)
    (source / "python/package.md").write_text(PYTHON_PAGE)
    names.append("python/package.md")
    extra = []
    if public_folders(root):
        extra.append(str(output / "extra"))
        write_cpp_pages(root, output / "extra/cpp")
        (source / "cpp.md").write_text(CPP_PAGE)
        names.append("cpp.md")
    (source / "index.md").write_text(contents(names))
    (source / "conf.py").write_text(CONFIGURATION.format(python=str(ROOT / "python"), extra=extra))
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    return subprocess.run([*command, str(source), str(output / "html")], check=False).returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", help="thalweg (default: one of build/)")
    parser.add_argument("--output", default=ROOT / "build/site", help="folder, which is replaced (default: build/site)")
    options = parser.parse_args()
    output = Path(options.output).resolve()
    code = build(ROOT, find_program(options.program), output)
    if code == 0:
        print(output / "html/index.html")
    return code


if __name__ == "__main__":
    sys.exit(main())
