// SPDX-License-Identifier: MIT
// Losses of ranked lists against loops over their pairs by PyTorch. Edges: large scores, ties, lists without elements or labels, NaN beyond
// their lengths.
#include <ops/losses_reference.hpp>

#include <xgrad/ops/losses/ranking.hpp>
#include <xgrad/ops/mask.hpp>

namespace {
using namespace losses_reference;
inline constexpr xg::dim batch{"batch"};
constexpr auto labels = operand<"labels">;
constexpr auto mask = xg::input<"mask", bool, 4, 7>;
constexpr auto losses_of(auto s, auto l, auto... m) {
    return std::tuple{xg::pairwise_logistic(s, l, m...), xg::pairwise_hinge(s, l, m...), xg::lambda_rank(s, l, m...),
        xg::ranking_softmax(s, l, m...), xg::list_net(s, l, m...), xg::list_mle(s, l, m...), xg::approx_ndcg(s, l, 0.5_c, m...)};
}
}

TEST_CASE("losses of ranked lists, whole and masked") {
    auto const file = test::read_reference("losses_torch.txt");
    std::vector<std::string> names{
        "pairwise_logistic", "pairwise_hinge", "lambda_rank", "ranking_softmax", "list_net", "list_mle", "approx_ndcg"};
    compare(file, names, 1e-12, x, losses_of(x, labels), x = numbers(file, "x"), labels = numbers(file, "l"), v = numbers(file, "v", {4}));
    for (auto& name : names) name += "_masked";
    test::tensor<bool> kept({4, 7});
    for (std::int64_t i = 0; i < 28; ++i) kept[i] = file.at("mask")[static_cast<std::size_t>(i)] != 0;
    compare(file, names, 1e-12, x, losses_of(x, labels, mask), x = numbers(file, "x"), labels = numbers(file, "l"), mask = kept,
        v = numbers(file, "v", {4}));
}

TEST_CASE("large scores, ties, lengths of 0 and 1, in float") {
    constexpr auto s = xg::input<"s", float, batch, 5>;
    constexpr auto l = xg::input<"l", float, batch, 5>;
    constexpr auto lengths = xg::input<"lengths", std::int32_t, batch>;
    constexpr auto losses = losses_of(s, l, xg::sequence_mask<5>(lengths));
    constexpr auto total = xg::sum(std::get<0>(losses) + std::get<1>(losses) + std::get<2>(losses) + std::get<3>(losses) +
                                   std::get<4>(losses) + std::get<5>(losses) + std::get<6>(losses));
    xg::function f{xg::outputs(std::get<0>(losses), std::get<1>(losses), std::get<2>(losses), std::get<3>(losses), std::get<4>(losses),
        std::get<5>(losses), std::get<6>(losses), xg::delta_ndcg(s, l), xg::gradient_of(total, s))};
    float const inf = std::numeric_limits<float>::infinity(), no = std::numeric_limits<float>::quiet_NaN();   // where nothing counts
    std::vector<float> const scores{1e4F, -1e4F, 0, -inf, no, 1e4F, -1e4F, inf, no, no, 1, 1, 1, 1, 1, 3, 2, 1, 7, 7},
        relevance{0, 1, 0, no, 9, 1, no, 1, 1, 1, 3, 0, 1, 0, 2, 0, 0, 0, 0, 0};
    auto const r = f(s = xg::array(scores, 4, 5), l = xg::array(relevance, 4, 5), lengths = test::list<std::int32_t>({3, 0, 5, 1}));
    test::check_close("logistic", std::get<0>(r), {3e4, 0, 9 * std::log(2.0), 0}, 1e-6);
    test::check_close("hinge", std::get<1>(r), {30002, 0, 9, 0}, 1e-6);
    // the relevant one is the last of three: 1 / log2(4) of DCG, with each of the others one more
    test::check_close(
        "lambda", std::get<2>(r), {2e4 * (1 - 0.5) + 1e4 * (1 / std::log2(3.0) - 0.5), 0, static_cast<double>(std::get<2>(r)[2]), 0}, 1e-6);
    test::check_close("softmax", std::get<3>(r), {2e4, 0, 6 * std::log(5.0), 0}, 1e-6);
    CHECK(std::get<4>(r)[0] == doctest::Approx((2e4 * std::exp(1.0) + 1e4) / (2 + std::exp(1.0))));
    CHECK((std::get<4>(r)[1] == 0 && std::get<4>(r)[3] == 0));
    test::check_close("list_mle", std::get<5>(r), {2e4, 0, std::log(120.0), 0}, 1e-6);
    test::check_close("approx_ndcg", std::get<6>(r), {-1 / std::log2(4.0), 0, static_cast<double>(std::get<6>(r)[2]), 0}, 1e-3);
    CHECK(std::get<7>(r)[2 * 25 + 1] == doctest::Approx(7 * (1 - 1 / std::log2(3.0)) / (7 + 3 / std::log2(3.0) + 0.5)));
    auto const& g = std::get<8>(r);
    CHECK(std::all_of(g.begin(), g.end(), [](float e) { return std::isfinite(e); }));
    for (std::int64_t i : {3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 18, 19}) CHECK(g[i] == 0);   // masked, or alone in its list
}
