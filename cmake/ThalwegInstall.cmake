# SPDX-License-Identifier: MIT
# Installs the exported targets, and the files that find_package(thalweg) and pkg-config read.
include(CMakePackageConfigHelpers)
install(TARGETS thalweg_flags EXPORT thalweg)
install(EXPORT thalweg NAMESPACE thalweg:: FILE thalwegTargets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/thalweg)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/thalwegConfig.cmake.in
  ${CMAKE_BINARY_DIR}/thalwegConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/thalweg)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/thalwegConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/thalwegConfig.cmake ${CMAKE_BINARY_DIR}/thalwegConfigVersion.cmake
        ${CMAKE_CURRENT_LIST_DIR}/FindStarPU.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/thalweg)

# All libraries are static: those who link them need what these need. The linker finds the order.
get_property(modules GLOBAL PROPERTY THALWEG_LIBRARIES)
list(TRANSFORM modules PREPEND "-l")
list(JOIN modules " " pkg_config_libraries)
set(pkg_config_others ${MPI_C_LIBRARIES} ${CMAKE_THREAD_LIBS_INIT} ${CMAKE_DL_LIBS})
list(TRANSFORM pkg_config_others REPLACE "^([^/-].*)" "-l\\1")
list(JOIN pkg_config_others " " pkg_config_others)
set(pkg_config_includes ${MPI_C_INCLUDE_DIRS})
list(TRANSFORM pkg_config_includes PREPEND "-I")
list(JOIN pkg_config_includes " " pkg_config_includes)
set(pkg_config_requires fmt)
if(OTF2_FOUND)
  string(APPEND pkg_config_requires " otf2")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/thalweg.pc.in ${CMAKE_BINARY_DIR}/thalweg.pc.in @ONLY)
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/thalweg.pc INPUT ${CMAKE_BINARY_DIR}/thalweg.pc.in)
install(FILES ${CMAKE_BINARY_DIR}/thalweg.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
