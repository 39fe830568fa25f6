# SPDX-License-Identifier: MIT
# Installs the exported targets and the package file that find_package(thalweg) reads.
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
