// SPDX-License-Identifier: MIT
// expect-error: a vector of vjp, jvp, hvp or gauss_newton_vp has another element type
// A direction of double for an x of float.
#include <xgrad/grad/vector_products.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto b = xg::variable<"b", float, 3>;
constexpr auto t = xg::input<"t", float, 4, 3>;
constexpr auto wide = xg::input<"wide", double, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto d = xg::jvp(xg::tanh(w), w, wide);
#else
constexpr auto d = xg::jvp(xg::tanh(w), w, xg::cast<float>(wide));
#endif
