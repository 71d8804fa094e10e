// SPDX-License-Identifier: MIT
// Losses against PyTorch: values and gradients.
#include <ops/losses_reference.hpp>

#include <xgrad/ops/losses/embeddings.hpp>
#include <xgrad/ops/losses/entropies.hpp>
#include <xgrad/ops/losses/errors.hpp>
#include <xgrad/ops/losses/focal.hpp>
#include <xgrad/ops/losses/likelihoods.hpp>
#include <xgrad/ops/losses/margins.hpp>
#include <xgrad/ops/over_axes/arg_reduce.hpp>

namespace {
using namespace losses_reference;
constexpr auto t = operand<"t">;
constexpr auto n = operand<"n">;
constexpr auto z = operand<"z">;
constexpr auto q = operand<"q">;
constexpr auto r = operand<"r">;
constexpr auto y2 = xg::input<"y2", double, 4, 2>;
constexpr auto m2 = xg::input<"m2", double, 4, 7, 2>;
constexpr auto s2 = xg::input<"s2", double, 4, 7, 2>;
constexpr auto first = xg::squeeze<1>(xg::slice<1, 0, 1>(y2));
}

TEST_CASE("losses of PyTorch") {
    auto const file = test::read_reference("losses_torch.txt");
    constexpr auto signs = 2_c * z - 1_c;
    auto const y = numbers(file, "y2", {4, 2});
    compare(file,
        {"gaussian_nll", "margin_ranking", "multilabel_margin", "multilabel_soft_margin", "soft_margin", "triplet_margin", "sigmoid_focal",
            "kl_divergence_with_logits", "info_nce", "quantile", "balanced", "mixture", "mixture_of_pairs", "multi_margin"},
        1e-12, x,
        std::tuple{xg::gaussian_nll(x, t, r), xg::margin_ranking(x, t, signs, 0.3_c), xg::multilabel_margin(x, z),
            xg::multilabel_soft_margin(x, z), xg::soft_margin(x, signs), xg::triplet_margin(x, t, n, 1.5_c), xg::sigmoid_focal(x, q),
            xg::kl_divergence_with_logits(x, q), xg::info_nce(x, 0.3_c), xg::quantile_loss(x, t, 0.3_c),
            xg::balanced_cross_entropy_with_logits(x, q, 0.8_c), xg::gaussian_mixture_nll(x, t, r, first),
            xg::gaussian_mixture_nll(x, m2, s2, y2), xg::multi_margin(x, xg::argmax<-1>(t))},
        x = numbers(file, "x"), t = numbers(file, "t"), n = numbers(file, "n"), z = numbers(file, "z"), q = numbers(file, "q"),
        r = numbers(file, "r"), y2 = y, m2 = numbers(file, "m2", {4, 7, 2}), s2 = numbers(file, "s2", {4, 7, 2}), w = numbers(file, "w"),
        v = numbers(file, "v", {4}));
    compare(file, {"gaussian_nll_full.variance", "mixture.scales"}, 1e-12, x,
        std::tuple{xg::gaussian_nll(r, t, x, xg::compute_full_loss), xg::gaussian_mixture_nll(r, t, x, first)}, x = numbers(file, "r"),
        r = numbers(file, "x"), t = numbers(file, "t"), y2 = y, w = numbers(file, "w"), v = numbers(file, "v", {4}));
    compare(file, {"jensen_shannon"}, 1e-12, x, std::tuple{xg::jensen_shannon(x, q)}, x = numbers(file, "p"), q = numbers(file, "q"),
        v = numbers(file, "v", {4}));
    compare(file, {"contrastive"}, 1e-12, x, std::tuple{xg::contrastive(x, z, 1.25_c)}, x = numbers(file, "d"), z = numbers(file, "z"),
        w = numbers(file, "w"));
    compare(file, {"poisson_full"}, 1e-12, x, std::tuple{xg::poisson_loss(x, z, xg::compute_full_loss)}, x = numbers(file, "r"),
        z = numbers(file, "c"), w = numbers(file, "w"));
    compare(file, {"mixture.means"}, 1e-12, x, std::tuple{xg::gaussian_mixture_nll(t, x, r, first)}, x = numbers(file, "t"),
        t = numbers(file, "x"), r = numbers(file, "r"), y2 = y, v = numbers(file, "v", {4}));
}
