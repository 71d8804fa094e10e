// SPDX-License-Identifier: MIT
// expect-error: xgrad: two layers have one name and different inputs, so they would share variables
// a layer that was copied, with its name.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
auto train = xg::minimize(xg::sum(xg::nn::dense<"h", 4>(xg::tanh(xg::nn::dense<"h", 4>(x)))), xg::adam{});
#else
auto train = xg::minimize(xg::sum(xg::nn::dense<"h", 4>(xg::tanh(xg::nn::dense<"h", 4>(x)), xg::nn::shared)), xg::adam{});
#endif
