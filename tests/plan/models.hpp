// SPDX-License-Identifier: MIT
// Models whose plans are looked at: texts, costs, pictures.
#pragma once

#include <xgrad/xgrad.hpp>

namespace models {

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim time_steps{"time"};

// A classifier with one hidden layer.
namespace mlp {
constexpr auto x = xg::input<"x", float, batch, 784>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto w1 = xg::variable<"w1", float, 784, 128>;
constexpr auto b1 = xg::variable<"b1", float, 128>;
constexpr auto w2 = xg::variable<"w2", float, 128, 10>;
constexpr auto b2 = xg::variable<"b2", float, 10>;
constexpr auto logits = xg::matmul(xg::relu(xg::matmul(x, w1) + b1), w2) + b2;
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, y));
using training = decltype(xg::minimize(loss, xg::adam{}));
using gated = decltype(xg::minimize<xg::gating::graph>(loss, xg::adam{}));
using plain = decltype(xg::minimize<xg::gating::none, false>(loss, xg::adam{}));
using inference = decltype(xg::function{xg::softmax(logits), std::declval<training&>()});
}

// Three layers of tanh, squared error, static shapes.
namespace tanh3 {
constexpr auto x = xg::input<"x", double, 32, 8>;
constexpr auto y = xg::input<"y", double, 32, 1>;
using first = xg::scope<"first">;
using second = xg::scope<"second">;
constexpr auto h1 = xg::tanh(xg::matmul(x, first::variable<"w", double, 8, 16>) + first::variable<"b", double, 16>);
constexpr auto h2 = xg::tanh(xg::matmul(h1, second::variable<"w", double, 16, 16>) + second::variable<"b", double, 16>);
constexpr auto out = xg::matmul(h2, xg::variable<"out/w", double, 16, 1>) + xg::variable<"out/b", double, 1>;
constexpr auto loss = xg::mean(xg::squared_error(out, y));
using training = decltype(xg::minimize(loss, xg::momentum{.learning_rate = 0.01}));
}

// Sparse linear part and embeddings with one hidden layer, each with its own rule.
namespace wide_and_deep {
constexpr auto wide_ids = xg::input<"wide", std::int32_t, batch, 5>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch, 2>;
constexpr auto dense = xg::input<"dense", float, batch, 3>;
constexpr auto label = xg::input<"label", float, batch>;
constexpr auto wide_w = xg::variable<"wide/w", float, 1000>;
constexpr auto wide_b = xg::variable<"wide/b", float>;
constexpr auto jobs = xg::variable<"deep/job", float, 20, 4>;
constexpr auto towns = xg::variable<"deep/town", float, 50, 4>;
constexpr auto w1 = xg::variable<"deep/w1", float, 11, 16>;
constexpr auto b1 = xg::variable<"deep/b1", float, 16>;
constexpr auto w2 = xg::variable<"deep/w2", float, 16, 1>;
template<int I>
constexpr auto column = xg::squeeze<1>(xg::slice<1, I, I + 1>(ids));
constexpr auto features = xg::concat<1>(xg::gather(jobs, column<0>), xg::gather(towns, column<1>), dense);
constexpr auto deep = xg::matmul(xg::relu(xg::matmul(features, w1) + b1), w2);
constexpr auto logits = xg::embedding_bag(wide_w, wide_ids) + wide_b + xg::squeeze<1>(deep);
constexpr auto loss = xg::mean(xg::sigmoid_cross_entropy(logits, label));
using training = decltype(xg::minimize(
    loss, xg::param_group(xg::ftrl{.learning_rate = 0.2}, wide_w, wide_b), xg::param_group(xg::adagrad{.learning_rate = 0.02})));
}

// The logarithm of a sum of exponentials and its gradient: a row-wise loop.
namespace log_sum_exp {
constexpr auto x = xg::input<"x", float, batch, 100>;
constexpr auto value = xg::log_sum_exp<1>(x);
using function = decltype(xg::function{xg::outputs(value, xg::gradient_of(value, x))});
}

namespace linear_regression {
constexpr auto x = xg::input<"x", double, batch, 12>;
constexpr auto y = xg::input<"y", double, batch>;
constexpr auto w = xg::variable<"w", double, 12, 1>;
constexpr auto b = xg::variable<"b", double>;
constexpr auto loss = xg::mean(xg::square(xg::squeeze<1>(xg::matmul(x, w)) + b - y));
using training = decltype(xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.1}));
}

// Negative log-likelihood of four spherical Gaussians.
namespace mixture {
constexpr auto x = xg::input<"x", double, batch, 2>;
constexpr auto weight = xg::variable<"weight", double, 4>;
constexpr auto mean = xg::variable<"mean", double, 4, 2>;
constexpr auto log_scale = xg::variable<"log_scale", double, 4>;
constexpr auto distance = xg::sum<2>(xg::square(xg::expand_dims<1>(x) - mean));
constexpr auto part = weight - xg::log_sum_exp(weight) - 0.5_c * distance * xg::exp(-2_c * log_scale) - 2_c * log_scale;
constexpr auto loss = -xg::mean(xg::log_sum_exp<1>(part));
using training = decltype(xg::minimize(loss, xg::adam{.learning_rate = 0.01}));
}

// Twenty element-wise operations in a row.
namespace chain {
constexpr auto x = xg::input<"x", float, batch>;
constexpr auto five(auto v) { return xg::square(xg::tanh(xg::abs(xg::exp(v * 0.5_c)))); }
constexpr auto value = five(five(five(five(x))));
using function = decltype(xg::function{value});
}

