// SPDX-License-Identifier: MIT
// Writes the plan of one training step of the wide & deep model (the shapes of examples/wide_and_deep) for Graphviz:
//     draw_graph | dot -Tsvg > docs/images/wide_and_deep.svg
// With the argument "text": as xg::describe tells it.
#include <xgrad/io/dot.hpp>
#include <xgrad/plan/describe.hpp>
#include <xgrad/xgrad.hpp>

#include <iostream>
#include <string_view>

namespace xg = xgrad;

namespace {

inline constexpr xg::dim batch{"batch"};

constexpr auto wide_ids = xg::input<"wide", std::int32_t, batch, 17>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch, 8>;
constexpr auto dense = xg::input<"dense", float, batch, 5>;
constexpr auto label = xg::input<"label", float, batch>;
constexpr auto wide_w = xg::variable<"wide/w", float, 7122>;
constexpr auto wide_b = xg::variable<"wide/b", float>;

using deep = xg::scope<"deep">;
constexpr auto w1 = deep::variable<"w1", float, 69, 100>;
constexpr auto b1 = deep::variable<"b1", float, 100>;
constexpr auto w2 = deep::variable<"w2", float, 100, 50>;
constexpr auto b2 = deep::variable<"b2", float, 50>;
constexpr auto w3 = deep::variable<"w3", float, 50, 1>;
constexpr auto b3 = deep::variable<"b3", float, 1>;

// column I of the ids looks up rows of a table
template<int I>
constexpr auto rows_of(auto table) {
    return xg::gather(table, xg::squeeze<1>(xg::slice<1, I, I + 1>(ids)));
}
constexpr auto features =
    xg::concat<1>(rows_of<0>(deep::variable<"workclass", float, 9, 8>), rows_of<1>(deep::variable<"education", float, 16, 8>),
        rows_of<2>(deep::variable<"marital_status", float, 7, 8>), rows_of<3>(deep::variable<"occupation", float, 15, 8>),
        rows_of<4>(deep::variable<"relationship", float, 6, 8>), rows_of<5>(deep::variable<"race", float, 5, 8>),
        rows_of<6>(deep::variable<"sex", float, 2, 8>), rows_of<7>(deep::variable<"native_country", float, 42, 8>), dense);
constexpr auto hidden1 = xg::relu(xg::matmul(features, w1) + b1);
constexpr auto hidden2 = xg::relu(xg::matmul(hidden1, w2) + b2);
constexpr auto logits = xg::embedding_bag(wide_w, wide_ids) + wide_b + xg::squeeze<1>(xg::matmul(hidden2, w3) + b3);
constexpr auto loss = xg::mean(xg::sigmoid_cross_entropy(logits, label));

}   // namespace

int main(int argc, char** argv) {
    using training = decltype(xg::minimize(loss, xg::param_group(xg::ftrl{.learning_rate = 0.2, .l1 = 0.05}, wide_w, wide_b),
        xg::param_group(xg::adagrad{.learning_rate = 0.02})));
    bool const text = argc > 1 && std::string_view(argv[1]) == "text";
    std::cout << (text ? xg::describe<training>() : xg::to_dot<training>());
}
