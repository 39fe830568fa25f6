# SPDX-License-Identifier: MIT
# Makes the package for Debian of BUILD in FOLDER, and looks at what is in it and what it depends on.
file(REMOVE_RECURSE ${FOLDER})
execute_process(COMMAND ${CPACK} -G DEB -B ${FOLDER} WORKING_DIRECTORY ${BUILD} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(GLOB package ${FOLDER}/thalweg_${VERSION}_*.deb)
execute_process(COMMAND ${DPKG_DEB} --contents ${package} OUTPUT_VARIABLE contents COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${DPKG_DEB} --field ${package} Depends OUTPUT_VARIABLE depends COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE ${FOLDER})
foreach(file /usr/bin/thalweg /usr/include/thalweg/app/command_line.hpp /usr/lib/libthalweg_app.a
    /usr/lib/cmake/thalweg/thalwegConfig.cmake /usr/lib/pkgconfig/thalweg.pc
    /usr/lib/python3/dist-packages/thalweg/__main__.py)
  if(NOT contents MATCHES "\\.${file}\n")
    message(SEND_ERROR "${file} is not in ${package}")
  endif()
endforeach()
# The first is found by dpkg-shlibdeps alone.
foreach(package "libfmt9" "libc6 \\(>= " "openmpi-bin|mpich")
  if(NOT depends MATCHES "${package}")
    message(SEND_ERROR "The package does not depend on ${package}, but on: ${depends}")
  endif()
endforeach()
