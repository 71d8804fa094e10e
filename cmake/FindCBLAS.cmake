# SPDX-License-Identifier: MIT
# Finds a CBLAS library with its header and makes the target CBLAS::CBLAS. CBLAS_ROOT may name where to look.
include(FindPackageHandleStandardArgs)
find_path(CBLAS_INCLUDE_DIR NAMES cblas.h PATH_SUFFIXES openblas)
find_library(CBLAS_LIBRARY NAMES openblas blis cblas blas)
find_package_handle_standard_args(CBLAS REQUIRED_VARS CBLAS_LIBRARY CBLAS_INCLUDE_DIR)
mark_as_advanced(CBLAS_INCLUDE_DIR CBLAS_LIBRARY)
if(CBLAS_FOUND AND NOT TARGET CBLAS::CBLAS)
    add_library(CBLAS::CBLAS UNKNOWN IMPORTED)
    set_target_properties(CBLAS::CBLAS PROPERTIES
        IMPORTED_LOCATION "${CBLAS_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${CBLAS_INCLUDE_DIR}")
endif()
