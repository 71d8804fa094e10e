// SPDX-License-Identifier: MIT
// The program of docs/how_to/choose_a_loss.md.
// prints: mean 0[.]91, weighted 0[.]24, classes 0[.]74, smoothed 0[.]97
#include <xgrad/ops/losses/entropies.hpp>
#include <xgrad/ops/losses/weighted_loss.hpp>
#include <xgrad/xgrad.hpp>

#include <cstdio>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto logits = xg::input<"logits", float, batch, 3>;
constexpr auto labels = xg::input<"labels", std::int32_t, batch>;
constexpr auto weights = xg::input<"weights", float, batch>;
constexpr auto losses = xg::sparse_softmax_cross_entropy(logits, labels);   // one for each row
constexpr auto plain = xg::mean(losses);
constexpr auto weighted = xg::weighted_loss<xg::loss_reduction::mean>(losses, weights);   // sum(losses * weights) / sum(weights)
constexpr auto of_classes = xg::input<"class weights", float, 3>;
constexpr auto balanced = xg::weighted_loss<xg::loss_reduction::mean>(losses, xg::gather(of_classes, labels));
constexpr auto smoothed = xg::mean(xg::softmax_cross_entropy(logits, xg::label_smoothing<3>(labels, 0.1_c)));

int main() {
    std::vector<float> const scores{2, 0, 0, 0, 2, 0, 0, 2, 0}, of_rows{1, 2, 0}, each_class{1, 2, 1};   // the third row does not count
    std::vector<std::int32_t> const classes{0, 1, 0};
    xg::function evaluate{xg::outputs(plain, weighted, balanced, smoothed)};
    auto const [a, b, c, d] = evaluate(logits = xg::array(scores, 3, 3), labels = classes, weights = of_rows, of_classes = each_class);
    std::printf("mean %.2f, weighted %.2f, classes %.2f, smoothed %.2f\n", a, b, c, d);
}
