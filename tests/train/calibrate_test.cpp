// SPDX-License-Identifier: MIT
// calibrate by L-BFGS: the iterations of PyTorch, the ends, losses that are not finite, the state after an exception, sparse gradients, no
// allocation.
#include <support/allocations.hpp>
#include <support/message_of.hpp>

#include <xgrad/train/calibrate.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

inline constexpr xg::dim samples{"samples"};
constexpr auto theta = xg::variable<"theta", double, 6>;
constexpr auto head = xg::slice<0, 0, 5>(theta);
constexpr auto rosenbrock = xg::sum(100_c * xg::square(xg::slice<0, 1, 6>(theta) - xg::square(head)) + xg::square(1_c - head));

// Three ways in: a matrix, a vector of float, and a table of which rows occur; two types of variables.
constexpr auto x = xg::input<"x", double, samples, 5>;
constexpr auto ids = xg::input<"ids", std::int32_t, samples>;
constexpr auto y = xg::input<"y", double, samples>;
constexpr auto weight = xg::variable<"weight", double, 5, 1>;
constexpr auto bias = xg::variable<"bias", double>;
constexpr auto z = xg::squeeze<1>(xg::matmul(x, weight)) + bias;
constexpr auto logistic = xg::mean(xg::softplus(z) - z * y) + 0.015625_c * xg::sum(xg::square(weight));

constexpr auto table = xg::variable<"table", float, 7, 1>;
constexpr auto scale = xg::variable<"scale", double>;
constexpr auto counter = xg::variable<"counter", std::int32_t, 2>;
constexpr auto rows = xg::cast<double>(xg::squeeze<1>(xg::gather(table, ids)));
constexpr auto by_rows = xg::mean(xg::square(xg::exp(scale) * rows - y)) + xg::square(scale - xg::cast<double>(xg::sum(counter)));

// A wall where the logarithm ends; and, unless `lie` is 0, a loss that does not fit its gradient.
constexpr auto inside = xg::variable<"inside", double>;
constexpr auto lie = xg::non_trainable<"lie", double>;
constexpr auto walled = inside - xg::log(inside) - lie * xg::stop_gradient(inside);

constexpr auto single = xg::variable<"single", float, 6>;
constexpr auto single_tail = xg::slice<0, 1, 6>(single) - xg::square(xg::slice<0, 0, 5>(single));
constexpr auto in_float = 1_c + xg::sum(xg::square(single_tail) + xg::square(1_c - xg::slice<0, 0, 5>(single)));

using numbers = std::vector<double>;
std::map<std::string, numbers> reference() {
    std::map<std::string, numbers> all;
    std::ifstream in(XGRAD_TEST_DATA "/lbfgs.txt");
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string name, step, quantity;
        words >> name >> step >> quantity;
        auto& v = all[name + " " + step + " " + quantity];
        for (double value; words >> value;) v.push_back(value);
    }
    return all;
}
void compare(numbers const& expected, numbers const& found) {
    REQUIRE(expected.size() == found.size());
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(found[i] == doctest::Approx(expected[i]).epsilon(1e-7).scale(0.01));
}
template<class View>
numbers of(View const& v) {
    return {v.data(), v.data() + v.shape()[0]};
}
void begin(xg::tensor_view<double, 1> const& v) {
    double const start[]{-1.25, 1, -0.5, 1.5, 0.25, -1};
    std::copy_n(start, 6, v.data());
}
double largest_slope(numbers const& t) {
    numbers g(6);
    for (std::size_t i = 0; i < 5; ++i) {
        double const off = t[i + 1] - t[i] * t[i];
        g[i] += -400 * t[i] * off - 2 * (1 - t[i]);
        g[i + 1] += 200 * off;
    }
    double most = 0;
    for (double const v : g) most = std::max(most, std::abs(v));
    return most;
}
// No end but those of numbers.
constexpr xg::lbfgs endless{.gradient_tolerance = 0, .loss_tolerance = 0, .step_tolerance = 0};

}   // namespace

