// SPDX-License-Identifier: MIT
// Variables of bfloat16 and float16: gradients and slots of float, master copies, steps in parts, values, growth, checkpoints.
#include <xgrad/xgrad.hpp>

#include <xgrad/inspect/describe.hpp>
#include <xgrad/io/checkpoint.hpp>
#include <xgrad/io/safetensors.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "half_rules.hpp"
#include <support/temporary_folder.hpp>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

inline constexpr xg::dim batch{"batch"}, users{"users"};

using half_rules::differences;
using half_rules::sine_numbers;
}   // namespace

TEST_CASE("slots have types of their own: as the rule says, or float") {
    constexpr auto w = xg::variable<"w", xg::float16, 4>;
    auto train = xg::minimize(xg::sum(w * w), xg::adam{});
    static_assert(std::is_same_v<decltype(train.slot<"m">(w)), xg::tensor_view<float, 1>>);
    train.initialize(xg::random_uniform{.seed = 1});
    float const before = train.value(w)[2];
    train();
    CHECK(train.slot(w, "m")[2] == doctest::Approx(0.1 * 2 * before));
    CHECK(train.slot<"v">(w)[2] == doctest::Approx(0.001 * 4 * before * before));
}

TEST_CASE_TEMPLATE("a float master with a copy of 16 bits beside it", H, xg::bfloat16, xg::float16) {
    // forward and backward read the copy, the rule moves the master: the gradient of the copy is the master's
    constexpr auto master = xg::variable<"master", float, 6, 5>;
    constexpr auto low = xg::non_trainable<"low", H, 6, 5>;
    constexpr auto x = xg::input<"x", float, batch, 6>;
    constexpr auto loss = xg::mean(xg::square(xg::matmul(x, low) - 1_c));
    constexpr auto g = xg::gradient_of(loss, low);
    static_assert(xg::value_of<decltype(g)>.type == xg::dtype::float32);
    auto train = xg::minimize(xg::sum(master * xg::stop_gradient(g)), xg::gradient_descent{.learning_rate = 1e-3},
        xg::assign(low, xg::cast<H>(xg::updated(master))));
    // the same in which the copy alone is trained: the steps are too small for it
    constexpr auto alone = xg::variable<"alone", H, 6, 5>;
    auto stuck = xg::minimize(xg::mean(xg::square(xg::matmul(x, alone) - 1_c)), xg::gradient_descent{.learning_rate = 1e-3});
    std::vector<float> start(30);
    for (std::size_t i = 0; i < 30; ++i) start[i] = 1 + 0.25f * std::sin(static_cast<float>(i));
    auto const given = xg::array(start.data(), 6, 5);
    train.assign(master, given);
    train.assign(low, given);
    stuck.assign(alone, given);
    auto const in = sine_numbers<float>(3 * 6);
    auto const images = xg::array(in.data(), 3, 6);
    xg::function value{loss, train};
    float const first = value(x = images);
    for (int step = 0; step < 300; ++step) {
        train(x = images);
        stuck(x = images);
        REQUIRE(differences(train.value(low), train.value(master)) == 0);
    }
    float const last = value(x = images), without = stuck(x = images);
    CHECK(last < 0.9f * first);
    if constexpr (std::is_same_v<H, xg::bfloat16>) CHECK(first - without < 0.25f * (first - last));
}

TEST_CASE("a step in two parts shows gradients of float") {
    constexpr auto t = xg::variable<"t", xg::bfloat16, 5, 3>;
    constexpr auto b = xg::variable<"b", xg::float16, 3>;
    constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
    auto train = xg::minimize<xg::gating::graph>(xg::sum(xg::square(xg::gather(t, ids) + b)), xg::gradient_descent{.learning_rate = 0.25});
    train.initialize(xg::random_uniform{.seed = 4, .range = 2});
    std::vector<std::int32_t> const rows{1, 4};
    float const t0 = train.value(t)(4, 1), b0 = train.value(b)[1], other = train.value(t)(1, 1);
    train.compute_gradients(ids = rows);
    auto const slices = train.gradient(t);
    auto const dense = train.gradient(b);
    static_assert(std::is_same_v<decltype(slices.values), xg::tensor_view<float, 2>>);
    static_assert(std::is_same_v<decltype(dense), xg::tensor_view<float, 1> const>);
    CHECK(slices.values(1, 1) == 2 * (t0 + b0));
    CHECK(dense[1] == doctest::Approx(2 * (t0 + b0) + 2 * (other + b0)));
    dense[1] = 0.5f;
    train.apply_gradients();
    CHECK(train.value(b)[1].bits == xg::float16(b0 - 0.125f).bits);
    CHECK(train.value(t)(4, 1).bits == xg::bfloat16(t0 - 0.5f * (t0 + b0)).bits);
}

