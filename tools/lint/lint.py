#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check what the compiler does not: sizes, licence lines, tests and READMEs where they belong.

Usage: lint.py [ROOT]. Prints "path:line: error: what (why)" and exits 1 if there is any error;
warnings do not count. A rule is a function from a tree to findings, tested in test_lint.py.
Layers are not checked here: include paths enforce them (cmake/ThalwegModule.cmake).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent

LARGEST_FILE = 600  # lines
LARGE_FILE = 400
LONGEST_README = 80  # lines
SOURCES = {".hpp", ".cpp", ".py", ".cmake", ".in"}
SOURCE_NAMES = {"CMakeLists.txt", "Containerfile"}
TEXTS = SOURCES | {".md", ".txt", ".json", ".toml", ".yml", ".yaml", ".sh", ".cff"}
SKIPPED = {".git", "build", "__pycache__", "venv"}
SPDX = "SPDX-License-Identifier: MIT"
# Places on somebody's machine; written apart so that this file does not hold them.
MACHINE_PATHS = re.compile("|".join(["/wo" + "rk/", "/ho" + "me/", "/ro" + "ot/", "/Us" + "ers/"]))
WORDS = Path(__file__).with_name("words.txt")  # word -> the field's term
STANDARD_NAMES = Path(__file__).with_name("standard_names.txt")  # header: names
# What is no code: comments, strings and characters (not the separators of 1'000).
NOT_CODE = re.compile(
    r"//[^\n]*|/\*.*?\*/|R\"([^(\s]*)\(.*?\)\1\"|\"(?:\\.|[^\"\\\n])*\""
    r"|(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])*'",
    re.DOTALL,
)


@dataclass(frozen=True)
class Finding:
    """Something wrong in a file; line 0 is the file as a whole."""

    path: str
    line: int
    severity: str
    message: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.severity}: {self.message}"


def is_text(path: Path) -> bool:
    """Whether a file is read: by its name, or because it is a script of any name."""
    if path.suffix in TEXTS or path.name in SOURCE_NAMES:
        return True
    with path.open("rb") as file:
        return file.read(2) == b"#!"


@dataclass(frozen=True)
class Tree:
    """The text files of a source tree, by their path relative to its root."""

    texts: dict[str, str]

    @staticmethod
    def read(root: Path) -> Tree:
        texts = {}
        for path in sorted(root.rglob("*")):
            relative = path.relative_to(root)
            parts = relative.parts
            generated = parts[0].startswith("out") or SKIPPED & set(parts)
            if path.is_file() and not generated and is_text(path):
                texts[relative.as_posix()] = path.read_text(encoding="utf-8")
        return Tree(texts)

    def sources(self) -> Iterator[tuple[str, str]]:
        for path, text in self.texts.items():
            name = Path(path)
            if name.suffix in SOURCES or name.name in SOURCE_NAMES or text.startswith("#!"):
                yield path, text


# What may lie in the root of the tree; the last two are a developer's own.
ROOT_FILES = {
    "CHANGELOG.md", "CITATION.cff", "CMakeLists.txt", "CMakePresets.json", "CONTRIBUTING.md", "README.md",
    "pyproject.toml", "quickstart", "test", "CMakeUserPresets.json", "compile_commands.json",
}  # fmt: skip
Rule = Callable[[Tree], Iterator[Finding]]


def check_sizes(tree: Tree) -> Iterator[Finding]:
    """A file is read on a few screens: 400 lines ask for a reason, 600 are too many."""
    for path, text in tree.sources():
        n = text.count("\n")
        if n > LARGEST_FILE:
            yield Finding(path, 0, "error", f"{n} lines (at most {LARGEST_FILE}); split it")
        elif n > LARGE_FILE:
            yield Finding(path, 0, "warning", f"{n} lines (aim below {LARGE_FILE})")


def check_root(tree: Tree) -> Iterator[Finding]:
    """What a run in the root has written is not taken along."""
    for path in tree.texts:
        if "/" not in path and not path.startswith(".") and path not in ROOT_FILES:
            yield Finding(path, 0, "error", "does not belong in the root; delete it, or name it in ROOT_FILES")


def check_licence(tree: Tree) -> Iterator[Finding]:
    """The licence is one line, among the first two (a script begins with its interpreter)."""
    for path, text in tree.sources():
        if not any(SPDX in line for line in text.split("\n")[:2]):
            yield Finding(path, 1, "error", f"no line '{SPDX}'")


def check_pragma_once(tree: Tree) -> Iterator[Finding]:
    """A header guards itself, once, and in one way."""
    for path, text in tree.sources():
        if path.endswith(".hpp") and "#pragma once" not in text.split("\n")[:3]:
            yield Finding(path, 2, "error", "'#pragma once' is not below the licence line")


def check_machine_paths(tree: Tree) -> Iterator[Finding]:
    """Nothing names a place on one machine."""
    for path, text in tree.texts.items():
        for number, line in enumerate(text.split("\n"), start=1):
            if found := MACHINE_PATHS.search(line):
                yield Finding(path, number, "error", f"'{found[0]}' is a path of one machine")


