// SPDX-License-Identifier: MIT
// expect-error: xgrad: a lookup such as gather\(table, ids\) has ids that are not integers
// Float ids.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::relu(xg::gather(w, x));
#else
constexpr auto z = xg::relu(xg::gather(w, xg::cast<std::int32_t>(x)));
#endif
