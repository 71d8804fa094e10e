// SPDX-License-Identifier: MIT
// Calls and branches of integers and bools; what they draw, look up and flush.
#include <support/function_of.hpp>
#include <support/tensor.hpp>

#include <algorithm>
#include <tuple>
#include <vector>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using test::function_of, test::list_of;
inline constexpr xg::dim batch{"batch"};
constexpr auto p = xg::input<"p", bool>;
constexpr auto which = xg::input<"which", std::int64_t>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
struct doubled : xg::region {
    static constexpr auto value(auto i) { return std::tuple{i * 2_c, xg::cast<std::int64_t>(i), xg::greater(i, 3_c), xg::sum(i)}; }
};
struct shifted : xg::region {
    static constexpr auto value(auto i) { return std::tuple{i - 1_c, xg::cast<std::int64_t>(i) * 5_c, xg::less(i, 0_c), xg::max(i)}; }
};
struct passed_on : xg::region {   // the argument itself, twice
    static constexpr auto value(auto i) { return std::tuple{i, xg::cast<std::int64_t>(i), xg::equal(i, i), xg::sum(i) * 0_c}; }
};
struct twins : xg::region {   // one value is two results
    static constexpr auto value(auto h) {
        auto const y = h + 1_c;
        return std::tuple{y, y, h, h};
    }
};
}
TEST_CASE("integers and bools are results of bodies") {
    auto const list = list_of(xg::switch_case<doubled, shifted, passed_on>(which, ids));
    function_of<std::remove_const_t<decltype(list)>, true> f{list};
    for (std::int64_t const n : {1, 17, 40})
        for (std::int64_t const k : {0, 1, 2, 3, -1}) {
            test::tensor<std::int32_t> at({n});
            for (std::int64_t i = 0; i < n; ++i) at[i] = static_cast<std::int32_t>(i * 7 % 11 - 4);
            auto const [a, wide, flags, number] = f(which = k, ids = at);
            std::int32_t sum = 0, most = -100;
            for (std::int64_t i = 0; i < n; ++i) {
                CHECK(a[i] == (k == 0 ? 2 * at[i] : k == 1 ? at[i] - 1 : at[i]));
                CHECK(wide[i] == (k == 1 ? 5 * at[i] : at[i]));
                CHECK(flags[i] == (k == 0 ? at[i] > 3 : k == 1 ? at[i] < 0 : true));
                sum += at[i];
                most = std::max(most, at[i]);
            }
            CHECK(number == (k == 0 ? sum : k == 1 ? most : 0));
        }
}
TEST_CASE("one value, or one argument, may be two results of a body") {
    constexpr auto v = xg::input<"v", float, batch>;
    auto const results = xg::call<twins>(v);
    auto const g = xg::gradients(xg::sum(std::get<0>(results) * std::get<1>(results) * std::get<2>(results) * std::get<3>(results)), v);
    auto const list = list_of(std::tuple_cat(results, g));
    function_of<std::remove_const_t<decltype(list)>, true> f{list};
    auto const a = test::numbers<float>({21});
    auto const [first, second, third, fourth, gradient] = f(v = a);
    for (std::int64_t i = 0; i < 21; ++i) {
        CHECK(first[i] == a[i] + 1);
        CHECK(second[i] == a[i] + 1);
        CHECK(third[i] == a[i]);
        CHECK(fourth[i] == a[i]);
        CHECK(gradient[i] == doctest::Approx(2 * a[i] * (a[i] + 1) * (2 * a[i] + 1)).epsilon(1e-5).scale(1));
    }
}

namespace {
constexpr auto table = xg::input<"table", float, 5, 3>;
constexpr auto h3 = xg::input<"h", float, batch, 3>;
struct looks_up : xg::region {
    static constexpr auto value(auto h, auto i) { return h * xg::gather(table, i); }
};
struct does_not : xg::region {
    static constexpr auto value(auto h, auto) { return h * 2_c; }
};
constexpr auto outer_rows = xg::gather(table, ids);
struct reads_outer_rows : xg::region {
    static constexpr auto value(auto h, auto) { return h * outer_rows; }
};
}
// Also where the lookup is an outer expression that one body uses: it runs with that body.
TEST_CASE_TEMPLATE("an index is out of range where a body that runs looks it up, and nowhere else", Body, looks_up, reads_outer_rows) {
    auto const y = xg::cond<Body, does_not>(p, h3, ids);
    auto const list = list_of(std::tuple_cat(std::tuple{y}, xg::gradients(xg::sum(xg::square(y)), h3, table)));
    function_of<std::remove_const_t<decltype(list)>, true> f{list};
    auto const rows = test::numbers<float>({5, 3}), at = test::numbers<float>({2, 3}, -1, 1, 2);
    auto const good = test::list<std::int32_t>({4, 0});
    for (std::int32_t const wrong : {5, -1, 1000000}) {
        auto const bad = test::list<std::int32_t>({2, wrong});
        auto const [v, gh, gt] = f(p = false, h3 = at, ids = bad, table = rows);
        for (std::int64_t i = 0; i < 6; ++i) {
            CHECK(v[i] == 2 * at[i]);
            CHECK(gh[i] == 8 * at[i]);
        }
        for (float const e : gt) CHECK(e == 0);
        CHECK_THROWS_AS(f(p = true, h3 = at, ids = bad, table = rows), xg::value_error);
        auto const [u, hh, ht] = f(p = true, h3 = at, ids = good, table = rows);
        for (std::int64_t i = 0; i < 6; ++i) {
            float const row = rows[good[i / 3] * 3 + i % 3];
            CHECK(u[i] == at[i] * row);
            CHECK(hh[i] == doctest::Approx(2 * at[i] * row * row).epsilon(1e-6));
            CHECK(ht[good[i / 3] * 3 + i % 3] == doctest::Approx(2 * at[i] * at[i] * row).epsilon(1e-6));
        }
    }
}

