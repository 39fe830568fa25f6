#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Say what part of what a core can do the gas schemes reach, and what the rest goes to.

bench: flops, bytes and instructions a zone of the gas schemes, and their share of the peaks of one core

Peaks (multiply-adds, divisions, square roots, triad) and rates are measured in turns, those of the schemes on one block
again and again, all with AVX-512 where the processor has it. One update of a block, all stages, is run by valgrind's
callgrind, which counts how often each machine instruction runs; with what the disassembly says of it that gives the
operations of all lanes, whether their results are used or blended away. Bytes beyond the second cache are what callgrind's model of caches misses in 1 MiB. Needs
valgrind, objdump and x86-64 with AVX2 (THALWEG_ARCH as it is by default); valgrind does not know AVX-512, so operations
and instructions are counted with AVX2.

Flops are sums, products, divisions and roots; comparisons and choices are counted apart. What a block of n^3 computes
besides its zones, in ghost cells and on its outer faces, is about c / n of a zone's work; c follows from 16^3 and 32^3,
and is given as the ghost share.
"""

import argparse
import json
import re
import subprocess
import tempfile
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

from hydro_codes import BINARIES
from release import build_release
from turns import result

PROGRAM = BINARIES / "hydro_roofline_kernels"
SCHEMES = {
    "vl2_plm": "VL2 PLM HLLC",
    "vl2_ppm": "VL2 PPM HLLC",
    "ctu_ppm_hllc": "CTU PPM HLLC",
    "ctu_ppm_two_shock": "CTU PPM two-shock",
}
SIZES = (16, 32)
PEAKS = ("fused", "fused_by_fours", "separate", "divide", "root", "triad")
CACHES = ["--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=1048576,8,64"]
LINE = 64  # bytes

LANES = {"pd": {"xmm": 2, "ymm": 4}, "sd": {"xmm": 1}}
KINDS = {  # of a vector or floating-point instruction, by its mnemonic without the v of AVX
    "sums and products": r"(add|sub|mul)(pd|sd)",
    "fused": r"fn?m(add|sub)(132|213|231)(pd|sd)",
    "divisions and roots": r"(div|sqrt)(pd|sd)",
    "choices": r"(min|max|cmp\w*|blendv?|round)(pd|sd)|p?(and|andn|or|xor)(pd|sd)?|u?comisd",
    "moves and shuffles": r"(mov|cvt|broadcast|unpck|perm|shuf|insert|extract|gather|maskmov)\w*",
}
REST = "indices and branches"
FLOPS = {"sums and products": 1, "fused": 2, "divisions and roots": 1}  # of one lane


def kind_of(mnemonic):
    bare = mnemonic[1:] if mnemonic.startswith("v") else ""
    return next((kind for kind, pattern in KINDS.items() if re.fullmatch(pattern, bare)), REST)


@cache
def disassembly(binary):
    """Each instruction of a program or library: {address: (mnemonic, operands)}."""
    command = ["objdump", "-d", "--no-show-raw-insn", binary]
    printed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    found = re.findall(r"^ *([0-9a-f]+):\t(\S+) *([^#<\n]*)", printed, re.MULTILINE)
    return {int(address, 16): (mnemonic, operands) for address, mnemonic, operands in found}


def executed(scheme, n):
    """How often each (binary, address) runs in one update, and the bytes that its cache lines beyond 1 MiB hold."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        collect = "--dump-instr=yes --dump-line=no --toggle-collect=*counted_update*".split()
        plain = ["--compress-pos=no", "--compress-strings=no"]
        tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *collect, *plain, *CACHES]
        subprocess.run([*tool, PROGRAM, scheme, str(n)], stderr=subprocess.PIPE, check=True)
        lines = out.read_text().splitlines()
    events = next(line for line in lines if line.startswith("events:")).split()[1:]
    times, missed, was_call, binary = Counter(), 0, False, None
    for line in lines:
        if line.startswith("ob="):
            binary = line.removeprefix("ob=")
        if re.match(r"0x[0-9a-f]+ ", line) and not was_call:  # what a call costs is told by the callee
            address, *costs = line.split()
            cost = dict(zip(events, map(int, costs)))
            times[binary, int(address, 16)] += cost["Ir"]
            missed += LINE * (cost.get("DLmr", 0) + cost.get("DLmw", 0))
        was_call = line.startswith("calls=")
    return times, missed


def lanes_of(mnemonic, operands):
    register = re.search(r"%([xy])mm", operands)
    return LANES.get(mnemonic[-2:], {}).get(f"{register[1]}mm", 1) if register else 1


def census(scheme, n):
    """Counts a zone of one update: instructions by kind, flops, divisions and roots by lanes, bytes."""
    times, missed = executed(scheme, n)
    counts = Counter()
    for (binary, address), count in times.items():
        mnemonic, operands = disassembly(binary)[address]
        kind, lanes = kind_of(mnemonic), lanes_of(mnemonic, operands)
        counts["instructions"] += count
        counts[kind] += count
        counts["flops"] += FLOPS.get(kind, 0) * lanes * count
        for name in ("div", "sqrt"):
            if kind == "divisions and roots" and name in mnemonic:
                counts[name] += lanes * count
    counts["missed"] = missed
    return {name: count / n**3 for name, count in counts.items()}


def rates(turns):
    """Peaks and zones a second by name, measured in turns."""
    found = defaultdict(list)
    for _ in range(turns):
        printed = subprocess.run([PROGRAM], stdout=subprocess.PIPE, text=True, check=True).stdout
        for name, value in re.findall(r"(\S+) (\S+)\n", printed):
            found[name].append(float(value))
    return found


def shares(label, zones, peaks, counts):
    """Results of a scheme: the parts of its time that parts of its work would take at the peaks."""

    def percent(metric, work, peak):
        return result(f"{label}: {metric}", [100 * work * z / p for z, p in zip(zones, peaks[peak])], "%")

    yield result(f"{label}: zone updates", [1e-6 * z for z in zones], "M/s")
    yield result(f"{label}: flops a zone", [counts["flops"]])
    yield percent("of the peak of fused multiply-adds", counts["flops"], "fused")
    yield percent("of that of vectors of four", counts["flops"], "fused_by_fours")
    yield percent("of the peak of products and sums", counts["flops"], "separate")
    yield percent("of the time, divisions at their peak", counts.get("div", 0), "divide")
    yield percent("of the time, roots at their peak", counts.get("sqrt", 0), "root")
    yield result(f"{label}: bytes a zone beyond 1 MiB", [counts["missed"]])
    yield percent("of the triad's bandwidth", counts["missed"], "triad")
    yield result(f"{label}: instructions a zone", [counts["instructions"]])
    for kind in [*KINDS, REST]:
        yield result(f"{label}: instructions, {kind}", [100 * counts.get(kind, 0) / counts["instructions"]], "%")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--turns", type=int, default=3)
    turns = parser.parse_args().turns
    build_release(PROGRAM.name)
    measured = rates(turns)
    results = [result(f"peak: {name}", [1e-9 * value for value in measured[name]], "10^9/s") for name in PEAKS]
    for scheme, name in SCHEMES.items():
        counts = {n: census(scheme, n) for n in SIZES}
        for n in SIZES:
            results += shares(f"{name}, {n}^3", measured[f"{scheme}_{n}"], measured, counts[n])
        per_n = (counts[16]["flops"] - counts[32]["flops"]) * 32
        for n in SIZES:
            results.append(result(f"{name}, {n}^3: ghost share", [100 * per_n / n / counts[n]["flops"]], "% of flops"))
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