TEST_CASE("lbfgs: the iterations of PyTorch's LBFGS with strong_wolfe") {
    auto const expected = reference();
    auto fit = xg::calibrate(rosenbrock, endless);
    for (auto const& [name, history] : {std::pair("rosenbrock", 10), std::pair("short", 2)}) {
        begin(fit.value(theta));
        fit.options().history = history;
        fit.options().max_iterations = 18;
        int seen = 0;
        auto const r = fit.watched([&](xg::calibration_result const& now) {
            auto const at = std::string(name) + " " + std::to_string(++seen);
            INFO(at);
            CHECK(now.iterations == seen);
            compare(expected.at(at + " theta"), of(fit.value(theta)));
            compare(expected.at(at + " loss"), {now.loss});
        });
        CHECK(seen == 18);
        CHECK(r.end == xg::calibration_end::iterations);
        CHECK(!r);
    }

    auto regression = xg::calibrate(logistic, endless);
    regression.options().history = 3;
    numbers in, out;
    for (int r = 0; r < 12; ++r) {
        for (int i = 0; i < 5; ++i) in.push_back(((5 * r + 3 * i) % 11 - 5) / 4.0);
        out.push_back(r % 3 == 0);
    }
    auto const data = x = xg::array(in.data(), 12, 5);
    int seen = 0;
    auto const r = regression.watched(
        [&](xg::calibration_result const& now) {
            auto const at = "logistic " + std::to_string(++seen);
            INFO(at);
            auto found = of(regression.value(weight));
            found.push_back(regression.value(bias)[0]);
            compare(expected.at(at + " theta"), found);
            compare(expected.at(at + " loss"), {now.loss});
            return seen < 12;
        },
        data, y = out);
    CHECK(r.end == xg::calibration_end::watcher);
    CHECK(r.iterations == 12);
    CHECK(r.evaluations >= 13);

    // Once the memory has grown, neither a call nor another number of samples allocates.
    regression.reserve(samples = 12);
    regression.options() = {.history = 3};
    auto const small = x = xg::array(in.data(), 9, 5);
    numbers const fewer(out.begin(), out.begin() + 9);
#if XGRAD_INTERCEPT
    test::allocations = 0;
    test::counting = true;
#endif
    CHECK(regression(data, y = out).iterations > 0);
    CHECK(regression(small, y = fewer).iterations > 0);
#if XGRAD_INTERCEPT
    test::counting = false;
    CHECK(test::allocations == 0);
#endif
}

TEST_CASE("lbfgs: how a calibration ends") {
    auto fit = xg::calibrate(rosenbrock, xg::lbfgs{});
    auto const minimum = [&](xg::lbfgs const& how) {
        begin(fit.value(theta));
        fit.options() = how;
        return fit();
    };
    auto r = minimum({});
    CHECK(r);
    CHECK(r.end == xg::calibration_end::gradient);
    CHECK(r.gradient_norm <= 1e-7);
    CHECK(r.loss < 1e-12);
    for (double const v : of(fit.value(theta))) CHECK(v == doctest::Approx(1).epsilon(1e-6));
    CHECK(fit().iterations == 0);   // it is there
    CHECK(fit().end == xg::calibration_end::gradient);
    r = minimum({.gradient_tolerance = 0, .loss_tolerance = 1e-3, .step_tolerance = 0});
    CHECK(r.end == xg::calibration_end::loss);
    CHECK(r.loss > 1);
    r = minimum({.gradient_tolerance = 0, .loss_tolerance = 0, .step_tolerance = 0.01});
    CHECK(r.end == xg::calibration_end::step);
    r = minimum({.max_iterations = 4});
    CHECK(r.end == xg::calibration_end::iterations);
    CHECK(r.iterations == 4);
    for (int most : {1, 2, 3, 9}) {
        r = minimum({.max_evaluations = most});
        CHECK(r.end == xg::calibration_end::evaluations);
        CHECK(r.evaluations == most);
        CHECK(r.loss < (most > 2 ? 2000 : 3000));
    }
    CHECK(xg::name_of(r.end) == "evaluations");
    auto lying = xg::calibrate(walled, xg::lbfgs{});
    lying.value(inside)[0] = 2;
    lying.value(lie)[0] = 4;
    r = lying();
    CHECK(r.end == xg::calibration_end::line_search);
    CHECK(r.evaluations > 5);
    CHECK(r.evaluations <= 26);
    CHECK(r.iterations == 0);
    CHECK(lying.value(inside)[0] == 2);
    lying.options().search_evaluations = 3;   // trials that are still far away
    CHECK(lying().evaluations == 4);
    CHECK(lying.value(inside)[0] == 2);

    // Line searches that end without the conditions, with the lowest trial: its gradient is the one that is used next.
    for (int most : {2, 4, 5}) {
        int earlier = 0, before = 1;
        begin(fit.value(theta));
        fit.options() = {.curvature = 1e-3, .search_evaluations = most};
        r = fit.watched([&](auto const& now) {
            CHECK(now.gradient_norm == doctest::Approx(largest_slope(of(fit.value(theta)))).epsilon(1e-9));
            earlier += now.evaluations - before == most;
            before = now.evaluations;
        });
        CHECK(earlier > 0);
    }
}

