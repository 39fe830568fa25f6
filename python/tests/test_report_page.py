# SPDX-License-Identifier: MIT
"""Reports of runs of the program, opened in headless Chromium.

THALWEG_PROGRAM names the program, THALWEG_MPIEXEC what starts its ranks.
"""

import json
import math
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from synthetic import blocks, write_plotfile
from test_readers import write

from thalweg.report.trace_data import messages_of
from thalweg.trace_file import read_trace

DECKS = Path(__file__).resolve().parents[2] / "apps/hydro/decks"
BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
SECTIONS = ["run", "slices", "totals", "steps", "efficiency", "timeline", "path", "tasks", "messages"]
# By how much the page is wider than the window [px].
OVERHANG = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

pytestmark = [
    pytest.mark.skipif("THALWEG_PROGRAM" not in os.environ, reason="THALWEG_PROGRAM names no program"),
    pytest.mark.skipif(not (BROWSER and DRIVER), reason="chromium and chromium-driver are not installed"),
]


def simulate(out, *words):
    """Ten steps of a blast on two ranks, of which three are traced."""
    deck = ["mesh.max_level=2", "time.max_steps=10", "trace.steps=[4,7]", "run.log=both"]
    deck += ["output.series_interval=2", "output.plot_interval=5", "--out", str(out), *words]
    ranks = [os.environ.get("THALWEG_MPIEXEC", "mpirun"), "-n", "2", os.environ["THALWEG_PROGRAM"]]
    subprocess.run([*ranks, "run", str(DECKS / "sedov_2d.toml"), *deck], check=True, capture_output=True)


