#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Use the program as badly as one can, many times, and say what it must not do.

Usage: hostile.py --program THALWEG --apps FOLDER --work FOLDER [--first N] [--tries N]

A try is made of its number alone: `--first 123 --tries 1` does one again. It changes a deck of the
repository (its text, or a value by what `thalweg params` says of the key), takes options, folders,
signals, and full disks at random, and asserts:

- the exit code is one of those that the help names, or the signal where there are no steps to lose, or were two;
- what is refused is refused within 10 s;
- nothing changed but in the folder for results, and nothing there that another run has written;
- no part of a file, a plotfile or a checkpoint is left where the program ended by itself;
- no message has "nan" unless it was typed, a byte that is no text, or the same prefix twice.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

EXIT_CODES = {0, 1, 2, 3, 75}
BAD_REQUEST = 2
ANSWER_S = 10.0  # in which a bad request is answered, and a signal
PATIENCE_S = 4.0  # after which a run that goes on is asked to stop
MEMORY_BYTES = 6 << 30  # of a process: a large mesh is refused, or fails
KEEPS_SHORT = {
    "max_steps": "3",
    "max_level": "1",
    "block_cells": "8",
    "cells": "[32, 32]",
    "tile": "[16, 16]",
    "plot_interval": "2",
}
DECK = "deck.toml"
OTHERS = "others"  # holds results of another run


@dataclass
class Try:
    """What is typed, and what goes on meanwhile."""

    words: list[str]
    deck: bytes
    signals: list[tuple[float, int]] = field(default_factory=list)  # seconds from the start
    disk_kib: int | None = None  # of the disk that holds the folder out
    out: set[str] = field(default_factory=set)  # names that may appear


@dataclass(frozen=True)
class Key:
    """A parameter as `thalweg params` lists it."""

    name: str
    default: str
    kind: str
    rest: str


def listed_keys(program: str, application: str) -> list[Key]:
    text = subprocess.run([program, "params", application], capture_output=True, text=True, check=True).stdout
    line = re.compile(r"^([a-z_.]+\.[a-z_]+) = (.*?)\s{2,}(\w+)(.*)$", re.MULTILINE)
    return [Key(*found.groups()) for found in line.finditer(text)]


def strange_value(rng: random.Random, key: Key) -> str:
    """A value in TOML: often of the right type, often at an end of its range or beyond, often none at all."""
    numbers = ["0", "1", "2", "3", "8", "16", "-1", "7", "64", "1000", "65536", "2147483648", "-9223372036854775808"]
    reals = ["0.0", "0.5", "1.0", "-1.0", "1e-300", "1e300", "5e-324", "1e308", "nan", "inf", "-inf", "1e400", "5/3", "1/0", "0x10"]
    words = ['""', '"x"', '"\\u0000"', '"\\u202e"', '"' + 400 * "a" + '"', '"none"', '"latest"', "true", "1979-05-27", "{}", "[[]]"]
    choices = [f'"{c}"' for c in re.findall(r"[a-z_]+", key.rest.split("[")[0])] or ['"x"']
    pool = {
        "int": numbers,
        "real": reals + numbers,
        "reals": reals,
        "ints": numbers,
        "bool": ["true", "false"],
        "choice": choices,
        "strings": choices,
    }.get(key.kind, words)
    if rng.random() < 0.25:
        pool = rng.choice([numbers, reals, words])
    value = rng.choice(pool)
    if key.kind.endswith("s") and rng.random() < 0.9:
        value = "[" + ", ".join(rng.choice(pool) for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 3, 4, 40]))) + "]"
    return value


def short(text: str) -> str:
    """The deck for a run of some milliseconds."""
    for key, value in KEEPS_SHORT.items():
        text = re.sub(rf"^{key} = .*$", f"{key} = {value}", text, flags=re.MULTILINE)
    if "max_steps" not in text:
        text = text.replace("[time]", f"[time]\nmax_steps = {KEEPS_SHORT['max_steps']}", 1)
    return re.sub(r"^root_blocks = \[(.*)\]", lambda m: f"root_blocks = [{', '.join('2' for _ in m[1].split(','))}]", text, flags=re.M)


