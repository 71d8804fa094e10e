// SPDX-License-Identifier: MIT
// expect-error: xgrad::function<decltype\(y\)>: the expression is not the one that the type names
// A function of one expression is made of another one.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
constexpr auto y = xg::exp(x);
constexpr auto z = xg::tanh(x);
#ifdef XGRAD_EXPECT_ERROR
xg::function<decltype(y)> f{z};
#else
xg::function<decltype(y)> f{y};
#endif
