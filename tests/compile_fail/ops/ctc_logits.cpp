// SPDX-License-Identifier: MIT
// expect-error: xgrad::ctc_loss\(logits, labels, logit_lengths, label_lengths\), ctc_greedy_decode or ctc_beam_search\(logits, lengths\): logits are not \[batch, time, classes\]
// A named number of classes.
#include <xgrad/ops/sequences/ctc.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto x = xg::input<"x", float, batch, steps, 5>;
constexpr auto labels = xg::input<"labels", std::int32_t, batch, 3>;
constexpr auto n = xg::input<"n", std::int32_t, batch>;
constexpr auto named = xg::input<"named", float, batch, 7, steps>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::ctc_loss(named, labels, n, n);
#else
constexpr auto y = xg::ctc_loss(x, labels, n, n);
#endif
