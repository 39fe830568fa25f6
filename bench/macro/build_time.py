#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Find where the time goes that a build takes.

bench: processor seconds to compile and link what ./test builds, by module and by kind, and the slowest files

Everything is built from nothing in a folder of its own, or only the targets given as arguments. Every compiler and
linker is run by this file, which writes down the processor time it took: unlike what a clock says, that is hardly
more on a busy machine, so one repetition is enough. No cache is asked.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "build_time"
LOG = BUILD / "times.txt"
N_SLOWEST = 20


def record(log, command):
    """Run a command and append the processor time it took and what it made to a file."""
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    output = command[command.index("-o") + 1] if "-o" in command else "?"
    with open(log, "a") as file:
        file.write(f"{usage.ru_utime + usage.ru_stime:.3f} {output}\n")
    return os.waitstatus_to_exitcode(status)


def build(targets):
    """Build targets from nothing, or everything."""
    quiet = {"stdout": sys.stderr, "check": True, "cwd": ROOT}
    shutil.rmtree(BUILD, ignore_errors=True)
    launcher = f"{sys.executable};-S;{__file__};--record;{LOG}"
    launchers = [f"-DCMAKE_{what}_LAUNCHER={launcher}" for what in ("C_COMPILER", "CXX_COMPILER", "CXX_LINKER")]
    subprocess.run(["cmake", "--preset", "ci-release", "-B", BUILD, *launchers], **quiet)
    LOG.write_text("")  # what CMake tried out does not count
    subprocess.run(["cmake", "--build", BUILD, *(["-t", *targets] if targets else [])], **quiet)


def kind_of(output):
    """The folder that something was built for, and what it is."""
    if not re.search(r"\.(o|gch)$", output):
        return "all", "linking"
    folder, _, rest = output.partition("/CMakeFiles/")
    if output.endswith(".gch"):
        return folder, "precompiled headers"
    if re.search(r"_headers\.dir/", rest):
        return folder, "headers alone"
    parts = folder.split("/")
    if "test" in parts:
        return "/".join(parts[: parts.index("test")]), "tests"
    return folder, "tests" if parts[0] == "tests" else "sources"


def main():
    build(sys.argv[1:])
    files = []
    for line in LOG.read_text().splitlines():
        seconds, output = line.split(" ", 1)
        files.append((float(seconds), output))
    by_kind, by_folder = defaultdict(list), defaultdict(list)
    for seconds, output in files:
        folder, kind = kind_of(output)
        by_kind[kind].append(seconds)
        by_folder[f"{folder}: {kind}"].append(seconds)

    rows = [("all", [seconds for seconds, _ in files])]
    for groups in (by_kind, by_folder):
        rows += sorted(groups.items(), key=lambda row: -sum(row[1]))
    results = [
        {"metric": f"{name} ({len(all_seconds)})", "value": sum(all_seconds), "unit": "s"}
        for name, all_seconds in rows
        if name != "all: linking"
    ]
    for seconds, output in sorted(files, reverse=True)[:N_SLOWEST]:
        name = re.sub(r"CMakeFiles/[^/]+\.dir/|\.o$", "", output)
        results.append({"metric": name, "value": seconds, "unit": "s"})
    for result in results:
        result["low"] = result["high"] = result["value"]
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--record"]:
        sys.exit(record(sys.argv[2], sys.argv[3:]))
    main()
