// SPDX-License-Identifier: MIT
// Checkpoints of loops of other forms: named lengths, and rows of different lengths.
#include <support/tensor.hpp>

#include <xgrad/exec/function.hpp>

#include <limits>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto h = xg::input<"h", double, batch, 2>;
constexpr auto x = xg::input<"x", double, steps, batch, 2>;
constexpr auto n = xg::input<"n", std::int32_t, batch>;
constexpr auto scale = xg::input<"scale", double, 2>;
struct cell : xg::region {
    static constexpr auto value(auto before, auto row) {
        auto const after = xg::sin(before * scale + row);
        return xg::carry(after).emit(after * before);
    }
};
template<class A, class B>
void check_same(A const& a, B const& b) {
    REQUIRE(a.size() == b.size());
    for (std::int64_t i = 0; i < a.size(); ++i) {
        INFO(i);
        CHECK(a[i] == doctest::Approx(b[i]).epsilon(1e-12).scale(1));
    }
}
constexpr auto loss_of(auto const& last, auto const& all) { return xg::sum(xg::square(last)) + xg::sum(xg::cos(all)); }
}

TEST_CASE("lengths that are known at run time, shorter than a segment and zero among them") {
    auto const [last, all] = xg::scan<cell>(xg::carry(h), x);
    auto const [last_again, all_again] = xg::scan<xg::gradient_checkpoints<cell, 3>>(xg::carry(h), x);
    auto const p = loss_of(last, all);
    auto const q = loss_of(last_again, all_again);
    xg::function f{
        xg::outputs(all, xg::gradient_of(p, x), xg::gradient_of(p, scale), all_again, xg::gradient_of(q, x), xg::gradient_of(q, scale))};
    auto const H = test::numbers<double>({2, 2});
    for (std::int64_t length : {0, 1, 3, 5, 9, 20}) {
        auto const [y, at_x, at_scale, y2, at_x2, at_scale2] =
            f(h = H, x = test::numbers<double>({length, 2, 2}, -1, 1, 5), scale = test::list<double>({0.5, 2}));
        check_same(y, y2);
        check_same(at_x, at_x2);
        check_same(at_scale, at_scale2);
    }
}
TEST_CASE("rows of different lengths, with NaN after their ends") {
    auto const [last, all] = xg::scan<cell>(xg::carry(h).lengths(n), x);
    auto const [last_again, all_again] = xg::scan<xg::gradient_checkpoints<cell, 3>>(xg::carry(h).lengths(n), x);
    auto const p = loss_of(last, all);
    auto const q = loss_of(last_again, all_again);
    xg::function f{
        xg::outputs(all, xg::gradient_of(p, x), xg::gradient_of(p, scale), all_again, xg::gradient_of(q, x), xg::gradient_of(q, scale))};
    auto const H = test::numbers<double>({4, 2});
    auto ends = test::list<std::int32_t>({5, 0, 7, 3});
    auto X = test::numbers<double>({8, 4, 2}, -1, 1, 5);
    for (std::int64_t i = 0; i < X.size(); ++i)
        if (i / 8 >= ends[i / 2 % 4]) X[i] = std::numeric_limits<double>::quiet_NaN();
    auto const [y, at_x, at_scale, y2, at_x2, at_scale2] = f(h = H, x = X, n = ends, scale = test::list<double>({0.5, 2}));
    CHECK(at_scale[0] == at_scale[0]);
    check_same(y, y2);
    check_same(at_x, at_x2);
    check_same(at_scale, at_scale2);
    ends[1] = 9;
    CHECK_THROWS_AS(f(h = H, x = X, n = ends, scale = test::list<double>({0.5, 2})), xg::value_error);
}
