// SPDX-License-Identifier: MIT
// expect-error: xgrad: this is not an array
// An xtensor expression that has not been evaluated.
#include <xgrad/exec/function.hpp>
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
float run(xt::xarray<float> const& a) {
    return xg::function{xg::sum(x)}(x = a + a);
}
#else
float run(xt::xarray<float> const& a) {
    return xg::function{xg::sum(x)}(x = xt::xarray<float>(a + a));
}
#endif
