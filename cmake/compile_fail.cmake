# SPDX-License-Identifier: MIT
# xgrad_add_compile_fail_tests(<folder>): one ctest entry for all cases under the folder, with every compiler that is here.

find_program(XGRAD_CLANG NAMES clang++-16 clang++-17 clang++-18 clang++-19)
mark_as_advanced(XGRAD_CLANG)

set(xgrad_compile_fail_compilers "${CMAKE_CXX_COMPILER}")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND XGRAD_CLANG)
    list(APPEND xgrad_compile_fail_compilers "${XGRAD_CLANG}")
endif()

function(xgrad_add_compile_fail_tests folder)
    file(GLOB_RECURSE cases CONFIGURE_DEPENDS "${folder}/*.cpp")
    if(NOT cases)
        return()
    endif()
    get_filename_component(name "${folder}" NAME)
    set(third_party "${XGRAD_XTENSOR_SOURCE_DIR};${XGRAD_XTL_SOURCE_DIR};${XGRAD_XSIMD_SOURCE_DIR}")
    list(FILTER third_party EXCLUDE REGEX "^$")
    list(TRANSFORM third_party REPLACE "(.+)" "-isystem\\1/include")
    add_test(NAME compile_fail.${name}
        COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/compile_fail/run.py"
            ${xgrad_compile_fail_compilers} -- "${folder}" --
            -std=c++20 -Wall -Wextra -Werror -Wno-unused-const-variable "-I${PROJECT_SOURCE_DIR}/include" ${third_party}
            -DXGRAD_USE_XSIMD=$<BOOL:${XGRAD_USE_XSIMD}> -DXGRAD_USE_BLAS=0 -DXGRAD_VERIFY_PLANS=0)
    list(LENGTH cases count)
    set_tests_properties(compile_fail.${name} PROPERTIES TIMEOUT 1800 COST ${count})   # ctest starts the long ones early
endfunction()
