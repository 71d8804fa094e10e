// SPDX-License-Identifier: MIT
// expect-error: xgrad::sequence_mask<length>\(lengths\): lengths are not integers
// Lengths that are floats.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::sequence_mask<4>(xg::input<"n", float, batch>);
#else
constexpr auto z = xg::sequence_mask<4>(xg::input<"n", std::int32_t, batch>);
#endif
