# SPDX-License-Identifier: MIT
# xtensor, xtl and xsimd: a source tree where one is named, else an installed package, else a pinned release.
# The result is the target xgrad_third_party, which is never exported: xgrad-config.cmake finds the packages again.

file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/versions.txt" version_lines REGEX "^[a-z]+ ")
foreach(line IN LISTS version_lines)
    string(REPLACE " " ";" line "${line}")
    list(GET line 0 name)
    string(TOUPPER ${name} name)
    list(GET line 1 XGRAD_${name}_MINIMUM)
    list(GET line 2 XGRAD_${name}_PINNED)
endforeach()

set(XGRAD_XTENSOR_SOURCE_DIR "" CACHE PATH "Source tree of xtensor to use in place of an installed one")
set(XGRAD_XTL_SOURCE_DIR "" CACHE PATH "Source tree of xtl to use in place of an installed one")
set(XGRAD_XSIMD_SOURCE_DIR "" CACHE PATH "Source tree of xsimd to use in place of an installed one")

add_library(xgrad_third_party INTERFACE)

function(xgrad_use_source_tree name directory)
    if(NOT EXISTS "${directory}/include/${name}")
        message(FATAL_ERROR "${directory} is not a source tree of ${name}: it has no include/${name}")
    endif()
    target_include_directories(xgrad_third_party SYSTEM INTERFACE "${directory}/include")
    message(STATUS "xgrad: ${name} from ${directory}")
endfunction()

# Header-only packages: fetching is enough, their own CMake files are not run (SOURCE_SUBDIR names no folder).
function(xgrad_fetch name tag)
    include(FetchContent)
    FetchContent_Declare(xgrad_${name}
        GIT_REPOSITORY https://github.com/xtensor-stack/${name}.git
        GIT_TAG ${tag}
        GIT_SHALLOW TRUE
        SOURCE_SUBDIR no_such_folder)
    FetchContent_MakeAvailable(xgrad_${name})
    xgrad_use_source_tree(${name} "${xgrad_${name}_SOURCE_DIR}")
endfunction()

function(xgrad_dependency name minimum pinned)
    string(TOUPPER ${name} upper)
    if(XGRAD_${upper}_SOURCE_DIR)
        xgrad_use_source_tree(${name} "${XGRAD_${upper}_SOURCE_DIR}")
        return()
    endif()
    find_package(${name} QUIET)
    if(${name}_FOUND AND ${name}_VERSION VERSION_GREATER_EQUAL "${minimum}")
        if(TARGET ${name}::${name})
            target_link_libraries(xgrad_third_party INTERFACE ${name}::${name})
        else()
            target_link_libraries(xgrad_third_party INTERFACE ${name})
        endif()
        message(STATUS "xgrad: ${name} ${${name}_VERSION} from ${${name}_DIR}")
    elseif(XGRAD_FETCH_DEPENDENCIES)
        xgrad_fetch(${name} ${pinned})
    else()
        message(FATAL_ERROR "xgrad needs ${name} >= ${minimum}, which was not found: install it, set XGRAD_${upper}_SOURCE_DIR to a source "
            "tree of it, or set XGRAD_FETCH_DEPENDENCIES=ON")
    endif()
endfunction()

# An installed xtensor links an installed xtl by itself; a source tree of xtensor needs xtl named.
xgrad_dependency(xtl ${XGRAD_XTL_MINIMUM} ${XGRAD_XTL_PINNED})
xgrad_dependency(xtensor ${XGRAD_XTENSOR_MINIMUM} ${XGRAD_XTENSOR_PINNED})
if(XGRAD_USE_XSIMD)
    xgrad_dependency(xsimd ${XGRAD_XSIMD_MINIMUM} ${XGRAD_XSIMD_PINNED})
endif()
if(XGRAD_USE_BLAS)
    list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")
    find_package(CBLAS REQUIRED)
    target_link_libraries(xgrad_third_party INTERFACE CBLAS::CBLAS)
endif()
