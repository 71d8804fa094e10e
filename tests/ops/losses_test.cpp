// SPDX-License-Identifier: MIT
// Losses against TensorFlow and Keras, values and gradients.
#include <ops/losses_reference.hpp>

#include <xgrad/ops/losses/embeddings.hpp>
#include <xgrad/ops/normalization/lengths.hpp>
#include <xgrad/ops/losses/entropies.hpp>
#include <xgrad/ops/losses/errors.hpp>
#include <xgrad/ops/losses/focal.hpp>
#include <xgrad/ops/losses/likelihoods.hpp>
#include <xgrad/ops/losses/margins.hpp>

namespace {
using namespace losses_reference;
constexpr auto t = operand<"t">;
constexpr auto z = operand<"z">;
constexpr auto c = operand<"c">;
constexpr auto q = operand<"q">;
constexpr auto hot = operand<"hot">;
constexpr auto p = operand<"p">;
constexpr auto classes = xg::input<"classes", std::int32_t, 4>;
}

TEST_CASE("losses of scores") {
    auto const file = test::read_reference("losses.txt");
    constexpr auto signs = 2_c * z - 1_c;
    compare(file,
        {"huber", "log_cosh", "hinge", "squared_hinge", "categorical_hinge", "log_poisson", "log_poisson_full", "cosine_similarity",
            "l2_normalize", "sigmoid_focal", "categorical_focal", "label_smoothing", "binary_label_smoothing", "weighted_cross_entropy"},
        2e-7, x,
        std::tuple{xg::huber(x, t, 0.75_c), xg::log_cosh(x, t), xg::hinge(x, signs), xg::squared_hinge(x, signs),
            xg::categorical_hinge(x, hot), xg::log_poisson_loss(x, c), xg::log_poisson_loss(x, c, xg::compute_full_loss),
            xg::cosine_similarity(x, t), xg::l2_normalize<1>(x), xg::sigmoid_focal(x, z, 0.3_c, 1.5_c),
            xg::categorical_focal(x, hot, 0.3_c, 1.5_c), xg::softmax_cross_entropy(x, xg::label_smoothing<7, double>(classes, 0.1_c)),
            xg::sigmoid_cross_entropy(x, xg::binary_label_smoothing(z, 0.1_c)), xg::weighted_cross_entropy_with_logits(x, p, 2.5_c)},
        x = numbers(file, "x"), t = numbers(file, "t"), z = numbers(file, "z"), p = numbers(file, "p"), c = numbers(file, "c"),
        hot = numbers(file, "hot"), classes = test::list<std::int32_t>({2, 0, 6, 3}), w = numbers(file, "w"), v = numbers(file, "v", {4}));
}

TEST_CASE("losses of probabilities, rates and embeddings") {
    auto const file = test::read_reference("losses.txt");
    compare(file, {"kl_divergence", "binary_cross_entropy", "dice", "tversky", "tf1.log_loss"}, 2e-6, x,
        std::tuple{xg::kl_divergence(x, q), xg::binary_cross_entropy(x, q), xg::dice<1>(x, z), xg::tversky<1>(x, z, 0.3_c, 0.6_c),
            xg::binary_log_loss(x, z)},
        x = numbers(file, "p"), q = numbers(file, "q"), z = numbers(file, "z"), w = numbers(file, "w"), v = numbers(file, "v", {4}));
    compare(file, {"poisson", "poisson_of_keras"}, 1e-12, x,
        std::tuple{xg::poisson_loss(x, c), xg::poisson_loss(x + 0.0000001_c, c) - 0.0000001_c}, x = numbers(file, "r"),
        c = numbers(file, "c"), w = numbers(file, "w"));
    constexpr auto e = xg::input<"e", double, 9, 3>;
    constexpr auto ids = xg::input<"ids", std::int32_t, 9>;
    compare(file, {"semi_hard", "semi_hard_root"}, 1e-12, e,
        std::tuple{xg::semi_hard_triplet(xg::squared_distances(e, e), ids),
            xg::semi_hard_triplet(xg::sqrt(xg::squared_distances(e, e)), ids, 0.5_c)},
        e = numbers(file, "e", {9, 3}), ids = test::list<std::int32_t>({0, 1, 2, 0, 1, 1, 3, 0, 2}));
}
