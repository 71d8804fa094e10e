# SPDX-License-Identifier: MIT
# The sources are those around this port: --overlay-ports=<a copy of this repository>/cmake/vcpkg.
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../.." ABSOLUTE)
set(VCPKG_BUILD_TYPE release)   # headers
vcpkg_check_features(OUT_FEATURE_OPTIONS options
    FEATURES xsimd XGRAD_USE_XSIMD blas XGRAD_USE_BLAS mpi XGRAD_USE_MPI)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS ${options} -DXGRAD_FETCH_DEPENDENCIES=OFF -DXGRAD_INSTALL=ON
        -DXGRAD_BUILD_TESTS=OFF -DXGRAD_BUILD_BENCH=OFF -DXGRAD_BUILD_EXAMPLES=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME xgrad CONFIG_PATH share/cmake/xgrad)
vcpkg_fixup_pkgconfig()
file(INSTALL "${CURRENT_PORT_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
