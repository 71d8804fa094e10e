// SPDX-License-Identifier: MIT
// expect-error: xgrad::ctc_loss\(logits, labels, logit_lengths, label_lengths\), ctc_greedy_decode or ctc_beam_search\(logits, lengths\): lengths are not an integer for each row
// One length for the whole batch.
#include <xgrad/ops/sequences/ctc.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto x = xg::input<"x", float, batch, steps, 5>;
constexpr auto labels = xg::input<"labels", std::int32_t, batch, 3>;
constexpr auto n = xg::input<"n", std::int32_t, batch>;
constexpr auto one = xg::input<"one", std::int32_t>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::ctc_loss(x, labels, one, n);
#else
constexpr auto y = xg::ctc_loss(x, labels, n, n);
#endif
