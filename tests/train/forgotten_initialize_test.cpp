// SPDX-License-Identifier: MIT
// A network that begins with zeros is warned of, once; a linear model may begin there.
#include <xgrad/train/calibrate.hpp>
#include <xgrad/train/check_gradients.hpp>
#include <xgrad/train/sam.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

namespace {
inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 3>;
constexpr auto network = xg::mean(xg::square(xg::nn::dense<"b", 1>(xg::tanh(xg::nn::dense<"a", 4>(x)))));
constexpr auto line = xg::mean(xg::square(xg::nn::dense<"a", 1>(x) - 1_c));
std::vector<std::string> said;

struct listening {
    void (*before)(char const*) = xg::warning_handler;
    listening() {
        said.clear();
        xg::warning_handler = [](char const* message) { said.emplace_back(message); };
    }
    ~listening() { xg::warning_handler = before; }
};
template<class Loss>
auto trainer_of(Loss) {
    return xg::minimize(Loss{}, xg::gradient_descent{.learning_rate = 0.125});
}
std::vector<float> const rows(6, 1.0f);
}   // namespace

#if XGRAD_CHECKS
TEST_CASE("a network of zeros") {
    listening const l;
    auto train = trainer_of(network);
    for (int i = 0; i < 3; ++i) train(x = xg::array(rows, 2, 3));
    REQUIRE(said.size() == 1);
    CHECK(said[0].find("call initialize(") != std::string::npos);
}
TEST_CASE("a network of zeros that is calibrated, checked, read by a function or trained in another way") {
    listening const l;
    auto fit = xg::calibrate(network, xg::lbfgs{.max_iterations = 1});
    for (int i = 0; i < 2; ++i) fit(x = xg::array(rows, 2, 3));
    CHECK(said.size() == 1);
    xg::variables const vars{network};
    xg::function f{network, vars};
    for (int i = 0; i < 2; ++i) f(x = xg::array(rows, 2, 3));
    CHECK(said.size() == 2);
    auto train = xg::minimize<xg::gating::graph>(network, xg::gradient_descent{.learning_rate = 0.125});
    CHECK(xg::check_gradients(network, xg::wrt(xg::variable<"b/b", float, 1>), train, x = xg::array(rows, 2, 3)).ok);
    CHECK(said.size() == 3);
    xg::sam sharp{train, {.rho = 0.05}};
    sharp(x = xg::array(rows, 2, 3));
    CHECK(said.size() == 3);   // of an owner once
}
#endif
TEST_CASE("what is initialised, or linear, or goes on, is not warned of") {
    listening const l;
    auto train = trainer_of(network);
    train.initialize(xg::glorot_uniform{.seed = 1});
    train(x = xg::array(rows, 2, 3));
    auto linear = trainer_of(line);
    linear(x = xg::array(rows, 2, 3));
    auto later = trainer_of(network);
    later.value(xg::variable<"b/b", float, 1>)(0) = 1;
    later(x = xg::array(rows, 2, 3));
    CHECK(said.empty());
}
