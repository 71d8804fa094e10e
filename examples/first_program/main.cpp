// SPDX-License-Identifier: MIT
// A small classifier of pictures. batches, report and test_images are the user's; here they come from pictures.hpp.
#include "pictures.hpp"

// [program]
#include <xgrad/io/checkpoint.hpp>
#include <xgrad/xgrad.hpp>
namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};   // a named, dynamic dimension

constexpr auto x = xg::input<"x", float, batch, 784>;   // names are part of the type
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto w1 = xg::variable<"w1", float, 784, 128>;
constexpr auto b1 = xg::variable<"b1", float, 128>;
constexpr auto w2 = xg::variable<"w2", float, 128, 10>;
constexpr auto b2 = xg::variable<"b2", float, 10>;

constexpr auto hidden = xg::relu(xg::matmul(x, w1) + b1);
constexpr auto logits = xg::matmul(hidden, w2) + b2;
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, y));

int main() {
    auto train = xg::minimize(loss, xg::adam{.learning_rate = 1e-3f});   // owns variables, slots, workspace
    train.initialize(xg::glorot_uniform{.seed = 1});
    for (auto&& [images, labels] : batches) {          // any xtensor container or view, or a span
        float value = train(x = images, y = labels);   // no allocation, no lock, no virtual call
        report(value);
    }
    auto scores = xg::function{logits, train}(x = test_images);   // inference on the same variables
    xg::save(train, "model.safetensors");
}
// [/program]