TEST_CASE("lbfgs: a loss of float ends where it no longer changes") {
    auto fit = xg::calibrate(in_float, xg::lbfgs{.gradient_tolerance = 0, .step_tolerance = 0});
    for (int i = 0; i < 6; ++i) fit.value(single)[i] = i % 2 == 0 ? -0.5f : 0.75f;
    auto const r = fit();
    CHECK(r.end == xg::calibration_end::loss);   // and not because nothing lower was found
    CHECK(r.loss == doctest::Approx(1).epsilon(1e-6));
    CHECK(r.evaluations < 60);
    for (int i = 0; i < 6; ++i) CHECK(static_cast<double>(fit.value(single)[i]) == doctest::Approx(1).epsilon(5e-3));
}

TEST_CASE("lbfgs: a loss that is not finite is stepped back from, and where it begins changes nothing") {
    auto fit = xg::calibrate(walled, xg::lbfgs{});
    auto& at = fit.value(inside)[0];
    for (double const from :
        {1e-3, 0.3, 40.0}) {   // the first step from 0.3 goes beyond the wall, where the logarithm is NaN, and so do later ones
        at = from;
        auto const r = fit();
        CHECK(r.end == xg::calibration_end::gradient);
        CHECK(at == doctest::Approx(1).epsilon(1e-6));
    }
    for (double const from : {0.0, -2.0, std::numeric_limits<double>::infinity()}) {
        at = from;
        auto const r = fit();
        CHECK(r.end == xg::calibration_end::not_finite);
        CHECK(!r);
        CHECK(r.evaluations == 1);
        CHECK(at == from);
    }
}

TEST_CASE("lbfgs: sparse gradients are dense ones, variables of two types move together, others stay") {
    xg::variables vars{by_rows};
    auto fit = xg::calibrate(by_rows, xg::lbfgs{.gradient_tolerance = 1e-5}, vars);
    for (int i = 0; i < 7; ++i) vars.value(table)(i, 0) = 0.5f;
    vars.value(counter)[1] = 0;
    std::vector<std::int32_t> const in{5, 1, 5, 3, 1, 5};
    numbers const out{1, -2, 3, 0.25, -1, 2};
    auto const r = fit(ids = in, y = out);
    CHECK(r);
    auto const t = vars.value(table);
    double const factor = std::exp(vars.value(scale)[0]);
    CHECK(factor * static_cast<double>(t(5, 0)) == doctest::Approx(2).epsilon(1e-4));
    CHECK(factor * static_cast<double>(t(1, 0)) == doctest::Approx(-1.5).epsilon(1e-4));
    CHECK(factor * static_cast<double>(t(3, 0)) == doctest::Approx(0.25).epsilon(1e-4));
    for (int i : {0, 2, 4, 6}) CHECK(t(i, 0) == 0.5f);
    CHECK(std::abs(vars.value(scale)[0]) < 1e-4);
    CHECK(r.loss == doctest::Approx((1 + 1 + 0 + 0.25 + 0.25) / 6));
    CHECK(vars.value(counter)[0] == 0);
}

