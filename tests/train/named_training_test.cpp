// SPDX-License-Identifier: MIT
// Training with named dimensions of variables beside training with sizes that the compiler knows.
#include <train/named_variables.hpp>

using namespace named_variables;

namespace {
template<class Rule>
void trains_alike(Rule const& rule) {
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
}
TEST_CASE("the same training as with sizes that the compiler knows, for every kind of update") {
#if !XGRAD_SANITIZED   // where a product with an update in its tiles costs a minute
    trains_alike(xg::gradient_descent{.learning_rate = 0.1});
    trains_alike(xg::momentum{.learning_rate = 0.05});
    trains_alike(xg::adam{.learning_rate = 0.02});
    trains_alike(xg::adagrad{.learning_rate = 0.1});
#endif
    trains_alike(xg::lazy_adam{.learning_rate = 0.02});
    trains_alike(xg::ftrl{.learning_rate = 0.1, .l1 = 0.001});
}
