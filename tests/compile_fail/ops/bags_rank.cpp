// SPDX-License-Identifier: MIT
// expect-error: xgrad::embedding_bag<how>\(table, ids\): the table or the ids have no axis
// a bag of one id.
#include <xgrad/ops/bags.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;
constexpr auto j = xg::input<"j", std::int32_t>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::embedding_bag<xg::combiner::mean>(x, j);
#else
constexpr auto z = xg::embedding_bag<xg::combiner::mean>(x, xg::expand_dims<0>(j));
#endif
