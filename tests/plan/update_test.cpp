// SPDX-License-Identifier: MIT
// Updates by rows apply the gradient that the dense form shows: bags, several lookups of one table, gradients that are part of a larger
// matrix.
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

namespace {
constexpr auto several = xg::input<"several", std::int32_t, batch, 3>;
constexpr auto wide = xg::input<"wide", double, batch, 11>;
constexpr auto same = xg::input<"same", double, 3>;
constexpr auto other = xg::variable<"other", double, 9, 3>;
constexpr auto looked_up =
    xg::concat<1>(xg::slice<1, 0, 1>(wide), xg::reshape<batch, 9>(xg::gather(table, several)), xg::gather(column, i));
constexpr auto lying = xg::sum(looked_up * wide) + xg::sum(xg::gather(other, i) * same);
}

TEST_CASE("gradients that are parts of an input are read where they lie: three to a row, one in a row, one for all") {
    auto train = xg::minimize(lying, xg::gradient_descent{.learning_rate = 1.0});
    constexpr auto const& plan = decltype(train)::program_type::plan;
    int updates = 0;
    for (int s = 0; s < plan.step_count; ++s) {
        if (plan.steps[s].kind != xg::planner::step_kind::update) continue;
        CHECK(plan.operands[plan.steps[s].first_operand].base == xg::planner::step_operand::where::input);
        ++updates;
    }
    CHECK(updates == 3);
    for (std::int64_t n : {7, 1, 0}) {
        CAPTURE(n);
        for (auto* v : {&train.value(table)[0], &train.value(other)[0]}) std::fill_n(v, 27, 0.0);
        std::fill_n(&train.value(column)[0], 9, 0.0);
        test::tensor<std::int32_t> ids({n}), three({n, 3});
        for (std::int64_t k = 0; k < n; ++k) ids[k] = static_cast<std::int32_t>(k * k % 9);
        for (std::int64_t k = 0; k < 3 * n; ++k) three[k] = static_cast<std::int32_t>(k * 5 % 9);
        auto const g = test::numbers<double>({n, 11});
        std::vector<double> const d{0.5, -2, 3};
        double t[27]{}, c[9]{}, o[27]{};
        for (std::int64_t k = 0; k < n; ++k) {
            for (std::int64_t e = 0; e < 9; ++e) t[three[3 * k + e / 3] * 3 + e % 3] -= g[11 * k + 1 + e];
            c[ids[k]] -= g[11 * k + 10];
            for (std::int64_t e = 0; e < 3; ++e) o[ids[k] * 3 + e] -= d[static_cast<std::size_t>(e)];
        }
        train(wide = g, i = ids, several = three, same = d);
        auto close = [](char const* what, auto const& now, double const* expected) {
            test::check_near(
                what, now, [&](std::int64_t k) { return static_cast<long double>(expected[k]); }, 1e-14);
        };
        close("table", train.value(table), t);
        close("column", train.value(column), c);
        close("other", train.value(other), o);
    }
}
