# SPDX-License-Identifier: MIT
# Configures SOURCE in FOLDER as pip does: the Python package, which scikit-build-core puts into the wheel itself, is not
# installed a second time.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND ${CMAKE_COMMAND} --fresh -S ${SOURCE} -B ${FOLDER} -G ${GENERATOR} -DSKBUILD=ON
                  -DTHALWEG_TESTS=OFF -DTHALWEG_BENCHES=OFF
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE rules ${FOLDER}/cmake_install.cmake)
set(has_module FALSE)
foreach(rule ${rules})
  file(READ ${rule} text)
  if(text MATCHES "dist-packages")
    message(SEND_ERROR "${rule} installs to dist-packages, so a wheel has the package twice")
  endif()
  if(text MATCHES "_thalweg\\.")
    set(has_module TRUE)
  endif()
endforeach()
if(NOT has_module)
  message(SEND_ERROR "The compiled module is not installed")
endif()
