# SPDX-License-Identifier: MIT
"""protozero, which Spack's own packages lack: headers."""

from spack_repo.builtin.build_systems.generic import Package

from spack.package import *


class Protozero(Package):
    """Reads and writes messages of Protocol Buffers, without a schema."""

    homepage = "https://github.com/mapbox/protozero"
    git = "https://github.com/mapbox/protozero.git"

    license("BSD-2-Clause")

    version("1.7.1", tag="v1.7.1")

    def install(self, spec, prefix):
        install_tree("include", prefix.include)
