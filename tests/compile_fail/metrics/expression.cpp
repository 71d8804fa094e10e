// SPDX-License-Identifier: MIT
// expect-error: xgrad::metrics: update\(predictions, labels\) gets an expression, which has no values
// An expression.
#include <xgrad/xgrad.hpp>
#include <xgrad/core/arrays/array.hpp>
#include <xgrad/metrics/metrics.hpp>

#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"time"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto t = xg::input<"t", float, batch>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto logits = xg::matmul(x, w);
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, y));

#ifdef XGRAD_EXPECT_ERROR
void f(std::vector<int> const& labels) { xg::metrics::accuracy right; right.update(logits, labels); }
#else
void f(std::vector<int> const& labels, std::vector<float> const& p) { xg::metrics::accuracy right; right.update(xg::array(p, 2, 3), labels); }
#endif
