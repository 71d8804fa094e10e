// SPDX-License-Identifier: MIT
// expect-error: xgrad::gaussian_mixture_nll\(logits, means, scales, labels\): the ranks do not fit
// Labels [batch, 1] of mixtures [batch, 4].
#include <xgrad/ops/losses/likelihoods.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto z = xg::input<"z", float, batch, 1>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::gaussian_mixture_nll(x, x, xg::exp(x), z);
#else
constexpr auto y = xg::gaussian_mixture_nll(x, x, xg::exp(x), xg::squeeze<1>(z));
#endif
