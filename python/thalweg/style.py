# SPDX-License-Identifier: MIT
"""How all figures look: parameters of matplotlib's."""

from __future__ import annotations

from typing import Any

LEVEL_COLOURS = ["#d9d9d9", "#7fc8f8", "#5ad1a0", "#ffd166", "#ff8fab", "#c8b6ff", "#3f7cff"]

STYLE: dict[Any, Any] = {
    "figure.constrained_layout.use": True,
    "figure.dpi": 150,
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
}
