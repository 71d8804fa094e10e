// SPDX-License-Identifier: MIT
// Several trainers on the variables of one store: each has its rules, slots, scalars and step, all see what any of them changes.
#include <xgrad/io/checkpoint.hpp>
#include <xgrad/io/safetensors.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <support/copy.hpp>
#include <support/message_of.hpp>
#include <support/same_bits.hpp>
#include <support/temporary_folder.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

using list = std::vector<float>;
inline constexpr xg::dim features{"features"};
inline constexpr xg::dim batch{"batch"};
constexpr auto w = xg::variable<"w", float, 7>;
constexpr auto v = xg::variable<"v", float, 7>;
constexpr auto x = xg::input<"x", float, 7>;
constexpr auto near_x = xg::sum(xg::square(w * v - x));
constexpr auto small = 0.5_c * xg::sum(xg::square(w)) + xg::sum(v);
list const target{1, 2, 3, -1, -2, .5f, 4};

}   // namespace

TEST_CASE("two trainers on one store give the bits of two with their own, between which variables are carried") {
    xg::variables vars{near_x, small};
    vars.initialize(xg::random_uniform{.seed = 3});
    auto fit = xg::minimize(near_x, xg::adam{.learning_rate = .05}, vars);
    auto shrink = xg::minimize(small, xg::adam{.learning_rate = .01}, vars);
    auto alone_fit = xg::minimize(near_x, xg::adam{.learning_rate = .05});
    auto alone_shrink = xg::minimize(small, xg::adam{.learning_rate = .01});
    auto carry = [](auto& to, auto const& from) {
        to.value(w) = from.value(w);
        to.value(v) = from.value(v);
    };
    carry(alone_fit, vars);
    for (int k = 0; k < 9; ++k) {
        CHECK(fit(x = target) == alone_fit(x = target));
        if (k % 3 != 2) continue;   // three of one, one of the other
        carry(alone_shrink, alone_fit);
        CHECK(shrink() == alone_shrink());
        carry(alone_fit, alone_shrink);
    }
    CHECK(test::same_bits(test::copy(vars.value(w)), test::copy(alone_fit.value(w))));
    CHECK(test::same_bits(test::copy(shrink.value(v)), test::copy(alone_fit.value(v))));
    for (char const* slot : {"m", "v"}) {
        CHECK(test::same_bits(test::copy(fit.slot(w, slot)), test::copy(alone_fit.slot(w, slot))));
        CHECK(test::same_bits(test::copy(shrink.slot(w, slot)), test::copy(alone_shrink.slot(w, slot))));
    }
    CHECK(std::ranges::equal(fit.optimizer().powers, alone_fit.optimizer().powers));
    CHECK(std::ranges::equal(shrink.optimizer().powers, alone_shrink.optimizer().powers));
    CHECK(fit.global_step() == 9);
    CHECK(shrink.global_step() == 3);
}

TEST_CASE("a trainer may share the variables of another one, and train some of them") {
    auto left = xg::minimize(near_x, xg::param_group(xg::gradient_descent{.learning_rate = .01}, w));
    left.initialize(xg::random_uniform{.seed = 1});
    auto right = xg::minimize(near_x, xg::param_group(xg::momentum{.learning_rate = .01}, v), left);
    list const w0 = test::copy(left.value(w)), v0 = test::copy(left.value(v));
    right(x = target);
    CHECK(test::same_bits(test::copy(right.value(w)), w0));
    list const v1 = test::copy(left.value(v));
    CHECK(!test::same_bits(v1, v0));
    left(x = target);
    CHECK(test::same_bits(test::copy(right.value(v)), v1));
    CHECK(!test::same_bits(test::copy(right.value(w)), w0));
    CHECK_THROWS_AS(right.slot(w, "momentum"), xg::binding_error);
    CHECK_NOTHROW(right.slot(v, "momentum"));
    // gradients in the user's hands likewise
    auto by_hand =
        xg::apply_gradients(xg::gradient_descent{.learning_rate = 1}, near_x, xg::with_variable(xg::gradient_of(small, w), w), left);
    list const before = test::copy(left.value(w));
    by_hand(x = target);
    for (std::size_t i = 0; i < before.size(); ++i) CHECK(left.value(w)[static_cast<std::int64_t>(i)] == before[i] - before[i]);
}

