# SPDX-License-Identifier: MIT
# Copies what begins a build of SOURCE to FOLDER and builds in it, by its own path and by another: refused. And a link to a
# file of the Python package takes no file's place.
file(REMOVE_RECURSE ${FOLDER})
file(COPY ${SOURCE}/CMakeLists.txt DESTINATION ${FOLDER}/thalweg)
file(CREATE_LINK ${FOLDER}/thalweg ${FOLDER}/other_path SYMBOLIC)
foreach(name thalweg other_path)
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${FOLDER}/thalweg -B ${FOLDER}/${name} RESULT_VARIABLE code
                  OUTPUT_QUIET ERROR_VARIABLE said)
  if(code EQUAL 0 OR NOT said MATCHES "cmake -S . -B build/")
    message(SEND_ERROR "A build among the sources is not refused, by path ${name}: ${said}")
  endif()
endforeach()

file(WRITE ${FOLDER}/build/kept.py kept)
file(WRITE ${FOLDER}/link.cmake "include(${SOURCE}/python/module/link_files.cmake)\nlink_files(\"${FOLDER}/new.py;${FOLDER}/kept.py\" ${FOLDER}/build)")
execute_process(COMMAND ${CMAKE_COMMAND} -P ${FOLDER}/link.cmake RESULT_VARIABLE code ERROR_VARIABLE said)
if(code EQUAL 0 OR NOT said MATCHES "kept.py[ \n]+is[ \n]+no[ \n]+link" OR NOT IS_SYMLINK ${FOLDER}/build/new.py OR IS_SYMLINK ${FOLDER}/build/kept.py)
  message(SEND_ERROR "A file that is no link was replaced: ${said}")
endif()
file(REMOVE_RECURSE ${FOLDER})
