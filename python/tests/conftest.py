# SPDX-License-Identifier: MIT
"""Makes thalweg importable, wherever pytest is started."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
