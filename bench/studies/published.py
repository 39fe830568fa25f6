#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Set predictions for published machines beside published figures, and say which claims hold: bench/run published [STUDY...], or --list.

bench: predicted over published figures, at both ends of what is known of each machine's network; all studies, or some by name

published_figures.json has the figures, each with its table or section, and how far from it a claim still holds; machines are described in
bench/machines. A value is the geometric mean of both ends. No number is fitted to a figure that is compared. docs/published.md has the tables and says what the model lacks.
"""

import json
import os
import sys
import time
from math import inf, sqrt
from pathlib import Path

import published_hydro
import published_miniamr
import published_tasks
import published_vlasov
from studies import build

FIGURES = json.loads((Path(__file__).parent / "published_figures.json").read_text())
STUDIES = published_miniamr.STUDIES | published_vlasov.STUDIES | published_tasks.STUDIES | published_hydro.STUDIES


def accepted(claim):
    """The least and the greatest number with which a claim holds."""
    if "range" in claim:
        return tuple(claim["range"])
    slack = claim["within"] if "within" in claim else claim["value"] * claim["tolerance"]
    least, most = claim["value"] - slack, claim["value"] + slack
    return {"least": (least, inf), "most": (-inf, most)}.get(claim.get("bound"), (least, most))


def verdict(claim, ours):
    """Whether a claim holds, for our numbers at the low and the high end of what is known of the machine."""
    least, most = accepted(claim)
    holds = [least <= number <= most for number in ours]
    return "yes" if all(holds) else "no" if not any(holds) else "at the low end" if holds[0] else "at the high end"


def compare(study):
    """Rows of the table of one study, and its results for bench/run."""
    ends = [dict(STUDIES[study](end)) for end in ("low", "high")]
    claims = FIGURES[study]["claims"]
    for end in ends:
        if end.keys() != claims.keys():
            alone = ", ".join(map(repr, sorted(end.keys() ^ claims.keys())))
            raise ValueError(f"{study}: {alone} is either predicted or published, so nothing is compared; write the other in "
                             "published_figures.json or in the study")
    rows, results = [], []
    for name, claim in claims.items():
        ours = [end[name] for end in ends]
        ratio = sqrt(ours[0] * ours[1]) / claim["value"]
        rows.append((name, *(f"{number:.3g}" for number in ours), claim["value"], f"{ratio:.2f}", verdict(claim, ours)))
        results.append({"metric": f"{study}: {name}", "unit": "", "value": ratio, "low": min(ours) / claim["value"],
                        "high": max(ours) / claim["value"]})
    return rows, results


def listed():
    """A line for each study: its claims, or why it is not predicted."""
    width = max(map(len, FIGURES))
    for study, figures in FIGURES.items():
        why = figures.get("not_done")
        yield f"{study.ljust(width)}  {f'not predicted: {why}' if why else '; '.join(figures['claims'])}"


def main():
    if sys.argv[1:] == ["--list"]:
        print("\n".join(listed()), file=sys.stderr)
        print("[]")
        return 0
    names = sys.argv[1:] or list(FIGURES)
    if unknown := [name for name in names if name not in FIGURES]:
        print(f"error: no study {unknown[0]!r} (there is no figure for it); there are {', '.join(FIGURES)}", file=sys.stderr)
        return 2
    if "THALWEG" not in os.environ:
        build()
    all_results, verdicts = [], []
    for study in names:
        figures = FIGURES[study]
        print(f"\n{study}: {figures['from']}", file=sys.stderr)
        if measured := figures["measured_by"]:
            print(f"measured on this machine by bench/run {', '.join(measured)}", file=sys.stderr)
        if why := figures.get("not_done"):
            print(f"not predicted: {why}", file=sys.stderr)
            continue
        start = time.monotonic()
        rows, results = compare(study)
        all_results += results
        verdicts += [row[-1] for row in rows]
        header = ("claim", "low end", "high end", "published", "over published", "holds")
        for row in (header, ("---", "--:", "--:", "--:", "--:", "---"), *rows):
            print(f"| {' | '.join(map(str, row))} |", file=sys.stderr)
        print(f"in {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
    print(f"\n{verdicts.count('yes')} of {len(verdicts)} claims hold at both ends, {verdicts.count('no')} at none", file=sys.stderr)
    print(json.dumps(all_results, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
