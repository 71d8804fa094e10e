// SPDX-License-Identifier: MIT
// expect-error: xgrad: an array or another object is used in an expression
// x + array: found before xtensor's own operator.
#include <xgrad/ops/ops.hpp>
#if __has_include(<xtensor/containers/xarray.hpp>)
#    include <xtensor/containers/xarray.hpp>
#else
#    include <xtensor/xarray.hpp>
#endif

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
auto z(xt::xarray<float> const& a) { return x + a; }
#else
auto z(xt::xarray<float> const&) { return x + x; }
#endif
