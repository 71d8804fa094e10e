# SPDX-License-Identifier: MIT
# cmake -DPROGRAM=... -DMISTAKE=... -P aborts.cmake: the handler must have spoken and the program must have aborted.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND "${PROGRAM}" ${MISTAKE} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT output MATCHES "handler: .*${MISTAKE}: ")
    message(FATAL_ERROR "the handler was not called with the message:\n${output}")
endif()
if(NOT status MATCHES "[Aa]bort")
    message(FATAL_ERROR "the program ended with ${status} and not by abort:\n${output}")
endif()