TEST_CASE("the store lives as long as somebody shares it, and stays where it is") {
    auto vars = std::make_unique<xg::variables<decltype(near_x)>>(near_x);
    vars->initialize(xg::random_uniform{.seed = 2});
    auto view = vars->value(w);
    auto train = xg::minimize(near_x, xg::adam{}, *vars);
    auto elsewhere = std::move(*vars);
    vars.reset();
    list const before = test::copy(view);
    train(x = target);
    CHECK(view.data() == train.value(w).data());
    CHECK(!test::same_bits(test::copy(view), before));
    std::optional moved(std::move(train));
    {
        auto const last = std::move(elsewhere);
        CHECK(last.value(w).data() == view.data());
    }
    (*moved)(x = target);
    CHECK(view.data() == moved->value(w).data());
    xg::function sum{xg::sum(w), *moved};
    float expected = 0;
    for (float const e : test::copy(view)) expected += e;
    CHECK(sum() == doctest::Approx(expected));
}

TEST_CASE("slots go with their trainer") {
    xg::variables vars{near_x};
    auto first = xg::minimize(near_x, xg::adam{}, vars);
    {
        auto second = xg::minimize(near_x, xg::adam{}, vars);
        CHECK(vars.store().optimizers().count == 2);
        second(x = target);
        auto moved = std::move(second);
        moved(x = target);
        CHECK(moved.global_step() == 2);
    }
    CHECK(vars.store().optimizers().count == 1);
    CHECK(vars.store().optimizers().at[0] == &first.optimizer());
    CHECK(first.global_step() == 0);
    CHECK(vars.store().steps == 2);
    first(x = target);
    {
        auto third = xg::minimize(near_x, xg::adam{}, vars);
        first.reset_optimizer();
        CHECK(vars.store().steps == 3);   // what the others draw does not repeat
    }
    first.reset_optimizer();
    CHECK(vars.store().steps == 0);
    CHECK_THROWS_AS(static_cast<void>(xg::minimize(near_x, xg::adam{.beta1 = 1.0}, vars)), xg::value_error);
    CHECK(vars.store().optimizers().count == 1);
}

TEST_CASE("variables that the owner does not have, or has otherwise") {
    constexpr auto stranger = xg::variable<"stranger", float, 7>;
    constexpr auto longer = xg::variable<"w", float, 8>;
    constexpr auto wider = xg::variable<"w", double, 7>;
    xg::variables vars{near_x};
    CHECK(test::message_of<xg::binding_error>([&] {
        static_cast<void>(xg::minimize(xg::sum(w * stranger), xg::adam{}, vars));
    }).find("\"stranger\"") != std::string::npos);
    CHECK(test::message_of<xg::shape_error>([&] { static_cast<void>(xg::minimize(xg::sum(longer), xg::adam{}, vars)); }).find("\"w\"") !=
          std::string::npos);
    CHECK(test::message_of<xg::shape_error>([&] { static_cast<void>(xg::minimize(xg::sum(wider), xg::adam{}, vars)); }).find("\"w\"") !=
          std::string::npos);
    CHECK_THROWS_AS(static_cast<void>(xg::minimize(xg::sum(xg::variable<"w", float, features>), xg::adam{}, vars)), xg::shape_error);
    CHECK(vars.store().optimizers().count == 0);
}

TEST_CASE("what one trainer draws, no other draws again") {
    constexpr auto noisy = xg::sum(xg::uniform_like<"noise">(w)) + 0_c * xg::sum(w);
    auto alone = xg::minimize(noisy, xg::gradient_descent{});
    auto left = xg::minimize(noisy, xg::gradient_descent{});
    auto right = xg::minimize(noisy, xg::gradient_descent{}, left);
    alone.initialize(xg::random_uniform{.seed = 5});
    right.initialize(xg::random_uniform{.seed = 5});
    list drawn, expected;
    for (int k = 0; k < 6; ++k) {
        expected.push_back(alone());
        drawn.push_back(k % 2 == 0 ? left() : right());
    }
    CHECK(test::same_bits(drawn, expected));
    xg::function draw{noisy, right};
    CHECK(draw() == alone());
}