// Residual blocks as named blocks.
namespace residual {
constexpr auto x = xg::input<"x", float, batch, 32>;
constexpr auto y = xg::input<"y", float, batch, 32>;
constexpr auto step(auto h, auto w) { return h + xg::tanh(xg::matmul(h, w)); }
struct first : xg::let<first> {
    static constexpr auto value() { return step(x, xg::variable<"first/w", float, 32, 32>); }
};
struct second : xg::let<second> {
    static constexpr auto value() { return step(first{}, xg::variable<"second/w", float, 32, 32>); }
};
constexpr auto loss = xg::mean(xg::square(second{} - y));
using training = decltype(xg::minimize(loss, xg::lazy_adam{}));
}

namespace with_dropout {
constexpr auto x = xg::input<"x", float, batch, 64>;
constexpr auto y = xg::input<"y", float, batch, 8>;
constexpr auto w1 = xg::variable<"w1", float, 64, 32>;
constexpr auto w2 = xg::variable<"w2", float, 32, 8>;
constexpr auto h = xg::dropout<"noise">(xg::relu(xg::matmul(x, w1)), 0.5_c);
constexpr auto loss = xg::mean(xg::square(xg::matmul(h, w2) - y));
using training = decltype(xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.1}));
}

// Two named dimensions, a lookup with several axes.
namespace sequence {
constexpr auto ids = xg::input<"ids", std::int64_t, batch, time_steps>;
constexpr auto table = xg::variable<"table", float, 100, 8>;
constexpr auto w = xg::variable<"w", float, 8, 8>;
constexpr auto h = xg::tanh(xg::matmul(xg::gather(table, ids), w));
constexpr auto loss = xg::mean(xg::square(xg::mean<1>(h)));
using training = decltype(xg::minimize(loss, xg::adam{}));
}

// A recurrent net: a loop, and in training the loop of its gradient.
namespace recurrent {
constexpr auto x = xg::input<"x", float, time_steps, batch, 16>;
constexpr auto y = xg::input<"y", float, batch, 4>;
struct cell : xg::region {
    static constexpr auto value(auto h, auto row) {
        auto const w = xg::variable<"w", float, 32, 32>;
        return xg::carry(xg::tanh(xg::matmul(h, w) + xg::matmul(row, xg::variable<"u", float, 16, 32>) + xg::variable<"b", float, 32>));
    }
};
constexpr auto start = xg::broadcast_to<batch, 32>(xg::constant<float, 0>);
constexpr auto last = std::get<0>(xg::scan<cell>(xg::carry(start), x));
constexpr auto loss = xg::mean(xg::square(xg::matmul(last, xg::variable<"out", float, 32, 4>) - y));
using training = decltype(xg::minimize(loss, xg::adam{}));
using inference = decltype(xg::function{last, std::declval<training&>()});
}

// An average of new weights, how far they have moved, and a target that is a copy of them.
namespace averages {
constexpr auto x = xg::input<"x", float, batch, 6>;
constexpr auto w = xg::variable<"w", float, 6, 4>;
constexpr auto b = xg::variable<"b", float, 4>;
constexpr auto average = xg::non_trainable<"average", float, 6, 4>;
constexpr auto target = xg::non_trainable<"target", float, 4>;
constexpr auto moved = xg::non_trainable<"moved", float>;
constexpr auto loss = xg::mean(xg::square(xg::tanh(xg::matmul(x, w) + b)));
using training = decltype(xg::minimize(loss, xg::adam{}, xg::assign(average, average - 0.01_c * (average - xg::updated(w))),
    xg::assign(target, xg::updated(b)), xg::assign(moved, xg::sum(xg::square(xg::updated(w) - w)))));
}

// Constraints after the rule: on a matrix whose update stays in the tiles of its product, and on a table that is updated by rows.
namespace constrained {
constexpr auto x = xg::input<"x", float, batch, 6>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
constexpr auto w = xg::variable<"w", float, 6, 4>;
constexpr auto table = xg::variable<"table", float, 20, 6>;
constexpr auto average = xg::non_trainable<"average", float, 6, 4>;
constexpr auto loss = xg::mean(xg::square(xg::tanh(xg::matmul(x + xg::gather(table, ids), w))));
using training = decltype(xg::minimize(loss, xg::lazy_adam{}, xg::assign(w, xg::maximum(xg::updated(w), 0_c)),
    xg::assign(table, xg::nn::unit_norm<1>(xg::updated(table))),
    xg::assign(average, average - 0.01_c * (average - xg::updated(xg::updated(w))))));
}

// The best of each row, and the gradient that goes back to them.
namespace best {
constexpr auto x = xg::input<"x", float, batch, 10>;
constexpr auto outputs = xg::top_k<3>(xg::tanh(x));
constexpr auto value = xg::sum(xg::square(std::get<0>(outputs)));
using function = decltype(xg::function{xg::outputs(std::get<1>(outputs), xg::gradient_of(value, x))});
}

// The gradient of a lookup as a tensor.
namespace scattered {
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
constexpr auto table = xg::input<"table", float, 30, 4>;
constexpr auto value = xg::sum(xg::square(xg::gather(xg::tanh(table), ids)));
using function = decltype(xg::function{xg::gradient_of(value, table)});
}

}   // namespace models
