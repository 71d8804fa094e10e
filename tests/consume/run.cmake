# SPDX-License-Identifier: MIT
# Builds one consumer project in a folder of its own and runs its program, with no network.
# cmake -DNAME=... -DXGRAD_ROOT=... -DXGRAD_BUILD=... -DWORK=... -DCOMPILER=... -DVERSION=... -DDEPENDENCIES=... -P run.cmake
cmake_minimum_required(VERSION 3.25)

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT status EQUAL 0)
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "${command}\nfailed with ${status}:\n${output}")
    endif()
endfunction()

# build(<source> <folder> <cache entries...>): configures, builds, runs every program called consumer.
function(build source folder)
    run("${CMAKE_COMMAND}" -S "${source}" -B "${folder}" -G Ninja "-DCMAKE_CXX_COMPILER=${COMPILER}" -DCMAKE_BUILD_TYPE=Debug
        -DFETCHCONTENT_FULLY_DISCONNECTED=ON -DXGRAD_FETCH_DEPENDENCIES=OFF -DXGRAD_ROOT=${XGRAD_ROOT}
        -DEXPECTED_VERSION=${VERSION} ${dependencies} ${ARGN})
    run("${CMAKE_COMMAND}" --build "${folder}")
    run("${folder}/consumer")
endfunction()

string(REPLACE "|" ";" dependencies "${DEPENDENCIES}")
set(source "${CMAKE_CURRENT_LIST_DIR}/${NAME}")
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

if(NAME STREQUAL "find_package" OR NAME STREQUAL "pkg_config")
    run("${CMAKE_COMMAND}" --install "${XGRAD_BUILD}" --prefix "${WORK}/first")
    # A package that was moved after its installation still works.
    file(RENAME "${WORK}/first" "${WORK}/prefix")
endif()

if(NAME STREQUAL "find_package")
    build("${source}" "${WORK}/build" "-DCMAKE_PREFIX_PATH=${WORK}/prefix")
    run("${WORK}/build/core_consumer")
    run("${WORK}/build/precompiled_consumer")
    run("${WORK}/build/xtensor_consumer")
    run("${WORK}/build/compiled_consumer")
    if(EXISTS "${WORK}/build/mpi_consumer")
        run("${WORK}/build/mpi_consumer")
    endif()
elseif(NAME STREQUAL "pkg_config")
    set(ENV{PKG_CONFIG_PATH} "${WORK}/prefix/share/pkgconfig:$ENV{PKG_CONFIG_PATH}")
    build("${source}" "${WORK}/build")
elseif(NAME STREQUAL "export_dependent")
    build("${source}" "${WORK}/build")
    run("${CMAKE_COMMAND}" --install "${WORK}/build" --prefix "${WORK}/prefix")
    build("${source}/user" "${WORK}/user" "-DCMAKE_PREFIX_PATH=${WORK}/prefix")
elseif(NAME STREQUAL "single_header")
    # A file and nothing else, in a folder of its own: of the umbrella, and of all headers.
    foreach(kind umbrella all)
        set(more)
        set(program "${CMAKE_CURRENT_LIST_DIR}/main.cpp")
        if(kind STREQUAL "all")
            set(more --all)
            set(program "${CMAKE_CURRENT_LIST_DIR}/single_header.cpp")
        endif()
        run("${PYTHON}" "${XGRAD_ROOT}/tools/amalgamate" ${more} "${WORK}/${kind}/xgrad/xgrad.hpp")
        foreach(architecture "" -march=native)
            run("${COMPILER}" -std=c++20 -O1 ${architecture} -Wall -Wextra -Wpedantic -Werror -DXGRAD_USE_XSIMD=0 -DXGRAD_USE_BLAS=0 "-I${WORK}/${kind}"
                "${program}" -o "${WORK}/${kind}/program")
            run("${CMAKE_COMMAND}" -E chdir "${WORK}" "${WORK}/${kind}/program")
        endforeach()
    endforeach()
elseif(NAME STREQUAL "fetch_content")
    build("${source}" "${WORK}/build" "-DFETCHCONTENT_SOURCE_DIR_XGRAD=${XGRAD_ROOT}")
else()
    build("${source}" "${WORK}/build")
    run("${WORK}/build/precompiled_consumer")
    run("${WORK}/build/compiled_consumer")
    # A program of other architecture flags than its xgrad::compiled must not link.
    if(CMAKE_HOST_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
        execute_process(COMMAND "${CMAKE_COMMAND}" --build "${WORK}/build" --target other_architecture
            RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
        if(status EQUAL 0 OR NOT output MATCHES "undefined reference to [^\n]*avx[^\n]*runner")
            message(FATAL_ERROR "a program for AVX with xgrad::compiled for another architecture: linked, or failed otherwise:\n${output}")
        endif()
    endif()
endif()
message(STATUS "${NAME}: built and run")
