// SPDX-License-Identifier: MIT
// Trainers and functions without their types, arrays by name.
#include <support/message_of.hpp>
#include <support/temporary_folder.hpp>

#include <xgrad/io/checkpoint.hpp>
#include <xgrad/train/any_trainer.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

namespace {
inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 3>;
constexpr auto ids = xg::input<"ids", std::int64_t, batch>;
constexpr auto rate = xg::input<"rate", float>;
constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto table = xg::variable<"table", float, 5>;
constexpr auto y = xg::sum<1>(x * w) + xg::gather(table, ids);
constexpr auto loss = xg::mean(xg::square(y - rate));

std::vector<float> const rows{1, 2, 3, 4, 5, 6};
std::vector<std::int64_t> const words{4, 0};
auto make() {
    auto train = xg::minimize(loss, xg::adam{.learning_rate = 0.125});
    train.initialize(xg::random_uniform{.seed = 2});
    return train;
}
}   // namespace

TEST_CASE("any_trainer: the steps of the trainer that it holds, by names") {
    auto plain = make();
    xg::any_trainer any = make();
    for (int i = 0; i < 5; ++i) {
        float const expected = plain(x = xg::array(rows, 2, 3), ids = words, rate = 0.5f);
        CHECK(any({{"x", xg::array(rows, 2, 3)}, {"rate", 0.5f}, {"ids", words}}) == static_cast<double>(expected));
    }
    CHECK(any.global_step() == 5);
    CHECK(any.variable_names() == std::vector<std::string_view>{"w", "table"});
    auto const view = any.value("w");
    CHECK(view.shape == std::vector<std::int64_t>{3});
    for (int i = 0; i < 3; ++i) CHECK(view.as<float>()[static_cast<std::size_t>(i)] == plain.value(w)(i));
    auto const inputs = any.inputs();
    CHECK(inputs.size() == 3);
    for (auto const& i : inputs)
        CHECK((i.name == "x"     ? i.rank == 2 && i.type == xg::dtype::float32
               : i.name == "ids" ? i.type == xg::dtype::int64
                                 : i.name == "rate"));

    xg::any_function predict = xg::function{y, any};
    xg::function expected{y, plain};
    auto const a = expected(x = xg::array(rows, 2, 3), ids = words);
    auto const b = predict({{"x", xg::array(rows, 2, 3)}, {"ids", words}});
    CHECK(b.shape == std::vector<std::int64_t>{2});
    for (int i = 0; i < 2; ++i) CHECK(b.as<float const>()[static_cast<std::size_t>(i)] == a(i));
    xg::any_function whole = xg::function{loss, any};
    CHECK(whole({{"x", xg::array(rows, 2, 3)}, {"ids", words}, {"rate", 0.f}}).as<float>()[0] ==
          xg::function{loss, plain}(x = xg::array(rows, 2, 3), ids = words, rate = 0.f));
}
TEST_CASE("any_trainer: initial values, room, checkpoints") {
    temporary_folder const folder;
    auto const path = (folder.path / "any.safetensors").string();
    auto plain = make();
    xg::any_trainer any = xg::minimize(loss, xg::adam{.learning_rate = 0.125});
    any.initialize(xg::random_uniform{.seed = 2});
    any.reserve({batch = 16});
    CHECK(any.value("table").as<float>()[3] == plain.value(table)(3));
    any({{"x", xg::array(rows, 2, 3)}, {"ids", words}, {"rate", 1.f}});
    xg::save(any, path);
    xg::restore(plain, path);
    CHECK(plain.global_step() == 1);
    CHECK(any.value("w").as<float>()[0] == plain.value(w)(0));
}
TEST_CASE("any_trainer: a list that is made at run time, also for a trainer whose type is known; integers of the same size") {
    std::vector<long long> const longs{4, 0};
    std::vector<xg::named_array> list{{"x", xg::array(rows, 2, 3)}, {"rate", rows[0]}};
    list.emplace_back("ids", longs);
    auto one = make(), two = make();
    CHECK(one(xg::named_arrays(list)) == two(x = xg::array(rows, 2, 3), ids = words, rate = 1.f));
}
TEST_CASE("any_trainer: rules that scale the loss give its scale themselves") {
    auto const scaled = [] { return xg::minimize(loss, xg::chain(xg::fixed_loss_scale{8}, xg::gradient_descent{.learning_rate = 0.125})); };
    auto plain = scaled();
    xg::any_trainer any = scaled();
    CHECK(any.inputs().size() == 3);
    for (int i = 0; i < 2; ++i)
        CHECK(any({{"x", xg::array(rows, 2, 3)}, {"ids", words}, {"rate", 1.f}}) ==
              static_cast<double>(plain(x = xg::array(rows, 2, 3), ids = words, rate = 1.f)));
}
TEST_CASE("any_trainer: what is wrong with a call, and nothing has changed") {
    xg::any_trainer any = make();
    auto const a = xg::array(rows, 2, 3);
    auto const says = [&](auto const& list) { return test::message_of<xg::error>([&] { any(xg::named_arrays(list)); }); };
    using list = std::vector<xg::named_array>;
    CHECK(says(list{{"x", a}, {"z", a}}) == "xgrad: the expression has no input \"z\"; it has \"x\", \"ids\", \"rate\"");
    CHECK(says(list{{"x", a}, {"x", a}}) == "xgrad: the input \"x\" is bound twice in this call");
    CHECK(says(list{{"x", words}}) == "xgrad: the input \"x\" has elements of type float, the array of type int64");
    CHECK(says(list{{"x", a}, {"ids", words}}) == "xgrad: input \"rate\" is missing in the call; write rate = array");
    CHECK(test::message_of<xg::shape_error>([&] {
        any({{"x", rows}, {"ids", words}, {"rate", 0.f}});
    }).find("has rank 2") != std::string::npos);
    CHECK(test::message_of<xg::binding_error>([&] { any.value("q"); }) ==
          "xgrad: any_trainer: there is no variable \"q\"; it has \"w\", \"table\"");
    CHECK(test::message_of<xg::dtype_error>([&] { any.value("w").as<double>(); }) ==
          "xgrad: any_view::as: the elements are of type float, and are asked for as double");
    CHECK(any.global_step() == 0);
    auto const taken = std::move(any);
    CHECK(test::message_of<xg::binding_error>([&] { any.global_step(); }).find("moved from") != std::string::npos);
}
