// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::dense<name, units>\(x\): x is neither float nor double
// A layer on integers.
#include <xgrad/nn/nn.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};

#ifdef XGRAD_EXPECT_ERROR
constexpr auto n = xg::input<"n", std::int32_t, batch, 4>;
constexpr auto z = xg::nn::dense<"d", 8>(n);
#else
constexpr auto n = xg::cast<float>(xg::input<"n", std::int32_t, batch, 4>);
constexpr auto z = xg::nn::dense<"d", 8>(n);
#endif
