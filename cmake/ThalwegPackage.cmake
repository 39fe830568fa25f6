# SPDX-License-Identifier: MIT
# `cpack -G DEB` in a build folder makes thalweg_VERSION_ARCHITECTURE.deb: the program, the libraries and headers, and the
# Python package, with its compiled module where that is built. What the program loads is found by dpkg-shlibdeps; what
# only headers, reports or `cholesky` need is recommended (packaging/README.md).
set(python_package ${PROJECT_SOURCE_DIR}/python/thalweg)
if(NOT SKBUILD)  # a wheel has the package already, where pip wants it
  install(DIRECTORY ${python_package} DESTINATION lib/python3/dist-packages COMPONENT python EXCLUDE_FROM_ALL
          PATTERN __pycache__ EXCLUDE)
endif()

# Debian wants all licences in one file, of this name.
file(READ ${PROJECT_SOURCE_DIR}/LICENSE licence)
file(READ ${PROJECT_SOURCE_DIR}/THIRD_PARTY_LICENSES third_party)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/copyright CONTENT "@licence@\n@third_party@" @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/copyright DESTINATION share/doc/thalweg COMPONENT debian EXCLUDE_FROM_ALL)

set(CPACK_PACKAGE_NAME thalweg)
set(CPACK_PACKAGE_DESCRIPTION
"Programs of tasks are recorded once as a graph and replayed on MPI ranks and threads, to the same bits in all execution
models. The program runs gas dynamics and other equations on adaptive meshes, and proxy applications; libraries and headers
are for programs of one's own, the Python package for figures and reports.")
set(CPACK_PACKAGE_VENDOR Thalweg)
set(CPACK_PACKAGE_CONTACT "The Thalweg developers")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_CMAKE_PROJECTS
  "${PROJECT_BINARY_DIR};thalweg;ALL;/" "${PROJECT_BINARY_DIR};thalweg;python;/" "${PROJECT_BINARY_DIR};thalweg;debian;/")
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/package_folders.cmake)
set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(recommended g++ cmake pkgconf libfmt-dev libopenblas0-pthread python3-numpy python3-matplotlib)
if(TARGET thalweg_python)
  # The compiled module is for the Python that it was built with alone.
  get_directory_property(minor DIRECTORY ${PROJECT_SOURCE_DIR}/python/module DEFINITION Python_VERSION_MINOR)
  math(EXPR next "${minor} + 1")
  list(APPEND recommended "python3 (>= 3.${minor})" "python3 (<< 3.${next})")
else()
  list(APPEND recommended "python3 (>= 3.11)")
endif()
if(THALWEG_OTF2)
  list(APPEND recommended libopen-trace-format2-dev)
endif()
if(THALWEG_STARPU)
  list(APPEND recommended libstarpu-dev)
endif()
if(THALWEG_MPI)
  # mpirun must be of the MPI that the program is linked with, and so must the headers.
  if(mpi_name STREQUAL MPICH)
    set(CPACK_DEBIAN_PACKAGE_DEPENDS mpich)
    list(APPEND recommended libmpich-dev)
  else()
    set(CPACK_DEBIAN_PACKAGE_DEPENDS openmpi-bin)
    list(APPEND recommended libopenmpi-dev)
  endif()
endif()
list(JOIN recommended ", " CPACK_DEBIAN_PACKAGE_RECOMMENDS)
include(CPack)
