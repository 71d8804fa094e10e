// SPDX-License-Identifier: MIT
// expect-error: xgrad::view_as_complex\(x\): the last axis
// Numbers that are no pairs.
#include <xgrad/ops/complex_numbers.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::view_as_complex(x);
#else
constexpr auto z = xg::complex(x);
#endif