TEST_CASE("gradients that the user has made are float; a state of 16 bits is set to what is cast to it") {
    constexpr auto w = xg::variable<"w", xg::bfloat16, 7>;
    constexpr auto average = xg::non_trainable<"average", xg::float16, 7>;
    constexpr auto loss = xg::sum(w * w);
    auto train = xg::apply_gradients(xg::gradient_descent{.learning_rate = 1}, loss,
        xg::with_variable(xg::maximum(xg::minimum(xg::gradient_of(loss, w), 0.25_c), -0.25_c), w));
    train.assign(w, std::vector<xg::bfloat16>(7, xg::bfloat16(3.0f)));
    train();
    CHECK(static_cast<float>(train.value(w)[6]) == 2.75f);
    auto averaged = xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.25},
        xg::assign(average, xg::cast<xg::float16>(0.5_c * average + 0.5_c * xg::updated(w))));
    averaged.assign(w, std::vector<float>(7, 3.0f));
    CHECK(averaged() == 63);
    CHECK(static_cast<float>(averaged.value(w)[0]) == 1.5f);
    CHECK(static_cast<float>(averaged.value(average)[0]) == 0.75f);
    averaged();
    CHECK(static_cast<float>(averaged.value(average)[6]) == 0.75f);
}

namespace {
/// The gradients are what is fed.
template<class T>
struct fed {
    static constexpr auto g = xg::input<"g", float, 5, 3>;
    static constexpr auto rows = xg::input<"rows", float, batch, 3>;
    static constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
    static constexpr auto w = xg::variable<"w", T, 5, 3>;
    static constexpr auto t = xg::variable<"t", T, 7, 3>;
    static constexpr auto loss = xg::sum(w * g) + xg::sum(xg::gather(t, ids) * rows);
};
}   // namespace

TEST_CASE("master weights in a trainer: dense and by rows as a float variable, over a checkpoint") {
    using half = fed<xg::bfloat16>;
    using wide = fed<float>;
    auto const split = xg::master_weights<xg::bfloat16>(xg::lazy_adam{.learning_rate = 0.01});
    auto train = xg::minimize(half::loss, split), again = xg::minimize(half::loss, split);
    auto floats = xg::minimize(wide::loss, xg::lazy_adam{.learning_rate = 0.01});
    std::vector<float> const slopes = sine_numbers<float>(15), of_rows = sine_numbers<float>(12, 0.5f);
    temporary_folder const folder;
    for (int step = 0; step < 8; ++step) {
        std::vector<std::int32_t> const which{step % 7, 3, step % 7, 6};
        auto const run = [&](auto& trainer) {
            trainer(half::g = xg::array(slopes.data(), 5, 3), half::rows = xg::array(of_rows.data(), 4, 3), half::ids = which);
        };
        run(train);
        run(floats);
        if (step == 4) {
            xg::save(train, (folder.path / "split.safetensors").string());
            xg::restore(again, (folder.path / "split.safetensors").string());
        } else if (step > 4) run(again);
    }
    int wrong = 0;
    auto const as_float = [&](auto const& low, auto const& rest, auto const& full, auto const& other, auto const& other_rest) {
        for (std::int64_t i = 0; i < full.size(); ++i)
            wrong += static_cast<float>(low[i]) + rest[i] != full[i] || low[i].bits != other[i].bits || rest[i] != other_rest[i];
    };
    as_float(train.value(half::w), train.slot<"rest">(half::w), floats.value(wide::w), again.value(half::w), again.slot<"rest">(half::w));
    as_float(train.value(half::t), train.slot<"rest">(half::t), floats.value(wide::t), again.value(half::t), again.slot<"rest">(half::t));
    CHECK(wrong == 0);
    CHECK(static_cast<float>(train.value(half::w)[1]) != 0);
}

