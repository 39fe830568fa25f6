# SPDX-License-Identifier: MIT
"""kissfft, which Spack's own packages lack: the header for C++ alone."""

from spack_repo.builtin.build_systems.generic import Package

from spack.package import *


class Kissfft(Package):
    """Fourier transforms of any length."""

    homepage = "https://github.com/mborgerding/kissfft"
    git = "https://github.com/mborgerding/kissfft.git"

    license("BSD-3-Clause")

    version("131.1.0", tag="131.1.0")

    def install(self, spec, prefix):
        mkdirp(prefix.include.kissfft)
        install("kissfft.hh", prefix.include.kissfft)