def modules(tree: Tree) -> list[str]:
    """The folders of libs/ that make a module: those whose CMakeLists.txt says so."""
    return [
        str(Path(path).parent)
        for path, text in tree.texts.items()
        if re.fullmatch(r"libs/.+/CMakeLists\.txt", path) and "thalweg_add_module(" in text
    ]


def check_readmes(tree: Tree) -> Iterator[Finding]:
    """Every module explains itself, and it and every application on one page."""
    for module in modules(tree):
        if f"{module}/README.md" not in tree.texts:
            yield Finding(module, 0, "error", "no README.md")
    for path, text in tree.texts.items():
        if re.fullmatch(r"(libs|apps)/.+/README\.md", path) and (n := text.count("\n")) > LONGEST_README:
            yield Finding(path, 0, "error", f"{n} lines, at most {LONGEST_README}: give what is long a page of its own")


def check_record_dates(tree: Tree) -> Iterator[Finding]:
    """The list of decision records says when each was changed last."""
    index = "docs/adr/README.md"
    for number, line in enumerate(tree.texts.get(index, "").splitlines(), start=1):
        row = re.match(r"\| \[\d+\]\(([^)]+)\).*\| (\S+) \|$", line)
        record = tree.texts.get(f"docs/adr/{row[1]}", "") if row else ""
        dates = re.findall(r"\d{4}-\d\d-\d\d", "".join(re.findall(r"^- Date:.*$", record, re.M)))
        if row and dates and row[2] != dates[-1]:
            message = f"{row[2]} (record {row[1]} was changed on {dates[-1]})"
            yield Finding(index, number, "error", message)


def check_versions(tree: Tree) -> Iterator[Finding]:
    """The version is written where tools read it, and is the same there."""
    root = re.search(r"^project\(\w+ VERSION (\S+)", tree.texts.get("CMakeLists.txt", ""), re.MULTILINE)
    places = {
        "CITATION.cff": r"^version: (\S+)$",
        "pyproject.toml": r'^version = "(.+)"$',
        "python/thalweg/__init__.py": r'^__version__ = "(.+)"$',
    }
    for path, pattern in places.items():
        own = re.search(pattern, tree.texts.get(path, ""), re.MULTILINE)
        if root and path in tree.texts and (not own or own[1] != root[1]):
            message = f"version {own[1] if own else 'none'} ({root[1]} in CMakeLists.txt)"
            yield Finding(path, 0, "error", message)


def is_test(path: str) -> bool:
    """Tests are in the test/ folder of a module or an application, or cross modules in tests/."""
    return path.startswith("tests/") or re.match(r"(libs|apps)/.+/test/", path) is not None


def check_header_tests(tree: Tree) -> Iterator[Finding]:
    """Every public header has a test: libs/M/test/<stem>_test.cpp, or, for one too small for a test
    of its own, any test that includes it by name. What is in detail/ is tested by what uses it.
    """
    tests = [text for path, text in tree.texts.items() if is_test(path)]
    for module in modules(tree):
        for path in sorted(tree.texts):
            is_public = path.startswith(f"{module}/include/") and "/detail/" not in path
            if not (is_public and path.endswith(".hpp")):
                continue
            included = "<" + path.removeprefix(f"{module}/include/") + ">"
            own = f"{module}/test/{Path(path).stem}_test.cpp"
            if own not in tree.texts and not any(included in text for text in tests):
                yield Finding(
                    path, 0, "error", f"no test: neither {own} nor a test that includes it"
                )


def check_test_registration(tree: Tree) -> Iterator[Finding]:
    """A test that no CMakeLists.txt names, whole or by its stem in a foreach, does not run."""
    for path in tree.texts:
        if not re.fullmatch(r".*test/[^/]+_test\.cpp", path):
            continue
        lists = f"{Path(path).parent.as_posix()}/CMakeLists.txt"
        text, name = tree.texts.get(lists, ""), Path(path).name
        stem = re.escape(name.removesuffix("_test.cpp"))
        by_stem = "}_test.cpp" in text and re.search(rf"\b{stem}\b", text)
        if name not in text and not by_stem:
            yield Finding(path, 0, "error", f"not registered in {lists}")


def check_test_names(tree: Tree) -> Iterator[Finding]:
    """The tests of a folder are one program: no two of its files define the same case."""
    places: dict[tuple[str, str, str], str] = {}
    for path, text in tree.texts.items():
        if not path.endswith("_test.cpp"):
            continue
        folder = Path(path).parent.as_posix()
        for number, line in enumerate(text.split("\n"), start=1):
            if found := re.match(r"(?:TYPED_)?TEST(?:_[FP])?\((\w+), (\w+)\)", line):
                first = places.setdefault((folder, found[1], found[2]), path)
                if first != path:
                    name = f"{found[1]}.{found[2]}"
                    yield Finding(path, number, "error", f"{name} is a case of {Path(first).name}, too")


