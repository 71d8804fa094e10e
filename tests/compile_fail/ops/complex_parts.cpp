// SPDX-License-Identifier: MIT
// expect-error: xgrad::complex\(re, im\): re and im differ
// Parts of other shapes.
#include <xgrad/ops/complex_numbers.hpp>

namespace xg = xgrad;

constexpr auto re = xg::input<"re", float, 3>;
constexpr auto im = xg::input<"im", float, 3, 1>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::complex(re, im);
#else
constexpr auto z = xg::complex(re, xg::reshape<3>(im));
#endif
