# SPDX-License-Identifier: MIT
"""Memory that a virtual machine has at hand before it is measured."""

import mmap
from contextlib import suppress


def have_memory(n_bytes):
    """Use so much memory and give it back.

    A virtual machine may give unused memory back to its host, and first uses of it then take several times as long as on a machine of
    one's own: 0.5 GB/s in place of 9 with huge pages, on one that we saw. What was used within the last seconds is at hand.
    """
    with mmap.mmap(-1, n_bytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
        with suppress(OSError):  # a kernel without huge pages refuses the hint
            memory.madvise(mmap.MADV_HUGEPAGE)
        for place in range(0, n_bytes, mmap.PAGESIZE):
            memory[place] = 1
