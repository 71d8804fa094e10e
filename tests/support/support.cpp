// SPDX-License-Identifier: MIT
// What test programs share and need not compile again: comparisons, and the verifier of plans (XGRAD_VERIFY_PLANS=2).
#include <support/networks.hpp>
#include <support/programs.hpp>
#include <support/tensor.hpp>
#include <xgrad/compile/verifier.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace test {

void check_worst_of_each(char const* what, std::int64_t where, double value, double expected, double worst, double allowed) {
    std::string const name = what;
    CAPTURE(name);
    CAPTURE(where);
    CAPTURE(value);
    CAPTURE(expected);
    CHECK(worst <= allowed);
}
void check_worst(char const* what, double worst, double allowed) {
    std::string const name = what;
    CAPTURE(name);
    CHECK(worst <= allowed);
}

}   // namespace test

namespace fuzz {

void compare(std::vector<double> const& a, std::vector<double> const& e, double tolerance, char const* what, std::size_t output) {
    std::string const versus = what;
    CAPTURE(versus);
    CAPTURE(output);
    REQUIRE(a.size() == e.size());
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] == e[i] || (std::isnan(a[i]) && std::isnan(e[i]))) continue;
        double const off = std::abs(a[i] - e[i]) / std::max(1.0, std::abs(e[i]));
        if (!(off <= worst)) worst = off;
    }
    CHECK(worst <= tolerance);
}

void expect(std::vector<std::vector<double>> const& results, std::vector<std::vector<double>> const& expected, double tolerance) {
    REQUIRE(results.size() == expected.size());
    for (std::size_t k = 0; k < results.size(); ++k) {
        CAPTURE(k);
        REQUIRE(results[k].size() == expected[k].size());
        double largest = 1;
        for (double const e : expected[k])
            if (e == e) largest = std::max(largest, std::abs(e));
        for (std::size_t i = 0; i < results[k].size(); ++i) {
            if (expected[k][i] != expected[k][i] || std::abs(results[k][i] - expected[k][i]) <= tolerance * largest) continue;
            CAPTURE(i);
            CHECK(results[k][i] == expected[k][i]);   // the first that differs
            break;
        }
    }
}
void agree(std::vector<std::vector<double>> const& on, std::vector<std::vector<double>> const& off, double tolerance) {
    REQUIRE(on.size() == off.size());
    for (std::size_t k = 0; k < on.size(); ++k) compare(on[k], off[k], tolerance, "planner on and off", k);
}

}   // namespace fuzz

namespace networks {

std::vector<double> sums(std::vector<double> const& elements) {
    std::vector<double> r(2);
    for (std::uint32_t i = 0; i < elements.size(); ++i)
        for (std::uint32_t j = 0; j < 2; ++j) r[j] += elements[i] * fuzz::number(1000 + j, i);
    return r;
}
template<class F>
static void each(xg::variable_store const& store, std::vector<known> const& variables, F const& f) {
    CHECK(static_cast<std::size_t>(store.variables().count) == variables.size());
    for (auto const& v : store.variables()) {
        CAPTURE(v.name);
        auto const k = std::find_if(variables.begin(), variables.end(), [&](known const& n) { return n.name == v.name; });
        REQUIRE(k != variables.end());
        if (v.type == xg::dtype::float64) f(*k, static_cast<double*>(v.data), v.size);
        else f(*k, static_cast<float*>(v.data), v.size);
    }
}
void start(xg::variable_store& store, std::vector<known> const& variables) {
    each(store, variables, [](known const& k, auto* first, std::int64_t n) {
        for (std::int64_t i = 0; i < n; ++i)
            first[i] = static_cast<std::remove_reference_t<decltype(*first)>>(
                k.offset + k.scale * fuzz::number(k.seed, static_cast<std::uint32_t>(i)));
    });
}
void compare(xg::variable_store const& store, std::vector<known> const& variables, double tolerance) {
    each(store, variables, [&](known const& k, auto* first, std::int64_t n) {
        fuzz::expect({sums(std::vector<double>(first, first + n))}, {k.after}, tolerance);
        if (std::getenv("XGRAD_NETWORKS") == nullptr) return;
        std::printf("%s", k.name);
        for (std::int64_t i = 0; i < n; ++i) std::printf(" %.10g", static_cast<double>(first[i]));
        std::printf("\n");
    });
}

}   // namespace networks

namespace random_bodies {

void expect(std::vector<std::vector<double>> const& results, std::vector<std::vector<double>> const& expected) {
    static double worst = 0;
    REQUIRE(results.size() == expected.size() + 1);
    for (std::size_t k = 0; k < expected.size(); ++k) {
        CAPTURE(k);
        REQUIRE(results[k].size() == expected[k].size());
        double scale = 0.01;
        for (double const e : expected[k]) scale = std::max(scale, std::abs(e));
        for (std::size_t i = 0; i < results[k].size(); ++i) {
            double const off = std::abs(results[k][i] - expected[k][i]) / scale;
            if (!(off > 1e-11) && off > worst && std::getenv("XGRAD_RANDOM_BODIES") != nullptr)
                std::printf("largest relative difference so far: %g\n", worst = off);
            if (off <= 1e-11) continue;
            CAPTURE(i);
            CHECK(results[k][i] == expected[k][i]);   // the first that differs
            break;
        }
    }
}

}   // namespace random_bodies
