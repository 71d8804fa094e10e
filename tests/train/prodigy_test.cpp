// SPDX-License-Identifier: MIT
// Prodigy: ten steps of several variables, dense and by rows, compared with optax (tests/reference/prodigy.py). Its estimate in two parts,
// in checkpoints and together with other rules.
#include <xgrad/xgrad.hpp>

#include <xgrad/io/checkpoint.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "io/temporary_folder.hpp"
#include "optim/table.hpp"

namespace xg = xgrad;
using namespace xgrad::literals;
using xgrad_test::near;

namespace {

inline constexpr xg::dim count{"count"}, words{"words"};
template<class T>
struct model {
    static constexpr auto number = xg::variable<"number", T>;
    static constexpr auto vector = xg::variable<"vector", T, 7>;
    static constexpr auto matrix = xg::variable<"matrix", T, 5, 3>;
    static constexpr auto table = xg::variable<"table", T, 6, 4>;
    static constexpr auto g0 = xg::input<"g0", T>;
    static constexpr auto g1 = xg::input<"g1", T, 7>;
    static constexpr auto g2 = xg::input<"g2", T, 5, 3>;
    static constexpr auto ids = xg::input<"ids", std::int32_t, count>;
    static constexpr auto g3 = xg::input<"g3", T, count, 4>;
    // The gradient of sum(v * g) is g: the rule sees the numbers that are fed.
    static constexpr auto loss = number * g0 + xg::sum(vector * g1) + xg::sum(matrix * g2) + xg::sum(xg::gather(table, ids) * g3);

    template<class View>
    static void fill(View view, int k) {
        for (std::int64_t i = 0; i < view.size(); ++i) view.data()[i] = static_cast<T>((3 * i + k) % 8 - 4) / 4;
    }
    template<class Train>
    static void start(Train& train) {
        fill(train.value(number), 0);
        fill(train.value(vector), 1);
        fill(train.value(matrix), 2);
        fill(train.value(table), 3);
    }
    static std::vector<T> gradient(int k, int step, int n) {
        std::vector<T> g;
        for (int i = 0; i < n; ++i) g.push_back(static_cast<T>((7 * i + 5 * step + 3 * k) % 16 - 2) / 16);
        return g;
    }
    template<class F>
    static auto with_step(int step, F&& f) {
        auto const a = gradient(0, step, 1), b = gradient(1, step, 7), c = gradient(2, step, 15), d = gradient(3, step, 12);
        std::vector<std::int32_t> const at{step % 6, (3 * step + 1) % 6, step % 6};
        return f(g0 = a[0], g1 = b, g2 = xg::array(c.data(), 5, 3), ids = at, g3 = xg::array(d.data(), 3, 4));
    }
    template<class Visit, class Train>
    static void each(Train& train, Visit const& visit) {
        visit(std::string("number"), number, train.value(number));
        visit(std::string("vector"), vector, train.value(vector));
        visit(std::string("matrix"), matrix, train.value(matrix));
        visit(std::string("table"), table, train.value(table));
    }
};
template<class View>
auto copy(View view) {
    return std::vector<std::remove_cvref_t<decltype(view.data()[0])>>(view.data(), view.data() + view.size());
}
/// All that a trainer has: variables, slots (NaN as 99), scalars.
template<class M, class Train>
std::vector<double> everything(Train& train) {
    std::vector<double> all(train.optimizer().powers.begin(), train.optimizer().powers.end());
    M::each(train, [&](std::string const&, auto v, auto value) {
        auto const add = [&](auto view) {
            for (auto x : copy(view)) all.push_back(std::isnan(x) ? 99 : static_cast<double>(x));
        };
        add(value);
        for (char const* slot : {"m", "v", "s", "start"}) add(train.slot(v, slot));
    });
    return all;
}

std::map<std::string, std::vector<double>> const& reference() {
    static auto const values = [] {
        std::map<std::string, std::vector<double>> r;
        std::ifstream in(XGRAD_TEST_DATA "/prodigy.txt");
        for (std::string line; std::getline(in, line);) {
            std::istringstream text(line);
            std::string name, step, quantity;
            text >> name >> step >> quantity;
            auto& v = r[name + " " + step + " " + quantity];
            for (double x; text >> x;) v.push_back(x);
        }
        return r;
    }();
    return values;
}
template<class T>
void compare(std::string const& name, xg::prodigy const& rule) {
    using M = model<T>;
    double const tolerance = sizeof(T) == 8 ? 1e-11 : 2e-5;
    auto train = xg::minimize(M::loss, rule);
    M::start(train);
    for (int step = 1; step <= 10; ++step) {
        M::with_step(step, train);
        std::string const which = name + (sizeof(T) == 4 ? ".float " : ".double ") + std::to_string(step) + " ";
        auto const same = [&](std::string const& quantity, std::vector<T> const& values, double scale) {
            auto const found = reference().find(which + quantity);
            REQUIRE_MESSAGE(found != reference().end(), which << quantity << " is missing from the reference");
            REQUIRE(found->second.size() == values.size());
            for (std::size_t i = 0; i < values.size(); ++i) {
                INFO(which << quantity << "[" << i << "]: " << values[i] << " against " << found->second[i]);
                CHECK(near(values[i], found->second[i], tolerance, scale));
            }
        };
        auto const& powers = train.optimizer().powers;
        same("estimate", {static_cast<T>(powers[2])}, 1e-300);
        same("numerator", {static_cast<T>(powers[3])}, 1e-12);
        M::each(train, [&](std::string const& v, auto variable, auto value) {
            same(v, copy(value), 0.1);
            for (char const* slot : {"m", "v", "s", "start"})
                if (step == 10) same(v + "/" + slot, copy(train.slot(variable, slot)), 1e-6);
        });
    }
    CHECK(train.optimizer().powers[2] > 1.5 * rule.first_estimate);   // or the numbers say nothing of the estimate
}
constexpr xg::prodigy large() { return {.epsilon = 1e-3, .weight_decay = 0.125, .first_estimate = 0.0625}; }
struct ramp {
    double operator()(std::int64_t step) const { return static_cast<double>(step + 1) / 16; }
};

}   // namespace

