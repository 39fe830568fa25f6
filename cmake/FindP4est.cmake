# SPDX-License-Identifier: MIT
# Finds p4est (Debian's libp4est-dev has no package config) and makes the target P4est::p4est.
find_path(P4est_INCLUDE_DIR p8est.h)
find_library(P4est_LIBRARY p4est)
find_library(P4est_SC_LIBRARY sc)
mark_as_advanced(P4est_INCLUDE_DIR P4est_LIBRARY P4est_SC_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(P4est REQUIRED_VARS P4est_LIBRARY P4est_SC_LIBRARY P4est_INCLUDE_DIR)

if(P4est_FOUND AND NOT TARGET P4est::p4est)
  add_library(P4est::p4est INTERFACE IMPORTED)
  target_include_directories(P4est::p4est INTERFACE ${P4est_INCLUDE_DIR})
  target_link_libraries(P4est::p4est INTERFACE ${P4est_LIBRARY} ${P4est_SC_LIBRARY} MPI::MPI_C)
endif()
