# SPDX-License-Identifier: MIT
# MPI for xgrad::mpi; also installed, for xgrad-config.cmake.

# Targets MPI::MPI_CXX and Threads::Threads, and MPI_CXX_FOUND. The C interface is all that is used, and without the languages that a project has not enabled.
macro(xgrad_find_mpi)
    set(MPI_CXX_SKIP_MPICXX TRUE)
    find_package(MPI QUIET COMPONENTS CXX)
    set(THREADS_PREFER_PTHREAD_FLAG TRUE)
    find_package(Threads QUIET)
    if(NOT Threads_FOUND)
        set(MPI_CXX_FOUND FALSE)
    endif()
endmacro()
