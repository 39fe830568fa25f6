# SPDX-License-Identifier: MIT
"""What people see while a run goes on, and the commands that the Python package does."""

from __future__ import annotations

import os
import pty
import shlex
import subprocess
from collections.abc import Callable

from shell import BAD_REQUEST, FAILURE, SOD, STOPPED, SUCCESS, Command, Shell

COMMANDS = {
    "no_terminal_gets_a_line_a_step": Command([*SOD], SUCCESS, ["zones/s", "2 steps"]),
    "report_on_two_ranks": Command(["report", "none"], BAD_REQUEST, ["report on 2 ranks", "without mpirun"], ranks=2),
    "params_of_nothing_on_three_ranks": Command(["params", "none"], BAD_REQUEST, ["unknown application 'none'"], ranks=3),
    "unknown_command_on_three_ranks": Command(["nonsense"], BAD_REQUEST, ["unknown command 'nonsense'"], ranks=3),
    "unknown_option_of_calibrate_on_three_ranks": Command(["calibrate", "--nope"], BAD_REQUEST, ["--nope", "calibrate --help"], ranks=3),
    "threads_without_a_number": Command(
        [*SOD, "--threads", ""], BAD_REQUEST, ["--threads '' (no value); give one", "run --help"], ranks=2, makes_not=["sod"]
    ),
    "quiet_runs_say_what_they_came_to": Command([*SOD, "--quiet"], SUCCESS, ["2 steps", "plotfiles"]),
    "unknown_display": Command([*SOD, "run.display=film"], BAD_REQUEST, ["run.display", "film", "bar"]),
}

# In place of Python with the package: says what it was started with.
PYTHON = """#!/bin/sh
case "$*" in
  *" -c "*) printf /there/thalweg ;;
  *) printf '%s|' "$@"; echo; [ "$5" != none ] ;;
esac
"""


def replace_python(shell: Shell) -> None:
    python = shell.folder / "python"
    python.write_text(PYTHON)
    python.chmod(0o755)
    os.environ["THALWEG_PYTHON"] = str(python)


def on_terminal(shell: Shell, *arguments: str) -> str:
    """Run the program on a terminal; what it writes there."""
    here, there = pty.openpty()
    run = subprocess.Popen([shell.program, *arguments], cwd=shell.folder, stdout=there, stderr=there, stdin=there)
    os.close(there)
    text = b""
    try:
        while part := os.read(here, 4096):
            text += part
    except OSError:  # what a terminal gives when nobody writes to it any more
        pass
    os.close(here)
    print(text)
    assert run.wait() == SUCCESS
    return text.decode()


def terminals_get_a_bar(shell: Shell) -> None:
    text = on_terminal(shell, *SOD)
    assert "zones/s" not in text
    assert text.startswith("[") and " %  " in text and " left  step " in text
    assert "\r\x1b[K2 steps" in text, "the bar is gone at the end"
    quiet = on_terminal(shell, *SOD, "--quiet", "--out", "quiet")
    assert "\r\x1b" not in quiet and " left" not in quiet and "2 steps" in quiet
    lines = on_terminal(shell, *SOD, "run.display=lines", "--out", "lines")
    assert "zones/s" in lines and "\r\x1b" not in lines
    os.environ["PMI_SIZE"] = "1"  # as under mpirun, whose output may be a file
    assert "zones/s" in on_terminal(shell, *SOD, "--out", "rank")
    assert len({shell.succeed("hash", f"{folder}/plt00002") for folder in ("sod", "quiet", "lines", "rank")}) == 1


def report_and_watch_are_the_packages(shell: Shell) -> None:
    replace_python(shell)
    assert "-P|-m|thalweg|watch|out|--once|\n" in shell.succeed("watch", "out", "--once")
    assert "-P|-m|thalweg|vtkhdf|plt00020|\n" in shell.succeed("vtkhdf", "plt00020")
    said = shell.succeed("report", "a b", "c")
    assert said.startswith("-P|-m|thalweg|report|a b|c|--program|/") and said.endswith("/thalweg|\n")
    assert "|report|a|--program|mine|\n" in shell.succeed("report", "a", "--program", "mine")
    assert shell.run(["report", "none"])[0] == BAD_REQUEST
    (shell.folder / "python").unlink()
    for name, option in [("report", "--program FILE"), ("watch", "--interval S"), ("vtkhdf", "--output FILE")]:
        said = shell.succeed(name, "--help")
        assert f"Usage: thalweg {name} " in said and option in said and said == shell.succeed(name, "out", "-h"), said
    code, said = shell.run(["watch", "out"])
    assert code == BAD_REQUEST and "error: no Python package thalweg" in said and "pip install" in said


def output_report_has_the_package_write_it(shell: Shell) -> None:
    replace_python(shell)
    run = [*SOD, "output.report=true"]
    assert "-m|thalweg|report|a|--program|" in shell.succeed(*run, "--out", "a", ranks=2)
    assert "|report|" not in shell.succeed(*SOD, "--out", "without")
    events = shell.events(*run, "--out", "json")  # nothing else on standard output
    assert events[-1]["event"] == "end"
    (shell.folder / "python").unlink()
    said = shell.succeed(*run, "--out", "b")
    assert "warning: no report: no Python package thalweg" in said and "`thalweg report b`" in said


def exit_codes_hold_where_nothing_can_be_printed(shell: Shell) -> None:
    for words, code, errors in [
        ([*SOD, "--out", "a"], SUCCESS, "2>&1"),
        (["run", "sod.toml", "run.wall_limit=1e-9", "--out", "b"], STOPPED, "2>&-"),
        ([*SOD, "time.cfl=3"], BAD_REQUEST, "2>&1"),
        (["hash", "a/plt00002"], FAILURE, "2>&1"),
    ]:
        run = f"{shlex.join([shell.program, *words])} >/dev/full {errors}"
        done = subprocess.run(run, shell=True, cwd=shell.folder)
        assert done.returncode == code, (run, done.returncode)


def help_is_printed_once_for_all_ranks(shell: Shell) -> None:
    for words in ["--help"], ["run", "--help"], ["vlasov", "--help"], ["report", "--help"]:
        said = shell.succeed(*words, ranks=3)
        assert said.lower().count("usage: thalweg") == 1 and said.count("--scaled") <= 1, said
    for words in ["params"], ["params", "mesh.mode"]:
        assert shell.succeed(*words, ranks=3).count("mesh.mode = ") == 1
    assert shell.succeed("--version", ranks=3).count("thalweg") == 1
    code, said = shell.run([], ranks=3)
    assert code == BAD_REQUEST and said.count("Usage: thalweg") == said.count("error: no command") == 1, said


FUNCTIONS: list[Callable[[Shell], None]] = [
    help_is_printed_once_for_all_ranks,
    terminals_get_a_bar,
    report_and_watch_are_the_packages,
    output_report_has_the_package_write_it,
    exit_codes_hold_where_nothing_can_be_printed,
]
