# SPDX-License-Identifier: MIT
# xgrad::compiled, made where the project is configured, installed or not: the architecture and the switches are part of every symbol, so
# that a library of other flags than those of its programs does not link. Give both the same flags, by CMAKE_CXX_FLAGS or add_compile_options
# before xgrad is found.
function(xgrad_make_compiled source)
    if(TARGET xgrad_compiled)
        return()
    endif()
    add_library(xgrad_compiled STATIC EXCLUDE_FROM_ALL "${source}")
    add_library(xgrad::compiled ALIAS xgrad_compiled)
    target_link_libraries(xgrad_compiled PUBLIC xgrad::xgrad)
    target_compile_definitions(xgrad_compiled INTERFACE XGRAD_COMPILED=1)
    set_target_properties(xgrad_compiled PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
endfunction()
