// SPDX-License-Identifier: MIT
// expect-error: xgrad::ctc_loss\(logits, labels, logit_lengths, label_lengths\): labels are not integers \[batch, length\]
// Labels without a batch.
#include <xgrad/ops/sequences/ctc.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto x = xg::input<"x", float, batch, steps, 5>;
constexpr auto labels = xg::input<"labels", std::int32_t, batch, 3>;
constexpr auto n = xg::input<"n", std::int32_t, batch>;
constexpr auto row = xg::input<"row", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::ctc_loss(x, row, n, n);
#else
constexpr auto y = xg::ctc_loss(x, labels, n, n);
#endif
