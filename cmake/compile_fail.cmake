# SPDX-License-Identifier: MIT
# xgrad_add_compile_fail_tests(<folders...>): for each folder one ctest entry for all its cases, with every compiler that is here.
# The entries share a precompiled header of what the cases include, which the entry compile_fail.headers makes.

find_program(XGRAD_CLANG NAMES clang++-16 clang++-17 clang++-18 clang++-19)
mark_as_advanced(XGRAD_CLANG)

set(xgrad_compile_fail_compilers "${CMAKE_CXX_COMPILER}")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND XGRAD_CLANG)
    list(APPEND xgrad_compile_fail_compilers "${XGRAD_CLANG}")
endif()

function(xgrad_add_compile_fail_tests)
    set(third_party "${XGRAD_XTENSOR_SOURCE_DIR};${XGRAD_XTL_SOURCE_DIR};${XGRAD_XSIMD_SOURCE_DIR}")
    list(FILTER third_party EXCLUDE REGEX "^$")
    list(TRANSFORM third_party REPLACE "(.+)" "-isystem\\1/include")
    set(options -std=c++20 -Wall -Wextra -Werror -Wno-unused-const-variable "-I${PROJECT_SOURCE_DIR}/include" ${third_party}
        -DXGRAD_USE_XSIMD=$<BOOL:${XGRAD_USE_XSIMD}> -DXGRAD_USE_BLAS=0 -DXGRAD_VERIFY_PLANS=0)
    set(run Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/compile_fail/run.py")
    set(headers "${CMAKE_CURRENT_BINARY_DIR}/headers")
    add_test(NAME compile_fail.headers COMMAND ${run} --make-headers "${headers}" ${xgrad_compile_fail_compilers} -- ${ARGN} -- ${options})
    set_tests_properties(compile_fail.headers PROPERTIES TIMEOUT 1800 COST 3000 FIXTURES_SETUP compile_fail_headers)
    foreach(folder IN LISTS ARGN)
        file(GLOB_RECURSE cases CONFIGURE_DEPENDS "${folder}/*.cpp")
        get_filename_component(name "${folder}" NAME)
        add_test(NAME compile_fail.${name}
            COMMAND ${run} --headers "${headers}" ${xgrad_compile_fail_compilers} -- "${folder}" -- ${options})
        list(LENGTH cases count)   # ctest starts the long ones early
        set_tests_properties(compile_fail.${name} PROPERTIES TIMEOUT 1800 COST ${count} FIXTURES_REQUIRED compile_fail_headers)
    endforeach()
endfunction()
