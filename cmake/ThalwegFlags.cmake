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
list(TRANSFORM THALWEG_DIMENSIONS REPLACE "(.+)" "THALWEG_\\1D" OUTPUT_VARIABLE dimensions)
target_compile_definitions(thalweg_flags INTERFACE
  ${dimensions} OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX $<$<BOOL:${THALWEG_CONTRACTS}>:THALWEG_CONTRACTS>)

# Warnings are ours alone: a consumer of the installed package does not inherit them. GCC 12 warns of
# overlapping memory in operator+ of strings where there is none (its bug 105651). Where files are joined, a local name
# may be one that another file has for all of itself, so only locals that hide locals are warned of (the preset dev warns
# of all), and types of anonymous namespaces come from included files.
add_library(thalweg_warnings INTERFACE)
target_compile_options(thalweg_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual
  $<IF:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>,-Wno-subobject-linkage;$<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>,-Wshadow>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<BOOL:${THALWEG_WERROR}>:-Werror>)

# thalweg_optimise_fully(sources...): for kernels, which take most of a run, also where the rest is compiled in haste
# (preset quickstart).
function(thalweg_optimise_fully)
  set_source_files_properties(${ARGN} PROPERTIES
    COMPILE_OPTIONS "$<$<CONFIG:Release>:-O3>" SKIP_PRECOMPILE_HEADERS ON)
endfunction()