def report(*words):
    """Write a report by the command line and give its file."""
    program = ["--program", os.environ["THALWEG_PROGRAM"]]
    command = [sys.executable, "-m", "thalweg", "report", *map(str, words), *program]
    folder = Path(__file__).resolve().parent.parent
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.removeprefix("wrote ").strip())


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder of two runs, a and b, with the report of a in it and that of both beside them."""
    folder = tmp_path_factory.mktemp("report")
    simulate(folder / "a", "--model", "dataflow", "--threads", "2")
    simulate(folder / "b", "--model", "bulk")
    assert report(folder / "a") == folder / "a/report.html"
    assert report(folder / "a", folder / "b", "--output", folder / "ab.html") == folder / "ab.html"
    return folder


@pytest.fixture(scope="module")
def browser():
    webdriver = pytest.importorskip("selenium.webdriver")
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


def open_page(browser, page, width=1280, theme="light"):
    """Open a page in a window of a width; what stands on the console afterwards is an error."""
    feature = {"name": "prefers-color-scheme", "value": theme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    screen = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    browser.get(page.as_uri())
    browser.set_script_timeout(120)
    browser.execute_async_script(
        "const done = arguments[0]; const ask = () => (document.body.dataset.ready"
        " && [...document.images].every((i) => i.complete)) ? requestAnimationFrame(done) : setTimeout(ask, 20); ask();"
    )
    assert browser.get_log("browser") == []


def value(browser, expression):
    return browser.execute_script(f"return {expression}")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_opens_without_an_error_and_fits_a_phone(browser, runs, theme, width):
    open_page(browser, runs / "a/report.html", width, theme)
    assert value(browser, "window.innerWidth") == width  # but for a scroll bar, which stands in it
    assert value(browser, OVERHANG) <= 0
    assert value(browser, "[...document.querySelectorAll('section')].map((s) => s.id)") == SECTIONS
    # Text stands out from what is behind it: light on dark or dark on light.
    back, text = (
        sum(int(n) for n in value(browser, f"getComputedStyle(document.body).{side}")[4:-1].split(",")) / 3
        for side in ("backgroundColor", "color")
    )
    assert (back > 200 and text < 60) if theme == "light" else (back < 60 and text > 200)


def test_shows_what_the_run_left(browser, runs):
    open_page(browser, runs / "a/report.html")
    n_pictures = value(browser, "document.querySelectorAll('#slices img').length")
    assert n_pictures == value(browser, "[...document.images].filter((i) => i.naturalWidth >= 64).length") == 3 + 3
    assert value(browser, "[...document.querySelectorAll('#slices path')].every((p) => p.getAttribute('d').startsWith('M'))")
    # Each has its corners; the times of a variable have one range of colours.
    for side, ends in (("across", ["0", "x", "0.5"]), ("up", ["0.5", "y", "0"])):
        shown = value(browser, f"[...document.querySelectorAll('#slices .{side}')].map((e) => e.innerText.split(/\\s+/))")
        assert shown == [ends] * n_pictures
    ranges = value(browser, "[...document.querySelectorAll('#slices .scale')].map((e) => e.innerText)")
    assert len(set(ranges[:3])) == 1 and len(set(ranges)) > 1
    begin = json.loads((runs / "a/log.jsonl").read_text().split("\n")[0])
    said = value(browser, "document.querySelector('#run').innerText")
    for fact in (begin["version"], begin["compiler"], begin["mpi"], begin["started"], *begin["hosts"]):
        assert fact in said, fact
    # Every curve has a point for each row of what it is made of.
    lines = value(browser, "[...document.querySelectorAll('#steps path')].map((p) => p.getAttribute('d').match(/[ML]/g).length)")
    assert len(lines) == 3 + 4 and set(lines) == {10}
    series = value(browser, "[...document.querySelectorAll('#totals path')].map((p) => p.getAttribute('d').match(/[ML]/g).length)")
    assert set(series) == {6}  # steps 0, 2, ... 10
    trace = [os.environ["THALWEG_PROGRAM"], "trace", "summary", str(runs / "a/trace.pftrace"), "--json"]
    summary = json.loads(subprocess.run(trace, capture_output=True, check=True).stdout)
    shown = value(browser, "document.querySelector('#efficiency .tree').innerText")
    for part in summary["efficiencies"].values():
        assert f"{100 * part:.1f} %" in shown
    rows = value(browser, "document.querySelectorAll('#tasks tbody tr').length")
    assert rows == len(summary["tasks"])
    received = value(browser, "[...document.querySelectorAll('#messages tbody tr')].map((r) => +r.cells[2].innerText)")
    assert len(received) == 2 and sum(received) > 0
    nets = "performance.getEntriesByType('resource').filter((e) => !e.name.startsWith('data:')).length"
    assert value(browser, nets) == 0


def test_one_of_anything_is_no_plural(browser, tmp_path):
    words = ["mesh.max_level=0", "mesh.root_blocks=[1,1]", "time.max_steps=3", "trace.steps=[1,2]", "output.plot_interval=0"]
    command = [os.environ["THALWEG_PROGRAM"], "run", str(DECKS / "sedov_2d.toml"), *words, "--out", str(tmp_path / "out")]
    subprocess.run(command, check=True, capture_output=True)
    open_page(browser, report(tmp_path / "out"))
    said = value(browser, "document.body.innerText")
    assert "1 rank," in said and "level 0: 1 block" in said
    assert not re.search(r"\b1 (ranks|blocks|plotfiles|times|events)\b", said)


def test_messages_are_those_of_the_chrome_export(runs):
    trace, json_file = runs / "a/trace.pftrace", runs / "chrome.json"
    export = [os.environ["THALWEG_PROGRAM"], "trace", "export", str(trace), "--format", "chrome", "-o", str(json_file)]
    subprocess.run(export, check=True, capture_output=True)
    theirs = Counter()
    for event in json.loads(json_file.read_text())["traceEvents"]:
        if event["ph"] == "b" and event["cat"] == "recv" and 4 <= event["args"].get("step", 0) < 7:
            theirs[event["args"]["peer"], event["pid"]] += event["args"]["bytes"]
    ours = {(m["from"], m["to"]): m["bytes"] for m in messages_of(read_trace(trace))}
    assert ours == theirs and set(ours) == {(0, 1), (1, 0)}


def test_the_timeline_zooms_and_tells(browser, runs):
    # Tasks below a pixel are drawn as one: where the machine paused in the run it takes many pixels to tell them apart.
    open_page(browser, runs / "a/report.html", 3840)
    canvas = "document.querySelector('canvas')"

    def view():
        browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
        low, high = (int(n) for n in value(browser, f"{canvas}.dataset.view").split())
        return low, high, int(value(browser, f"{canvas}.dataset.drawn"))

    def press(label):
        browser.execute_script(f"document.querySelector('button[aria-label=\"{label}\"]').click()")

    low, high, drawn = view()
    assert low == 0 and drawn > 50
    press("zoom in")
    near = view()
    assert near[1] - near[0] == pytest.approx(high / 2, rel=0.01)
    press("later")
    assert view()[0] > near[0]
    press("show all")
    assert view() == (low, high, drawn)
    # The wheel zooms about the pointer: at the left end, where the first task begins.
    browser.execute_script(
        f"const c = {canvas}, b = c.getBoundingClientRect();"
        "c.dispatchEvent(new WheelEvent('wheel', { deltaY: -500, clientX: b.x + 74, clientY: b.y + 5 }));"
    )
    closer = view()
    assert closer[0] == 0 and closer[1] == pytest.approx(high * math.exp(-1), rel=0.01) and closer[2] > 0
    press("show all")
    view()
    # The first task of the first row, where the pointer is on it.
    told = "document.querySelector('#timeline .tip').innerText"
    for _ in range(12):  # nearer each time: where the run took long, no task is as wide as a pixel at first
        browser.execute_script(
            f"const c = {canvas}, b = c.getBoundingClientRect();"
            "for (let x = 75; x < b.width; ++x) {"
            " c.dispatchEvent(new PointerEvent('pointermove', { clientX: b.x + x, clientY: b.y + 12 }));"
            f" if (!{told}.includes('no task')) break; }}"
        )
        if "no task" not in value(browser, told):
            break
        browser.execute_script(
            f"const c = {canvas}, b = c.getBoundingClientRect();"
            "c.dispatchEvent(new WheelEvent('wheel', { deltaY: -500, clientX: b.x + 74, clientY: b.y + 5 }));"
        )
        view()
    assert "rank 0, worker 0" in value(browser, told) and "step" in value(browser, told)


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_a_run_without_log_series_and_trace_has_a_report(browser, tmp_path, dimension):
    write(tmp_path / "out/plt00007", dimension)
    open_page(browser, report(tmp_path / "out"), 360)
    assert value(browser, OVERHANG) <= 0
    assert value(browser, "[...document.querySelectorAll('section')].map((s) => s.id)") == SECTIONS[:5]
    said = value(browser, "document.body.textContent")
    for what in ("No log.jsonl", "output.series_interval", "trace.steps", "no deck beside"):
        assert what in said, what
    assert value(browser, "document.querySelectorAll('#blocks').length") == (dimension > 1)  # a line has no outlines


CHART = "[...document.querySelectorAll('#totals .card')].find((c) => c.querySelector('h3').innerText === '{}')"


def test_columns_of_an_application_are_called_what_they_are(browser, tmp_path):
    write(tmp_path / "out/plt00007", 2)
    (tmp_path / "out/series.csv").write_text("step [steps],time [time],u total [mass],f_min\n0,0,1,0.5\n4,.5,1,0.25\n")
    open_page(browser, report(tmp_path / "out"))
    titles = value(browser, "[...document.querySelectorAll('#totals h3')].map((h) => h.innerText)")
    assert titles == ["u, total [mass]", "f_min"]


def test_a_point_alone_is_seen(browser, tmp_path):
    write(tmp_path / "out/plt00007", 2)
    (tmp_path / "out/series.csv").write_text("step [steps],time [time],a,b\n0,0,1,1\n1,.5,nan,2\n2,1,3,3\n")
    open_page(browser, report(tmp_path / "out"))
    assert value(browser, f"{CHART.format('a')}.querySelectorAll('circle').length") == 2
    assert value(browser, f"{CHART.format('b')}.querySelectorAll('circle').length") == 0
    assert value(browser, "document.querySelectorAll('#steps circle').length") == 2  # blocks of two levels, at one step


def test_what_values_have_in_common_stands_above_their_curve(browser, tmp_path):
    write(tmp_path / "out/plt00007", 2)
    (tmp_path / "out/series.csv").write_text("step [steps],time [time],mass\n0,0,1.00000002\n1,.5,1.0\n2,1,1.00000001\n")
    open_page(browser, report(tmp_path / "out"))
    text, curve = (f"{CHART.format('mass')}.querySelector('{of}').getBoundingClientRect()" for of in ("text.offset", "path"))
    assert value(browser, f"{text}.bottom") <= value(browser, f"{curve}.top")


def test_plotfiles_that_are_left_out_are_named(browser, tmp_path):
    write(tmp_path / "out/plt00007", 2), write(tmp_path / "out/plt00008", 2)
    (tmp_path / "out/plt00008/Header").write_text("")
    open_page(browser, report(tmp_path / "out"))
    said = value(browser, "document.querySelector('#run').innerText")
    assert "A plotfile is left out: " in said and "plt00008/Header: the file is empty" in said


def test_variables_that_are_not_shown_are_named(browser, tmp_path):
    names = [f"Y{k}" for k in range(8)]
    values = lambda x, h: np.stack([x[..., 0]] * len(names))  # noqa: E731
    write_plotfile(tmp_path / "out/plt00000", names, [0, 0], [1, 1], [(8, blocks(8, 2, 4))], values)
    open_page(browser, report(tmp_path / "out"))
    assert "Not shown: Y6, Y7. --variable" in value(browser, "document.querySelector('#slices').innerText")


def test_tables_sort(browser, runs):
    open_page(browser, runs / "a/report.html")
    counts = "[...document.querySelectorAll('#tasks tbody tr')].map((r) => +r.cells[1].innerText)"
    head = "document.querySelectorAll('#tasks th button')[1].click()"
    browser.execute_script(head)
    falling = value(browser, counts)
    assert falling == sorted(falling, reverse=True) and len(set(falling)) > 1
    browser.execute_script(head)
    assert value(browser, counts) == sorted(falling)


@pytest.mark.parametrize("width", [360, 1280])
def test_two_runs_stand_beside_each_other(browser, runs, width):
    open_page(browser, runs / "ab.html", width)
    assert value(browser, OVERHANG) <= 0
    assert value(browser, "document.querySelectorAll('#timeline canvas').length") == 2
    differ = value(browser, "document.querySelector('#run > .card').innerText")
    assert "run.model" in differ and '"bulk"' in differ and "mesh.max_level" not in differ
    blocks = "[...document.querySelectorAll('#comparison tr')].find((r) => r.innerText.startsWith('blocks')).innerText"
    # The same bits, so the same blocks.
    a, b, ratio = value(browser, blocks).split()[-3:]
    assert a == b and float(ratio) == 1
