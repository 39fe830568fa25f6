# SPDX-License-Identifier: MIT
"""The commands by their former name: python -m thalweg_tools is python -m thalweg."""

import sys

from thalweg.__main__ import main

sys.exit(main())
