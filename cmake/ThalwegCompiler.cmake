# SPDX-License-Identifier: MIT
# thalweg_check_compiler(TO): what is wrong with the compiler, or nothing. Without, one that is too old says so in hundreds of
# errors. A library may have <expected> and hide it from a compiler.
cmake_policy(PUSH)
cmake_policy(SET CMP0067 NEW)  # try_compile takes CMAKE_CXX_STANDARD, whatever the project's minimum is
function(thalweg_check_compiler to)
  set(has_expected FALSE)
  if(cxx_std_23 IN_LIST CMAKE_CXX_COMPILE_FEATURES)
    include(CheckCXXSourceCompiles)
    set(CMAKE_CXX_STANDARD 23)
    set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
    set(CMAKE_REQUIRED_QUIET TRUE)
    check_cxx_source_compiles("#include <version>
#ifndef __cpp_lib_expected
#error
#endif
" THALWEG_HAS_EXPECTED)
    set(has_expected ${THALWEG_HAS_EXPECTED})
  endif()
  set(${to} "" PARENT_SCOPE)
  if(NOT CMAKE_CXX_COMPILER)
    set(${to} "Thalweg is C++, which this project has not enabled: say project(... LANGUAGES CXX)" PARENT_SCOPE)
  elseif(NOT has_expected)
    set(${to} "The compiler is ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} (${CMAKE_CXX_COMPILER}), but Thalweg needs \
one of C++23 whose library has std::expected: tried are GCC 12.2 and Clang 19. In an empty build folder say \
which with -DCMAKE_CXX_COMPILER=" PARENT_SCOPE)
  endif()
endfunction()
cmake_policy(POP)
