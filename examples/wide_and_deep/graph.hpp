// SPDX-License-Identifier: MIT
// Wide & deep for Adult as an expression, and its two rules: what model.cpp compiles and draw_graph draws.
#pragma once

#include <xgrad/xgrad.hpp>

namespace examples::wide_and_deep {

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};

// inputs
constexpr auto wide_ids = xg::input<"wide", std::int32_t, batch, 17>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch, 8>;
constexpr auto dense = xg::input<"dense", float, batch, 5>;
constexpr auto label = xg::input<"label", float, batch>;

// the wide part: a weight for each category, summed
constexpr auto wide_w = xg::variable<"wide/w", float, 7122>;
constexpr auto wide_b = xg::variable<"wide/b", float>;
constexpr auto wide = xg::embedding_bag(wide_w, wide_ids) + wide_b;

// the deep part: eight embeddings of 8 and the numbers, 69-100-50-1
template<int I>
constexpr auto column = xg::squeeze<1>(xg::slice<1, I, I + 1>(ids));
constexpr auto t0 = xg::variable<"deep/workclass", float, 9, 8>;
constexpr auto t1 = xg::variable<"deep/education", float, 16, 8>;
constexpr auto t2 = xg::variable<"deep/marital_status", float, 7, 8>;
constexpr auto t3 = xg::variable<"deep/occupation", float, 15, 8>;
constexpr auto t4 = xg::variable<"deep/relationship", float, 6, 8>;
constexpr auto t5 = xg::variable<"deep/race", float, 5, 8>;
constexpr auto t6 = xg::variable<"deep/sex", float, 2, 8>;
constexpr auto t7 = xg::variable<"deep/native_country", float, 42, 8>;
constexpr auto w1 = xg::variable<"deep/w1", float, 69, 100>;
constexpr auto b1 = xg::variable<"deep/b1", float, 100>;
constexpr auto w2 = xg::variable<"deep/w2", float, 100, 50>;
constexpr auto b2 = xg::variable<"deep/b2", float, 50>;
constexpr auto w3 = xg::variable<"deep/w3", float, 50, 1>;
constexpr auto b3 = xg::variable<"deep/b3", float, 1>;

struct features : xg::let<features> {
    static constexpr auto value() {
        return xg::concat<1>(xg::gather(t0, column<0>), xg::gather(t1, column<1>), xg::gather(t2, column<2>), xg::gather(t3, column<3>),
            xg::gather(t4, column<4>), xg::gather(t5, column<5>), xg::gather(t6, column<6>), xg::gather(t7, column<7>), dense);
    }
};
constexpr auto hidden1 = xg::relu(xg::matmul(features{}, w1) + b1);
constexpr auto hidden2 = xg::relu(xg::matmul(hidden1, w2) + b2);
struct logits : xg::let<logits> {
    static constexpr auto value() { return wide + xg::squeeze<1>(xg::matmul(hidden2, w3) + b3); }
};
constexpr auto loss = xg::mean(xg::sigmoid_cross_entropy(logits{}, label));

template<xg::gating Gate = xg::gating::none>
auto make_trainer() {
    return xg::minimize<Gate>(loss, xg::param_group(xg::ftrl{.learning_rate = 0.2, .l1 = 0.05}, wide_w, wide_b),
        xg::param_group(xg::adagrad{.learning_rate = 0.02}));
}

}   // namespace examples::wide_and_deep
