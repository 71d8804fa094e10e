// SPDX-License-Identifier: MIT
// expect-error: xgrad: a lookup such as gather\(table, ids\) has ids that are not integers
// The ids before the table, as Keras writes Embedding(...)(ids).
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
constexpr auto table = xg::variable<"table", float, 100, 8>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::mean(xg::square(xg::gather(ids, table)));
#else
constexpr auto z = xg::mean(xg::square(xg::gather(table, ids)));
#endif