TEST_CASE("variables grow for all trainers, with the slots of each") {
    constexpr auto table = xg::variable<"table", float, features, 3>;
    constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
    constexpr auto loss = xg::sum(xg::square(xg::gather(table, ids) - 1_c));
    constexpr auto all = xg::sum(xg::square(table));
    xg::variables vars{loss, all, features = 4};
    vars.initialize(xg::random_uniform{.seed = 8});
    auto rows = xg::minimize(loss, xg::adagrad{.initial_accumulator = .25}, vars);
    auto whole = xg::minimize(all, xg::momentum{.learning_rate = .1}, vars);
    std::vector<std::int32_t> const some{3, 1}, more{3, 5};
    rows(ids = some);
    whole();
    list const values_before = test::copy(vars.value(table)), accumulator = test::copy(rows.slot(table, "accumulator")),
               momentum = test::copy(whole.slot(table, "momentum"));
    CHECK_THROWS_AS(rows(ids = more), xg::value_error);
    whole.grow(features = 6, xg::random_uniform{.seed = 8});
    auto const begins = [](list const& longer, list const& shorter) {
        return longer.size() == 18 && std::equal(shorter.begin(), shorter.end(), longer.begin());
    };
    CHECK(begins(test::copy(rows.value(table)), values_before));
    CHECK(begins(test::copy(rows.slot(table, "accumulator")), accumulator));
    CHECK(begins(test::copy(whole.slot(table, "momentum")), momentum));
    CHECK(rows.slot(table, "accumulator")(5, 2) == .25f);
    CHECK(whole.slot(table, "momentum")(4, 0) == 0);
    auto fresh = xg::minimize(all, xg::momentum{}, features = 6);
    fresh.initialize(xg::random_uniform{.seed = 8});
    CHECK(rows.value(table)(5, 1) == fresh.value(table)(5, 1));
    rows(ids = more);
    CHECK(rows.slot(table, "accumulator")(5, 2) > .25f);
    whole();
    CHECK(whole.slot(table, "momentum")(5, 2) != 0);
    // a failing growth changes nothing
    float const* const at = vars.value(table).data();
    CHECK_THROWS_AS(rows.grow(features = 5, xg::random_uniform{}), xg::shape_error);
    CHECK(vars.value(table).data() == at);
}

TEST_CASE("who declares a variable with other extents than its owner stops where it has grown") {
    constexpr xg::dim others{"others"};
    constexpr auto a = xg::variable<"a", float, features>;
    constexpr auto b = xg::variable<"b", float, others>;
    constexpr auto a_as_b = xg::variable<"a", float, others>;
    constexpr auto a_of_four = xg::variable<"a", float, 4>;
    xg::variables vars{xg::sum(a) + xg::sum(b), features = 4, others = 4};
    vars.initialize(xg::random_uniform{.seed = 1});
    auto chance = xg::minimize<xg::gating::graph>(xg::sum(xg::square(a_as_b)) + xg::sum(b), xg::momentum{}, vars);
    xg::function four{xg::sum(a_of_four), vars};
    chance();
    float const sum = four();
    chance.compute_gradients();
    vars.grow(others = 900, xg::random_uniform{.seed = 1});
    CHECK(four() == sum);
    list const before_a = test::copy(vars.value(a)), before_b = test::copy(vars.value(b));
    for (int k = 0; k < 2; ++k) {
        CHECK_THROWS_WITH_AS(chance(), doctest::Contains("variable \"a\" has grown"), xg::shape_error);
        CHECK(chance.try_step().code == xg::status_code::outgrown);
        CHECK_THROWS_AS(chance.reserve(), xg::shape_error);
        CHECK_THROWS_AS(chance.apply_gradients(), xg::binding_error);
    }
    CHECK(test::same_bits(test::copy(vars.value(a)), before_a));
    CHECK(test::same_bits(test::copy(vars.value(b)), before_b));
    vars.grow(features = 900, xg::random_uniform{.seed = 1});
    chance();   // equal again
    CHECK_THROWS_AS(four(), xg::shape_error);
}

TEST_CASE("a checkpoint tells the trainers apart, whoever saves and restores it") {
    temporary_folder folder;
    auto const path = folder.path / "two.safetensors";
    struct model {
        xg::variables<decltype(near_x), decltype(small)> vars{near_x, small};
        decltype(xg::minimize(near_x, xg::adam{}, vars)) fit = xg::minimize(near_x, xg::adam{}, vars);
        decltype(xg::minimize(small, xg::adam{}, vars)) shrink = xg::minimize(small, xg::adam{.learning_rate = .02}, vars);
        void step() {
            fit(x = target);
            shrink();
            fit(x = target);
        }
        std::vector<list> state() {
            std::vector<list> all{test::copy(vars.value(w)), test::copy(vars.value(v))};
            for (char const* slot : {"m", "v"}) {
                all.push_back(test::copy(fit.slot(w, slot)));
                all.push_back(test::copy(shrink.slot(w, slot)));
            }
            return all;
        }
    };
    model one, two;
    one.vars.initialize(xg::random_uniform{.seed = 4});
    one.step();
    xg::save(one.fit, path);
    xg::restore(two.shrink, path);
    CHECK(two.state() == one.state());
    CHECK(two.fit.global_step() == 2);
    CHECK(two.shrink.global_step() == 1);
    CHECK(two.vars.store().steps == 3);
    one.step();
    two.step();
    CHECK(two.state() == one.state());
    CHECK(std::ranges::equal(two.fit.optimizer().powers, one.fit.optimizer().powers));
    CHECK(std::ranges::equal(two.shrink.optimizer().powers, one.shrink.optimizer().powers));
    xg::safetensors_file const file(path);
    for (char const* name :
        {"w", "w/Adam", "w/Adam_1", "w/Adam_2", "w/Adam_3", "beta1_power", "beta2_power_1", "global_step", "global_step_1"})
        CHECK_MESSAGE(file.find(name) != nullptr, name);
    CHECK(file.metadata().count("xgrad.steps") == 0);

    // another number of trainers, other rules
    auto alone = xg::minimize(near_x, xg::adam{});
    CHECK_THROWS_AS(xg::restore(alone, path), xg::checkpoint_error);
    CHECK_NOTHROW(xg::restore(alone, path, xg::variables_only));
    CHECK(test::same_bits(test::copy(alone.value(w)), two.state()[0]) == false);   // the state before the second round
    auto other = xg::minimize(near_x, xg::adam{});
    auto second = xg::minimize(small, xg::lazy_adam{}, other);
    auto const text = test::message_of<xg::checkpoint_error>([&] { xg::restore(other, path); });
    CHECK_MESSAGE(text.find("trained by lazy_adam (lazy) here and by adam (exact) in the file (trainer 2)") != std::string::npos, text);
    CHECK(second.global_step() == 0);
    // trainers that are gone have drawn random numbers too
    one.vars.store().steps = 17;
    xg::save(one.vars, path);
    CHECK(xg::safetensors_file(path).metadata().at("xgrad.steps") == "17");
    xg::restore(two.vars, path);
    CHECK(two.vars.store().steps == 17);
    CHECK(two.fit.global_step() == 4);
}

