// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::embedding<name, rows, width>\(ids\): ids are not integers
// Float ids.
#include <xgrad/nn/nn.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::nn::embedding<"e", 10, 8>(x);
#else
constexpr auto z = xg::nn::embedding<"e", 10, 8>(y);
#endif