namespace {
constexpr auto weight = xg::variable<"weight", float, 3>;
constexpr auto dropped(auto h) { return xg::dropout<"drop">(xg::tanh(h) * weight, 0.5_c); }
struct drops : xg::region {
    static constexpr auto value(auto h) { return dropped(h); }
};
struct keeps : xg::region {
    static constexpr auto value(auto h) { return h; }
};
template<class... E, class... B>
auto drawn(xg::expression_list<E...> list, auto& owner, B const&... flag) {
    xg::function f{list, owner};
    auto const a = test::numbers<float>({19, 3});
    auto const copy = [](auto const& results) {
        std::vector<float> all;
        std::apply([&](auto const&... r) { (all.insert(all.end(), r.begin(), r.end()), ...); }, results);
        return all;
    };
    return copy(f(h3 = a, flag...));
}
}
TEST_CASE("dropout in a call and in a branch draws what it draws when it is written out") {
    xg::variables v{weight};
    v.store().seed = 12;
    v.assign(weight, std::vector<float>{1, 2, 3});
    auto const with = [](auto y) { return list_of(std::tuple_cat(std::tuple{y}, xg::gradients(xg::sum(xg::square(y)), h3, weight))); };
    auto const plain = drawn(with(dropped(h3)), v);
    CHECK(std::count(plain.begin(), plain.begin() + 57, 0.0F) > 15);
    CHECK(std::count(plain.begin(), plain.begin() + 57, 0.0F) < 42);
    auto const called = drawn(with(xg::call<drops>(h3)), v), taken = drawn(with(xg::cond<drops, keeps>(p, h3)), v, p = true);
    REQUIRE(called.size() == plain.size());
    REQUIRE(taken.size() == plain.size());
    for (std::size_t i = 0; i < plain.size(); ++i) {
        CHECK(called[i] == doctest::Approx(plain[i]).epsilon(1e-6));
        CHECK(taken[i] == doctest::Approx(plain[i]).epsilon(1e-6));
        CHECK((called[i] == 0) == (plain[i] == 0));
    }
}

namespace {
constexpr auto outer_draw = xg::dropout<"outer">(h3, 0.5_c);   // depends on nothing in the loop
struct noisy : xg::region {
    static constexpr auto value(auto h) { return xg::dropout<"noisy">(h, 0.5_c); }
};
constexpr auto outer_call = xg::call<noisy>(h3);   // nor does this
struct reads_draw : xg::region {
    static constexpr auto value(auto row) { return outer_draw + outer_call + 0_c * row; }
};
struct branch_in_loop : xg::region {
    static constexpr auto value(auto h, auto row) {
        return xg::carry(h).emit(xg::cond<reads_draw, keeps>(xg::less(xg::sum(row), 1e9_c), row));
    }
};
}
TEST_CASE("a branch in a loop reads the random numbers of an outer expression or call, in each iteration the same") {
    constexpr auto rows = xg::input<"rows", float, 4, batch, 3>;
    xg::function f{xg::outputs(outer_draw + outer_call, std::get<1>(xg::scan<branch_in_loop>(xg::carry(h3), rows)))};
    auto const [once, all] = f(h3 = test::numbers<float>({7, 3}, 1, 2), rows = test::numbers<float>({4, 7, 3}));
    for (std::int64_t i = 0; i < all.size(); ++i) CHECK(all[i] == once[i % 21]);
}

namespace {
struct halved : xg::region {
    static constexpr auto value(auto h) { return 0.5_c * h; }
};
struct to_condition : xg::region {
    static constexpr auto value(auto, auto k) { return xg::less(k, 1_c); }
};
struct halved_once : xg::region {
    static constexpr auto value(auto h, auto k) { return xg::carry(0.5_c * h, k + 1_c); }
};
}
TEST_CASE("bodies flush denormals if their function does") {
    constexpr auto v = xg::input<"v", float, 19>;
    constexpr auto zero = xg::constant<std::int32_t, 0>;
    xg::function f{xg::outputs(
        xg::call<halved>(v), xg::cond<halved, keeps>(p, v), std::get<0>(xg::while_loop<to_condition, halved_once>(xg::carry(v, zero))))};
    std::vector<float> const tiny(19, 1e-40F);
    for (bool const on : {false, true, false}) {
        f.flush_denormals(on);
        auto const results = f(v = tiny, p = true);
        std::apply(
            [&](auto const&... r) {
                for (auto const& one : {std::vector<float>(r.begin(), r.end())...})
                    for (float const e : one) CHECK(e == (on ? 0.0F : 0.5F * 1e-40F));
            },
            results);
    }
}
