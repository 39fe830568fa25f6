# SPDX-License-Identifier: MIT
"""matplotlib's pyplot for figures that go into files, in our style: for programs, as it needs no display and keeps it so."""

import matplotlib

from thalweg.style import STYLE

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402  (the backend is chosen first)

plt.rcParams.update(STYLE)

__all__ = ["plt"]
