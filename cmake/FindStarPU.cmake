# SPDX-License-Identifier: MIT
# FindStarPU: target StarPU::StarPU, for StarPU 1.3.
find_path(StarPU_INCLUDE_DIR starpu.h PATH_SUFFIXES starpu/1.3)
find_library(StarPU_LIBRARY starpu-1.3)
mark_as_advanced(StarPU_INCLUDE_DIR StarPU_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(StarPU REQUIRED_VARS StarPU_LIBRARY StarPU_INCLUDE_DIR)
if(StarPU_FOUND AND NOT TARGET StarPU::StarPU)
  add_library(StarPU::StarPU UNKNOWN IMPORTED)
  set_target_properties(StarPU::StarPU PROPERTIES
    IMPORTED_LOCATION ${StarPU_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${StarPU_INCLUDE_DIR})
endif()
