// SPDX-License-Identifier: MIT
// expect-error: xgrad: an extent is neither an integer of at least 0 nor a named dimension
// -1 for a size that is not known yet.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::input<"x", float, -1, 4>;
constexpr int rank = z.rank;
#else
constexpr auto z = xg::input<"x", float, batch, 4>;
constexpr int rank = z.rank;
#endif
