// SPDX-License-Identifier: MIT
// expect-error: xgrad: a second gradient reaches ctc_loss or crf_log_likelihood, which have a first one only
// The loss of sequences has no second derivative.
#include <xgrad/ops/sequences/ctc.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 7, 5>;
constexpr auto labels = xg::input<"labels", std::int32_t, batch, 3>;
constexpr auto n = xg::input<"n", std::int32_t, batch>;
constexpr auto slope = xg::gradient_of(xg::sum(xg::ctc_loss(x, labels, n, n)), x);

#ifdef XGRAD_EXPECT_ERROR
constexpr auto second = xg::gradient_of(xg::sum(xg::square(slope)), x);
#else
constexpr auto second = xg::sum(xg::square(slope));
#endif
