// SPDX-License-Identifier: MIT
// Steps by an object above the trainer. sam: the steps of pytorch_optimizer.SAM, cases that change nothing, exceptions, no allocation.
// ggt: the steps of TensorFlow's GGTOptimizer, checkpoints, exceptions.
#include <support/allocations.hpp>
#include <support/copy.hpp>
#include <support/message_of.hpp>
#include <support/temporary_folder.hpp>

#include <xgrad/io/checkpoint.hpp>
#include <xgrad/train/ggt.hpp>
#include <xgrad/train/sam.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "optim/reference.hpp"

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

inline constexpr xg::dim samples{"samples"};
constexpr auto x = xg::input<"x", double, samples, 5>;
constexpr auto ids = xg::input<"ids", std::int32_t, samples>;
constexpr auto y = xg::input<"y", double, samples>;
constexpr auto weight = xg::variable<"weight", double, 5, 1>;
constexpr auto table = xg::variable<"table", double, 7, 1>;
constexpr auto steps_seen = xg::non_trainable<"steps_seen", double>;
constexpr auto noise = xg::non_trainable<"noise", double>;   // 0, unless a test is about random numbers
constexpr auto logits = xg::squeeze<1>(xg::matmul(x, weight) + xg::gather(table, ids));
constexpr auto z = logits * (1_c + noise * xg::uniform_like<"shake">(y));
constexpr auto loss = xg::mean(xg::softplus(z) - z * y);

struct data {
    std::vector<double> in, out;
    std::vector<std::int32_t> rows;
    data() {
        for (int r = 0; r < 12; ++r) {
            for (int i = 0; i < 5; ++i) in.push_back(((5 * r + 3 * i) % 11 - 5) / 4.0);
            out.push_back(r % 3 == 0);
            rows.push_back((r * r + 3 * r) % 7);
        }
    }
    template<class F>
    auto call(F&& f) const {
        return f(x = xg::array(in.data(), 12, 5), y = out, ids = rows);
    }
};

auto trainer() {
    auto train = xg::minimize<xg::gating::graph>(
        loss, xg::momentum{.learning_rate = 0.25, .momentum = 0.875}, xg::assign(steps_seen, steps_seen + 1_c));
    for (int i = 0; i < 5; ++i) train.value(weight)(i, 0) = (i - 2) / 4.0;
    for (int i = 0; i < 7; ++i) train.value(table)(i, 0) = (3 * i % 8 - 4) / 4.0;
    return train;
}

// What a step leaves: variables, and slots by way of what they make of the next steps.
std::vector<double> after(auto& train, auto&& step, int count) {
    for (int k = 0; k < count; ++k) data().call(step);
    auto all = test::copy<double>(train.value(weight)), rows = test::copy<double>(train.value(table));
    all.insert(all.end(), rows.begin(), rows.end());
    return all;
}

}   // namespace

TEST_CASE("sam: the steps of pytorch_optimizer.SAM, rows that occur several times or not at all among them") {
    xgrad_test::reference const expected(XGRAD_TEST_DATA "/sam.txt", 0);
    data const d;
    for (std::string const name : {"plain", "adaptive"}) {
        auto train = trainer();
        bool const adaptive = name == "adaptive";
        xg::sam step{train, {.rho = adaptive ? 2.0 : 0.5, .adaptive = adaptive}};
        for (int k = 1; k <= 8; ++k) {
#if XGRAD_INTERCEPT
            test::allocations = 0;
            test::counting = k > 1;
#endif
            double const value = d.call(step);
#if XGRAD_INTERCEPT
            test::counting = false;
            CHECK(test::allocations == 0);
#endif
            auto const which = name + " " + std::to_string(k) + " ";
            expected.compare(which + "loss", {value}, 1e-6);
            expected.compare(which + "weight", test::copy<double>(train.value(weight)), 1e-6);
            expected.compare(which + "table", test::copy<double>(train.value(table)), 1e-6);
        }
        CHECK(train.global_step() == 8);
        CHECK(train.value(steps_seen)[0] == 8);   // is assigned once a step, and not moved by rho
    }
}

