# SPDX-License-Identifier: MIT

# What most test programs include, compiled once for all of them. Libraries have
# others (thalweg_precompile_for_modules).
function(thalweg_precompile_for_tests)
  add_library(thalweg_test_pch OBJECT ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/pch.cpp)
  target_link_libraries(thalweg_test_pch PRIVATE thalweg::flags thalweg_warnings fmt::fmt GTest::gtest)
  thalweg_compile_as_test(thalweg_test_pch)
  target_precompile_headers(thalweg_test_pch PRIVATE
    <algorithm> <array> <atomic> <cmath> <cstdint> <expected> <functional> <map> <memory> <mutex> <numeric> <optional>
    <set> <span> <sstream> <string> <thread> <unordered_map> <vector> <fmt/format.h> <gtest/gtest.h>)
endfunction()

# A test is stopped after 900 s (CMakePresets.json), many times what each takes on a quiet machine: the limit is for tests that hang.
#
# thalweg_add_test(FILE [RANKS n...] [PROGRAM name] [LIBRARIES targets...] [LABELS labels...])
#
# Registers every case of a GoogleTest file with CTest as MODULE.Suite.case. The files of a folder are one program:
# MODULE_test, in tests/FOLDER tests_FOLDER_test; files with LABELS or with another PROGRAM are MODULE_NAME_test.
# Where THALWEG_JOIN_TESTS is on, ten files are compiled as one, which takes a third of the time; so no two files of a
# program give the same name to two things, not in an anonymous namespace either. A library that replaces what the whole program
# calls has the property THALWEG_REPLACES: a file that links it is a program of its own, MODULE_FILE. With RANKS
# it is too, with the main() of thalweg::comm_main or thalweg::app_main: it runs whole, once for each number of ranks, as MODULE.FILE/npN.
function(thalweg_add_test file)
  cmake_parse_arguments(ARG "" "PROGRAM" "RANKS;LIBRARIES;LABELS" ${ARGN})
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME folder)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR PARENT_PATH parent)
  cmake_path(GET parent FILENAME module)
  cmake_path(GET file STEM stem)

  set(is_alone ${ARG_RANKS})
  foreach(library ${ARG_LIBRARIES})
    get_target_property(replaces ${library} THALWEG_REPLACES)
    if(replaces)
      set(is_alone TRUE)
    endif()
  endforeach()
  set(target ${module}_${stem})
  if(NOT is_alone)
    set(words ${module})
    if(NOT folder STREQUAL "test")
      list(APPEND words ${folder})
    endif()
    if(ARG_PROGRAM)
      list(APPEND words ${ARG_PROGRAM})
    else()
      list(APPEND words ${ARG_LABELS})
    endif()
    list(REMOVE_DUPLICATES words)
    list(JOIN words _ target)
    string(APPEND target _test)
  endif()

  if(NOT TARGET ${target})
    add_executable(${target})
    target_link_libraries(${target} PRIVATE thalweg_warnings GTest::gtest)
    if(TARGET thalweg::${module})
      target_link_libraries(${target} PRIVATE thalweg::${module})
    endif()
    thalweg_compile_as_test(${target})
    target_precompile_headers(${target} REUSE_FROM thalweg_test_pch)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}
      UNITY_BUILD ${THALWEG_JOIN_TESTS} UNITY_BUILD_BATCH_SIZE 10)
    if(NOT ARG_RANKS)
      target_link_libraries(${target} PRIVATE GTest::gtest_main)
      include(GoogleTest)
      gtest_discover_tests(${target} TEST_PREFIX ${module}. DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
        PROPERTIES LABELS "${ARG_LABELS}")
    endif()
  endif()
  target_sources(${target} PRIVATE ${file})
  target_link_libraries(${target} PRIVATE ${ARG_LIBRARIES})

  foreach(ranks ${ARG_RANKS})
    thalweg_add_mpi_run(NAME ${module}.${stem}/np${ranks} RANKS ${ranks} COMMAND $<TARGET_FILE:${target}>
      LABELS mpi ${ARG_LABELS})
  endforeach()
endfunction()

# thalweg_test_on_runtimes(MODULE runtimes...): the module's graphs on other runtimes, openmp or starpu, in RUNTIME_test.cpp,
# where they are found.
function(thalweg_test_on_runtimes module)
  foreach(runtime ${ARGN})
    string(TOUPPER THALWEG_${runtime} is_built)
    if(${is_built})
      thalweg_add_test(${runtime}_test.cpp PROGRAM ${runtime}
        LIBRARIES thalweg::${module} thalweg::comm thalweg::backends_${runtime})
    endif()
  endforeach()
  if(THALWEG_STARPU AND "starpu" IN_LIST ARGN)
    cmake_path(GET CMAKE_CURRENT_SOURCE_DIR PARENT_PATH parent)
    cmake_path(GET parent FILENAME folder)
    target_compile_definitions(${folder}_starpu_test PRIVATE THALWEG_STARPU_HOME="${CMAKE_CURRENT_BINARY_DIR}/home")
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/home)
  endif()
endfunction()

