// SPDX-License-Identifier: MIT
// expect-error: xgrad::function<T>: T is not the type of an expression or of outputs\(a, b\)
// more errors: a class without its program
// A function of a number.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
constexpr auto y = xg::exp(x);
#ifdef XGRAD_EXPECT_ERROR
xg::function<float> f{y};
#else
xg::function<decltype(y)> f{y};
#endif
