// SPDX-License-Identifier: MIT
// What both translation units use. Add what is worth watching here: every symbol of xgrad in the two objects is compared.
#pragma once

#include <xgrad/xgrad.hpp>

#include <cstddef>

// Nothing of our own has external linkage here except what each unit names for itself: a user's own inline code that holds
// objects of xgrad is outside the promise.
namespace {

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 8>;
constexpr auto w = xg::variable<"w", float, 8, 4>;
constexpr auto b = xg::variable<"b", float, 4>;
constexpr auto output = xg::tanh(xg::matmul(x, w) + b);
constexpr auto loss = xg::mean(xg::square(output));

using trainer_type = decltype(xg::minimize(loss, xg::adam{.learning_rate = 0.01f}));

/// The sum of a range; -1 if it is not made of whole batches.
float sum(float const* data, std::size_t count) {
    namespace simd = xg::simd;
    try {
        if (count % simd::width<float> != 0) xg::raise<xg::shape_error>("the test passes whole batches");
        auto total = simd::broadcast<simd::batch<float>>(0.0f);
        for (std::size_t i = 0; i < count; i += simd::width<float>) total = total + simd::load(data + i);
        return simd::sum(total);
    } catch (xg::error const&) { return -1.0f; }
}

/// The loss after ten steps of Adam.
float train(float const* data, std::size_t count) {
    auto model = xg::minimize(loss, xg::adam{.learning_rate = 0.01f});
    model.initialize(xg::glorot_uniform{.seed = 1});
    float value = 0.0f;
    for (int step = 0; step < 10; ++step) value = model(x = xg::array(data, count / 8, 8));
    return value;
}

}
