// SPDX-License-Identifier: MIT
// Three workers of AGN and elastic averaging, event by event, compared with TensorFlow's numbers (tests/reference/local_steps.py).
#include <xgrad/replicas/local/agn.hpp>
#include <xgrad/replicas/local/elastic_average.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {
using numbers = std::vector<double>;
std::map<std::string, numbers> const& reference() {
    static auto const all = [] {
        std::map<std::string, numbers> found;
        std::ifstream file(XGRAD_TEST_DATA "/local_steps.txt");
        for (std::string line; std::getline(file, line);) {
            std::istringstream in(line);
            std::string name, event, quantity;
            in >> name >> event >> quantity;
            numbers& to = found[name + " " + event + " " + quantity];
            for (double x; in >> x;) to.push_back(x);
        }
        return found;
    }();
    return all;
}
template<class T>
struct model {
    static constexpr auto gw = xg::input<"gw", T, 5>;
    static constexpr auto gt = xg::input<"gt", T, 3, 2>;
    static constexpr auto at = xg::input<"at", std::int64_t, 3>;
    static constexpr auto w = xg::variable<"w", T, 5>;
    static constexpr auto t = xg::variable<"t", T, 4, 2>;
    static constexpr auto loss = xg::sum(w * gw) + xg::sum(xg::gather(t, at) * gt);
};
template<class Values>
void compare(std::string const& name, Values const& found) {
    auto const expected = reference().find(name);
    REQUIRE(expected != reference().end());
    REQUIRE(expected->second.size() == static_cast<std::size_t>(found.size()));
    using element = std::remove_cvref_t<decltype(*found.begin())>;
    double const digits = std::is_same_v<element, float> ? 2e-6 : 1e-14;
    for (std::size_t i = 0; i < expected->second.size(); ++i) {
        CAPTURE(name);
        CHECK(static_cast<double>(found.begin()[i]) == doctest::Approx(expected->second[i]).epsilon(digits));
    }
}
template<class T, class Make, class Rule>
void trace(std::string const& name, Make const& make, Rule const& rule) {
    using m = model<T>;
    auto train = xg::minimize<xg::gating::graph>(m::loss, rule);
    for (int i = 0; i < 5; ++i) train.value(m::w)(i) = static_cast<T>((3 * i) % 8 - 4) / 4;
    for (int i = 0; i < 8; ++i) train.value(m::t)(i / 2, i % 2) = static_cast<T>((5 * i) % 8 - 3) / 4;
    auto replicas = make(train);
    typename decltype(replicas)::replay replay(replicas);
    for (int e = 0; e < 18; ++e) {
        int const k = (e + e / 3) % 3;
        T gw[5], gt[3][2];
        std::int64_t const at[] = {e % 4, (3 * e + 1) % 4, e % 4};
        for (int i = 0; i < 5; ++i) gw[i] = static_cast<T>((7 * i + 5 * e + 3) % 16 - 8) / 16;
        for (int i = 0; i < 6; ++i) gt[i / 2][i % 2] = static_cast<T>((5 * i + 3 * e) % 16 - 7) / 16;
        replay.compute(k, m::gw = gw, m::gt = gt, m::at = at);
        replay.step(k);
        std::string const event = name + " " + std::to_string(e) + " ";
        compare(event + "w", replay.own(k).value(m::w));
        compare(event + "t", replay.own(k).value(m::t));
        compare(event + "cw", train.value(m::w));
        compare(event + "ct", train.value(m::t));
    }
}
auto const agn = [](auto& train) { return xg::agn(train, {.workers = 3, .period = 2}); };
auto const elastic = [](auto& train) { return xg::elastic_average(train, {.workers = 3, .period = 2, .moving_rate = .25, .rho = .5}); };
xg::adam const adam{.learning_rate = .125, .beta1 = .875, .beta2 = .96875, .epsilon = 1e-3};
xg::momentum const momentum{.learning_rate = .125, .momentum = .875};
}   // namespace

TEST_CASE("AGN of three workers as TensorFlow computes it") {
    trace<double>("agn_adam_double", agn, adam);
    trace<float>("agn_adam_float", agn, adam);
    trace<float>("agn_momentum_float", agn, momentum);
    trace<double>("agn_ftrl_double", agn,
        xg::ftrl{.learning_rate = .25, .learning_rate_power = -.5, .initial_accumulator = .25, .l1 = .125, .l2 = .5});
}
TEST_CASE("elastic averaging of three workers as TensorFlow computes it") {
    trace<float>("elastic_adam_float", elastic, adam);
    trace<double>("elastic_momentum_double", elastic, momentum);
}
