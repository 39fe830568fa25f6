# SPDX-License-Identifier: MIT
"""What the published studies share: machines, times of tasks, and predictions."""

import json
import os
import subprocess
import tempfile
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from studies import PROGRAM as BUILT
from studies import ROOT

PROGRAM = Path(os.environ.get("THALWEG", BUILT))
MACHINES = ROOT / "bench" / "machines"
N_STEPS = 2  # that are simulated; 2 at least
TIME_LIMIT_S = 7200  # of one prediction


@dataclass(frozen=True)
class Times:
    """What tasks take: by name, nanoseconds without that for their bytes, and for each byte that they pack or unpack."""

    of: dict
    memory_bound: tuple = ()  # names of those that memory bandwidth bounds, with their times on a core alone

    def ns(self, name):
        return self.of[name][0]

    def scaled(self, factor_of):
        """The same with all times of a task multiplied by factor_of(its name)."""
        return Times({name: tuple(factor_of(name) * t for t in both) for name, both in self.of.items()}, self.memory_bound)

    def toml(self, program):
        """A file of them, of a program whatever its settings."""
        ns, ns_per_byte = zip(*self.of.values())
        lists = {"names": [*self.of], "ns": [*ns], "ns_per_byte": [*ns_per_byte], "memory_bound": [*self.memory_bound]}
        return f"[of]\nprogram = {json.dumps(program)}\n[tasks]\n" + "".join(f"{key} = {json.dumps(values)}\n" for key, values in lists.items())


def machine(name, end, ranks_per_node):
    """The text of a machine file at one end of its band, "low" or "high", which is also its name."""
    sections = tomllib.loads((MACHINES / f"{name}.toml").read_text())
    sections["machine"] |= {"name": end, "ranks_per_node": ranks_per_node}
    if end == "high":
        for key, value in tomllib.loads((MACHINES / "high_ends.toml").read_text())[name].items():
            sections["machine" if key in sections["machine"] else "network"][key] = value
    lines = []
    for section, keys in sections.items():
        lines += [f"[{section}]", *(f"{key} = {json.dumps(value)}" for key, value in keys.items())]
    return "\n".join([*lines, ""])


def call(words, files):
    """Run `thalweg predict` beside some files {name: text}; returns the text of each file that there is afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            (Path(folder) / name).write_text(text)
        command = [str(word) for word in (PROGRAM, "predict", *words)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=TIME_LIMIT_S)
        if done.returncode != 0 or done.stderr:  # a warning, too: a task without a time counts as none
            raise RuntimeError(f"{' '.join(command)}: exit code {done.returncode}, {done.stderr}")
        return {path.name: path.read_text() for path in Path(folder).iterdir()}


def measured_times(n_ranks, subject):
    """The times of tasks here, in processor time, of a program or deck and its words."""
    words = ["--machine", "m.toml", "--save-times", "t.toml", "--steps", 6, "--ranks", n_ranks, *subject]
    tasks = tomllib.loads(call(words, {"m.toml": ""})["t.toml"])["tasks"]
    return Times(dict(zip(tasks["names"], zip(tasks["ns"], tasks["ns_per_byte"]))))


def predict(name, ranks_per_node, end, times, model, n_ranks, n_threads, subject, models=()):
    """The prediction of one layout on a machine at one end of its band, as `thalweg predict -o` writes it.

    With models, all those that will be asked for, the mesh is made once for them.
    """
    words = ["--times", "t.toml", "--steps", N_STEPS, "-o", "p.json", "--ranks", n_ranks, "--threads", n_threads]
    for each in models or (model,):
        words += ["--model", each]
    first = Path(subject[0])  # APPLICATION/decks/DECK.toml, or a command
    text = times.toml(first.parents[1].name if first.suffix == ".toml" else first.name)
    return at_both_ends(name, ranks_per_node, text, tuple(str(word) for word in (*words, *subject)))[end, model]


@cache
def at_both_ends(name, ranks_per_node, times, words):
    """Both ends' predictions from one capture of the graphs: {(end, model): prediction}."""
    files = {f"{end}.toml": machine(name, end, ranks_per_node) for end in ("low", "high")}
    machines = [word for file in files for word in ("--machine", file)]
    written = call([*machines, *words], {**files, "t.toml": times})
    return {(each["machine"], each["model"]): each for each in json.loads(written["p.json"])["predictions"]}
