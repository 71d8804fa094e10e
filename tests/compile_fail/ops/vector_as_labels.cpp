// SPDX-License-Identifier: MIT
// expect-error: xgrad: an array or another object is used in an expression
// A std::vector as labels.
#include <xgrad/ops/ops.hpp>

#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;

#ifdef XGRAD_EXPECT_ERROR
auto z(std::vector<std::int32_t> const& v) { return xg::sparse_softmax_cross_entropy(x, v); }
#else
auto z() { return xg::sparse_softmax_cross_entropy(x, y); }
#endif
