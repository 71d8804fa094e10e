// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::residual\(x, f\): f is not a function object without state
// A lambda that captures.
#include <xgrad/nn/nn.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
auto make(int k) {
    return xg::nn::residual(x, [k](auto v) { return static_cast<void>(k), xg::tanh(v); });
}
#else
auto make(int) {
    return xg::nn::residual(x, [](auto v) { return xg::tanh(v); });
}
#endif
