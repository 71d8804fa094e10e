// SPDX-License-Identifier: MIT
// Owners and functions that have ended, moved or been assigned over, arrays that are not there, calls at the same time.
#include <support/message_of.hpp>

#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;
using test::message_of;

namespace {
inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 2>;
constexpr auto w = xg::variable<"w", float, 2>;
constexpr auto y = xg::sum<1>(x * w);
constexpr auto loss = xg::mean(xg::square(y - 1_c));
float const ones[] = {1, 1, 1, 1};
constexpr char const* moved =
    "xgrad: this object has been moved from and has nothing left; use the one that it was moved to, or assign a new one to it";
constexpr char const* replaced =
    "xgrad: this function reads the variables of an owner that has been assigned over, a trainer or xgrad::variables; make the "
    "function again after the assignment";

auto trainer_of(float start) {
    auto train = xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.125});
    train.assign(w, std::vector{start, start});
    return train;
}
auto rows() { return x = xg::array(ones, 2, 2); }
using predict_type = decltype(xg::function{y, std::declval<decltype(trainer_of(0))&>()});
}   // namespace

TEST_CASE("what has been moved from says so") {
    auto train = trainer_of(2);
    auto other = std::move(train);
    CHECK(message_of<xg::binding_error>([&] { train(rows()); }) == moved);
    CHECK(message_of<xg::binding_error>([&] { train.value(w); }) == moved);
    CHECK(message_of<xg::binding_error>([&] { train.global_step(); }) == moved);
    CHECK(message_of<xg::binding_error>([&] { train.initialize(xg::glorot_uniform{.seed = 1}); }) == moved);
    CHECK(message_of<xg::binding_error>([&] { static_cast<void>(xg::function{y, train}); }) == moved);
    CHECK(message_of<xg::binding_error>([&] { train.reserve(batch = 4); }) == moved);
    CHECK(message_of<xg::binding_error>(
              [&] { static_cast<void>(xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.125}, train)); }) == moved);
    CHECK(other(rows()) == 9);
    xg::function predict{y, other};
    auto const taken = std::move(predict);
    CHECK(message_of<xg::binding_error>([&] { predict(rows()); }) == moved);
    xg::variables vars{y};
    auto const kept = std::move(vars);
    CHECK(message_of<xg::binding_error>([&] { vars.value(w); }) == moved);
    train = trainer_of(1);   // a new one is as good as any
    CHECK(train(rows()) == 1);
}
TEST_CASE("functions follow an owner that moves, and keep the variables of one that ends") {
    std::optional<predict_type> predict;
    {
        auto train = trainer_of(2);
        predict.emplace(y, train);
        auto other = std::move(train);
        other.value(w)(0) = 5;
        CHECK((*predict)(rows())(0) == 7);
    }
    CHECK((*predict)(rows())(1) == 7);
    xg::function of_none{y, xg::variables{y}};   // an owner without a name
    CHECK(of_none(rows())(0) == 0);
    auto const made = [] {
        auto train = trainer_of(3);
        return xg::function{y, train};
    };
    CHECK(made()(rows())(0) == 6);
}
TEST_CASE("functions whose owner has been assigned over say so") {
    auto train = trainer_of(2);
    xg::function predict{y, train};
    train = trainer_of(3);
    CHECK(message_of<xg::binding_error>([&] { predict(rows()); }) == replaced);
    CHECK(predict.try_call(rows()).code == xg::status_code::replaced_owner);
    xg::function again{y, train};
    CHECK(again(rows())(0) == 6);

    xg::variables vars{y};
    xg::function of_vars{y, vars};
    vars = xg::variables{y};
    CHECK(message_of<xg::binding_error>([&] { of_vars(rows()); }) == replaced);
}
TEST_CASE("variables that another owner still has are not assigned over") {
    auto train = trainer_of(2);
    auto second = xg::minimize(loss, xg::momentum{.learning_rate = 0.125, .momentum = 0.5}, train);
    xg::function predict{y, second};
    train = trainer_of(3);
    CHECK(predict(rows())(0) == 4);
    second = xg::minimize(loss, xg::momentum{.learning_rate = 0.125, .momentum = 0.5}, train);
    CHECK(message_of<xg::binding_error>([&] { predict(rows()); }) == replaced);
}
TEST_CASE("owners that are exchanged keep their functions") {
    auto a = trainer_of(1), b = trainer_of(2);
    xg::function of_a{y, a}, of_b{y, b};
    std::swap(a, b);
    CHECK(of_a(rows())(0) == 2);
    CHECK(of_b(rows())(0) == 4);
    auto& same = a;
    a = std::move(same);
    CHECK(of_b(rows())(0) == 4);
    CHECK(a(rows()) == 9);
}
TEST_CASE("an array that is not there") {
    auto train = trainer_of(2);
    float const* const none = nullptr;
    CHECK(message_of<xg::binding_error>([&] { train(x = xg::array(none, 3, 2)); }) ==
          "xgrad: input \"x\": the array has 6 elements, and its address is null");
    CHECK(train.try_step(x = xg::array(none, 3, 2)).code == xg::status_code::null_array);
    CHECK(train.global_step() == 0);
    xg::function predict{y, train};
    CHECK(predict(x = xg::array(none, 0, 2)).size() == 0);   // nothing needs no address
}
#if XGRAD_CHECKS
TEST_CASE("elements that are not there") {
    auto train = trainer_of(2);
    CHECK(message_of<xg::value_error>([&] { train.value(w)(2); }) == "xgrad: there is no element (2) in a view of shape [2]");
    CHECK(
        message_of<xg::value_error>([&] { xg::array(ones, 2, 2)(0, 3); }) == "xgrad: there is no element (0, 3) in a view of shape [2, 2]");
    CHECK(message_of<xg::value_error>([&] { xg::array(ones, 2, 2)(-1, 0); }) ==
          "xgrad: there is no element (-1, 0) in a view of shape [2, 2]");
    CHECK(message_of<xg::value_error>([&] { xg::array(ones, 2, 2)[4]; }) ==
          "xgrad: there is no element (4) in a view of shape [2, 2]; view[i] counts all elements, view(i, j) those of each axis");
    CHECK(xg::array(ones, 2, 2)[3] == 1);
}
TEST_CASE("results of what has not been called") {
    constexpr auto sentence = "xgrad: result(): there is no result yet, because no call of this object has succeeded";
    auto train = trainer_of(2);
    xg::function total{xg::sum(x)};
    CHECK(message_of<xg::binding_error>([&] { train.result(); }) == sentence);
    CHECK(message_of<xg::binding_error>([&] { total.result(); }) == sentence);
    std::vector<float> const ones(4, 1.f);
    CHECK(total.try_call(x = xg::array(ones, 2, 2)).code == xg::status_code::capacity_exceeded);
    CHECK(message_of<xg::binding_error>([&] { total.result(); }) == sentence);
    CHECK(total(x = xg::array(ones, 2, 2)) == 4);
    CHECK(total.result() == 4);
    CHECK(!total.try_call(x = xg::array(ones, 4, 1)));
    CHECK(total.result() == 4);   // of the last call that succeeded
}
TEST_CASE("two calls of one object at the same time") {
    auto train = trainer_of(2);
    std::vector<float> const many(1 << 22, 1.f);
    auto const all = xg::array(many, 1 << 21, 2);
    train.reserve(batch = 1 << 21);
    std::atomic<int> refused{0}, steps{0};
    auto const work = [&] {
        while (refused == 0 && steps < 100000) {
            xg::status const s = train.try_step(x = all);
            if (s.code == xg::status_code::in_use) ++refused;
            else if (s) ++steps;
        }
    };
    std::thread other(work);
    work();
    other.join();
    CHECK(refused > 0);
    CHECK(train.global_step() == steps);   // the others are whole
    CHECK(train.try_step(x = all));        // and nothing is left behind
}
#endif
