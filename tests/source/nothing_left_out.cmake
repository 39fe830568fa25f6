# SPDX-License-Identifier: MIT
# Fails where a test that needs a package of its own is not among the tests of -DBUILD=folder: a program or
# library that CMake did not find takes its tests with it, and those that remain would pass.
execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${BUILD} --show-only
  OUTPUT_VARIABLE tests COMMAND_ERROR_IS_FATAL ANY)
set(missing)
foreach(name builds.headers_by_clang fuzz.line hydro.vector_ratio install.deb openmp.openmp_mpi_test/np2 openmp.libomp_run python.simulation readback.python source.format
    starpu.starpu_mpi_test/np2 tests.DequeMailboxAndParker. tests.leaf_p4est_test/np2 trace.format_otf2)
  string(FIND "${tests}" ": ${name}" found)
  if(found EQUAL -1)
    list(APPEND missing ${name})
  endif()
endforeach()
if(missing)
  list(JOIN missing ", " missing)
  message(FATAL_ERROR "Left out: ${missing}. What they need was not found when ${BUILD} was configured; "
    "run tools/setup/install test, then configure anew")
endif()
