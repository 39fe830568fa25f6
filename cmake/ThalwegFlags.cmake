# SPDX-License-Identifier: MIT
# thalweg_flags: what every target of the project is compiled with.
#
# -ffp-contract=off keeps the bits the same whatever the loop is compiled to (docs/adr/0003-layout-floating-point-vectors.md);
# -fno-math-errno and -fno-trapping-math let sqrt and ?: vectorise without changing a result.
add_library(thalweg_flags INTERFACE)
add_library(thalweg::flags ALIAS thalweg_flags)
set_target_properties(thalweg_flags PROPERTIES EXPORT_NAME flags)
target_compile_features(thalweg_flags INTERFACE cxx_std_23)
target_compile_options(thalweg_flags INTERFACE
  -fopenmp-simd -ffp-contract=off -fno-math-errno -fno-trapping-math)
if(THALWEG_ARCH)
  target_compile_options(thalweg_flags INTERFACE -march=${THALWEG_ARCH})
endif()
# Clang warns of each loop that it does not vectorise, in programs that are compiled with our headers as well.
target_compile_options(thalweg_flags INTERFACE $<INSTALL_INTERFACE:$<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>>)
if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  target_compile_options(thalweg_flags INTERFACE $<BUILD_INTERFACE:-Wno-pass-failed>)
endif()
list(TRANSFORM THALWEG_DIMENSIONS REPLACE "(.+)" "THALWEG_\\1D" OUTPUT_VARIABLE dimensions)
target_compile_definitions(thalweg_flags INTERFACE
  ${dimensions} OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX $<$<BOOL:${THALWEG_CONTRACTS}>:THALWEG_CONTRACTS>)

# What the project alone is compiled with. Contracts that fail name their file, without the folder that this was built in.
# And a program may have another version of a library that is headers alone than the one that is compiled into ours: where
# both give a function the same name the linker takes one of the two, so these have names of our own.
add_compile_options("-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")
foreach(name CLI toml protozero kissfft)
  add_compile_definitions(${name}=thalweg_${name})
endforeach()

# GCC frees what it no longer needs at each doubling of its memory from 128 MiB on, which takes a tenth of compiling a large
# file: from 1 GiB on where there is room for it beside other files.
cmake_host_system_information(RESULT memory_MiB QUERY TOTAL_PHYSICAL_MEMORY)
cmake_host_system_information(RESULT n_cores QUERY NUMBER_OF_LOGICAL_CORES)
math(EXPR memory_MiB "${memory_MiB} / ${n_cores}")
if(memory_MiB GREATER_EQUAL 3500)
  add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=1048576>")
endif()

# Warnings are ours alone: a consumer of the installed package does not inherit them. GCC 12 warns of
# overlapping memory in operator+ of strings where there is none (its bug 105651). Where files are joined, a local name
# may be one that another file has for all of itself, so only locals that hide locals are warned of (the preset dev warns
# of all), and types of anonymous namespaces come from included files. Clang's -Wconversion warns of signs as well, and it
# warns of std::get_temporary_buffer in std::stable_sort of GCC 12.
set(is_joined "$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>")
add_library(thalweg_warnings INTERFACE)
target_compile_options(thalweg_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual
  $<$<NOT:${is_joined}>:-Wshadow>
  $<$<AND:$<CXX_COMPILER_ID:GNU>,${is_joined}>:-Wshadow=local;-Wno-subobject-linkage>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion;-Wno-deprecated-declarations>
  $<$<BOOL:${THALWEG_WERROR}>:-Werror>)

# thalweg_optimise_fully(sources...): for kernels, which take most of a run, also where the rest is compiled in haste
# (preset quickstart).
function(thalweg_optimise_fully)
  set_source_files_properties(${ARGN} PROPERTIES
    COMPILE_OPTIONS "$<$<CONFIG:Release>:-O3>" SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# thalweg_compile_for_avx512(FILE): a file that is used where the processor has AVX-512, beside one that all have.
function(thalweg_compile_for_avx512 file)
  if(THALWEG_ARCH STREQUAL "x86-64-v3")
    set_source_files_properties(${file} PROPERTIES SKIP_PRECOMPILE_HEADERS ON COMPILE_OPTIONS
      "-march=x86-64-v4;-mprefer-vector-width=512")
  endif()
endfunction()
