#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measure a grid of ways to run a deck on two cores, and look up what `thalweg tune` proposed.

bench: time of the layout that `thalweg tune` proposes over that of the best of 24 measured ones

A small Sedov blast on two levels with regrids: blocks of 8^3 and 16^3; two ranks with 1, 4 or one message a face to a neighbour, or one
rank of two threads; regrids every 1, 2 or 4 steps with a buffer of as many cells. `thalweg calibrate` describes the machine. All settings
take turns, and the first turn does not count.
"""

import argparse
import json
import os
import re
import shlex
import sys
import tempfile
from itertools import product
from statistics import median

from predict_validation import N_STEPS, call, deck_ms
from release import build_release
from turns import ratio, result, take_turns

CELLS = 32  # of level 0, along each axis
DECK = ["apps/hydro/decks/sedov.toml", "mesh.max_level=1", "problem.radius=0.1", f"time.max_steps={N_STEPS}", "time.end=1e9"]
BLOCKS = (8, 16)
MESSAGES = (1, 4, 0)
INTERVALS = (1, 2, 4)


def settings():
    """All that are measured: ranks and threads, and the words of a deck."""
    for n, interval in product(BLOCKS, INTERVALS):
        blocks = {"mesh.block_cells": str(n), "mesh.root_blocks": f"[{','.join([str(CELLS // n)] * 3)}]"}
        regrids = {"regrid.interval": str(interval), "regrid.buffer": str(interval)}
        for ranks, threads, messages in ((1, 2, MESSAGES[0]), *((2, 1, m) for m in MESSAGES)):
            yield ranks, threads, frozenset((blocks | regrids | {"exchange.max_comm_tasks": str(messages)}).items())


def proposal(machine):
    """What tune proposes, as one of the settings."""
    start = next(words for ranks, _, words in settings() if dict(words)["regrid.interval"] == "2")
    changed = {*DECK[1:], *(f"{key}={value}" for key, value in start)}
    deck = [DECK[0], *sorted(changed)]
    printed = call("tune", *deck, "--machine", machine, "--cores", 2, "--block-cells", ",".join(map(str, BLOCKS)),
                   "--messages", ",".join(map(str, MESSAGES)))
    print(printed, file=sys.stderr)
    line = re.search(r"^proposed: mpirun -n (\d+) .* --threads (\d+)$", printed, re.MULTILINE)
    words = dict(word.split("=", 1) for word in shlex.split(line.group()) if "=" in word)  # the last of a key wins
    ranks, threads = map(int, line.groups())
    return ranks, threads, frozenset((key, words[key]) for key in dict(start))


def measure(ranks, threads, words, folder):
    """Milliseconds a step with its regrids, from the work and rate that the program prints."""
    return deck_ms(call("run", *DECK, *(f"{key}={value}" for key, value in sorted(words)), "--threads", threads, "--out", folder,
                        "--force", ranks=ranks))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--turns", type=int, default=3, help="that count")
    n_turns = parser.parse_args().turns
    if "THALWEG" not in os.environ:
        build_release("thalweg")
    with tempfile.TemporaryDirectory() as folder:
        machine = f"{folder}/machine.toml"
        call("calibrate", "-o", machine, ranks=2)
        chosen = proposal(machine)
        took = take_turns(measure, {setting: (*setting, f"{folder}/out") for setting in settings()}, n_turns)
    for (ranks, threads, words), ms in sorted(took.items(), key=lambda item: median(item[1])):
        mark = "  <- proposed" if (ranks, threads, words) == chosen else ""
        print(f"{median(ms):8.3f} ms  {ranks} x {threads}  {' '.join(sorted(map('='.join, words)))}{mark}", file=sys.stderr)
    turns = [{setting: ms[turn] for setting, ms in took.items()} for turn in range(n_turns)]
    of_turn = {
        "proposed": lambda ms: ms[chosen],
        "median of the grid": lambda ms: median(ms.values()),
        "worst of the grid": lambda ms: max(ms.values()),
    }
    medians = {setting: median(ms) for setting, ms in took.items()}
    by_medians = medians[chosen] / min(medians.values())
    results = [result(f"proposed over best of {len(took)}, by medians of all turns", [by_medians])]
    for name, value in of_turn.items():
        results.append(ratio(f"{name} over best of {len(took)}", map(value, turns), [min(ms.values()) for ms in turns]))
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
