# SPDX-License-Identifier: MIT
# thalweg_find(PACKAGE DEBIAN [OPTION]): finds a library, or stops and says which package of Debian has it, and without which
# option it is not needed. A macro, as find_package says in variables what it has found.
macro(thalweg_find package debian)
  find_package(${package} QUIET)
  if(NOT ${package}_FOUND)
    set(without ${ARGN})
    list(TRANSFORM without REPLACE "(.+)" ", or set -D\\1=OFF")
    message(FATAL_ERROR "No ${package} was found. Install it (Debian: ${debian}), or say where it is with -D${package}_DIR=${without}")
  endif()
endmacro()