# thalweg_add_vector_gate(MODULE FILE): the gate on vectorisation, MODULE.vector_ratio: MODULE_STEM_vector of a file against
# MODULE_STEM_scalar of the same, where they are made: where vectors have four lanes, which valgrind knows, and the build is
# optimised. The caller says what differs.
function(thalweg_add_vector_gate module file)
  find_program(THALWEG_VALGRIND valgrind)
  find_path(THALWEG_CALLGRIND_HEADERS valgrind/callgrind.h)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Release" OR NOT THALWEG_ARCH STREQUAL "x86-64-v3" OR NOT THALWEG_VALGRIND
     OR NOT THALWEG_CALLGRIND_HEADERS)
    return()
  endif()
  find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)
  cmake_path(GET file STEM stem)
  foreach(kind vector scalar)
    add_executable(${module}_${stem}_${kind} ${file})
    target_link_libraries(${module}_${stem}_${kind} PRIVATE thalweg::${module} thalweg_warnings)
    set_target_properties(${module}_${stem}_${kind} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  endforeach()
  add_test(NAME ${module}.vector_ratio
    COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/apps/hydro/test/vector/ratio.py
      $<TARGET_FILE:${module}_${stem}_vector> $<TARGET_FILE:${module}_${stem}_scalar>)
  set_tests_properties(${module}.vector_ratio PROPERTIES LABELS vector)
endfunction()

# thalweg_compile_as_test(TARGET)
#
# What is tested are the libraries. A test's own code is compiled a third faster with less optimisation; GCC 12
# warns then of arrays without elements, and of strings where std::string comes from a precompiled header.
function(thalweg_compile_as_test target)
  target_compile_options(${target} PRIVATE
    "$<$<CONFIG:Release>:-O1;$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>>")
endfunction()

# thalweg_compile_unmeasured(TARGET): so are benchmarks and tutorials where contracts are on, for there nobody measures them.
function(thalweg_compile_unmeasured target)
  if(THALWEG_CONTRACTS)
    thalweg_compile_as_test(${target})
  endif()
endfunction()

# thalweg_optimise_test(TARGET): the opposite, for a program whose own loops take longer to run than to compile.
function(thalweg_optimise_test target)
  target_compile_options(${target} PRIVATE "$<$<CONFIG:Release>:-O3>")
  set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)  # they are for other options
endfunction()

# thalweg_add_campaign(NAME COMMAND program args... ADDS text [TIMEOUT seconds] [ENVIRONMENT ...] [FIXTURE name])
#
# Registers a long version of a check that runs each time: campaign.NAME, only with ctest -C all (./test --all), which
# says first what it ADDS. A GoogleTest program learns of it from tests/support/campaign.hpp. Exit code 77: what it needs is
# not there, and it says what.
function(thalweg_add_campaign name)
  cmake_parse_arguments(ARG "" "ADDS;TIMEOUT;FIXTURE" "COMMAND;ENVIRONMENT" ${ARGN})
  if(NOT DEFINED ARG_TIMEOUT)
    set(ARG_TIMEOUT 1200)
  endif()
  add_test(NAME campaign.${name} CONFIGURATIONS all COMMAND ${ARG_COMMAND})
  set_tests_properties(campaign.${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS campaign SKIP_RETURN_CODE 77
    FIXTURES_REQUIRED "${ARG_FIXTURE}" ENVIRONMENT "THALWEG_CAMPAIGN=1;${ARG_ENVIRONMENT}")
  set_property(GLOBAL APPEND PROPERTY THALWEG_CAMPAIGNS "${name}: ${ARG_ADDS}")
endfunction()

# Writes what all campaigns add, for ./test --all.
function(thalweg_list_campaigns)
  get_property(campaigns GLOBAL PROPERTY THALWEG_CAMPAIGNS)
  list(TRANSFORM campaigns PREPEND "  ")
  list(JOIN campaigns "\n" text)
  file(WRITE ${PROJECT_BINARY_DIR}/campaigns.txt "${text}\n")
endfunction()

# thalweg_add_mpi_run(NAME name RANKS n COMMAND program args... [LABELS ...])
#
# Registers one run of a program on n ranks, oversubscribing politely where cores are fewer.
function(thalweg_add_mpi_run)
  cmake_parse_arguments(ARG "" "NAME;RANKS" "COMMAND;LABELS" ${ARGN})
  add_test(NAME ${ARG_NAME} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ARG_RANKS} ${ARG_COMMAND})
  set_tests_properties(${ARG_NAME} PROPERTIES
    LABELS "${ARG_LABELS}" PROCESSORS ${ARG_RANKS}
    ENVIRONMENT "${THALWEG_MPI_ENVIRONMENT}")
endfunction()

# thalweg_add_run(NAME name COMMAND program args... SAYS regex [EXIT_CODE n] [RANKS n] [LABELS ...])
#
# Registers one run of a program, on one process or with mpirun, that must say something and then end with an exit code, 0 unless
# another is given. Where there is a PASS_REGULAR_EXPRESSION CTest does not look at exit codes: so the run says its own at the end.
function(thalweg_add_run)
  cmake_parse_arguments(ARG "" "NAME;SAYS;EXIT_CODE;RANKS" "COMMAND;LABELS" ${ARGN})
  set(exit_code 0)
  if(DEFINED ARG_EXIT_CODE)
    set(exit_code ${ARG_EXIT_CODE})
  endif()
  set(n_processes 1)
  if(ARG_RANKS)
    list(PREPEND ARG_COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ARG_RANKS})
    set(n_processes ${ARG_RANKS})
  endif()
  add_test(NAME ${ARG_NAME} COMMAND sh -c "\"$@\" && echo exit code 0 || echo exit code $?" sh ${ARG_COMMAND} COMMAND_EXPAND_LISTS)
  set_tests_properties(${ARG_NAME} PROPERTIES PASS_REGULAR_EXPRESSION "(${ARG_SAYS}).*exit code ${exit_code}\n"
    LABELS "${ARG_LABELS}" PROCESSORS ${n_processes} ENVIRONMENT "${THALWEG_MPI_ENVIRONMENT}")
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
