# SPDX-License-Identifier: MIT
"""Thalweg for Spack 1.0 and later: what is committed on the branch main of the repository that this file lies in."""

from pathlib import Path

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *


class Thalweg(CMakePackage):
    """Adaptive mesh refinement and distributed tasks, recorded once and replayed on MPI ranks and threads."""

    git = Path(__file__).resolve().parents[6].as_uri()

    license("MIT")

    version("main", branch="main")

    variant("mpi", default=True, description="Run on several ranks")
    variant("otf2", default=False, description="Export traces as OTF2 archives")
    variant("openblas", default=True, description="Factorise dense matrices: OpenBLAS is loaded while the program runs")
    variant("python", default=True, description="The Python package, and what reports need")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", when="+otf2", type="build")
    depends_on("mpi@3:", when="+mpi")
    depends_on("fmt@9:12")
    depends_on("toml11@3.7:3", type="build")
    depends_on("cli11@2:", type="build")
    depends_on("protozero", type="build")
    depends_on("kissfft", type="build")
    depends_on("otf2@3:", when="+otf2")
    # Nothing is linked with it, but what is in the program's rpath is found by dlopen.
    depends_on("openblas", when="+openblas", type="link")
    extends("python@3.11:", when="+python")
    depends_on("py-numpy", when="+python", type="run")
    depends_on("py-matplotlib", when="+python", type="run")

    conflicts("%gcc@:11", msg="Thalweg is C++23: std::expected")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define_from_variant("THALWEG_MPI", "mpi"),
            self.define("THALWEG_TESTS", False),
            self.define("THALWEG_BENCHES", False),
            self.define("THALWEG_CONTRACTS", False),
            self.define("THALWEG_OPENMP", False),
            self.define("THALWEG_STARPU", False),
            self.define("THALWEG_PYTHON", False),
            self.define_from_variant("THALWEG_OTF2", "otf2"),
            # The compiler wrapper sets -march for the target that the package is built for.
            self.define("THALWEG_ARCH", ""),
        ]

    @run_after("install", when="+python")
    def install_python_package(self):
        """What `report`, `watch` and `vtkhdf` run, without the compiled module."""
        install_tree(join_path(self.stage.source_path, "python", "thalweg"), join_path(python_purelib, "thalweg"))
