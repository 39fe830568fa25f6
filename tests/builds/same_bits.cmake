# SPDX-License-Identifier: MIT
# Builds what ./quickstart builds in another way, in the folder BUILD, and fails where a blast has other bits than with
# PROGRAM, in any model and on two threads.
#   OPTIONS  of the build            LAUNCH  what starts the program, or nothing
#   SAYS     what `doctor` must say  WITHOUT a library that the program may not need, or nothing
separate_arguments(OPTIONS UNIX_COMMAND "${OPTIONS}")
separate_arguments(LAUNCH UNIX_COMMAND "${LAUNCH}")
file(REMOVE_RECURSE ${BUILD})
execute_process(COMMAND ${CMAKE_COMMAND} --preset quickstart -B ${BUILD} ${OPTIONS}
                WORKING_DIRECTORY ${SOURCE} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} --target thalweg COMMAND_ERROR_IS_FATAL ANY)
set(built ${BUILD}/bin/thalweg)

execute_process(COMMAND ${LAUNCH} ${built} doctor OUTPUT_VARIABLE said ECHO_OUTPUT_VARIABLE COMMAND_ERROR_IS_FATAL ANY)
if(NOT said MATCHES "${SAYS}")
  message(FATAL_ERROR "doctor does not say ${SAYS}")
endif()
if(WITHOUT)
  execute_process(COMMAND ldd ${built} OUTPUT_VARIABLE needed COMMAND_ERROR_IS_FATAL ANY)
  if(needed MATCHES "${WITHOUT}")
    message(FATAL_ERROR "The program needs ${WITHOUT}: ${needed}")
  endif()
endif()

set(run run ${SOURCE}/apps/hydro/decks/sedov_2d.toml mesh.max_level=2 time.max_steps=40 trace.steps=[] --force)
function(hash_of folder to)
  execute_process(COMMAND ${PROGRAM} hash ${folder}/plt00040 OUTPUT_VARIABLE hash COMMAND_ERROR_IS_FATAL ANY)
  set(${to} ${hash} PARENT_SCOPE)
endfunction()
execute_process(COMMAND ${PROGRAM} ${run} --quiet --out ${BUILD}/reference COMMAND_ERROR_IS_FATAL ANY)
hash_of(${BUILD}/reference expected)
foreach(model bulk forkjoin phase dataflow)
  execute_process(COMMAND ${LAUNCH} ${built} ${run} --quiet --model ${model} --threads 2 --out ${BUILD}/${model}
                  COMMAND_ERROR_IS_FATAL ANY)
  hash_of(${BUILD}/${model} hash)
  if(NOT hash STREQUAL expected)
    message(FATAL_ERROR "${model}: hash ${hash} where it is ${expected} as ./test builds it")
  endif()
endforeach()
file(REMOVE_RECURSE ${BUILD})
