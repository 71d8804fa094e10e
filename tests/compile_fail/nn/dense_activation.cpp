// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::dense: name and units are not alone in angle brackets, or x is not the only argument
// an activation as an argument.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::nn::dense<"h", 4>(x, xg::relu);
#else
constexpr auto z = xg::relu(xg::nn::dense<"h", 4>(x));
#endif
