# SPDX-License-Identifier: MIT
# cmake -DWORK=FOLDER -P find_clang_test.cmake: which clang++ is taken, of stand-ins that compile all or nothing.
set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH FALSE)
set(CMAKE_CURRENT_BINARY_DIR ${WORK})
file(REMOVE_RECURSE ${WORK})

# stand_in(NAME EXIT_CODE): a compiler in the only folder on PATH.
function(stand_in name code)
  file(WRITE ${WORK}/bin/${name} "#!/bin/sh\nexit ${code}\n")
  file(CHMOD ${WORK}/bin/${name} PERMISSIONS OWNER_READ OWNER_EXECUTE)
endfunction()
# expect(WANTED): look, as a configuration does, with what an earlier one has found.
macro(expect wanted)
  include(${CMAKE_CURRENT_LIST_DIR}/find_clang.cmake)
  if(NOT "${THALWEG_CLANG}" STREQUAL "${wanted}")
    message(SEND_ERROR "found ${THALWEG_CLANG}, not ${wanted}")
  endif()
endmacro()

set(ENV{PATH} ${WORK}/bin)
stand_in(clang++ 1)
expect(THALWEG_CLANG-NOTFOUND)                     # too old, or without libomp
set(THALWEG_CLANG ${WORK}/bin/clang++ CACHE FILEPATH "" FORCE)
expect(THALWEG_CLANG-NOTFOUND)                     # found by an earlier version of this, or taken away since
set(THALWEG_CLANG ${WORK}/bin/clang++ CACHE FILEPATH "" FORCE)
stand_in(clang++-19 0)
expect(${WORK}/bin/clang++-19)                     # installed since
file(REMOVE ${WORK}/bin/clang++-19)
stand_in(clang++ 0)
expect(${WORK}/bin/clang++)
