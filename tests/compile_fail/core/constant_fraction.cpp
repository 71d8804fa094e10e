// SPDX-License-Identifier: MIT
// expect-error[g++]: xgrad::constant<T, value>: value is not an integer
// expect-error[clang]: double
// clang before 18 takes no fraction as a template argument.
#include <xgrad/xgrad.hpp>

#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto loss = xg::mean(xg::square(xg::matmul(x, w)));

#ifdef XGRAD_EXPECT_ERROR
auto run() { return xg::constant<float, 0.5> * x; }
#else
auto run() { return xg::cast<float>(0.5_c) * x; }
#endif
