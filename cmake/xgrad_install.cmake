# SPDX-License-Identifier: MIT
# Install rules: headers, package configuration, pkg-config file. All paths are relative, so the tree can be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(xgrad_config_dir "${CMAKE_INSTALL_DATADIR}/cmake/xgrad")

install(TARGETS xgrad_core xgrad xgrad_pch EXPORT xgrad-targets FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
foreach(header IN LISTS XGRAD_OPTIONAL_HEADERS)
    cmake_path(GET header PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${XGRAD_INCLUDE_DIR}")
    install(FILES "${header}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/${folder}")
endforeach()
install(EXPORT xgrad-targets NAMESPACE xgrad:: DESTINATION "${xgrad_config_dir}")

configure_package_config_file(
    "${CMAKE_CURRENT_LIST_DIR}/xgrad-config.cmake.in" "${PROJECT_BINARY_DIR}/xgrad-config.cmake"
    INSTALL_DESTINATION "${xgrad_config_dir}")
# While the major version is 0 every minor version may break.
write_basic_package_version_file(
    "${PROJECT_BINARY_DIR}/xgrad-config-version.cmake" COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(
    FILES "${PROJECT_BINARY_DIR}/xgrad-config.cmake" "${PROJECT_BINARY_DIR}/xgrad-config-version.cmake"
          "${CMAKE_CURRENT_LIST_DIR}/FindCBLAS.cmake" "${CMAKE_CURRENT_LIST_DIR}/xgrad_mpi.cmake" "${CMAKE_CURRENT_LIST_DIR}/xgrad_compiled.cmake" "${CMAKE_CURRENT_LIST_DIR}/compiled.cpp"
    DESTINATION "${xgrad_config_dir}")

set(xgrad_pc_requires "xtensor >= ${XGRAD_XTENSOR_MINIMUM}")
set(xgrad_pc_libs "")
if(XGRAD_USE_XSIMD)
    string(APPEND xgrad_pc_requires ", xsimd >= ${XGRAD_XSIMD_MINIMUM}")
    set(xgrad_use_xsimd 1)
else()
    set(xgrad_use_xsimd 0)
endif()
if(XGRAD_USE_BLAS)
    set(xgrad_pc_libs "-lopenblas")
    set(xgrad_use_blas 1)
else()
    set(xgrad_use_blas 0)
endif()
set(xgrad_pc_dir "${CMAKE_INSTALL_DATADIR}/pkgconfig")
file(RELATIVE_PATH xgrad_pc_prefix "/prefix/${xgrad_pc_dir}" "/prefix")
configure_file("${CMAKE_CURRENT_LIST_DIR}/xgrad.pc.in" "${PROJECT_BINARY_DIR}/xgrad.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/xgrad.pc" DESTINATION "${xgrad_pc_dir}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/xgrad")

# cpack -G TGZ: what is installed, as an archive.
if(PROJECT_IS_TOP_LEVEL)
    set(CPACK_PACKAGE_FILE_NAME "xgrad-${PROJECT_VERSION}")
    set(CPACK_PACKAGE_VENDOR "xgrad")
    set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Training inside C++ programs")
    set(CPACK_GENERATOR TGZ)
    include(CPack)
endif()
