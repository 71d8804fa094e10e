# SPDX-License-Identifier: MIT
# What our own tests, examples and benchmarks are compiled with; nothing of it reaches a user.

set(CMAKE_CXX_EXTENSIONS OFF)

add_library(xgrad_dev INTERFACE)
target_link_libraries(xgrad_dev INTERFACE xgrad::xgrad)
option(XGRAD_WARNINGS_AS_ERRORS "Warnings are errors in xgrad's own targets" ON)
# Only the local form of -Wshadow: a parameter may be named like a member.
target_compile_options(xgrad_dev INTERFACE -Wall -Wextra -Wpedantic
    $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local> $<$<BOOL:${XGRAD_WARNINGS_AS_ERRORS}>:-Werror>)

# ccache makes a rebuild of unchanged sources cheap; with precompiled headers it would need options of its own, so we use none.
option(XGRAD_USE_CCACHE "Compile through ccache where it is installed" ON)
if(XGRAD_USE_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    find_program(XGRAD_CCACHE ccache)
    mark_as_advanced(XGRAD_CCACHE)
    if(XGRAD_CCACHE)
        set(CMAKE_CXX_COMPILER_LAUNCHER "${XGRAD_CCACHE}")
    endif()
endif()

# Every header compiled alone: target all_verify_interface_header_sets.
set_target_properties(xgrad_core xgrad PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
if(TARGET xgrad_mpi)
    set_target_properties(xgrad_mpi PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
endif()
