# SPDX-License-Identifier: MIT
# xgrad::core: the folders that hold no array and include the standard library only. xgrad::xgrad: everything. xgrad::pch: the same with
# <xgrad/xgrad.hpp> precompiled in each target that links it, with that target's flags. xgrad::compiled: the same with the functions that are the same
# for all programs in a static library. xgrad::mpi: the same with MPI, for <xgrad/transport/mpi.hpp>.

set(XGRAD_CORE_FOLDERS config meta core ops graph grad plan inspect)

set(XGRAD_INCLUDE_DIR "${PROJECT_SOURCE_DIR}/include")
file(GLOB_RECURSE XGRAD_HEADERS CONFIGURE_DEPENDS "${XGRAD_INCLUDE_DIR}/xgrad/*.hpp")
set(XGRAD_MPI_HEADERS "${XGRAD_INCLUDE_DIR}/xgrad/transport/mpi.hpp")
# What needs a third party that xgrad does not ask for: installed, and not compiled alone.
set(XGRAD_OPTIONAL_HEADERS ${XGRAD_MPI_HEADERS})
foreach(name IN ITEMS eigen eigen_tensor mdspan)
    list(APPEND XGRAD_OPTIONAL_HEADERS "${XGRAD_INCLUDE_DIR}/xgrad/${name}.hpp" "${XGRAD_INCLUDE_DIR}/xgrad/backend/${name}.hpp")
endforeach()
list(REMOVE_ITEM XGRAD_HEADERS ${XGRAD_OPTIONAL_HEADERS})
list(JOIN XGRAD_CORE_FOLDERS "|" core_folders)
set(XGRAD_CORE_HEADERS ${XGRAD_HEADERS})
list(FILTER XGRAD_CORE_HEADERS INCLUDE REGEX "/include/xgrad/(${core_folders})/")
set(XGRAD_OTHER_HEADERS ${XGRAD_HEADERS})
list(REMOVE_ITEM XGRAD_OTHER_HEADERS ${XGRAD_CORE_HEADERS})

add_library(xgrad_core INTERFACE)
add_library(xgrad::core ALIAS xgrad_core)
set_target_properties(xgrad_core PROPERTIES EXPORT_NAME core)
target_compile_features(xgrad_core INTERFACE cxx_std_20)
target_compile_definitions(xgrad_core INTERFACE
    XGRAD_USE_XSIMD=$<BOOL:${XGRAD_USE_XSIMD}>
    XGRAD_USE_BLAS=$<BOOL:${XGRAD_USE_BLAS}>)
target_sources(xgrad_core INTERFACE FILE_SET HEADERS BASE_DIRS "${XGRAD_INCLUDE_DIR}" FILES ${XGRAD_CORE_HEADERS})

add_library(xgrad INTERFACE)
add_library(xgrad::xgrad ALIAS xgrad)
target_link_libraries(xgrad INTERFACE xgrad_core)
target_sources(xgrad INTERFACE FILE_SET HEADERS BASE_DIRS "${XGRAD_INCLUDE_DIR}" FILES ${XGRAD_OTHER_HEADERS})

target_link_libraries(xgrad INTERFACE
    $<BUILD_INTERFACE:xgrad_third_party>
    $<INSTALL_INTERFACE:$<IF:$<TARGET_EXISTS:xtensor::xtensor>,xtensor::xtensor,xtensor>>)
if(XGRAD_USE_XSIMD)
    target_link_libraries(xgrad INTERFACE $<INSTALL_INTERFACE:$<IF:$<TARGET_EXISTS:xsimd::xsimd>,xsimd::xsimd,xsimd>>)
endif()
if(XGRAD_USE_BLAS)
    target_link_libraries(xgrad INTERFACE $<INSTALL_INTERFACE:CBLAS::CBLAS>)
endif()

# The compiler reads a target's precompiled header only with the flags that it was made with, so that none is shared here. A target that hands
# results to xtensor adds its own line, target_precompile_headers(<target> PRIVATE <xgrad/xtensor.hpp>): CMake makes one header of both.
add_library(xgrad_pch INTERFACE)
add_library(xgrad::pch ALIAS xgrad_pch)
set_target_properties(xgrad_pch PROPERTIES EXPORT_NAME pch)
target_link_libraries(xgrad_pch INTERFACE xgrad)
target_precompile_headers(xgrad_pch INTERFACE <xgrad/xgrad.hpp>)

# Warnings that a user asks for are about the user's own code; an installed xgrad is imported, and so a system library anyway.
if(NOT PROJECT_IS_TOP_LEVEL)
    set_target_properties(xgrad_core xgrad xgrad_pch PROPERTIES SYSTEM ON)
endif()

# Not exported: xgrad-config.cmake makes it again for who asks for the component mpi, whatever was there when xgrad was installed.
if(XGRAD_USE_MPI)
    include("${CMAKE_CURRENT_LIST_DIR}/xgrad_mpi.cmake")
    xgrad_find_mpi()
    if(MPI_CXX_FOUND)
        add_library(xgrad_mpi INTERFACE)
        add_library(xgrad::mpi ALIAS xgrad_mpi)
        target_link_libraries(xgrad_mpi INTERFACE xgrad MPI::MPI_CXX Threads::Threads)
        target_sources(xgrad_mpi INTERFACE FILE_SET HEADERS BASE_DIRS "${XGRAD_INCLUDE_DIR}" FILES ${XGRAD_MPI_HEADERS})
    else()
        message(STATUS "xgrad: MPI was not found: there is no target xgrad::mpi")
    endif()
endif()

include("${CMAKE_CURRENT_LIST_DIR}/xgrad_compiled.cmake")
xgrad_make_compiled("${PROJECT_SOURCE_DIR}/cmake/compiled.cpp")
