// SPDX-License-Identifier: MIT
// expect-error: xgrad: an expression is printed
// the value of an expression.
#include <xgrad/xgrad.hpp>

#include <iostream>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
void run() { std::cout << xg::sum(x); }
#else
void run(std::vector<float> const& a) { std::cout << xg::function{xg::sum(x)}(x = a); }
#endif
