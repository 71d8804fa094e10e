// SPDX-License-Identifier: MIT
// expect-error: batch_norm, layer_norm and rms_norm: the name of the layer is not in angle brackets
// A normalization without a name.
#include <xgrad/nn/batch_norm.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 8>;
#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::batch_norm(x);
#else
constexpr auto y = xg::nn::batch_norm<"norm">(x);
#endif
