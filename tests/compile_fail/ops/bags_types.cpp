// SPDX-License-Identifier: MIT
// expect-error: xgrad::embedding_bag<how>\(table, ids, weights\): table or weights are not of one floating type, or combiner::max has weights
// weights of a maximum.
#include <xgrad/ops/bags.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::embedding_bag<xg::combiner::max>(x, i, xg::cast<float>(i));
#else
constexpr auto z = xg::embedding_bag<xg::combiner::sum>(x, i, xg::cast<float>(i));
#endif
