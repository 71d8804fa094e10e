// SPDX-License-Identifier: MIT
// expect-error: xgrad::ctc_loss\(logits, labels, logit_lengths, label_lengths\), ctc_greedy_decode or ctc_beam_search\(logits, lengths\): logits are neither float nor double
// Integers as logits.
#include <xgrad/ops/sequences/ctc.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto x = xg::input<"x", float, batch, steps, 5>;
constexpr auto labels = xg::input<"labels", std::int32_t, batch, 3>;
constexpr auto n = xg::input<"n", std::int32_t, batch>;
constexpr auto whole = xg::input<"whole", std::int32_t, batch, steps, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = std::get<0>(xg::ctc_greedy_decode(whole, n));
#else
constexpr auto y = std::get<0>(xg::ctc_greedy_decode(x, n));
#endif
