// SPDX-License-Identifier: MIT
// Training with named dimensions of variables, compared with training with sizes that the compiler knows.
#include <train/named_variables.hpp>

using namespace named_variables;

TEST_CASE("the same training as with sizes that the compiler knows, with the planner on and off") {
    xg::adam const rule{.learning_rate = 0.02};
    auto a = xg::minimize(named::loss, rule, features = 11, width = 5);
    auto b = xg::minimize(fixed::loss, rule);
    auto c = xg::minimize<xg::gating::graph, false>(named::loss, rule, width = 5, features = 11);
    a.initialize(xg::glorot_uniform{.seed = 2});
    b.initialize(xg::glorot_uniform{.seed = 2});
    c.initialize(xg::glorot_uniform{.seed = 2});
    CHECK(copy(a.value(named::w)) == copy(b.value(fixed::w)));
    data const d;
    for (int k = 0; k < 12; ++k) {
        float const loss = step<fixed>(b, d);
        CHECK(step<named>(a, d) == doctest::Approx(loss).epsilon(1e-4));
        CHECK(step<named>(c, d) == doctest::Approx(loss).epsilon(1e-4));
    }
    near(a.value(named::w), b.value(fixed::w));
    near(a.value(named::b), b.value(fixed::b));
    near(a.value(named::table), b.value(fixed::table));
    near(a.value(named::v), b.value(fixed::v));
    near(c.value(named::table), b.value(fixed::table));
}

namespace {
auto values(auto const& trainer) {
    std::vector<std::vector<float>> r;
    for (auto const& v : trainer.store().variables())
        r.emplace_back(static_cast<float const*>(v.data), static_cast<float const*>(v.data) + v.size);
    return r;
}
/// For each of the other rules a table of which rows are looked up and a vector that changes as a whole: one program for all of them.
template<auto Features, auto Width>
struct pairs {
    template<xg::fixed_string Name>
    static constexpr auto table = xg::variable<Name, float, Features, Width>;
    template<xg::fixed_string Name>
    static constexpr auto vector = xg::variable<Name, float, Width>;
    template<xg::fixed_string Table, xg::fixed_string Vector>
    static constexpr auto term = xg::gather(table<Table>, ids) + vector<Vector>;
    static constexpr auto loss =
        xg::mean(xg::square(term<"t0", "v0"> + term<"t1", "v1"> + term<"t2", "v2"> + term<"t3", "v3"> + term<"t4", "v4"> - 1_c));
    static auto trainer(auto... sizes) {
        return xg::minimize(loss, xg::param_group(xg::gradient_descent{.learning_rate = 0.1}, table<"t0">, vector<"v0">),
            xg::param_group(xg::momentum{.learning_rate = 0.05}, table<"t1">, vector<"v1">),
            xg::param_group(xg::adagrad{.learning_rate = 0.1}, table<"t2">, vector<"v2">),
            xg::param_group(xg::lazy_adam{.learning_rate = 0.02}, table<"t3">, vector<"v3">),
            xg::param_group(xg::ftrl{.learning_rate = 0.1, .l1 = 0.001}, table<"t4">, vector<"v4">), sizes...);
    }
};
}
TEST_CASE("every kind of update") {
    auto a = pairs<features, width>::trainer(features = 11, width = 5);
    auto b = pairs<11, 5>::trainer();
    a.initialize(xg::glorot_uniform{.seed = 2});
    b.initialize(xg::glorot_uniform{.seed = 2});
    data const d;
    auto const before = values(b);
    for (int k = 0; k < 12; ++k) CHECK(a(ids = d.rows) == doctest::Approx(b(ids = d.rows)).epsilon(1e-4));
    auto const of_a = values(a), of_b = values(b);
    REQUIRE(of_a.size() == 10);
    for (std::size_t v = 0; v < of_a.size(); ++v) {
        CHECK(of_b[v] != before[v]);
        REQUIRE(of_a[v].size() == of_b[v].size());
        for (std::size_t i = 0; i < of_a[v].size(); ++i) CHECK(of_a[v][i] == doctest::Approx(of_b[v][i]).epsilon(1e-4));
    }
}
