// SPDX-License-Identifier: MIT
// expect-error: a view is used as a number
// a matrix for a number.
#include <xgrad/xgrad.hpp>

#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto loss = xg::mean(xg::square(xg::matmul(x, w)));

#ifdef XGRAD_EXPECT_ERROR
float run(xg::variables<decltype(loss)>& v) { return v.value(w); }
#else
float run(xg::variables<decltype(loss)>& v) { return v.value(w)(0, 0); }
#endif
