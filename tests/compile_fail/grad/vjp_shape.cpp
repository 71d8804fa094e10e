// SPDX-License-Identifier: MIT
// expect-error: xgrad::vjp\(y, x, s\): s has another shape than y
// A seed of another shape than y.
#include <xgrad/grad/vector_products.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto b = xg::variable<"b", float, 3>;
constexpr auto t = xg::input<"t", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto d = xg::vjp(xg::sum<0>(w), w, t);
#else
constexpr auto d = xg::vjp(xg::sum<0>(w), w, b);
#endif
