// SPDX-License-Identifier: MIT
// What the seconds of a test source are measured in: the headers of xtensor and xsimd, and nothing of xgrad.
#if __has_include(<xtensor/containers/xarray.hpp>)
#    include <xtensor/containers/xarray.hpp>
#else
#    include <xtensor/xarray.hpp>
#endif
#if XGRAD_USE_XSIMD
#    include <xsimd/xsimd.hpp>
#endif
