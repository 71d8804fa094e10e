// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::dense: name and units are not alone in angle brackets, or x is not the only argument
// name and units as arguments.
#include <xgrad/nn/nn.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::dense(x, 32);
#else
constexpr auto y = xg::nn::dense<"hidden", 32>(x);
#endif
