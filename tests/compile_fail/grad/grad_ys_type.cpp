// SPDX-License-Identifier: MIT
// expect-error: a grad_y has another element type than its y
// An integer gradient of a float.
#include <xgrad/grad/gradients.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto b = xg::variable<"b", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto g = xg::gradients(xg::tanh(w), xg::grad_ys(xg::cast<std::int32_t>(w)), w);
#else
constexpr auto g = xg::gradients(xg::tanh(w), xg::grad_ys(w), w);
#endif
