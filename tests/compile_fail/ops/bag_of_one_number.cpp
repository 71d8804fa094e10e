// SPDX-License-Identifier: MIT
// expect-error: xgrad: a lookup has a table without an axis, or embedding_bag\(table, ids\) has ids without an axis
// embedding_bag with a single id.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::embedding_bag(w, xg::input<"n", std::int32_t>);
#else
constexpr auto z = xg::gather(w, xg::input<"n", std::int32_t>);
#endif
