// SPDX-License-Identifier: MIT
// expect-error: xgrad: indexed_slices are used in an expression
// The gradient of a lookup as if it were dense.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::input<"w", float, 4>;
constexpr auto table = xg::input<"table", float, 9, 4>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = 2_c * xg::gradient_of(xg::sum(xg::gather(table, ids)), table);
#else
constexpr auto z = 2_c * xg::gradient_of(xg::sum(xg::gather(table, ids)), table).dense;
#endif
