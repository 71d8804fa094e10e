// SPDX-License-Identifier: MIT
// Numbers that are checked: values and gradients pass, others end the call before anything changes, in bodies too.
#include <support/tensor.hpp>

#include <xgrad/ops/check_numerics.hpp>
#include <xgrad/train/check_gradients.hpp>

#include <string>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN(), infinite = std::numeric_limits<float>::infinity();

struct step : xg::region {
    static constexpr auto value(auto s, auto row) { return xg::carry(xg::check_numerics<"state">(s + xg::log(row))); }
};

template<class F>
std::string message(F const& f) {
    try {
        f();
    } catch (xg::value_error const& e) { return e.what(); }
    return "no error";
}
}

TEST_CASE("finite numbers pass, others are named with their position") {
    constexpr auto x = xg::input<"x", float, batch, 3>;
    constexpr auto d = xg::input<"d", double>;
    xg::function f{xg::outputs(2_c * xg::check_numerics<"the logits">(x), xg::check_numerics<"one number">(d * d))};
    for (std::int64_t n : {0, 1, 7, 40}) {
        auto X = test::numbers<float>({n, 3});
        auto const [y, z] = f(x = X, d = -3.0);
        for (std::int64_t i = 0; i < X.size(); ++i) CHECK(y[i] == 2 * X[i]);
        CHECK(z == 9);
        if (n == 0) continue;
        X[X.size() - 2] = not_a_number;
        CHECK(message([&] { f(x = X, d = 1.0); }) ==
              "xgrad::check_numerics<\"the logits\">(x): element " + std::to_string(X.size() - 2) + " is nan; nothing has been updated");
        X[0] = -infinite;
        CHECK(
            message([&] { f(x = X, d = 1.0); }) == "xgrad::check_numerics<\"the logits\">(x): element 0 is -inf; nothing has been updated");
    }
    auto const X = test::numbers<float>({2, 3});
    CHECK(message([&] { f(x = X, d = 1e200); }) == "xgrad::check_numerics<\"one number\">(x): element 0 is inf; nothing has been updated");
    CHECK(std::get<1>(f(x = X, d = 2.0)) == 4);   // the next call is as if nothing had happened
}

TEST_CASE("a step that fails moves neither weights nor rows nor slots, with any gating") {
    constexpr auto table = xg::variable<"table", float, 6, 2>;
    constexpr auto w = xg::variable<"w", float, 2, 2>;
    constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
    constexpr auto x = xg::input<"x", float, batch>;
    constexpr auto y = xg::matmul(xg::gather(table, ids), w);
    constexpr auto loss = xg::mean(xg::check_numerics<"logarithm">(xg::log(x)) * xg::sum<1>(y * y));
    auto const run = [&](auto train) {
        train.initialize(xg::random_uniform{.seed = 3, .range = 1});
        auto const I = test::list<std::int32_t>({1, 4, 1});
        auto X = test::list<float>({1, 2, 3});
        train(ids = I, x = X);
        std::vector<float> before, after;
        auto const read = [&](std::vector<float>& to) {
            for (float e : train.value(table)) to.push_back(e);
            for (float e : train.value(w)) to.push_back(e);
            for (float e : train.template slot<"m">(w)) to.push_back(e);
        };
        read(before);
        X[1] = 0;
        CHECK(message([&] { train(ids = I, x = X); }) ==
              "xgrad::check_numerics<\"logarithm\">(x): element 1 is -inf; nothing has been updated");
        xg::status const s = train.try_step(ids = I, x = X);
        CHECK((s.code == xg::status_code::number_not_finite && s.name == "logarithm"));
        CHECK(train.global_step() == 1);
        read(after);
        CHECK(before == after);
        X[1] = 2;
        train(ids = I, x = X);
        CHECK(train.global_step() == 2);
    };
    run(xg::minimize(loss, xg::adam{}));
    run(xg::minimize<xg::gating::graph>(loss, xg::adam{}));
}

TEST_CASE("checks in loops, and gradients through them") {
    constexpr auto s = xg::input<"s", double, 2>;
    constexpr auto rows = xg::input<"rows", double, batch, 2>;
    constexpr auto last = std::get<0>(xg::scan<step>(xg::carry(s), rows));
    constexpr auto loss = xg::sum(xg::exp(xg::check_numerics<"last">(last)));
    auto R = test::numbers<double>({4, 2}, 0.5, 2);
    auto const S = test::numbers<double>({2});
    auto const r =
        xg::check_gradients(loss + xg::sum(xg::square(xg::gradient_of(loss, s))), xg::wrt(s, rows), {.tolerance = 1e-6}, s = S, rows = R);
    CHECK_MESSAGE(r.ok, r.message);
    xg::function f{xg::outputs(loss, xg::gradient_of(loss, rows))};
    R[5] = 0;
    CHECK(message([&] { f(s = S, rows = R); }) == "xgrad::check_numerics<\"state\">(x): element 1 is -inf; nothing has been updated");
}

TEST_CASE("gradients are checked too") {
    constexpr auto x = xg::input<"x", double, 3>;
    constexpr auto loss = xg::sum(xg::sqrt(xg::check_numerics<"root">(2_c * x)));
    xg::function value{loss};
    xg::function f{xg::outputs(loss, xg::gradient_of(loss, x))};
    auto X = test::list<double>({1, 4, 9});
    CHECK(std::get<1>(f(x = X))[1] == doctest::Approx(1 / std::sqrt(8.0)));
    X[1] = 0;
    CHECK(value(x = X) == doctest::Approx(std::sqrt(2.0) * 4));
    CHECK(message([&] { f(x = X); }) == "xgrad::check_numerics<\"root\">(x): element 1 of the gradient is inf; nothing has been updated");
}