TEST_CASE_TEMPLATE("ten steps of Prodigy as by optax", T, float, double) {
    compare<T>("plain", {});
    compare<T>("large", large());
    compare<T>("warm", {.learning_rate = ramp{},
                           .beta1 = 0.75,
                           .beta2 = 0.96,
                           .beta3 = 0.875,
                           .first_estimate = 0.0625,
                           .estimate_factor = 8,
                           .safeguard_warmup = true});
}

TEST_CASE_TEMPLATE("whole steps, gatings and steps in two parts give the same bits", T, float, double) {
    using M = model<T>;
    auto none = xg::minimize(M::loss, large()), parts = xg::minimize(M::loss, large());
    auto op = xg::minimize<xg::gating::op>(M::loss, large());
    auto graph = xg::minimize<xg::gating::graph>(M::loss, large());
    static_assert(decltype(none)::program_type::gate == xg::gating::graph && decltype(op)::program_type::gate == xg::gating::graph);
    M::start(none);
    M::start(parts);
    M::start(op);
    M::start(graph);
    for (int step = 1; step < 9; ++step) {
        M::with_step(step, none);
        M::with_step(step, op);
        M::with_step(step, graph);
        M::with_step(step, [&](auto const&... a) { return parts.compute_gradients(a...); });
        parts.apply_gradients();
    }
    CHECK(none.optimizer().powers[2] > 0.07);
    auto const all = everything<M>(none);
    CHECK(all == everything<M>(parts));
    CHECK(all == everything<M>(op));
    CHECK(all == everything<M>(graph));
}

TEST_CASE("gradients that are changed between the parts count") {
    using M = model<double>;
    auto changed = xg::minimize(M::loss, large()), fed = xg::minimize(M::loss, large());
    M::start(changed);
    M::start(fed);
    for (int step = 1; step < 9; ++step) {
        M::with_step(step, [&](auto const&... a) { return changed.compute_gradients(a...); });
        for (double& e : changed.gradient(M::matrix)) e *= 2;
        auto const rows = changed.gradient(M::table);
        for (double& e : rows.values) e /= 2;
        rows.indices[1] = 5;
        changed.apply_gradients();
        auto const a = M::gradient(0, step, 1), b = M::gradient(1, step, 7);
        auto c = M::gradient(2, step, 15), d = M::gradient(3, step, 12);
        for (double& e : c) e *= 2;
        for (double& e : d) e /= 2;
        std::vector<std::int32_t> const at{step % 6, 5, step % 6};
        fed(M::g0 = a[0], M::g1 = b, M::g2 = xg::array(c.data(), 5, 3), M::ids = at, M::g3 = xg::array(d.data(), 3, 4));
    }
    CHECK(everything<M>(changed) == everything<M>(fed));
}

