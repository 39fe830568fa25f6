# SPDX-License-Identifier: MIT
"""How all figures look."""

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402  (the backend is chosen first)

LEVEL_COLOURS = ["#d9d9d9", "#7fc8f8", "#5ad1a0", "#ffd166", "#ff8fab", "#c8b6ff", "#ffffff"]

plt.rcParams.update(
    {
        "figure.constrained_layout.use": True,
        "figure.dpi": 150,
        "font.size": 10,
        "axes.titlesize": 11,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "legend.frameon": False,
    }
)
