# SPDX-License-Identifier: MIT
# cmake -DCHECK=symbols -DNM=... -DFIRST=... -DSECOND=... -P check.cmake
#
# No symbol of xgrad may be defined in both objects.
#
# cmake -DCHECK=crossing -DCOMPILER=... -DFLAGS=... -DSOURCE=... -DWORK=... -DFLAGS_A=... -DFLAGS_B=... -P check.cmake
#
# An object that one architecture passes to the other does not link; within one architecture it does.

cmake_minimum_required(VERSION 3.25)

function(defined_symbols file result)
    execute_process(COMMAND "${NM}" --defined-only "${file}" OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
    string(REPLACE "\n" ";" lines "${output}")
    set(names)
    foreach(line IN LISTS lines)
        # Capital letters and u are symbols that other objects see.
        if(line MATCHES " [A-Zu] (_Z[A-Za-z0-9_.]*)$")
            list(APPEND names "${CMAKE_MATCH_1}")
        endif()
    endforeach()
    set(${result} "${names}" PARENT_SCOPE)
endfunction()

if(CHECK STREQUAL "symbols")
    defined_symbols("${FIRST}" first)
    defined_symbols("${SECOND}" second)
    set(own ${first})
    list(FILTER own INCLUDE REGEX "5xgrad")
    list(LENGTH own own_count)
    if(own_count EQUAL 0)
        message(FATAL_ERROR "${FIRST} defines no symbol of xgrad: the check has nothing to look at")
    endif()
    set(shared)
    foreach(name IN LISTS own)
        if(name IN_LIST second)
            list(APPEND shared "${name}")
        endif()
    endforeach()
    if(shared)
        list(JOIN shared "\n  " text)
        message(FATAL_ERROR "defined in both objects, so the linker keeps the code of only one architecture:\n  ${text}")
    endif()
    message(STATUS "${own_count} symbols of xgrad, none of them in both objects")
    return()
endif()

# compile(<object> <flags> <definitions...>)
function(compile object flags)
    separate_arguments(list UNIX_COMMAND "${FLAGS} ${flags}")
    execute_process(COMMAND "${COMPILER}" ${list} ${ARGN} -c "${SOURCE}" -o "${WORK}/${object}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(MAKE_DIRECTORY "${WORK}")
compile(call.o "${FLAGS_A}")
compile(take_same.o "${FLAGS_A}" -DTAKES)
compile(take_other.o "${FLAGS_B}" -DTAKES)
execute_process(COMMAND "${COMPILER}" "${WORK}/call.o" "${WORK}/take_same.o" -o "${WORK}/same" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${WORK}/same" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${COMPILER}" "${WORK}/call.o" "${WORK}/take_other.o" -o "${WORK}/other"
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(status EQUAL 0)
    message(FATAL_ERROR "an object of xgrad crossed from one architecture to another without a link error")
endif()
if(NOT output MATCHES "undefined reference to .*take\\(xgrad::")
    message(FATAL_ERROR "the link failed for another reason:\n${output}")
endif()
message(STATUS "refused by the linker, as it should be")
