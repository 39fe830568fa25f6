# SPDX-License-Identifier: MIT
# Copies what find_package reads in PACKAGE to FOLDER, as where OTF2's library is not: it is named, with what to do.
file(REMOVE_RECURSE ${FOLDER})
file(COPY ${PACKAGE}/ DESTINATION ${FOLDER}/package)
file(READ ${FOLDER}/package/thalwegConfig.cmake text)
string(REGEX REPLACE "(set\\(_thalweg_otf2 )[^\n]*" "\\1 /nowhere/libotf2.so)" text "${text}")
file(WRITE ${FOLDER}/package/thalwegConfig.cmake "${text}")
execute_process(COMMAND ${CMAKE_COMMAND} -S ${CONSUMER} -B ${FOLDER}/build -Dthalweg_DIR=${FOLDER}/package
                  -DCMAKE_CXX_COMPILER=${COMPILER}
                OUTPUT_QUIET ERROR_VARIABLE said RESULT_VARIABLE code)
if(code EQUAL 0 OR NOT said MATCHES "/nowhere/libotf2.so[ \n].*-DTHALWEG_OTF2=OFF")
  message(FATAL_ERROR "OTF2 is not there, but find_package says: ${said}")
endif()
file(REMOVE_RECURSE ${FOLDER})