TEST_CASE("one optimizer minimizes two losses: slots, powers and step go on with both") {
    constexpr auto part = xg::input<"part", float>;
    auto fit = xg::minimize(near_x, xg::adam{.learning_rate = .05});
    fit.initialize(xg::random_uniform{.seed = 3});
    auto shrink = xg::minimize(small, xg::same_optimizer(fit));
    auto both = xg::minimize(part * near_x + (1.0_c - part) * small, xg::adam{.learning_rate = .05});   // one loss or the other
    both.value(w) = fit.value(w);
    both.value(v) = fit.value(v);
    for (int k = 0; k < 7; ++k)
        if (k % 3 == 1) CHECK(shrink() == doctest::Approx(both(x = target, part = 0.0f)));
        else CHECK(fit(x = target) == doctest::Approx(both(x = target, part = 1.0f)));
    for (std::int64_t i = 0; i < 7; ++i) {
        CHECK(shrink.value(w)[i] == doctest::Approx(both.value(w)[i]));
        CHECK(shrink.slot(v, "v")[i] == doctest::Approx(both.slot(v, "v")[i]));
    }
    CHECK(shrink.slot(w, "m").data() == fit.slot(w, "m").data());
    CHECK(std::ranges::equal(shrink.optimizer().powers, both.optimizer().powers));
    CHECK(fit.global_step() == 7);
    CHECK(shrink.global_step() == 7);
    CHECK(shrink.store().optimizers().count == 1);
}

TEST_CASE("a shared optimizer lives as long as one of its trainers, and is saved and restored with any") {
    temporary_folder const folder;
    std::optional fit(xg::minimize(near_x, xg::momentum{.learning_rate = .01}));
    fit->initialize(xg::random_uniform{.seed = 3});
    auto of_w = xg::minimize(small, xg::same_optimizer(*fit, w));
    auto by_hand = xg::apply_gradients(xg::same_optimizer(*fit), near_x, xg::with_variable(xg::gradient_of(small, v), v));
    (*fit)(x = target);
    list const v1 = test::copy(fit->value(v));
    of_w();
    CHECK(test::same_bits(test::copy(fit->value(v)), v1));
    auto only_w = xg::minimize(near_x, xg::param_group(xg::momentum{.learning_rate = .01}, w));
    CHECK_THROWS_WITH_AS(static_cast<void>(xg::minimize(small, xg::same_optimizer(only_w))),
        "xgrad::same_optimizer(train): train does not move the variable \"v\", so that its optimizer has no slots for it; name those that both move: "
        "same_optimizer(train, v...)",
        xg::binding_error);
    CHECK(only_w.store().optimizers().count == 1);
    xg::save(by_hand, folder.path / "both.safetensors");
    list const m = test::copy(fit->slot(v, "momentum"));
    fit.reset();
    by_hand(x = target);
    CHECK(!test::same_bits(test::copy(by_hand.slot(v, "momentum")), m));
    CHECK(by_hand.global_step() == 3);
    xg::restore(of_w, folder.path / "both.safetensors");
    CHECK(test::same_bits(test::copy(by_hand.slot(v, "momentum")), m));
    CHECK(by_hand.global_step() == 2);
    of_w.reset_optimizer();
    CHECK(by_hand.global_step() == 0);
    CHECK(by_hand.slot(v, "momentum")[0] == 0);
}