def check_todo(tree: Tree) -> Iterator[Finding]:
    """What is to be done is written in an issue, whose number the comment carries."""
    word = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X)\b(?!\(#\d+\))")
    for path, text in tree.sources():
        for number, line in enumerate(text.split("\n"), start=1):
            if found := word.search(line):
                yield Finding(
                    path, number, "error", f"'{found[0]}' without an issue: {found[0]}(#12)"
                )


def check_formatting_compiled_again(tree: Tree) -> Iterator[Finding]:
    """No source compiles again how fmt writes numbers, which takes five seconds."""
    for path, text in tree.sources():
        if not path.endswith((".cpp", ".hpp")):
            continue
        for number, line in enumerate(code_of(text).split("\n"), start=1):
            if found := re.search(r"\bfmt::(join|format_to)\(", line):
                message = f"fmt::{found[1]} (slow to compile): take joined_text or fmt::format"
                yield Finding(path, number, "error", message)


def check_quotes(tree: Tree) -> Iterator[Finding]:
    """Code below a line <!-- from PATH --> of a Markdown text stands in that file, word for word.

    There it may be indented further. All C++ has such a line, so a reader copies what a test has compiled.
    """
    quote = re.compile(r"<!-- from (\S+) -->\n+```\w*\n(.*?)```", re.DOTALL)
    for path, text in tree.texts.items():
        if not path.endswith(".md"):
            continue
        for found in quote.finditer(text):
            source = tree.texts.get(found[1], "")
            if not any(indent(found[2], " " * n) in source for n in range(0, 10, 2)):
                line = text.count("\n", 0, found.start()) + 1
                yield Finding(path, line, "error", f"this is not what {found[1]} says")
        for found in re.finditer(r"^```(?:cpp|c\+\+)$", text, re.MULTILINE):
            if not re.search(r"<!-- from \S+ -->\n+$", text[: found.start()]):
                line = text.count("\n", 0, found.start()) + 1
                yield Finding(path, line, "error", "no <!-- from PATH --> above: which test has compiled this?")


def read_words(text: str) -> dict[str, str]:
    """The table of words.txt: word -> what to say instead."""
    lines = [line for line in text.split("\n") if line and not line.startswith("#")]
    return dict(line.split(" -> ", 1) for line in lines)


def code_of(text: str) -> str:
    """A source with blanks in place of what is no code, line by line."""
    return NOT_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def check_words(tree: Tree) -> Iterator[Finding]:
    """Things are called what the field calls them: no identifier has a word of words.txt in it."""
    words = read_words(WORDS.read_text(encoding="utf-8"))
    some = re.compile(f"(?:^|_)({'|'.join(map(re.escape, words))})s?(?:_|$)")
    for path, text in tree.texts.items():
        if not re.fullmatch(r"(libs|apps)/.+\.[ch]pp", path):
            continue
        for number, line in enumerate(code_of(text).split("\n"), start=1):
            for name in re.findall(r"[A-Za-z_]\w*", line):
                snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
                if found := some.search(snake):
                    what = f"'{name}': say '{words[found[1]]}', not '{found[1]}'"
                    yield Finding(path, number, "error", what)


def read_standard_names(text: str) -> dict[str, str]:
    """The table of standard_names.txt: name -> its header."""
    lines = [line for line in text.split("\n") if line and not line.startswith("#")]
    rows = [line.split(": ", 1) for line in lines]
    return {name: header for header, names in rows for name in names.split()}


def check_standard_includes(tree: Tree) -> Iterator[Finding]:
    """A public header includes the standard header of each name that it uses.

    Of headers that are compiled once for all modules: those a compiler has seen before it comes to this one.
    """
    header_of = read_standard_names(STANDARD_NAMES.read_text(encoding="utf-8"))
    for path, text in tree.texts.items():
        if not re.fullmatch(r"(libs|apps)/.+/include/.+\.hpp", path):
            continue
        included = set(re.findall(r"^#include <([^>]+)>", text, re.MULTILINE))
        wanted: dict[str, tuple[int, str]] = {}
        for number, line in enumerate(code_of(text).split("\n"), start=1):
            for name in re.findall(r"\bstd::(?:ranges::)?(\w+)", line):
                wanted.setdefault(header_of.get(name, ""), (number, f"std::{name}"))
            if "fmt::" in line:
                wanted.setdefault("fmt/format.h", (number, "fmt"))
        for header, (number, name) in wanted.items():
            if header and header not in included:
                yield Finding(path, number, "error", f"{name} without #include <{header}>")


RULES: list[Rule] = [
    check_sizes,
    check_root,
    check_licence,
    check_pragma_once,
    check_machine_paths,
    check_readmes,
    check_record_dates,
    check_versions,
    check_header_tests,
    check_test_registration,
    check_test_names,
    check_todo,
    check_formatting_compiled_again,
    check_quotes,
    check_words,
    check_standard_includes,
]


def lint(tree: Tree) -> list[Finding]:
    """Apply all rules."""
    return [finding for rule in RULES for finding in rule(tree)]


def main(arguments: list[str]) -> int:
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parents[2]
    findings = lint(Tree.read(root))
    for finding in findings:
        print(finding)
    n_errors = sum(finding.severity == "error" for finding in findings)
    print(f"lint: {n_errors} errors, {len(findings) - n_errors} warnings")
    return 1 if n_errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