TEST_CASE("the same bits after a checkpoint, and from the start after a reset") {
    using M = model<float>;
    temporary_folder folder;
    auto train = xg::minimize(M::loss, large()), again = xg::minimize(M::loss, large());
    M::start(train);
    for (int step = 1; step < 8; ++step) M::with_step(step, train);
    xg::save(train, (folder.path / "prodigy.safetensors").string());
    xg::restore(again, (folder.path / "prodigy.safetensors").string());
    CHECK(again.optimizer().powers[2] > 0.07);
    CHECK(everything<M>(again) == everything<M>(train));
    M::with_step(8, train);
    M::with_step(8, again);
    CHECK(everything<M>(again) == everything<M>(train));
    again.reset_optimizer();
    CHECK(again.optimizer().powers[2] == 0.0625);
    CHECK(std::isnan(again.slot(M::table, "start")(0, 0)));
}

TEST_CASE("each group has its own estimate, and so has each trainer of a shared store") {
    constexpr auto a = xg::variable<"a", double, 5>;
    constexpr auto b = xg::variable<"b", double, 9>;
    constexpr auto of_a = xg::sum(xg::square(a - 3_c));
    constexpr auto of_b = xg::sum(xg::square(b + 1_c));
    auto both = xg::minimize(of_a + of_b, xg::param_group(large(), a), xg::param_group(xg::prodigy{}, b));
    auto first = xg::minimize(of_a, large());
    auto second = xg::minimize(of_b, xg::prodigy{});
    xg::variables vars{of_a + of_b};
    auto shared_a = xg::minimize(of_a, large(), vars);
    auto shared_b = xg::minimize(of_b, xg::prodigy{}, vars);
    auto one = xg::minimize(of_a + of_b, large());   // and of one group there is one
    for (int step = 0; step < 12; ++step) {
        both();
        first();
        second();
        shared_a();
        shared_b();
        one();
    }
    CHECK(copy(both.value(a)) == copy(first.value(a)));
    CHECK(copy(both.value(b)) == copy(second.value(b)));
    CHECK(copy(vars.value(a)) == copy(first.value(a)));
    CHECK(copy(vars.value(b)) == copy(second.value(b)));
    CHECK(first.optimizer().powers[2] > 2 * 0.0625);
    CHECK(shared_a.optimizer().powers[2] == first.optimizer().powers[2]);
    CHECK(copy(one.value(a)) != copy(first.value(a)));
}

TEST_CASE("beside another rule, an assignment of new values, and variables of another type") {
    constexpr auto a = xg::variable<"a", float, 5>;
    constexpr auto b = xg::variable<"b", double, 9>;
    constexpr auto other = xg::variable<"other", float, 4, 4>;
    constexpr auto x = xg::input<"x", float, count, 4>;
    constexpr auto average = xg::non_trainable<"average", double, 9>;
    constexpr auto loss = xg::cast<double>(xg::sum(xg::square(a - 3_c))) + xg::sum(xg::square(b - 3_c)) +
                          xg::cast<double>(xg::sum(xg::square(xg::matmul(x, other) - 1_c)));
    auto train =
        xg::minimize(loss, xg::param_group(xg::adam{}, other), large(), xg::assign(average, 0.5_c * average + 0.5_c * xg::updated(b)));
    auto same = xg::minimize(xg::sum(xg::square(xg::variable<"c", double, 14> - 3_c)), large());
    auto adam = xg::minimize(xg::sum(xg::square(xg::matmul(x, other) - 1_c)), xg::adam{});
    std::vector<float> const in{1, 2, 3, 4, -1, 0.5f, 2, 1};
    std::vector<double> mean(9);
    for (int step = 0; step < 12; ++step) {
        train(x = xg::array(in.data(), 2, 4));
        adam(x = xg::array(in.data(), 2, 4));
        same();
        for (std::size_t i = 0; i < 9; ++i) mean[i] = 0.5 * mean[i] + 0.5 * train.value(b)[static_cast<std::int64_t>(i)];
    }
    // All elements are alike, so that the sums are those of one variable of 14, but for roundings of the float ones.
    CHECK(same.optimizer().powers[2] > 2 * 0.0625);
    CHECK(near(train.value(b)[8], same.value(xg::variable<"c", double, 14>)[0], 1e-5));
    CHECK(near(train.value(a)[4], same.value(xg::variable<"c", double, 14>)[0], 1e-5));
    CHECK(copy(train.value(average)) == mean);
    CHECK(near(train.value(other)(1, 2), static_cast<double>(adam.value(other)(1, 2)), 1e-6));
}

