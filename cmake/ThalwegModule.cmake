# SPDX-License-Identifier: MIT

# Standard headers, compiled once for the sources and headers of all modules: without, half of a build is spent in
# reading them again. One that a public header forgets is found by tools/lint; one that a source forgets in the presets
# dev and tidy (THALWEG_PRECOMPILE is off).
function(thalweg_precompile_for_modules)
  add_library(thalweg_module_pch OBJECT ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/pch.cpp)
  target_link_libraries(thalweg_module_pch PRIVATE thalweg::flags thalweg_warnings fmt::fmt)
  set_target_properties(thalweg_module_pch PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_precompile_headers(thalweg_module_pch PRIVATE
    <algorithm> <array> <atomic> <bit> <cmath> <cstdint> <cstring> <deque> <expected> <functional> <limits> <map>
    <memory> <mutex> <numeric> <optional> <span> <sstream> <stdexcept> <string> <string_view> <thread> <unordered_map>
    <vector> <fmt/format.h>)
endfunction()

# Compiles a target with them, and as they are: for code that may lie anywhere.
function(thalweg_precompile target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(THALWEG_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM thalweg_module_pch)
    # GCC 12 warns of joined strings where std::string comes from a precompiled header.
    target_compile_options(${target} PRIVATE
      "$<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-array-bounds>")
  endif()
endfunction()

# thalweg_install(TARGET [EXPORT export]): installs a program or library, or says that it has not been built.
function(thalweg_install target)
  if(NOT THALWEG_INSTALL)
    return()
  endif()
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL INTERFACE_LIBRARY)
    install(CODE "if(NOT EXISTS \"$<TARGET_FILE:${target}>\")
  message(FATAL_ERROR \"$<TARGET_FILE_NAME:${target}> is not built, but all programs and libraries are installed. First run cmake --build ${PROJECT_BINARY_DIR}\")
endif()")
  endif()
  install(TARGETS ${target} ${ARGN})
endfunction()

# thalweg_add_module(NAME [DEPENDS modules...] [LIBRARIES targets...] [PRIVATE_LIBRARIES targets...])
#
# Makes library thalweg::NAME from libs/NAME/src/*.cpp with headers in libs/NAME/include. A module sees
# the headers of the modules it DEPENDS on, and of no others: a forbidden include does not compile.
# ./test and ./quickstart compile its sources together (CMAKE_UNITY_BUILD), in half the time; so no two sources of a
# module give the same name to two things, not in an anonymous namespace either. Each public header is also compiled
# alone, so that it includes what it uses.
function(thalweg_add_module name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LIBRARIES;PRIVATE_LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/*.cpp)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/include/*.hpp)
  list(TRANSFORM ARG_DEPENDS PREPEND thalweg:: OUTPUT_VARIABLE modules)

  set(target thalweg_${name})
  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:thalweg_warnings> ${ARG_PRIVATE_LIBRARIES})
    thalweg_precompile(${target})
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(thalweg::${name} ALIAS ${target})
  target_include_directories(${target} ${scope}
    $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} ${scope} thalweg::flags ${modules} ${ARG_LIBRARIES})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})

  if(sources AND NOT name MATCHES "^backends_(openmp|starpu)$")  # those need a runtime that few have
    set_property(GLOBAL APPEND PROPERTY THALWEG_LIBRARIES ${target})
  endif()
  thalweg_install(${target} EXPORT thalweg)
  if(THALWEG_INSTALL)
    install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  endif()

  if(THALWEG_TESTS AND headers)
    thalweg_check_headers(${name} ${headers})
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/test/CMakeLists.txt)
      add_subdirectory(test)
    endif()
  endif()
  if(THALWEG_BENCHES AND EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/bench/CMakeLists.txt)
    add_subdirectory(bench)
  endif()
endfunction()

# Compiles every header of a module in a translation unit of its own, to an object, so that it is done once.
function(thalweg_check_headers name)
  set(units)
  foreach(header ${ARGN})
    file(RELATIVE_PATH path ${CMAKE_CURRENT_SOURCE_DIR}/include ${header})
    string(REPLACE "/" "_" unit ${path})
    set(unit ${CMAKE_CURRENT_BINARY_DIR}/headers/${unit}.cpp)
    file(CONFIGURE OUTPUT ${unit} CONTENT "#include <${path}>\n")
    list(APPEND units ${unit})
  endforeach()
  add_library(thalweg_${name}_headers OBJECT ${units})
  target_link_libraries(thalweg_${name}_headers PRIVATE thalweg::${name} thalweg_warnings)
  thalweg_precompile(thalweg_${name}_headers)
  set_target_properties(thalweg_${name}_headers PROPERTIES UNITY_BUILD OFF)
endfunction()
