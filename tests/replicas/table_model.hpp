// SPDX-License-Identifier: MIT
// A small model with a table, and batches of different sizes.
#pragma once

#include <xgrad/xgrad.hpp>

#include <cstdint>
#include <vector>

namespace test {
namespace xg = xgrad;
using namespace xgrad::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto ids = xg::input<"ids", std::int32_t, batch, 3>;
constexpr auto x = xg::input<"x", float, batch, 5>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto table = xg::variable<"table", float, 40, 7>;
constexpr auto w1 = xg::variable<"w1", float, 5, 7>;
constexpr auto b1 = xg::variable<"b1", float, 7>;
constexpr auto w2 = xg::variable<"w2", float, 7, 4>;
constexpr auto hidden = xg::tanh(xg::matmul(x, w1) + b1 + xg::embedding_bag(table, ids));
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(xg::matmul(hidden, w2), y));

struct data {
    std::vector<float> in;
    std::vector<std::int32_t> rows, labels;
    int n;
    explicit data(int k) : n(6 + k % 3) {
        for (int i = 0; i < n * 5; ++i) in.push_back(static_cast<float>((i * 13 + k * 7) % 19) / 19 - .4f);
        for (int i = 0; i < n * 3; ++i) rows.push_back((i * 5 + k * 11) % 12);
        for (int i = 0; i < n; ++i) labels.push_back((i + k) % 4);
    }
    template<class F>
    auto call(F&& f) const {
        return f(ids = xg::array(rows.data(), n, 3), x = xg::array(in.data(), n, 5), y = labels);
    }
};
template<class Rule>
auto start(Rule const& rule, std::uint64_t seed = 3) {
    auto train = xg::minimize<xg::gating::graph>(loss, xg::param_group(xg::adagrad{.learning_rate = .1}, table), xg::param_group(rule));
    train.initialize(xg::glorot_uniform{.seed = seed});
    return train;
}
}   // namespace test