TEST_CASE("rows that a growing table gets later start where they are") {
    constexpr auto table = xg::variable<"table", double, words, 3>;
    constexpr auto at = xg::input<"at", std::int32_t, count>;
    auto train = xg::minimize(xg::sum(xg::square(xg::gather(table, at) - 1_c)), large(), words = 2);
    std::vector<std::int32_t> const first{0, 1}, all{3, 1, 0};
    train(at = first);
    train.grow(words = 4, xg::random_uniform{.seed = 3});
    for (double& e : train.value(table)) e += 5;
    double const before = train.value(table)(3, 1);
    train(at = all);
    CHECK(train.slot(table, "start")(3, 1) == before);
    CHECK(train.slot(table, "start")(0, 0) == 0);
}

TEST_CASE("no gradient: the estimate stays, and nothing becomes NaN") {
    constexpr auto w = xg::variable<"w", float, 3, 4>;
    constexpr auto g = xg::input<"g", float, 3, 4>;
    auto train = xg::minimize(xg::sum(w * g), xg::prodigy{});
    std::vector<float> const zeros(12), ones(12, 1);
    train(g = xg::array(zeros.data(), 3, 4));
    CHECK(train.optimizer().powers[2] == 1e-6);
    for (float e : train.value(w)) CHECK(e == 0);
    for (int k = 0; k < 20; ++k) train(g = xg::array(ones.data(), 3, 4));
    CHECK(train.optimizer().powers[2] > 2e-6);
    for (float e : train.value(w)) CHECK(e < 0);
}

TEST_CASE("a failed step leaves the estimate") {
    constexpr auto w = xg::variable<"w", double, 4, 2>;
    constexpr auto at = xg::input<"at", std::int32_t, count>;
    auto train = xg::minimize(xg::sum(xg::square(xg::gather(w, at) - 1_c)), xg::prodigy{});
    std::vector<std::int32_t> const good{0, 1, 3}, bad{0, 4};
    for (int k = 0; k < 12; ++k) train(at = good);
    auto const powers = copy(xg::tensor_view<double const, 1>(train.optimizer().powers.at, {4}));
    auto const values = copy(train.value(w));
    CHECK_THROWS_AS(train(at = bad), xg::value_error);
    CHECK(powers == copy(xg::tensor_view<double const, 1>(train.optimizer().powers.at, {4})));
    CHECK(values == copy(train.value(w)));
    CHECK(powers[2] > 1e-6);
}

TEST_CASE("Prodigy's hyper-parameters are looked at") {
    CHECK(xg::check_of(xg::prodigy{}).empty());
    CHECK(xg::check_of(xg::prodigy{.beta3 = 0.5}).empty());
    CHECK(xg::check_of(xg::prodigy{.beta3 = 1}) == "prodigy: beta3 must be below 1, found 1");
    CHECK(xg::check_of(xg::prodigy{.beta2 = -1}) == "prodigy: beta2 must be in [0, 1), found -1");
    CHECK(xg::check_of(xg::prodigy{.first_estimate = 0}) == "prodigy: first_estimate must be positive, found 0");
    CHECK(xg::check_of(xg::prodigy{.weight_decay = -1}) == "prodigy: weight_decay must be positive or zero, found -1");
}
