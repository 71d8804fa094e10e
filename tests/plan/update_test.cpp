// SPDX-License-Identifier: MIT
// Updates by rows apply the gradient that the dense form shows: bags, several lookups of one table, gradients that lie in a larger matrix.
#include <support/tensor.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
constexpr auto table = xg::variable<"table", double, 9, 3>;
constexpr auto column = xg::variable<"column", double, 9, 1>;
constexpr auto vector = xg::variable<"vector", double, 9>;
constexpr auto i = xg::input<"i", std::int32_t, batch>;
constexpr auto j = xg::input<"j", std::int64_t, batch, 2, 4>;
constexpr auto x = xg::input<"x", double, batch, 2>;
constexpr auto joined = xg::concat<1>(x, xg::gather(table, i), xg::gather(column, i), xg::sum<1>(xg::embedding_bag(table, j)));
constexpr auto loss = xg::mean(xg::square(joined)) + xg::mean(xg::sigmoid(xg::embedding_bag(vector, j))) +
                      xg::sum(xg::tanh(xg::gather(vector, i))) + xg::mean(xg::square(xg::embedding_bag(column, j)));

template<xg::gating Gate, bool Fuse>
void check(std::int64_t n) {
    auto train = xg::minimize<Gate, Fuse>(loss, xg::gradient_descent{.learning_rate = 1.0});
    train.initialize(xg::random_uniform{.seed = 2, .range = 1});
    constexpr auto g = xg::gradients(loss, table, column, vector);
    xg::function dense{xg::outputs(std::get<0>(g).dense, std::get<1>(g).dense, std::get<2>(g).dense), train};
    auto const a = test::numbers<double>({n, 2});
    test::tensor<std::int32_t> ids({n});
    test::tensor<std::int64_t> bags({n, 2, 4});
    for (std::int64_t k = 0; k < n; ++k) ids[k] = static_cast<std::int32_t>(k * k % 9);
    for (std::int64_t k = 0; k < 8 * n; ++k) bags[k] = static_cast<std::int64_t>(xg::mix_bits(static_cast<std::uint64_t>(k)) % 9);
    std::vector<double> before[3]{{train.value(table).begin(), train.value(table).end()},
        {train.value(column).begin(), train.value(column).end()}, {train.value(vector).begin(), train.value(vector).end()}};
    auto const slopes = dense(x = a, i = ids, j = bags);
    train(x = a, i = ids, j = bags);
    auto one = [&](auto const& slope, auto const& now, std::vector<double> const& old) {
        test::check_near(
            "update", now,
            [&](std::int64_t k) {
                return static_cast<long double>(old[static_cast<std::size_t>(k)]) - static_cast<long double>(n == 0 ? 0 : slope[k]);
            },
            1e-13);
    };
    one(std::get<0>(slopes), train.value(table), before[0]);
    one(std::get<1>(slopes), train.value(column), before[1]);
    one(std::get<2>(slopes), train.value(vector), before[2]);
}
}

TEST_CASE("updates by rows apply the gradient") {
    for (std::int64_t n : {6, 1, 0, 40}) {
        CAPTURE(n);
        check<xg::gating::none, true>(n);
        check<xg::gating::none, false>(n);
        check<xg::gating::graph, true>(n);
    }
}
