// SPDX-License-Identifier: MIT
// expect-error: xgrad::gradients\(y, x\.\.\.\): an x is not an expression
// variables in a tuple.
#include <xgrad/xgrad.hpp>

#include <tuple>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto loss = xg::mean(xg::square(xg::matmul(x, w)));

#ifdef XGRAD_EXPECT_ERROR
constexpr auto g = xg::gradients(loss, std::tuple(w));
#else
constexpr auto g = xg::gradients(loss, w);
#endif
