# SPDX-License-Identifier: MIT
# Configures a copy of SOURCE without its history, in a repository of somebody else in FOLDER: that one's commit is not ours.
# What pkg-config says leads to the headers and libraries, wherever these are installed; nothing is built.
file(REMOVE_RECURSE ${FOLDER})
set(copy ${FOLDER}/repository/thalweg)
file(COPY ${SOURCE}/CMakeLists.txt ${SOURCE}/LICENSE ${SOURCE}/THIRD_PARTY_LICENSES ${SOURCE}/cmake ${SOURCE}/libs
          ${SOURCE}/apps ${SOURCE}/python DESTINATION ${copy})
set(git ${GIT} -C ${FOLDER}/repository -c user.name=somebody -c user.email=somebody@example.org)
execute_process(COMMAND ${git} init --quiet COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${git} commit --quiet --allow-empty --message=theirs COMMAND_ERROR_IS_FATAL ANY)

function(configure libdir)
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${copy} -B ${FOLDER}/build -G Ninja -DCMAKE_CXX_COMPILER=${COMPILER}
      -DCMAKE_BUILD_TYPE=Release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DCMAKE_INSTALL_PREFIX=${FOLDER}/usr
      -DCMAKE_INSTALL_LIBDIR=${libdir} "-DCMAKE_CXX_FLAGS=-ffile-prefix-map=/their/folder=." -DBUILD_SHARED_LIBS=ON
      -DTHALWEG_TESTS=OFF -DTHALWEG_BENCHES=OFF -DTHALWEG_PYTHON=OFF -DTHALWEG_OTF2=OFF
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(check_pkg_config folder)
  file(COPY ${FOLDER}/build/thalweg.pc DESTINATION ${folder}/pkgconfig)
  set(ENV{PKG_CONFIG_PATH} ${folder}/pkgconfig)
  foreach(what libdir:${folder} includedir:${FOLDER}/usr/include prefix:${FOLDER}/usr)
    string(REGEX MATCH "^([a-z]+):(.*)$" what ${what})
    execute_process(COMMAND ${PKG_CONFIG} --variable=${CMAKE_MATCH_1} thalweg OUTPUT_VARIABLE said
                    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    get_filename_component(place ${said} ABSOLUTE)
    if(NOT place STREQUAL CMAKE_MATCH_2)
      message(SEND_ERROR "${CMAKE_MATCH_1} of pkg-config is ${said}, not ${CMAKE_MATCH_2}")
    endif()
  endforeach()
endfunction()
configure(lib/x86_64-linux-gnu)
check_pkg_config(${FOLDER}/usr/lib/x86_64-linux-gnu)
configure(${FOLDER}/opt/lib)
check_pkg_config(${FOLDER}/opt/lib)

file(STRINGS ${FOLDER}/build/thalweg.pc otf2 REGEX "otf2")
if(otf2)
  message(SEND_ERROR "THALWEG_OTF2 is OFF, but pkg-config says: ${otf2}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --install ${FOLDER}/build OUTPUT_QUIET ERROR_VARIABLE said RESULT_VARIABLE code)
if(code EQUAL 0 OR NOT said MATCHES "First[ \n]+run[ \n]+cmake[ \n]+--build")
  message(SEND_ERROR "Nothing is built, but installing says: ${said}")
endif()

file(STRINGS ${FOLDER}/build/compile_commands.json version REGEX "THALWEG_VERSION=.*commit unknown" LIMIT_COUNT 1)
if(NOT version)
  message(SEND_ERROR "--version says a commit, which can only be somebody else's")
endif()
string(REGEX MATCH "THALWEG_VERSION=.*contracts" version "${version}")
if(version MATCHES "/their/folder")
  message(SEND_ERROR "--version says a folder of the machine that it was built on: ${version}")
endif()
file(STRINGS ${FOLDER}/build/build.ninja shared REGEX "^build [^:]*libthalweg_[^:]*\\.so" LIMIT_COUNT 1)
if(shared)
  message(SEND_ERROR "BUILD_SHARED_LIBS makes shared libraries of what is static: ${shared}")
endif()
file(REMOVE_RECURSE ${FOLDER})
