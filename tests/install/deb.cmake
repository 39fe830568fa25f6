# SPDX-License-Identifier: MIT
# Makes the package for Debian of BUILD in FOLDER, and looks at what is in it and what it depends on. MODULE: the name of
# the compiled module of the Python package, or nothing where it is not built. STARPU: whether its back end is.
file(REMOVE_RECURSE ${FOLDER})
execute_process(COMMAND ${CPACK} -G DEB -B ${FOLDER} WORKING_DIRECTORY ${BUILD} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(GLOB package ${FOLDER}/thalweg_${VERSION}_*.deb)
execute_process(COMMAND ${DPKG_DEB} --contents ${package} OUTPUT_VARIABLE contents COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${DPKG_DEB} --field ${package} Depends OUTPUT_VARIABLE depends COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${DPKG_DEB} --field ${package} Recommends OUTPUT_VARIABLE recommends COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE ${FOLDER})
set(files /usr/bin/thalweg /usr/include/thalweg/app/command_line.hpp /usr/lib/libthalweg_app.a
    /usr/lib/cmake/thalweg/thalwegConfig.cmake /usr/lib/pkgconfig/thalweg.pc
    /usr/lib/python3/dist-packages/thalweg/__main__.py)
if(MODULE)
  list(APPEND files /usr/lib/python3/dist-packages/thalweg/${MODULE})
endif()
foreach(file ${files})
  if(NOT contents MATCHES "\\.${file}\n")
    message(SEND_ERROR "${file} is not in ${package}")
  endif()
endforeach()
# Nothing lies where nobody looks.
string(REGEX MATCHALL "\\./usr/[^/\n]+/" folders "${contents}")
list(REMOVE_DUPLICATES folders)
list(REMOVE_ITEM folders ./usr/bin/ ./usr/include/ ./usr/lib/)
if(folders)
  message(SEND_ERROR "${package} has folders of its own: ${folders}")
endif()
# The first is found by dpkg-shlibdeps alone.
foreach(package "libfmt9" "libc6 \\(>= " "openmpi-bin|mpich")
  if(NOT depends MATCHES "${package}")
    message(SEND_ERROR "The package does not depend on ${package}, but on: ${depends}")
  endif()
endforeach()
if(STARPU AND NOT recommends MATCHES "libstarpu-dev")
  message(SEND_ERROR "find_package(thalweg) looks for StarPU, but only this is recommended: ${recommends}")
endif()