TEST_CASE_TEMPLATE("values, sizes that grow, checkpoints", H, xg::bfloat16, xg::float16) {
    constexpr auto t = xg::variable<"t", H, users, 3>;
    constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
    constexpr auto loss = xg::sum(xg::square(xg::gather(t, ids)));
    auto train = xg::minimize(loss, xg::lazy{xg::adam{.learning_rate = 0.1}}, users = 4);
    train.initialize(xg::random_uniform{.seed = 5, .range = 1});
    static_assert(std::is_same_v<decltype(train.value(t)), xg::tensor_view<H, 2>>);
    // the numbers of a float variable of this name, rounded
    constexpr auto wide = xg::variable<"t", float, users, 3>;
    xg::variables others{xg::sum(wide), users = 6};
    others.initialize(xg::random_uniform{.seed = 5, .range = 1});
    for (int i = 0; i < 12; ++i) CHECK(train.value(t)[i].bits == H(others.value(wide)[i]).bits);
    train(ids = std::vector<std::int32_t>{0, 3});
    H const kept = train.value(t)(3, 2);
    float const slot = train.slot(t, "m")(3, 2);
    train.grow(users = 6, xg::random_uniform{.seed = 5, .range = 1});
    CHECK(train.value(t)(3, 2).bits == kept.bits);
    CHECK(train.slot(t, "m")(3, 2) == slot);
    CHECK(train.slot(t, "m")(5, 2) == 0);
    CHECK(train.value(t)(5, 2).bits == H(others.value(wide)(5, 2)).bits);
    std::vector<std::int32_t> const rows{5, 0, 5};
    train(ids = rows);

    temporary_folder const folder;
    std::string const path = (folder.path / "half.safetensors").string();
    xg::save(train, path);
    xg::safetensors_file const file(path);
    REQUIRE(file.find("t") != nullptr);
    CHECK(file.find("t")->type == xg::dtype_of<H>);
    CHECK(file.find("t")->template values<H>()[17].bits == train.value(t)(5, 2).bits);
    auto again = xg::minimize(loss, xg::lazy{xg::adam{.learning_rate = 0.1}}, users = 6);
    xg::restore(again, path);
    for (int step = 0; step < 3; ++step) CHECK(train(ids = rows) == again(ids = rows));
    for (int i = 0; i < 18; ++i) CHECK(train.value(t)[i].bits == again.value(t)[i].bits);
    // a float variable does not take the numbers of another type
    CHECK_THROWS_AS(xg::restore(others, path), xg::error);
}

TEST_CASE("trainers and functions share a variable of 16 bits; a plan says what it is") {
    constexpr auto w = xg::variable<"w", xg::float16, 3, 4>;
    constexpr auto x = xg::input<"x", xg::bfloat16, batch, 3>;
    constexpr auto y = xg::matmul(x, w);
    auto first = xg::minimize(xg::sum(y), xg::gradient_descent{.learning_rate = 0.5});
    auto second = xg::minimize(xg::sum(w * w), xg::adam{.learning_rate = 0.25}, first);
    xg::function f{y, first};
    std::vector<xg::bfloat16> const in(3, xg::bfloat16(1.0f));
    auto const image = xg::array(in.data(), 1, 3);
    first(x = image);
    second();
    for (float e : first.value(w)) CHECK(e == doctest::Approx(-0.25).epsilon(1e-3));
    CHECK(f(x = image)[2] == doctest::Approx(-0.75).epsilon(1e-3));
    // under the name and shape, but of another type, it is another variable
    constexpr auto wide = xg::variable<"w", float, 3, 4>;
    CHECK_THROWS_AS(static_cast<void>(xg::minimize(xg::sum(wide), xg::adam{}, first)), xg::shape_error);
    std::string const text = xg::describe(first);
    CHECK(text.find("x [batch, 3] bfloat16") != std::string::npos);
    CHECK(text.find("w [3, 4] float16") != std::string::npos);
}
