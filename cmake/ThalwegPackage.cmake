# SPDX-License-Identifier: MIT
# `cpack -G DEB` in a build folder makes thalweg_VERSION_ARCHITECTURE.deb: the program, the libraries and headers, and the
# Python package, with its compiled module where that is built. What the program loads is found by dpkg-shlibdeps; what
# only headers, reports or `cholesky` need is recommended (packaging/README.md).
set(python_package ${PROJECT_SOURCE_DIR}/python/thalweg)
install(DIRECTORY ${python_package} DESTINATION lib/python3/dist-packages COMPONENT python EXCLUDE_FROM_ALL
        PATTERN __pycache__ EXCLUDE)

set(CPACK_PACKAGE_NAME thalweg)
set(CPACK_PACKAGE_VENDOR Thalweg)
set(CPACK_PACKAGE_CONTACT "The Thalweg developers")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_CMAKE_PROJECTS
  "${PROJECT_BINARY_DIR};thalweg;ALL;/" "${PROJECT_BINARY_DIR};thalweg;python;/")
set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(recommended g++ cmake pkgconf libfmt-dev libopenblas0-pthread python3-numpy python3-matplotlib)
if(OTF2_FOUND)
  list(APPEND recommended libopen-trace-format2-dev)
endif()
if(THALWEG_STARPU)
  list(APPEND recommended libstarpu-dev)
endif()
if(THALWEG_MPI)
  # mpirun must be of the MPI that the program is linked with, and so must the headers.
  if(MPI_C_LIBRARIES MATCHES "mpich")
    set(CPACK_DEBIAN_PACKAGE_DEPENDS mpich)
    list(APPEND recommended libmpich-dev)
  else()
    set(CPACK_DEBIAN_PACKAGE_DEPENDS openmpi-bin)
    list(APPEND recommended libopenmpi-dev)
  endif()
endif()
list(JOIN recommended ", " CPACK_DEBIAN_PACKAGE_RECOMMENDS)
include(CPack)
