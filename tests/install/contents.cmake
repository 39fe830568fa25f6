# SPDX-License-Identifier: MIT
# Looks at what was installed to FOLDER from a build of SOURCE: licences are there, no file says where it was built, and
# libraries define no names outside namespace thalweg but templates of the system's libraries.
foreach(name LICENSE THIRD_PARTY_LICENSES)
  if(NOT EXISTS ${FOLDER}/${DOCUMENTS}/${name})
    message(SEND_ERROR "${name} was not installed")
  endif()
endforeach()

if(NOT EXISTS ${FOLDER}/share/thalweg/decks/hydro/sedov_2d.toml)
  message(SEND_ERROR "Decks were not installed")
endif()
# A program that Clang compiles with our headers has no warnings of their loops.
file(STRINGS ${FOLDER}/${LIBRARIES}/cmake/thalweg/thalwegTargets.cmake quiet REGEX "CXX_COMPILER_ID:Clang>:-Wno-pass-failed")
if(NOT quiet)
  message(SEND_ERROR "thalweg::flags has no -Wno-pass-failed for Clang")
endif()

# Debug information has paths, and so has a program that another test compiles beside these folders.
if(BUILD_TYPE STREQUAL Release)
  execute_process(COMMAND grep --recursive --text --files-with-matches --fixed-strings ${SOURCE}/
                          ${FOLDER}/bin ${FOLDER}/include ${FOLDER}/${LIBRARIES} ${FOLDER}/share
                  OUTPUT_VARIABLE found RESULT_VARIABLE code)
  if(NOT code EQUAL 1)
    message(SEND_ERROR "${SOURCE} is in what was installed:\n${found}")
  endif()
endif()

file(GLOB libraries ${FOLDER}/${LIBRARIES}/libthalweg_*.a)
set(names ${FOLDER}/names.txt)
execute_process(COMMAND ${NM} --demangle --defined-only --extern-only ${libraries} OUTPUT_FILE ${names}
                COMMAND_ERROR_IS_FATAL ANY)
# A program may have its own version of each of these.
execute_process(COMMAND grep -E " [VWu] (CLI|toml|protozero|kissfft)(::|<)" ${names} OUTPUT_VARIABLE others RESULT_VARIABLE code)
if(NOT code EQUAL 1)
  message(SEND_ERROR "A library that was compiled in has its own names:\n${others}")
endif()
# C's names are everybody's: only what ThreadSanitizer calls.
execute_process(COMMAND grep -E "^[0-9a-f]+ [BDRT] [A-Za-z0-9_]+$" ${names} OUTPUT_VARIABLE c_names)
if(NOT c_names MATCHES "^([0-9a-f]+ T __tsan_on_report\n)?$")
  message(SEND_ERROR "Names outside namespace thalweg:\n${c_names}")
endif()
file(REMOVE ${names})
