# SPDX-License-Identifier: MIT
"""Read, check and draw what Thalweg writes: plotfiles, Sedov blasts, and task traces."""
