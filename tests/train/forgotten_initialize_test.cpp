// SPDX-License-Identifier: MIT
// The warnings of a trainer, each printed once: a network that begins with zeros (a linear model may begin there), a loss that is NaN,
// labels that are impossible.
// that are impossible.
#include <xgrad/train/calibrate.hpp>
#include <xgrad/train/check_gradients.hpp>
#include <xgrad/train/sam.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <limits>
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
    CHECK(said[0].find("Call initialize(") != std::string::npos);
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

#if XGRAD_CHECKS
constexpr auto weight = xg::input<"weight", float>;
constexpr auto weighted = xg::mean(xg::square(xg::nn::dense<"a", 1>(x) * weight - 1_c));
TEST_CASE("a loss that is NaN is told once, with the input that is") {
    listening const l;
    auto train = trainer_of(weighted);
    train(x = xg::array(rows, 2, 3), weight = 1.0f);
    CHECK(said.empty());
    std::vector<float> odd = rows;
    odd[4] = std::numeric_limits<float>::infinity();
    for (int i = 0; i < 2; ++i) train(x = xg::array(odd, 2, 3), weight = 1.0f);
    REQUIRE(said.size() == 1);
    CHECK(said[0].find("in step 1; the input \"x\" is NaN or infinite at offset 4; xgrad::check_finite(train)") != std::string::npos);
    said.clear();
    train.reset_optimizer();
    train.initialize(xg::ones_initializer{});
    train(x = xg::array(rows.data(), 0, 3), weight = 1.0f);
    REQUIRE(said.size() == 1);
    CHECK(said[0] ==
          "the loss is NaN in step 0; the input \"x\" has no elements; xgrad::check_finite(train) says which variables are not finite");
}
TEST_CASE("a loss that runs away, of finite inputs") {
    listening const l;
    auto train = xg::minimize(weighted, xg::gradient_descent{.learning_rate = 1e30});
    for (int i = 0; i < 4; ++i) train(x = xg::array(rows, 2, 3), weight = 1.0f);
    REQUIRE(said.size() == 1);
    CHECK(said[0].find("all inputs are finite: look at the learning rate") != std::string::npos);
}
constexpr auto label = xg::input<"label", float, batch>;
constexpr auto sign = xg::input<"sign", std::int32_t, batch>;
constexpr auto logit = xg::squeeze<1>(xg::nn::dense<"a", 1>(x));
TEST_CASE("labels of -1 and 1 are told once, by their input, and smoothed or rounded ones never") {
    listening const l;
    auto train = trainer_of(xg::mean(xg::sigmoid_cross_entropy(logit, label)));
    std::vector<float> labels{0.05f, 1.0000001f};
    train(x = xg::array(rows, 2, 3), label = labels);
    CHECK(said.empty());
    labels = {1, -1};
    for (int i = 0; i < 2; ++i) train(x = xg::array(rows, 2, 3), label = labels);
    REQUIRE(said.size() == 1);
    CHECK(said[0].find("the input \"label\" is -1 at offset 1; labels of sigmoid_cross_entropy must be from 0 to 1") == 0);
    said.clear();
    auto of_integers = trainer_of(xg::mean(xg::sigmoid_cross_entropy(logit, xg::cast<float>(sign))));
    std::vector<std::int32_t> const classes{0, 2};
    of_integers(x = xg::array(rows, 2, 3), sign = classes);
    REQUIRE(said.size() == 1);
    CHECK(said[0].find("the input \"sign\" is 2 at offset 1; labels of sigmoid_cross_entropy") == 0);
}
#endif
