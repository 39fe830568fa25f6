# SPDX-License-Identifier: MIT
"""Runs of what is compared take turns, and results are what these give; bench/run has this folder looked into."""

from statistics import median


def there_and_back(things, turn):
    """Things as they come, in every other turn backwards.

    So what slows the machine down for a while, or grows, is not always with the same one.
    """
    things = list(things)
    return things if turn % 2 == 0 else things[::-1]


def take_turns(run, variants, n_turns):
    """What runs of all variants {key: arguments of run} give, in turns there and back: {key: [run(*arguments)]}.

    There is one turn more, the first, which warms up and does not count.
    """
    runs = {key: [] for key in variants}
    for turn in range(n_turns + 1):
        for key in there_and_back(variants, turn):
            done = run(*variants[key])
            if turn > 0:
                runs[key].append(done)
    return runs


def result(metric, samples, unit=""):
    """One result, as bench/run wants them."""
    return {"metric": metric, "value": median(samples), "unit": unit, "low": min(samples), "high": max(samples)}


def ratio(metric, over, under):
    """One result: the ratios of samples of the same turn."""
    return result(metric, [a / b for a, b in zip(over, under, strict=True)])