def damaged(rng: random.Random, text: str) -> bytes:
    """The text with bits, characters or lines changed."""
    data = bytearray(text.encode())
    for _ in range(rng.choice([1, 1, 2, 5])):
        at = rng.randrange(len(data))
        what = rng.randrange(6)
        if what == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif what == 1:
            del data[at]
        elif what == 2:
            data.insert(at, rng.randrange(256))
        elif what == 3:
            del data[at : at + rng.randrange(80)]
        elif what == 4:
            data[at:at] = data[at : at + rng.randrange(200)]
        else:
            data[at:at] = rng.choice([b"[[", b'"""', b"= =", b"\xff\xfe", b"\x1b[2J", b"#", b"\n[mesh]\n", b"\0"])
        if not data:
            break
    return bytes(data)


class Tries:
    """Makes and judges tries."""

    def __init__(self, program: str, apps: Path, work: Path) -> None:
        self.program, self.work = program, work
        self.codes: collections.Counter[int] = collections.Counter()
        self.decks = sorted(apps.glob("*/decks/*.toml"))
        self.keys = {app: listed_keys(program, app) for app in sorted({deck.parts[-3] for deck in self.decks})}
        for disk in work.glob("*/out"):  # of tries that were killed
            if disk.is_mount():
                subprocess.run(["umount", "-l", disk], check=True)
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        self.may_mount = may_mount(work / "small")
        self.others = work / OTHERS
        sod = apps / "hydro" / "decks" / "sod.toml"
        words = ["time.max_steps=4", "output.plot_interval=2", "checkpoint.interval=2", "output.series_interval=1", "trace.steps=[1,2]"]
        subprocess.run([program, "run", sod, *words, "--out", self.others], check=True, capture_output=True)

    def make(self, number: int) -> Try:
        rng = random.Random(number)
        source = rng.choice(self.decks)
        keys = self.keys[source.parts[-3]]
        text = short(source.read_text())
        deck = damaged(rng, text) if rng.random() < 0.2 else text.encode()
        overrides = []
        for _ in range(rng.choice([0, 0, 0, 1, 1, 2, 3])):
            key = rng.choice(keys)
            if key.name != "output.folder":
                name = key.name if rng.random() < 0.95 else rng.choice([key.name + "x", key.name.upper(), key.name.split(".")[1], "=", "a.b.c"])
                overrides.append(f"{name}={strange_value(rng, key)}")
        out = rng.choice(["out"] * 8 + ["out/deep", "a b", "ü", OTHERS, DECK, "", "out/" + 300 * "d"])
        words = self._words(rng, overrides, out)
        # What is named for results, by a word or by the deck, may change, and nothing else.
        named = {out.split("/")[0], *(word for word in words if word == "out"), *re.findall(r'^folder = "(\w+)', text, re.MULTILINE)}
        a_try = Try(words, deck, out=named - {OTHERS, DECK, ""})
        if "--restart" in words and out == OTHERS:
            a_try.out.add(OTHERS)  # that run goes on in its own folder
        if rng.random() < 0.2:
            kinds = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1]
            a_try.signals = sorted((0.4 * rng.random(), rng.choice(kinds)) for _ in range(rng.choice([1, 1, 1, 2])))
        if self.may_mount and rng.random() < 0.1:
            a_try.disk_kib = rng.choice([4, 40, 200, 1000])
        return a_try

    def _words(self, rng: random.Random, overrides: list[str], out: str) -> list[str]:
        kind = rng.random()
        results = f"{OTHERS}/" + rng.choice(["plt00000", "plt00004", "chk00004", "series.csv", "trace.pftrace", "nothing"])
        if kind < 0.04:
            return ["hash", results]
        if kind < 0.08:
            return ["diff", results, f"{OTHERS}/plt00002"]
        if kind < 0.12:
            return ["graph", DECK, "--ranks", rng.choice(["1", "3", "0", "-1", "x"]), "-o", rng.choice(["out", DECK, results]), *overrides]
        if kind < 0.15:
            how = ["--format", rng.choice(["chrome", "otf2", "x"]), "-o", rng.choice(["out", results])]
            return ["trace", *rng.choice([["summary"], ["summary", "--json"], ["export", *how]]), results]
        if kind < 0.20:
            options = ["--num_refine", "--nx", "--npx", "--num_tsteps", "--block_change", "--plotfile_freq", "--num_vars"]
            words = [word for option in rng.sample(options, 2) for word in (option, rng.choice(["0", "1", "2", "-3", "x", "99999999999"]))]
            return ["miniamr", "--num_tsteps", "1", "--stages_per_ts", "2", *words, "--out", out or "out"]  # "" is this folder
        if kind < 0.22:
            return rng.choice([[], ["--help"], ["nothing"], ["run"], ["run", "--x"], ["params", "x"], ["run", DECK, DECK]])
        words = ["run", DECK, *overrides, "--out", out]
        if rng.random() < 0.15:
            words = ["run", "--restart", rng.choice(["latest", results, "out", "."]), *overrides, "--out", out]
        if rng.random() < 0.2:
            words += ["--model", rng.choice(["bulk", "forkjoin", "phase", "dataflow", "x", ""])]
        if rng.random() < 0.2:
            words += ["--threads", rng.choice(["1", "2", "3", "0", "-1", "1025", "x", "1e3"])]
        if rng.random() < 0.1:
            words.append("--dry-run")
        if rng.random() < 0.1 and out != OTHERS:
            words.append("--force")
        return words

    def fault(self, number: int) -> str:
        """Do a try; what is wrong, or nothing."""
        a_try = self.make(number)
        folder = self.work / str(number)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / DECK).write_bytes(a_try.deck)
        shutil.copytree(self.others, folder / OTHERS)
        if a_try.disk_kib is not None:
            (folder / "out").mkdir()
        before = kept(folder, a_try.out)
        with small_disk(folder / "out", a_try.disk_kib):
            started = time.monotonic()
            code, text, n_signals = self._run(a_try, folder)
            took = time.monotonic() - started
            left = unfinished(folder / "out") if code >= 0 else []
        self.codes[code] += 1
        faults = list(complaints(a_try, code, text, took, n_signals))
        faults += [f"{path} is left" for path in left]
        changed = {path for path, _ in set(before.items()) ^ set(kept(folder, a_try.out).items())}
        changed -= set(a_try.words) - set(before)  # a file that -o names and that was not there
        faults += [f"{path} was changed" for path in sorted(changed)]
        if not faults:
            shutil.rmtree(folder)
            return ""
        typed = " ".join(repr(word) if not word or set(word) & set(" '\"[]{}()") else word for word in a_try.words)
        return f"try {number}: {typed}\n  signals {a_try.signals}, disk of {a_try.disk_kib} KiB\n  " + "\n  ".join(faults) + "\n" + text[-1500:]

    def _run(self, a_try: Try, folder: Path) -> tuple[int, str, int]:
        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        process = subprocess.Popen(
            [self.program, *a_try.words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=limit
        )
        said = bytearray()
        reader = threading.Thread(target=lambda: [said.extend(part) for part in iter(lambda: process.stdout.read1(65536), b"")], daemon=True)
        reader.start()
        n_signals = self._wait(process, a_try.signals)
        reader.join(2)  # a daemon of MPI may hold the pipe open for longer
        return process.returncode, said.decode(errors="surrogateescape"), n_signals

    @staticmethod
    def _wait(process: subprocess.Popen, signals: list[tuple[float, int]]) -> int:
        """Send the signals, then ask what runs on to stop, at last to stop at once; the number of signals sent."""
        started = time.monotonic()
        ends = [(PATIENCE_S, signal.SIGTERM), (PATIENCE_S + ANSWER_S, signal.SIGTERM), (PATIENCE_S + 2 * ANSWER_S, signal.SIGKILL)]
        n_sent = 0
        for at, number in [*signals, *ends]:
            try:
                process.wait(max(0.0, started + at - time.monotonic()))
                return n_sent
            except subprocess.TimeoutExpired:
                process.send_signal(number)
                n_sent += 1
        process.wait()
        return n_sent


@contextlib.contextmanager
def small_disk(folder: Path, kib: int | None) -> Iterator[None]:
    """A disk of this size at a folder, if any."""
    if kib is None:
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kib}k", "tmpfs", folder], check=True, capture_output=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def may_mount(folder: Path) -> bool:
    try:
        with small_disk(folder, 100):
            return True
    except (OSError, subprocess.CalledProcessError):
        return False
    finally:
        folder.rmdir()