TEST_CASE("sam: no way to go is a plain step, both passes draw the same numbers, what is thrown changes nothing") {
    auto plain = trainer(), none = trainer(), near = trainer();
    xg::sam without{none, {.rho = 0}}, with{near, {.rho = 1e-200}};   // which is lost in rounding
    for (auto* t : {&plain, &none, &near}) t->value(noise)[0] = 0.5;
    auto const expected = after(plain, plain, 3);
    CHECK(after(none, without, 3) == expected);
    CHECK(after(near, with, 3) == expected);
    CHECK(near.store().steps == plain.store().steps);

    // A gradient that is not finite leads nowhere: as without.
    auto broken = trainer(), also = trainer();
    xg::sam step{broken, {.rho = 0.5}};
    for (auto* t : {&broken, &also}) t->value(weight)(0, 0) = std::numeric_limits<double>::infinity();
    after(broken, step, 1);
    after(also, also, 1);
    for (int i : {1, 2, 6}) CHECK(broken.value(table)(i, 0) == also.value(table)(i, 0));

    auto train = trainer();
    CHECK(test::message_of<xg::value_error>([&] { xg::sam{train, {.rho = -1}}; }) == "xgrad: sam: rho must be positive or zero, found -1");
    xg::sam later{train, {.rho = 0.5}};
    auto const before = after(train, train, 0);
    later.options.rho = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_AS(data().call(later), xg::value_error);
    later.options.rho = 0.5;
    data wrong;
    wrong.rows[3] = 7;
    CHECK_THROWS_AS(wrong.call(later), xg::value_error);
    CHECK(after(train, train, 0) == before);
    CHECK(train.global_step() == 0);

    // A function of the step.
    struct first_only {
        double operator()(std::int64_t k) const { return k == 0 ? 0.5 : 0; }
    };
    auto one = trainer(), two = trainer();
    xg::sam scheduled{one, {.rho = first_only{}}}, constant{two, {.rho = 0.5}};
    after(one, scheduled, 1);
    after(two, constant, 1);
    CHECK(after(one, scheduled, 2) == after(two, two, 2));
}

namespace {

// The inputs are the gradients.
inline constexpr xg::dim columns{"columns"};
constexpr auto var0 = xg::variable<"var0", double, 2>;
constexpr auto var1 = xg::variable<"var1", float, columns>;
constexpr auto g0 = xg::input<"g0", double, 2>;
constexpr auto g1 = xg::input<"g1", float, columns>;

struct ggt_case {
    std::string name;
    double learning_rate;
    xg::ggt_options how;
    auto trainer() const {
        auto train = xg::minimize<xg::gating::graph>(xg::sum(var0 * g0) + xg::cast<double>(xg::sum(var1 * g1)),
            xg::gradient_descent{.learning_rate = learning_rate}, xg::assign(steps_seen, steps_seen + 1_c), columns = 2);
        for (int i = 0; i < 2; ++i) {
            train.value(var0)[i] = i + 1;
            train.value(var1)[i] = static_cast<float>(i + 3);
        }
        return train;
    }
    void run(auto& step, int k) const {
        double g[4];
        for (int i = 0; i < 4; ++i) g[i] = name == "b52" ? (i < 2 ? 0.1 : 0.01) : ((7 * i + 5 * k + 3) % 16 - 8) / 16.0;
        float const g_float[2]{static_cast<float>(g[2]), static_cast<float>(g[3])};
        step(g0 = xg::array(g, 2), g1 = xg::array(g_float, 2));
    }
};
std::vector<double> moved(auto& train) {
    auto all = test::copy<double>(train.value(var0));
    for (float const v : train.value(var1)) all.push_back(v);
    return all;
}
// The eigenvalues that are wanted, in ascending order, vectors at right angles, and the matrix that both make.
void check_eigen(std::vector<double> const& matrix, std::vector<double> const& wanted, double within) {
    auto const n = wanted.size();
    auto a = matrix;
    std::vector<double> v(n * n), found;
    xg::detail::symmetric_eigen(a.data(), v.data(), static_cast<int>(n));
    for (std::size_t i = 0; i < n; ++i) found.push_back(a[i * n + i]);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            double made = 0, product = 0;
            for (std::size_t k = 0; k < n; ++k) {
                made += found[k] * v[k * n + i] * v[k * n + j];
                product += v[i * n + k] * v[j * n + k];
            }
            CHECK(std::abs(made - matrix[i * n + j]) < 1e-14);
            CHECK(std::abs(product - (i == j)) < 1e-14);
        }
    std::sort(found.begin(), found.end());
    for (std::size_t i = 0; i < n; ++i)
        CHECK(std::abs(found[i] - wanted[i]) <= within * std::abs(wanted[i]) + (wanted[i] == 0 ? 1e-15 : 0));
}
ggt_case const rolls{"rolls", 0.05, {.beta1 = 0.5, .window = 3, .svd_eps = 1e-4, .sigma_eps = 1e-3}};

}   // namespace

