// SPDX-License-Identifier: MIT
// expect-error: xgrad::embedding_bag<how>\(table, ids, weights\): the weights do not have the shape of the ids
// weights of other bags.
#include <xgrad/ops/bags.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;
constexpr auto e = xg::input<"e", std::int32_t, 3, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::embedding_bag<xg::combiner::mean>(x, e, xg::cast<float>(i));
#else
constexpr auto z = xg::embedding_bag<xg::combiner::mean>(x, e, xg::cast<float>(e));
#endif
