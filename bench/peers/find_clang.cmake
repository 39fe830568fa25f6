# SPDX-License-Identifier: MIT
# THALWEG_CLANG: a clang++ that compiles the peers of libomp, if there is one. Debian's own is older than 19 and does
# not know our C++, and another may lack its OpenMP. One that was found earlier and does not do is looked for again: bench/install-peers
# may have been run since.
function(thalweg_can_compile_peers result program)
  set(probe ${CMAKE_CURRENT_BINARY_DIR}/clang_probe)
  file(WRITE ${probe}.cpp "#include <omp.h>\nstatic_assert(__clang_major__ >= 19);\nint main() { return omp_get_max_threads() < 1; }\n")
  execute_process(COMMAND ${program} -std=c++23 -fopenmp=libomp -o ${probe} ${probe}.cpp
    RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET)
  if(NOT code STREQUAL "0")
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

if(THALWEG_CLANG)
  set(is_good TRUE)
  thalweg_can_compile_peers(is_good ${THALWEG_CLANG})
  if(NOT is_good)
    unset(THALWEG_CLANG CACHE)
  endif()
endif()
find_program(THALWEG_CLANG NAMES clang++-19 clang++ VALIDATOR thalweg_can_compile_peers)
