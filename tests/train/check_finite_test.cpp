// SPDX-License-Identifier: MIT
// check_finite names the first variable that is not finite, and slots that are NaN.
#include <support/message_of.hpp>

#include <xgrad/train/any_trainer.hpp>
#include <xgrad/train/check_finite.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;
using test::message_of;

namespace {
constexpr auto x = xg::input<"x", double, 2, 3>;
constexpr auto a = xg::variable<"a", double, 2, 3>;
constexpr auto n = xg::non_trainable<"n", std::int32_t, 4>;
constexpr auto b = xg::variable<"b", float>;
constexpr auto h = xg::variable<"h", xg::bfloat16, 5>;
constexpr auto loss = xg::sum(a * x) + xg::cast<double>(b * xg::sum(h)) + 0_c * xg::cast<double>(xg::sum(n));
constexpr double infinity = std::numeric_limits<double>::infinity();
std::vector<double> const ones(6, 1.0);
template<class Train>
std::string says(Train const& train) {
    return message_of<xg::value_error>([&] { xg::check_finite(train); });
}
}   // namespace

TEST_CASE("check_finite: the first variable, its element, the steps") {
    auto train = xg::minimize(loss, xg::adam{.learning_rate = 0.5});
    CHECK(says(train) == "nothing was thrown");
    train(x = xg::array(ones, 2, 3));
    CHECK(says(train) == "nothing was thrown");
    std::vector<double> odd = ones;
    odd[4] = std::numeric_limits<double>::quiet_NaN();
    train(x = xg::array(odd, 2, 3));
    CHECK(says(train) ==
          "xgrad::check_finite: the variable \"a\" has 1 of 6 elements that are NaN or infinite, the first at (1, 1), after 2 steps");
    train.value(a)(1, 1) = 0;
    CHECK(says(train) ==
          "xgrad::check_finite: the slot \"m\" of the variable \"a\" has 1 of 6 elements that are NaN, the first at (1, 1), after 2 steps");
    train.reset_optimizer();
    train.value(b)() = -static_cast<float>(infinity);
    CHECK(says(train) == "xgrad::check_finite: the variable \"b\" has 1 of 1 elements that are NaN or infinite, after 0 steps");
    train.value(b)() = 0;
    train.value(h)(3) = xg::bfloat16(static_cast<float>(infinity));
    train.value(h)(4) = xg::bfloat16(static_cast<float>(infinity));
    CHECK(says(train).find("the variable \"h\" has 2 of 5 elements that are NaN or infinite, the first at (3)") != std::string::npos);
    xg::variables const vars{b};
    CHECK(says(vars) == "nothing was thrown");
}
TEST_CASE("check_finite: as a mode, each step says which variable it has left NaN") {
    auto train = xg::minimize(loss, xg::adam{.learning_rate = 0.5});
    auto parts = xg::minimize<xg::gating::graph>(loss, xg::adam{.learning_rate = 0.5}, train);
    std::vector<double> odd = ones;
    odd[4] = infinity - infinity;
    train.check_finite();
    train(x = xg::array(ones, 2, 3));
    auto const step = [&] { train(x = xg::array(odd, 2, 3)); };
    CHECK(message_of<xg::value_error>(step) ==
          "xgrad::check_finite: the variable \"a\" has 1 of 6 elements that are NaN or infinite, the first at (1, 1), after 2 steps");
    CHECK(train.global_step() == 2);   // it has run
    CHECK(train.try_step(x = xg::array(ones, 2, 3)).code == xg::status_code::not_finite);
    parts.check_finite();
    parts.compute_gradients(x = xg::array(ones, 2, 3));
    CHECK(message_of<xg::value_error>([&] { parts.apply_gradients(); }).find("\"a\" has 1 of 6") != std::string::npos);
    train.check_finite(false);
    CHECK(message_of<xg::value_error>(step) == "nothing was thrown");
    train.value(a)(1, 1) = 0;   // the slot stays NaN: that is looked at when it has moved something
    xg::any_trainer any = std::move(train);
    any.check_finite();
    CHECK(message_of<xg::value_error>([&] { any({{"x", xg::array(ones, 2, 3)}}); }).find("the variable \"a\"") != std::string::npos);
}
TEST_CASE("check_finite: slots may be infinite") {
    auto train = xg::minimize(xg::sum(a * a), xg::momentum{.learning_rate = 0.0, .momentum = 0.5});
    train.slot(a, "momentum")(0, 2) = infinity;
    CHECK(says(train) == "nothing was thrown");
    train.slot(a, "momentum")(0, 2) = infinity - infinity;
    CHECK(says(train).find("the slot \"momentum\" of the variable \"a\"") != std::string::npos);
}
