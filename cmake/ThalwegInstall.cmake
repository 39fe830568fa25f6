# SPDX-License-Identifier: MIT
# Installs the exported targets, the files that find_package(thalweg) and pkg-config read, and the licences.
include(CMakePackageConfigHelpers)
include(ThalwegMpi)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/THIRD_PARTY_LICENSES
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
foreach(application ${THALWEG_APPLICATIONS})
  if(EXISTS ${PROJECT_SOURCE_DIR}/apps/${application}/decks)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/apps/${application}/decks/
            DESTINATION ${CMAKE_INSTALL_DATADIR}/thalweg/decks/${application} FILES_MATCHING PATTERN *.toml)
  endif()
endforeach()
install(TARGETS thalweg_flags EXPORT thalweg)
install(EXPORT thalweg NAMESPACE thalweg:: FILE thalwegTargets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/thalweg)
set(mpi_name)
if(THALWEG_MPI)
  thalweg_name_mpi(mpi_name)
endif()
set(otf2_libraries)
if(THALWEG_OTF2)
  set(otf2_libraries ${OTF2_LINK_LIBRARIES})
endif()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/thalwegConfig.cmake.in
  ${PROJECT_BINARY_DIR}/thalwegConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/thalweg)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/thalwegConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/thalwegConfig.cmake ${PROJECT_BINARY_DIR}/thalwegConfigVersion.cmake
        ${CMAKE_CURRENT_LIST_DIR}/FindStarPU.cmake ${CMAKE_CURRENT_LIST_DIR}/ThalwegCompiler.cmake
        ${CMAKE_CURRENT_LIST_DIR}/ThalwegMpi.cmake
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
if(fmt_VERSION)
  math(EXPR next "${fmt_VERSION_MAJOR} + 1")
  set(pkg_config_requires "fmt >= ${fmt_VERSION_MAJOR}, fmt < ${next}")
endif()
if(THALWEG_OTF2)
  string(APPEND pkg_config_requires ", otf2")
endif()
# Where the rest is from this file's folder, so that what was installed may move.
set(pkg_config_folder ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pkg_config_prefix ${pkg_config_folder} ${CMAKE_INSTALL_PREFIX})
file(RELATIVE_PATH pkg_config_include ${pkg_config_folder} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(${CMAKE_CURRENT_LIST_DIR}/thalweg.pc.in ${PROJECT_BINARY_DIR}/thalweg.pc.in @ONLY)
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/thalweg.pc INPUT ${PROJECT_BINARY_DIR}/thalweg.pc.in)
install(FILES ${PROJECT_BINARY_DIR}/thalweg.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
