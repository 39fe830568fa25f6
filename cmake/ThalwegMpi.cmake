# SPDX-License-Identifier: MIT
# thalweg_name_mpi(TO): the name of the MPI that find_package(MPI) has found, by its header; MVAPICH and Intel's say MPICH
# as well, and have its binary interface. Empty where another says nothing, or where the compiler alone knows the header.
function(thalweg_name_mpi to)
  set(said)
  foreach(folder IN LISTS MPI_C_INCLUDE_DIRS)
    if(EXISTS ${folder}/mpi.h AND NOT said)
      file(STRINGS ${folder}/mpi.h said REGEX "define +(OMPI_MAJOR|MPICH)_VERSION" LIMIT_COUNT 1)
    endif()
  endforeach()
  set(${to} "" PARENT_SCOPE)
  if(said MATCHES "OMPI")
    set(${to} "Open MPI" PARENT_SCOPE)
  elseif(said MATCHES "MPICH")
    set(${to} MPICH PARENT_SCOPE)
  endif()
endfunction()
