# SPDX-License-Identifier: MIT
# Compiles SOURCE to PROGRAM by COMPILER with what PKG_CONFIG says of the package in FOLDER, and nothing else.
set(ENV{PKG_CONFIG_PATH} ${FOLDER})
foreach(what cflags libs)
  execute_process(COMMAND ${PKG_CONFIG} --${what} thalweg OUTPUT_VARIABLE ${what} OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(${what} UNIX_COMMAND "${${what}}")
endforeach()
execute_process(COMMAND ${PKG_CONFIG} --print-requires thalweg OUTPUT_VARIABLE requires COMMAND_ERROR_IS_FATAL ANY)
if(NOT requires MATCHES "fmt >= [0-9]+.*fmt < [0-9]+")
  message(SEND_ERROR "The libraries call one major version of fmt, but the package wants: ${requires}")
endif()
execute_process(COMMAND ${COMPILER} -O1 ${cflags} ${SOURCE} -o ${PROGRAM} ${libs} COMMAND_ERROR_IS_FATAL ANY)