TEST_CASE("ggt: eigenvalues and vectors of symmetric matrices") {
    check_eigen({-3}, {-3}, 0);
    check_eigen({2, 1, 1, 2}, {1, 3}, 1e-15);
    check_eigen({0, 1, 1, 0}, {-1, 1}, 1e-15);
    check_eigen(std::vector<double>(16, 1), {0, 0, 0, 4}, 1e-15);
    check_eigen({2, 0, 0, 0, 5, 0, 0, 0, 2}, {2, 2, 5}, 0);
    check_eigen({1, 1e-17, 1e-17, 2e-34}, {1e-34, 1}, 1e-15);   // no small one is lost next to a large one
    std::vector<double> second(49), wanted;                     // second differences
    for (std::size_t i = 0; i < 7; ++i) {
        second[8 * i] = 2;
        if (i < 6) second[8 * i + 1] = second[8 * i + 7] = -1;
        wanted.push_back(2 - 2 * std::cos((static_cast<double>(i) + 1) * std::acos(-1.0) / 8));
    }
    check_eigen(second, wanted, 1e-14);
    double const nan = std::numeric_limits<double>::quiet_NaN();
    double broken[4]{nan, nan, nan, nan}, v[4];
    xg::detail::symmetric_eigen(broken, v, 2);
    CHECK((std::isnan(broken[0]) && std::isnan(broken[3])));
}

TEST_CASE("ggt: the steps of tf.contrib.opt.GGTOptimizer (B52), a window that rolls, is wider than the variables, or takes all") {
    xgrad_test::reference const expected(XGRAD_TEST_DATA "/ggt.txt", 0);
    for (ggt_case const& c : {ggt_case{"b52", 0.001, {.window = 3}}, rolls, ggt_case{"wide", 0.01, {.window = 6}},
             ggt_case{"inside", 0.05, {.beta1 = 0.75, .window = 3, .eps = 0.5}}}) {
        auto train = c.trainer();
        xg::ggt step{train, c.how};
        int const steps = c.name == "b52" ? 3 : 8;
        for (int k = 1; k <= steps; ++k) {
#if XGRAD_INTERCEPT
            test::allocations = 0;
            test::counting = k > 1;
#endif
            c.run(step, k);
#if XGRAD_INTERCEPT
            test::counting = false;
            CHECK(test::allocations == 0);
#endif
            auto const all = moved(train);
            auto const which = c.name + " " + std::to_string(k) + " ";
            expected.compare(which + "var0", {all[0], all[1]}, 1e-8);
            expected.compare(which + "var1", {all[2], all[3]}, 5e-7);
        }
        CHECK(train.global_step() == steps);
        CHECK(step.window.steps() == steps);
        CHECK(train.value(steps_seen)[0] == steps);
    }
}

