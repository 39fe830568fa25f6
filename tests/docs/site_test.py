# SPDX-License-Identifier: MIT
"""The site is made of the repository's texts, every link in it leads somewhere, guides' blocks run.

THALWEG_PROGRAM names the program.
"""

import json
import os
import re
import runpy
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/docs"))

from build import build, contents, linked, texts  # noqa: E402  (the path is needed first)
from cpp import public_folders  # noqa: E402
from decks import IN_PLACE, KEY, applications_of, keys_of, page_of  # noqa: E402

PROGRAM = Path(os.environ["THALWEG_PROGRAM"])


def params(*words):
    return subprocess.run([PROGRAM, "params", *words], capture_output=True, text=True, check=True).stdout


class Page(HTMLParser):
    """The links of a page, and what they may lead to."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors, self.outside = [], set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)
                if tag != "a" and urlsplit(value).netloc:
                    self.outside.append(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    assert build(ROOT, PROGRAM, folder) == 0
    return folder / "html"


def test_every_text_is_a_page_and_links_lead_somewhere(site):
    pages = {path: Page(path) for path in site.rglob("*.html")}
    for text in texts(ROOT):
        assert site / text.with_suffix(".html") in pages
    n_links = 0
    for path, page in pages.items():
        assert page.outside == [], path  # scripts, styles and pictures come with the site
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or link in ("#", "_static/placeholder"):
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            assert target.exists(), f"{path}: {link}"
            # Doxygen 1.9 links to the list of nested types where all of them are private and there is none.
            if parts.fragment and target in pages and link != "#nested-classes":
                assert unquote(parts.fragment) in pages[target].anchors, f"{path}: {link}"
            n_links += 1
    assert n_links > 50000


def test_every_text_is_in_the_navigation(site):
    shown = Page(site / "index.html").links
    for text in texts(ROOT):
        assert text.with_suffix(".html").as_posix() in shown
    assert "decks/hydro.html" in shown and "python/package.html" in shown


def test_the_package_is_described_with_its_types(site):
    page = re.sub("<[^>]*>", "", (site / "python/package.html").read_text())
    for words in ("thalweg.run(name", "thalweg.open(path)", "str | Path", "(variables, nx[, ny[, nz]])", "KeyError", "thalweg.Simulation(deck", "thalweg.Graph", "until (SupportsFloat", "with_ghosts("):
        assert words in page, words


def test_public_headers_have_pages_with_what_their_docstrings_say(site):
    headers = {path for folder in public_folders(ROOT) for path in folder.rglob("*.hpp") if "detail" not in path.parts}
    listed = re.sub("<[^>]*>", " ", (site / "cpp/files.html").read_text())
    assert len(headers) > 200 and {path.name for path in headers} <= set(listed.split())
    page = re.sub("<[^>]*>", "", (site / "cpp/classthalweg_1_1flow_1_1Executor.html").read_text())
    for words in ("Replays graphs on the threads of one rank.", "n_replays", "Threads", "Errors"):
        assert words in page, words
    assert 'href="cpp/files.html"' in (site / "cpp.html").read_text()


def test_decks_of_every_application_are_listed_whole(site):
    for application in applications_of(params()):
        page = re.sub("<[^>]*>", "", (site / f"decks/{application}.html").read_text())
        text = params(application)
        names = re.findall(r"^(\w+\.\w+) = ", text, re.MULTILINE)
        keys = keys_of(text)
        assert [key.name for key in keys] == names and len(names) > 20
        assert all(key.meaning or key.range == IN_PLACE for key in keys)
        for name in set(names):
            assert page.count(f"{name} = ") + page.count(f"{name}, which must") == names.count(name), name
    assert "problem sod" in page_of("hydro", "", params("hydro"))


def test_keys_are_read_with_their_defaults_units_and_ranges():
    keys = keys_of('# head\n\na.b = [0.0, 0.0] [length]    reals x1..3\n    Where.\na.c = "x"   choice x|y\n    What.\n')
    assert [(k.name, k.default, k.unit, k.range, k.meaning) for k in keys] == [
        ("a.b", "[0.0, 0.0]", "length", "reals x1..3", "Where."),
        ("a.c", '"x"', "", "choice x|y", "What."),
    ]
    assert KEY.fullmatch('a.d = ["p", "q"]    strings p|q')["default"] == '["p", "q"]'
    with pytest.raises(ValueError, match="what is this"):
        keys_of("what is this\n")


def small_repository(folder, text):
    (folder / "docs/guide").mkdir(parents=True)
    (folder / "docs/guide/reading_results.md").write_text("# Read\n\n" + text)
    (folder / "docs/python.md").write_text("# Python\n")  # the package's page leads to both
    (folder / "libs/a").mkdir(parents=True)
    (folder / "libs/a/README.md").write_text("# a\n\n## Part one\n\nText.\n")
    (folder / "README.md").write_text("# Top\n")
    return folder


@pytest.mark.parametrize(
    "link, is_good",
    [("../../libs/a", True), ("../../libs/a/README.md#part-one", True), ("../../libs/a/README.md#part-two", False), ("none.md", False)],
)
def test_a_link_that_leads_nowhere_is_an_error(tmp_path, capfd, link, is_good):
    root = small_repository(tmp_path / "root", f"See [it]({link}).\n")
    assert (build(root, PROGRAM, tmp_path / "out") == 0) == is_good
    assert is_good or "reading_results.md" in capfd.readouterr().err


def test_links_to_folders_lead_to_their_texts_but_not_in_code(tmp_path):
    root = small_repository(tmp_path, "")
    text = "[a](libs/a) `[a](libs/a)` [b](libs/a/README.md#x)\n```\n[a](libs/a)\n```\n"
    assert linked(text, Path("."), root) == text.replace("[a](libs/a)", "[a](libs/a/README.md)", 1)
    assert contents(["docs/new/page.md", "libs/a/README.md"]).count("/docs/new/page\n") == 1


def blocks_of(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", sorted((ROOT / "docs/guide").glob("*.md")), ids=lambda path: path.name)
def test_commands_of_guides_run(page, tmp_path):
    """Blocks ```sh run in one shell; its Python is that of the tests, and m.toml a machine."""
    blocks = blocks_of(page, "sh")
    if not blocks:
        return
    (tmp_path / "apps").symlink_to(ROOT / "apps")
    (tmp_path / "m.toml").write_text(blocks_of("docs/guide/machine_files.md", "toml")[0])
    path = os.pathsep.join([str(PROGRAM.parent), str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT / "python")}
    done = subprocess.run(
        ["sh", "-eu"], input="".join(blocks), cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_files_that_predict_is_said_to_read_are_read(tmp_path):
    _, machine, times = blocks_of("docs/guide/machine_files.md", "toml")  # the first one is minimal
    (tmp_path / "machine.toml").write_text(machine)
    (tmp_path / "times.toml").write_text(times)
    command = [PROGRAM, "predict", ROOT / "apps/hydro/decks/sod.toml", "--machine", tmp_path / "machine.toml", "--ranks", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    done = subprocess.run([*command, "--times", tmp_path / "times.toml"], capture_output=True, text=True, check=False)
    unknown = re.search(r"times of (.*) \(2 ranks", done.stderr)[1].split(", ")
    assert done.returncode == 0 and "fill" in unknown and "advance" not in unknown, done.stderr


def test_a_fault_and_a_list_of_figures_are_read_as_shown(tmp_path):
    (fault,) = blocks_of("tests/faults/README.md", "toml")
    (tmp_path / "list.toml").write_text(fault)
    command = [sys.executable, "-B", ROOT / "tests/faults/plant.py", "--check", tmp_path / "list.toml"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (figures,) = blocks_of("bench/README.md", "json")
    table = "\n".join(runpy.run_path(str(ROOT / "bench/run"))["table"](json.loads(figures)))
    assert "3 levels, dataflow: outside tasks" in table and "0.8" in table and "1.1" in table