TEST_CASE("lbfgs: what throws leaves the variables as after the last iteration") {
    auto fit = xg::calibrate(rosenbrock, xg::lbfgs{});
    begin(fit.value(theta));
    numbers third;
    CHECK_THROWS_AS(fit.watched([&](auto const& now) {
        if (now.iterations == 3) third = of(fit.value(theta));
        if (now.iterations == 4) throw 7;
        return true;
    }),
        int);
    auto const fourth = of(fit.value(theta));
    CHECK(third.size() == 6);
    CHECK(fourth != third);
    begin(fit.value(theta));
    fit.options().max_iterations = 4;
    fit();
    CHECK(of(fit.value(theta)) == fourth);

    xg::variables vars{by_rows};
    auto sparse = xg::calibrate(by_rows, xg::lbfgs{}, vars);
    std::vector<std::int32_t> const wrong{5, 7};
    CHECK_THROWS_AS(sparse(ids = wrong, y = numbers{1, 2}), xg::value_error);
    CHECK(test::message_of<xg::error>([&] {
        sparse(ids = std::vector<std::int32_t>{1}, y = xg::array(&vars.value(scale)[0], 1));
    }).find("\"y\"") != std::string::npos);

    auto const refused = [&](xg::lbfgs const& how, std::string const& expected) {
        CHECK(test::message_of<xg::error>([&] { xg::calibrate(rosenbrock, how); }) == "xgrad: lbfgs: " + expected);
        auto const before = of(fit.value(theta));
        fit.options() = how;
        CHECK_THROWS_AS(fit(), xg::value_error);
        CHECK(of(fit.value(theta)) == before);
    };
    refused({.history = 0}, "history must be from 1 to 1000000, found 0");
    refused({.max_iterations = 0}, "max_iterations must be at least 1, found 0");
    refused({.max_evaluations = -1}, "max_evaluations must be at least 1, found -1");
    refused({.gradient_tolerance = -1}, "gradient_tolerance must be positive or zero, found -1");
    refused({.loss_tolerance = std::nan("")}, "loss_tolerance must be positive or zero, found nan");
    refused({.step_tolerance = -2}, "step_tolerance must be positive or zero, found -2");
    refused({.decrease = 0}, "decrease must be in (0, 1), found 0");
    refused({.curvature = 1}, "curvature must be in (0, 1), found 1");
    refused({.search_evaluations = 0}, "search_evaluations must be at least 1, found 0");
    refused({.decrease = 0.5, .curvature = 0.4}, "decrease must be less than curvature");
}

