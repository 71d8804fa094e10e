// SPDX-License-Identifier: MIT
// expect-error: a vector of jvp, hvp or gauss_newton_vp has another shape than its x
// A direction of another shape.
#include <xgrad/grad/vector_products.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto b = xg::variable<"b", float, 3>;
constexpr auto t = xg::input<"t", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto d = xg::jvp(xg::tanh(w), w, b);
#else
constexpr auto d = xg::jvp(xg::tanh(w), w, xg::broadcast_to<4, 3>(b));
#endif
