// SPDX-License-Identifier: MIT
// expect-error: xgrad::gather\(table, ids\): an axis or another number of arguments is given
// an axis.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto w = xg::variable<"w", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::gather(w, y, 1);
#else
constexpr auto z = xg::gather(xg::transpose(w), y);
#endif
