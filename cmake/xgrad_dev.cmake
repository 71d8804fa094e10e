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

# xgrad_dev_header(<name> <flags...>): a target that precompiles <xgrad/xgrad.hpp> with these flags, for xgrad_dev_precompiled.
function(xgrad_dev_header name)
    if(TARGET ${name} OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        return()
    endif()
    file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp" "")
    add_library(${name} OBJECT EXCLUDE_FROM_ALL "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
    target_link_libraries(${name} PRIVATE xgrad_dev)
    target_compile_options(${name} PRIVATE ${ARGN})
    target_precompile_headers(${name} PRIVATE <xgrad/xgrad.hpp>)
endfunction()
# xgrad_dev_precompiled(<target> <name>): those sources of the target read it that include <xgrad/xgrad.hpp> themselves.
function(xgrad_dev_precompiled target name)
    if(NOT TARGET ${name})
        return()
    endif()
    target_precompile_headers(${target} REUSE_FROM ${name})
    get_target_property(sources ${target} SOURCES)
    get_target_property(folder ${target} SOURCE_DIR)
    foreach(source IN LISTS sources)
        cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${folder}")
        file(STRINGS "${source}" includes REGEX "^#include <xgrad/xgrad.hpp>")
        if(NOT includes)
            set_source_files_properties("${source}" TARGET_DIRECTORY ${target} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
        endif()
    endforeach()
endfunction()
