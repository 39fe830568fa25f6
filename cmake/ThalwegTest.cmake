# SPDX-License-Identifier: MIT

# thalweg_add_test(FILE [RANKS n...] [LIBRARIES targets...] [LABELS labels...] [TIMEOUT seconds])
#
# Registers every case of a GoogleTest file with CTest as MODULE.Suite.case. With RANKS the file is an
# MPI program: it runs whole, once for each number of ranks, as MODULE.FILE/npN.
function(thalweg_add_test file)
  cmake_parse_arguments(ARG "" "TIMEOUT" "RANKS;LIBRARIES;LABELS" ${ARGN})
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR PARENT_PATH parent)
  cmake_path(GET parent FILENAME module)
  cmake_path(GET file STEM stem)
  set(target ${module}_${stem})
  if(NOT DEFINED ARG_TIMEOUT)
    set(ARG_TIMEOUT 60)
  endif()

  add_executable(${target} ${file})
  target_link_libraries(${target} PRIVATE ${ARG_LIBRARIES} thalweg_warnings GTest::gtest)
  if(TARGET thalweg::${module})
    target_link_libraries(${target} PRIVATE thalweg::${module})
  endif()
  thalweg_compile_as_test(${target})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})

  if(NOT ARG_RANKS)
    target_link_libraries(${target} PRIVATE GTest::gtest_main)
    include(GoogleTest)
    gtest_discover_tests(${target} TEST_PREFIX ${module}. DISCOVERY_MODE PRE_TEST
      PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
    return()
  endif()
  foreach(ranks ${ARG_RANKS})
    thalweg_add_mpi_run(NAME ${module}.${stem}/np${ranks} RANKS ${ranks} COMMAND $<TARGET_FILE:${target}>
      TIMEOUT ${ARG_TIMEOUT} LABELS mpi ${ARG_LABELS})
  endforeach()
endfunction()

# thalweg_compile_as_test(TARGET)
#
# What is tested are the libraries. A test's own code is compiled a third faster with less optimisation; GCC 12
# warns then of arrays without elements.
function(thalweg_compile_as_test target)
  target_compile_options(${target} PRIVATE
    "$<$<CONFIG:Release>:-O1;$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>>")
endfunction()

# thalweg_add_mpi_run(NAME name RANKS n COMMAND program args... [LABELS ...] [TIMEOUT seconds])
#
# Registers one run of a program on n ranks, oversubscribing politely where cores are fewer.
function(thalweg_add_mpi_run)
  cmake_parse_arguments(ARG "" "NAME;RANKS;TIMEOUT" "COMMAND;LABELS" ${ARGN})
  if(NOT DEFINED ARG_TIMEOUT)
    set(ARG_TIMEOUT 60)
  endif()
  add_test(NAME ${ARG_NAME} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ARG_RANKS} ${ARG_COMMAND})
  set_tests_properties(${ARG_NAME} PROPERTIES
    TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}" PROCESSORS ${ARG_RANKS}
    ENVIRONMENT "${THALWEG_MPI_ENVIRONMENT}")
endfunction()

# Open MPI refuses root and more ranks than cores unless told; other MPIs ignore these variables.
set(THALWEG_MPI_ENVIRONMENT
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
  OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none)

# Where tests are built with sanitizers, Open MPI's own libraries, which are not, are excused, and nothing else.
# They have no frame pointers either: without slow unwinding a leak of theirs would look like one of ours.
set(suppressions ${PROJECT_SOURCE_DIR}/tests/sanitizers/openmpi)
if(CMAKE_CXX_FLAGS_DEBUG MATCHES "fsanitize=address")
  list(APPEND THALWEG_MPI_ENVIRONMENT ASAN_OPTIONS=detect_leaks=1:fast_unwind_on_malloc=0
    LSAN_OPTIONS=suppressions=${suppressions}.lsan:print_suppressions=0)
elseif(CMAKE_CXX_FLAGS_DEBUG MATCHES "fsanitize=thread")
  list(APPEND THALWEG_MPI_ENVIRONMENT
    TSAN_OPTIONS=suppressions=${suppressions}.tsan:ignore_noninstrumented_modules=1:print_suppressions=0)
endif()
