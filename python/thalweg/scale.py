# SPDX-License-Identifier: MIT
"""How values become colours, or heights of a line."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches

import numpy as np

# Matplotlib takes a scale for empty whose upper end is closer to 0.
LEAST_TOP = 1e-280
# Matplotlib cannot place the marks of a scale that reaches about as far as numbers do: so far it can, evenly and by logarithm.
FARTHEST = {False: 1e307, True: 1e200}


def finite_range(shown: Iterable[np.ndarray]) -> tuple[float, float] | None:
    """Give the least and the greatest of the values that are finite; None where none is."""
    finite = (values[np.isfinite(values)] for values in shown)
    pairs = [(float(values.min()), float(values.max())) for values in finite if values.size > 0]
    return (min(a for a, _ in pairs), max(b for _, b in pairs)) if pairs else None


def check_colours(name: str) -> None:
    """Check that matplotlib has a map of colours of this name. Raises ValueError."""
    from matplotlib import colormaps

    if name not in colormaps:
        near = get_close_matches(name, colormaps, n=1) or ["viridis"]
        raise ValueError(f"colours '{name}' (matplotlib has no map of that name); take {near[0]}, for example")


@dataclass(frozen=True)
class Scale:
    """From the lower to the upper limit, evenly or by logarithm, in the colours of a map of matplotlib.

    Without limits, from the least to the greatest value that is shown. Raises ValueError for limits and maps that are
    none.
    """

    limits: tuple[float, float] | None = None
    is_log: bool = False
    colours: str = "magma"

    def __post_init__(self) -> None:
        if self.colours != Scale.colours:
            check_colours(self.colours)
        if self.limits is None:
            return
        low, high = self.limits
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            raise ValueError(f"limits {low:g} to {high:g} (the lower one comes first, and both are numbers); give others")
        if max(-low, high) > FARTHEST[self.is_log]:
            raise ValueError(f"limits {low:g} to {high:g} (matplotlib draws no numbers beyond {FARTHEST[self.is_log]:g}); give limits closer to 0")
        if self.is_log and low <= 0:
            raise ValueError(f"limits {low:g} to {high:g} of a logarithmic scale (0 and less has no logarithm); give a lower limit above 0")
        if self.is_log and high < LEAST_TOP:
            raise ValueError(f"limits {low:g} to {high:g} of a logarithmic scale (matplotlib takes them for 0); give an upper limit of {LEAST_TOP:g} or more")

    def around(self, variable: str, shown: Iterable[np.ndarray]) -> Scale:
        """Give this scale with limits, by what is shown of a variable where it has none."""
        if self.limits is not None:
            return self
        low, high = finite_range(shown) or (1.0, 1.0)
        if self.is_log and low <= 0:
            raise ValueError(
                f"{variable} on a logarithmic scale (it has values down to {low:g}, and 0 and less has no logarithm); "
                "give limits above 0, or leave the logarithm out"
            )
        if max(-low, high) > FARTHEST[self.is_log]:
            raise ValueError(f"{variable} from {low:g} to {high:g} (matplotlib draws no numbers beyond {FARTHEST[self.is_log]:g}); give limits closer to 0")
        if low == high:  # shown in the middle
            room = 0.5 * abs(low) or 1.0
            low, high = (low / 2 or low, 2 * high) if self.is_log else (low - room, high + room)
        if self.is_log:
            high = max(high, LEAST_TOP)
        return self._within(low, high)

    def with_room(self) -> Scale:
        """Give this scale, of one that has limits, with room for marks that lie on them."""
        assert self.limits is not None
        low, high = self.limits
        if self.is_log:
            room = high**0.03 / low**0.03  # the ratio itself may be no number
            return self._within(low / room or low, high * room)
        return self._within(low - 0.03 * (high - low), high + 0.03 * (high - low))

    def _within(self, low: float, high: float) -> Scale:
        """Give this scale with limits, but none beyond those that can be drawn."""
        return replace(self, limits=(max(low, -FARTHEST[self.is_log]), min(high, FARTHEST[self.is_log])))


LINEAR = Scale()
