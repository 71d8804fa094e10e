// SPDX-License-Identifier: MIT
// expect-error: xgrad: an array or another object is used in an expression
// array * x with an array that goes out of scope, and an unevaluated xtensor expression.
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
auto z(xt::xarray<float> const& a) { return (a + a) * x; }
#else
auto z(xt::xarray<float> const&) { return x * x; }
#endif