TEST_CASE("lbfgs with bounds: the minima of SciPy's L-BFGS-B") {
    std::map<std::string, numbers> expected;
    std::ifstream in(XGRAD_TEST_DATA "/calibration.txt");
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string name;
        words >> name;
        for (std::string word; words >> word;) expected[name].push_back(std::strtod(word.c_str(), nullptr));   // reads inf too
    }
    auto fit = xg::calibrate(rosenbrock, xg::lbfgs{.max_iterations = 2000, .max_evaluations = 20000});
    for (int k = 0; k < 5; ++k) {
        std::string const name = "bounds/" + std::to_string(k);
        INFO(name);
        double const lower = expected.at(name + "/bounds")[0], upper = expected.at(name + "/bounds")[1];
        fit.bounds(theta, lower, upper);
        begin(fit.value(theta));
        auto const r = fit.watched([&](auto const&) {
            bool within = true;
            for (double const v : of(fit.value(theta))) within = within && v >= lower && v <= upper;
            CHECK(within);
        });
        CHECK(r);
        CHECK(r.loss == doctest::Approx(expected.at(name + "/loss")[0]).epsilon(1e-9).scale(1e-3));
        numbers const found = of(fit.value(theta)), there = expected.at(name + "/theta");
        for (std::size_t i = 0; i < 6; ++i) CHECK(found[i] == doctest::Approx(there[i]).epsilon(1e-5));
    }
    CHECK(fit().iterations == 0);   // it is there

    // a float variable ends at its bound too, whatever the rounding
    auto coarse = xg::calibrate(in_float, xg::lbfgs{});
    coarse.bounds(single, -1, 0.1);
    for (int i = 0; i < 6; ++i) coarse.value(single)[i] = -0.5f;
    CHECK(coarse());
    CHECK(coarse.value(single)[0] == 0.1f);

    auto const inside_of = [&](double lower, double upper) {
        return test::message_of<xg::value_error>([&] { fit.bounds(theta, lower, upper); });
    };
    std::string const begins = "xgrad: fit.bounds: the lower bound of the variable \"theta\" must not be above the upper one, nor NaN";
    CHECK(inside_of(1, 0) == begins);
    CHECK(inside_of(std::nan(""), 0) == begins);
    auto lying = xg::calibrate(walled, xg::lbfgs{});
    CHECK(test::message_of<xg::binding_error>([&] { lying.bounds(lie, 0, 1); }) ==
          "xgrad: fit.bounds: the calibration does not move the variable \"lie\"");

    // how sure the variables are
    numbers data, out;
    for (int r = 0; r < 12; ++r) {
        for (int i = 0; i < 5; ++i) data.push_back(((5 * r + 3 * i) % 11 - 5) / 4.0);
        out.push_back(r % 3 == 0);
    }
    auto const bound = x = xg::array(data.data(), 12, 5);
    auto regression = xg::calibrate(logistic, xg::lbfgs{.gradient_tolerance = 1e-10, .loss_tolerance = 0, .step_tolerance = 0});
    regression(bound, y = out);
    auto const before = of(regression.value(weight));
    auto const covariance = regression.covariance(bound, y = out);
    CHECK(of(regression.value(weight)) == before);
    numbers const& inverse = expected.at("covariance/inverse");
    REQUIRE(covariance.size() == 6);
    std::int64_t const w = covariance.first(weight), b = covariance.first(bias);
    auto const place = [&](std::int64_t k) { return k < 5 ? w + k : b; };
    for (std::int64_t i = 0; i < 6; ++i)
        for (std::int64_t j = 0; j < 6; ++j)
            CHECK(
                covariance(place(i), place(j)) == doctest::Approx(inverse[static_cast<std::size_t>(6 * i + j)]).epsilon(1e-6).scale(1e-2));
    CHECK(covariance.standard_errors(bias, 4)[0] == doctest::Approx(2 * std::sqrt(inverse[35])).epsilon(1e-6));
    CHECK(covariance.standard_errors(weight).size() == 5);
    CHECK_THROWS_AS(covariance.first(theta), xg::binding_error);

    // a variable that is held by its bound is known exactly, and the others are surer
    regression.bounds(bias, -0.5, 0.25);
    regression.options().gradient_tolerance = 1e-7;
    CHECK(regression(bound, y = out));
    numbers const& held = expected.at("held/theta");
    CHECK(regression.value(bias)[0] == -0.5);
    for (std::size_t i = 0; i < 5; ++i) CHECK(of(regression.value(weight))[i] == doctest::Approx(held[i]).epsilon(1e-5).scale(1e-3));
    auto const without = regression.covariance(bound, y = out);
    CHECK(without.standard_errors(bias)[0] == 0);
    for (std::int64_t i = 0; i < 5; ++i)
        for (std::int64_t j = 0; j < 5; ++j)
            CHECK(without(w + i, w + j) ==
                  doctest::Approx(expected.at("held/inverse")[static_cast<std::size_t>(5 * i + j)]).epsilon(1e-5).scale(1e-2));

    // bounds that leave one number hold the element whatever its gradient; values outside are said
    auto fixed = xg::calibrate(xg::sum(xg::square(theta)), xg::lbfgs{});
    fixed.bounds(theta, 0, 0);
    CHECK(fixed.covariance().standard_errors(theta)[0] == 0);
    fixed.bounds(theta, 1, 2);
    CHECK(test::message_of<xg::value_error>([&] { fixed.covariance(); }) ==
          "xgrad: covariance: the value is outside of its bounds (call the calibration first), at element 0 of the variable \"theta\"");
    fixed.value(theta)[0] = std::nan("");
    fixed.bounds(theta, -1, 2);
    CHECK(test::message_of<xg::value_error>([&] { fixed.covariance(); }) ==
          "xgrad: covariance: the loss or a gradient is not finite where the variables are now; call the calibration first");
    std::string const finite = "no finite number is between the bounds of the variable \"";
    double const inf = std::numeric_limits<double>::infinity();
    CHECK(inside_of(inf, inf).find(finite) != std::string::npos);
    CHECK(inside_of(-inf, -inf).find(finite) != std::string::npos);
    CHECK(test::message_of<xg::value_error>([&] { coarse.bounds(single, 1e300, inf); }).find(finite) != std::string::npos);
    CHECK_THROWS_AS(covariance.standard_errors(bias, -1), xg::value_error);

    // flat in one direction: said, with the variable
    auto flat = xg::calibrate(xg::square(xg::sum(theta)), xg::lbfgs{});
    CHECK(test::message_of<xg::value_error>([&] { flat.covariance(); }).find("not positive definite") != std::string::npos);
}