def kept(folder: Path, out: set[str]) -> dict[str, tuple]:
    """Every file and folder that is not where results go, a file with its size, time and place on the disk."""
    found = {}
    for root, folders, files in os.walk(folder):
        for name in [*folders, *files]:
            path = Path(root) / name
            status = path.lstat()
            found[str(path.relative_to(folder))] = (status.st_size, status.st_mtime_ns, status.st_ino) if name in files else ()
    return {path: of for path, of in found.items() if path.split(os.sep)[0] not in out}


def unfinished(folder: Path) -> list[str]:
    """What no program leaves that ends by itself: parts of files, plotfiles and checkpoints."""
    parts = [str(path) for path in folder.rglob("*") if path.suffix in {".tmp", ".trash"}]
    return parts + [str(path) for name, whole in [("plt*", "Header"), ("chk*", "manifest")] for path in folder.glob(name) if not (path / whole).exists()]


def complaints(a_try: Try, code: int, text: str, took: float, n_signals: int):
    """What is wrong with an answer."""
    # Where there are no steps to lose, yet or any more, and by a second signal, a program may end at once.
    has_steps = re.search(r"^ +\d+ +\d\.\d+e", text, re.MULTILINE) and not re.search(r"^integral ", text, re.MULTILINE)
    may_end = n_signals > 1 or (n_signals == 1 and not has_steps)
    ended_by_signal = may_end and -code in {signal.SIGTERM, *(number for _, number in a_try.signals)}
    if code not in EXIT_CODES and not ended_by_signal:
        yield f"exit code {code}"
    if code == BAD_REQUEST and took > ANSWER_S:
        yield f"refused after {took:.1f} s"
    typed = " ".join(a_try.words) + a_try.deck.decode(errors="replace")
    if "nan" not in typed.lower() and re.search(r"\bnan\b", text):
        yield 'a message has "nan"'
    messages = re.sub(r"\r(\x1b\[K)?", "", text) if 'run.display="bar"' in a_try.words else text  # a bar is drawn over
    if strange := re.search(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]", messages):
        yield f"a message has the byte {strange[0]!r}"
    if twice := re.search(r"\b(rank \d+: |error: |warning: )\1", text):
        yield f'a message has "{twice[0]}"'
    if code in {BAD_REQUEST, 3} and not text.strip():
        yield f"exit code {code} without a word"


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("--program", "--apps", "--work"):
        parser.add_argument(name, required=True)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--tries", type=int, default=500)
    options = parser.parse_args()
    tries = Tries(options.program, Path(options.apps), Path(options.work).resolve())
    numbers = range(options.first, options.first + options.tries)
    if not tries.may_mount:
        print("no full disks: a small one cannot be mounted here")
    n_faults = 0
    with ThreadPoolExecutor(4) as several:  # a run waits for MPI to start it, mostly
        for fault in several.map(tries.fault, numbers):
            if fault:
                n_faults += 1
                print(fault, flush=True)
    codes = ", ".join(f"{code}: {n}" for code, n in sorted(tries.codes.items()))
    print(f"{len(numbers)} tries from number {options.first}, {n_faults} with faults; exit codes {codes}")
    # One in six ends well where the program does what it is asked; one that refuses all has been tried in vain.
    if 20 * tries.codes[0] < len(numbers):
        print(f"only {tries.codes[0]} tries ended well: the program refuses what it should do")
        return 1
    return 1 if n_faults or not numbers else 0


if __name__ == "__main__":
    sys.exit(main())
