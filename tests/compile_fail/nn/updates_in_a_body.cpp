// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::updates\(loss\): a layer with state is in the body.*pass its result to the body
// Moving averages in the body of a call.
#include <xgrad/nn/batch_norm.hpp>
#include <xgrad/ops/call.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
struct body : xg::region {
    static constexpr auto value(auto z) { return xg::nn::batch_norm<"bn">(z); }
};

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::updates(xg::call<body>(x));
#else
constexpr auto y = xg::nn::updates(body::value(x));
#endif
