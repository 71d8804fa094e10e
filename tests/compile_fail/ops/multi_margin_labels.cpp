// SPDX-License-Identifier: MIT
// expect-error: xgrad::multi_margin\(scores, labels\): scores are not floating \[..., classes\]
// one-hot labels.
#include <xgrad/ops/losses/margins.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 5, 4>;
constexpr auto l = xg::input<"l", std::int32_t, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::multi_margin(x, x);
#else
constexpr auto z = xg::multi_margin(x, l);
#endif
