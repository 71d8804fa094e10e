// SPDX-License-Identifier: MIT
// expect-error: xgrad: a second gradient reaches ctc_loss or crf_log_likelihood
// A penalty on the gradient of a CTC loss.
#include <xgrad/ops/sequences/ctc.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto logits = xg::input<"logits", float, 2, 5, 4>;
constexpr auto labels = xg::input<"labels", std::int32_t, 2, 3>;
constexpr auto label_lengths = xg::input<"label_lengths", std::int32_t, 2>;
constexpr auto logit_lengths = xg::input<"logit_lengths", std::int32_t, 2>;
constexpr auto loss = xg::sum(xg::ctc_loss(logits, labels, logit_lengths, label_lengths));
constexpr auto g = xg::gradient_of(loss, logits);

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::gradient_of(loss + xg::sum(xg::square(g)), logits);
#else
constexpr auto z = xg::gradient_of(loss + xg::sum(xg::square(xg::stop_gradient(g)) * logits), logits);
#endif
