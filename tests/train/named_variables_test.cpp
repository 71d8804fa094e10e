// SPDX-License-Identifier: MIT
// Variables with named dimensions: bound where the owner is made, checked by every call.
#include <train/named_variables.hpp>

using namespace named_variables;

TEST_CASE("gradients against finite differences; owners without a trainer; extents made of named ones") {
    xg::variables vars{named::loss, features = 4, width = 3};
    vars.initialize(xg::random_uniform{.seed = 5, .range = 1});
    CHECK(vars.value(named::w).shape() == std::array<std::int64_t, 2>{4, 3});
    auto const in = test::numbers<float>({3, 4}), out = test::numbers<float>({3});
    auto const rows = test::list<std::int32_t>({0, 3, 3});
    auto const r = xg::check_gradients(
        named::loss, xg::wrt(named::w, named::b, named::table, named::v, named::in), vars, named::in = in, ids = rows, y = out);
    CHECK_MESSAGE(r.ok, r.message);
    CHECK(r.checked == 12 + 3 + 12 + 3 + 12);

    constexpr auto half = xg::variable<"half", double, (features + 1) / 2>;
    constexpr auto more = xg::variable<"more", double, features + 1>;
    constexpr auto expression = xg::sum(xg::square(half)) + xg::sum(xg::slice<0, 0, features, 2>(xg::slice<0, 0, features>(more)) * half);
    xg::variables odd{expression, xg::sum(more), features = 7};
    CHECK(odd.value(half).size() == 4);
    CHECK(odd.value(more).size() == 8);
    odd.initialize(xg::random_uniform{.seed = 5, .range = 1});
    auto const s = xg::check_gradients(expression, xg::wrt(half, more), odd);
    CHECK_MESSAGE(s.ok, s.message);
}

TEST_CASE("sizes are checked where the owner is made") {
    CHECK_THROWS_AS(static_cast<void>(xg::minimize(named::loss, xg::adam{}, features = 3, batch = 4)), xg::binding_error);
    CHECK_THROWS_WITH(static_cast<void>(xg::minimize(named::loss, xg::adam{}, features = 3, batch = 4)),
        "xgrad: the size of the dimension \"width\" of the variable \"w\" is missing; write width = 300 where the owner is made");
    CHECK_THROWS_AS(static_cast<void>(xg::minimize(named::loss, xg::adam{}, features = -1, width = 4)), xg::value_error);
    constexpr auto rest = xg::variable<"rest", float, features - 4>;
    CHECK_THROWS_AS((xg::variables{xg::sum(rest), features = 3}), xg::shape_error);
    xg::variables empty{xg::sum(rest), features = 4};
    xg::function f{xg::sum(rest), empty};
    CHECK(f() == 0);
}

TEST_CASE("a call with another size names dimension and variable, and changes nothing") {
    auto train = xg::minimize(named::loss, xg::adam{.learning_rate = 0.1}, features = 11, width = 5);
    train.initialize(xg::glorot_uniform{.seed = 2});
    data const d;
    step<named>(train, d);
    auto const before = copy(train.value(named::w));
    auto const wide = test::numbers<float>({7, 12});
    CHECK_THROWS_AS(train(x = wide, ids = d.rows, y = d.out), xg::shape_error);
    CHECK_THROWS_WITH(train(x = wide, ids = d.rows, y = d.out),
        "xgrad: input \"x\": axis 1 must have extent 11 (the dimension \"features\" of the variable \"w\"), the array has 12");
    CHECK(train.try_step(x = wide, ids = d.rows, y = d.out).code == xg::status_code::wrong_extent);
    auto rows = d.rows;
    rows[3] = 11;
    CHECK_THROWS_WITH(train(x = d.in, ids = rows, y = d.out), "xgrad: input \"ids\": index 11 at offset 3 is out of range [0, 11)");
    CHECK(copy(train.value(named::w)) == before);
    CHECK(train.global_step() == 1);
    CHECK_THROWS_AS(train.reserve(batch = 4, features = 12), xg::shape_error);
    train.reserve(batch = 70, features = 11);
    CHECK(train.try_step(x = d.in, ids = d.rows, y = d.out));
    // functions take the sizes of the owner; one with other variables is refused
    xg::function f{named::hidden, train};
    CHECK(f(x = d.in, ids = d.rows).shape() == std::array<std::int64_t, 2>{7, 5});
    CHECK_THROWS_AS(f(x = wide, ids = d.rows), xg::shape_error);
    CHECK_THROWS_AS(static_cast<void>(xg::function{model<11, 4>::hidden, train}), xg::shape_error);
    xg::function known{fixed::hidden, train};   // the sizes agree
    CHECK(known(fixed::in = d.in, ids = d.rows)(6, 4) == doctest::Approx(f(x = d.in, ids = d.rows)(6, 4)));
}