TEST_CASE("ggt: what is thrown changes nothing, the window goes into checkpoints, a gradient that is not finite, variables that grow") {
    auto train = rolls.trainer(), other = rolls.trainer();
    xg::ggt step{train, rolls.how}, twin{other, rolls.how};
    for (int k = 1; k <= 4; ++k) {
        rolls.run(step, k);
        rolls.run(twin, k);
    }
    auto const before = moved(train);
    train.rule().learning_rate = -1;
    CHECK_THROWS_AS(rolls.run(step, 7), xg::value_error);
    train.rule().learning_rate = 0.05;
    CHECK(moved(train) == before);

    temporary_folder const folder;
    std::string const path = (folder.path / "model.safetensors").string();
    xg::save(train, path, {}, step.window);
    auto restored = rolls.trainer();
    xg::ggt later{restored, rolls.how};
    xg::restore(restored, path, later.window);
    for (int k = 5; k <= 8; ++k) {
        rolls.run(step, k);
        rolls.run(twin, k);
        rolls.run(later, k);
    }
    CHECK(moved(train) == moved(other));
    CHECK(moved(restored) == moved(other));
    auto narrow = rolls.trainer();
    xg::ggt two{narrow, {.window = 2}};
    CHECK(test::message_of<xg::checkpoint_error>([&] {
        xg::restore(narrow, path, two.window);
    }).find("\"ggt/window\" in the file is not a window of this size") != std::string::npos);

    CHECK(test::message_of<xg::value_error>([&] {
        xg::ggt{train, {.window = 0}};
    }) == "xgrad: ggt: window must be from 1 to 1000, found 0");
    CHECK(test::message_of<xg::value_error>([&] {
        xg::ggt{train, {.svd_eps = 0, .sigma_eps = 0}};
    }) == "xgrad: ggt: svd_eps and sigma_eps are both 0; write a number above 0 for one of them");

    double const nan[2]{std::numeric_limits<double>::quiet_NaN(), 0};
    float const finite[2]{1, 1};
    twin(g0 = xg::array(nan, 2), g1 = xg::array(finite, 2));
    for (double const v : moved(other)) CHECK(std::isnan(v));

    auto const grown = moved(train);
    train.grow(columns = 3, xg::random_uniform{.seed = 1});
    float const start = train.value(var1)[2];
    float const wider[3]{1, 1, 1};
    double const g[2]{1, 1};
    CHECK(test::message_of<xg::binding_error>([&] {
        step(g0 = xg::array(g, 2), g1 = xg::array(wider, 3));
    }).find("ggt: the variables have grown") != std::string::npos);
    CHECK(std::vector(grown.begin(), grown.begin() + 2) == test::copy<double>(train.value(var0)));
    xg::ggt wide{train, rolls.how};
    wide(g0 = xg::array(g, 2), g1 = xg::array(wider, 3));
    CHECK(train.value(var1)[2] < start);
}

TEST_CASE("flat_gradients: a driver that changes all gradients as one vector; a gradient by rows has no room for it") {
    constexpr auto a = xg::variable<"a", float, 3>;
    constexpr auto b = xg::variable<"b", double, 2, 2>;
    constexpr auto t = xg::input<"t", double>;
    constexpr auto distance = xg::sum(xg::square(xg::cast<double>(a) - t)) + xg::sum(xg::square(b)) * t;
    auto half = xg::minimize<xg::gating::graph>(distance, xg::gradient_descent{.learning_rate = 0.125});
    auto driven = xg::minimize<xg::gating::graph>(distance, xg::gradient_descent{.learning_rate = 0.25});
    xg::flat_gradients flat{driven};
    CHECK(flat.measure() == 8);   // 3 and 4 elements
    std::vector<double> g(8), v(8);
    for (int i = 0; i < 4; ++i) half.value(b)(i / 2, i % 2) = driven.value(b)(i / 2, i % 2) = i;
    for (int step = 0; step < 3; ++step) {
        half(t = 2.0);
        driven.compute_gradients(t = 2.0);
        CHECK(flat.read_gradients(g.data()));
        for (double& each : g) each /= 2;
        flat.write_gradients(g.data());
        driven.apply_gradients();
    }
    flat.read_variables(v.data());
    for (int i = 0; i < 3; ++i) CHECK(v[static_cast<std::size_t>(i)] == half.value(a)[i]);
    for (int i = 0; i < 4; ++i) CHECK(v[static_cast<std::size_t>(3 + i)] == half.value(b)(i / 2, i % 2));

    auto rows = trainer();
    xg::flat_gradients of_table{rows};
    std::vector<double> all(static_cast<std::size_t>(of_table.measure()));
    data{}.call([&](auto const&... in) { return rows.compute_gradients(in...); });
    of_table.read_gradients(all.data());
    CHECK(test::message_of<xg::binding_error>([&] { of_table.write_gradients(all.data()); }) ==
          "xgrad: flat_gradients.write_gradients(g): the gradient of the variable \"table\" has only the rows that occur; read the "
          "variable as a whole, or change train.gradient(v) in place");
}
