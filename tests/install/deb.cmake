# SPDX-License-Identifier: MIT
# Makes the package for Debian of BUILD in FOLDER, and looks at what is in it and what it depends on. MODULE: the name of
# the compiled module of the Python package, or nothing where it is not built. STARPU: whether its back end is.
file(REMOVE_RECURSE ${FOLDER})
# Whoever makes it may keep their own files to themselves.
execute_process(COMMAND sh -c "umask 077; exec \"\$@\"" sh ${CPACK} -G DEB -B ${FOLDER}
                WORKING_DIRECTORY ${BUILD} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(GLOB package ${FOLDER}/thalweg_${VERSION}_*.deb)
execute_process(COMMAND ${DPKG_DEB} --contents ${package} OUTPUT_VARIABLE contents COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${DPKG_DEB} --field ${package} Depends OUTPUT_VARIABLE depends COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${DPKG_DEB} --field ${package} Recommends OUTPUT_VARIABLE recommends COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE ${FOLDER})
set(files /usr/bin/thalweg /usr/include/thalweg/app/command_line.hpp /usr/lib/libthalweg_app.a
    /usr/lib/cmake/thalweg/thalwegConfig.cmake /usr/lib/pkgconfig/thalweg.pc
    /usr/lib/python3/dist-packages/thalweg/__main__.py /usr/share/doc/thalweg/copyright
    /usr/share/thalweg/decks/vlasov/landau_linear.toml)
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
list(REMOVE_ITEM folders ./usr/bin/ ./usr/include/ ./usr/lib/ ./usr/share/)
if(folders)
  message(SEND_ERROR "${package} has folders of its own: ${folders}")
endif()
string(REGEX MATCHALL "\\./usr/share/doc/[^\n]*\n" documents "${contents}")
list(FILTER documents EXCLUDE REGEX "^\\./usr/share/doc/(thalweg/([A-Za-z_]+)?)?\n")
string(REGEX MATCHALL "\\./usr/share/[^/\n]+/" shared "${contents}")
list(FILTER shared EXCLUDE REGEX "/(doc|thalweg)/$")
if(documents OR shared)
  message(SEND_ERROR "${package} has more in share than its licences and decks: ${documents} ${shared}")
endif()
if(contents MATCHES "(\n|^)d......---[^\n]*")
  message(SEND_ERROR "${package} has a folder that not all may read: ${CMAKE_MATCH_0}")
endif()
# The first is found by dpkg-shlibdeps alone.
foreach(package "libfmt9" "libc6 \\(>= " "openmpi-bin|mpich")
  if(NOT depends MATCHES "${package}")
    message(SEND_ERROR "The package does not depend on ${package}, but on: ${depends}")
  endif()
endforeach()
if(MODULE AND NOT recommends MATCHES "python3 \\(>= 3\\.[0-9]+\\), python3 \\(<< 3\\.[0-9]+\\)")
  message(SEND_ERROR "The compiled module is for one Python, but this is recommended: ${recommends}")
endif()
if(STARPU AND NOT recommends MATCHES "libstarpu-dev")
  message(SEND_ERROR "find_package(thalweg) looks for StarPU, but only this is recommended: ${recommends}")
endif()
