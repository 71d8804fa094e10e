// SPDX-License-Identifier: MIT
// expect-error: xgrad::ctc_loss<ctc_options\{\.blank = b\}>\(\.\.\.\), ctc_greedy_decode or ctc_beam_search: the blank is outside of
// A blank after the last class.
#include <xgrad/ops/sequences/ctc.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto x = xg::input<"x", float, batch, steps, 5>;
constexpr auto labels = xg::input<"labels", std::int32_t, batch, 3>;
constexpr auto n = xg::input<"n", std::int32_t, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::ctc_loss<xg::ctc_options{.blank = 5}>(x, labels, n, n);
#else
constexpr auto y = xg::ctc_loss<xg::ctc_options{.blank = 4}>(x, labels, n, n);
#endif
