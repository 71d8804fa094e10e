// SPDX-License-Identifier: MIT
// Checkpoints of loops that draw random numbers, of layers, map and fold, and of segments of segments.
#include <support/tensor.hpp>

#include <xgrad/exec/function.hpp>
#include <xgrad/ops/eval.hpp>

#include <set>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using xg::gradient_checkpoints;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto h = xg::input<"h", double, batch, 2>;
constexpr auto x = xg::input<"x", double, steps, batch, 2>;
constexpr auto scale = xg::input<"scale", double, 2>;
struct drops : xg::region {
    static constexpr auto value(auto before, auto row) {
        auto const after = xg::dropout<"drop">(before * scale + row, 0.5_c);
        return xg::carry(after + xg::uniform_like<"noise">(row));
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
template<class Body>
struct repeats : xg::region {
    static constexpr auto value(auto before) {
        auto const [last, all] = xg::scan<Body>(xg::carry(before), x);
        return xg::carry(last).emit(all);
    }
};
struct noise : xg::region {
    static constexpr auto value(auto before, auto row) {
        auto const drawn = xg::uniform_like<"noise">(row);
        return xg::carry(before + drawn).emit(drawn);
    }
};
}

TEST_CASE("random numbers are those of the loop without checkpoints, also after the last whole segment") {
    auto const once = std::get<0>(xg::scan<drops>(xg::carry(h), x));
    auto const again = std::get<0>(xg::scan<gradient_checkpoints<drops, 3>>(xg::carry(h), x));
    xg::function f{xg::outputs(
        once, again, xg::gradient_of(xg::sum(once), scale), xg::gradient_of(xg::sum(again), scale), xg::eval(once), xg::eval(again))};
    for (std::int64_t length : {2, 3, 8}) {
        auto const X = test::numbers<double>({length, 2, 2}, -1, 1, 5);
        auto const [a, b, at_a, at_b, p, q] = f(h = test::numbers<double>({2, 2}), x = X, scale = test::list<double>({0.5, 2}));
        check_same(a, b);
        check_same(at_a, at_b);
        check_same(p, q);
    }
}
TEST_CASE("in a loop, each iteration of each segment and of the rest draws others") {
    auto const [last, all] = xg::scan<repeats<gradient_checkpoints<noise, 3>>, 4>(xg::carry(h));
    xg::function f{all};
    for (std::int64_t length : {3, 7, 8}) {
        auto const y = f(h = test::numbers<double>({2, 2}), x = test::numbers<double>({length, 2, 2}));
        CHECK(y.size() == 4 * length * 4);
        CHECK(static_cast<std::int64_t>(std::set<double>(y.begin(), y.end()).size()) == y.size());
    }
}

namespace {
struct block : xg::region {
    static constexpr auto value(auto before, auto w) { return xg::tanh(before * w); }
};
struct pair : xg::region {
    static constexpr auto value(auto row) { return std::tuple{xg::exp(row), xg::sum<1>(row * row)}; }
};
constexpr auto w = xg::input<"w", double, 7, 2>;
constexpr auto z = xg::input<"z", double, 7, 3, 2>;
}
TEST_CASE("layers, map, fold, and segments of segments") {
    using xg::gradient_checkpoints, xg::recompute;
    auto check = [](auto const& p, auto const& q) {
        xg::function f{xg::outputs(p, xg::gradient_of(p, w), xg::gradient_of(p, z), q, xg::gradient_of(q, w), xg::gradient_of(q, z))};
        auto const [y, at_w, at_z, y2, at_w2, at_z2] =
            f(w = test::numbers<double>({7, 2}, -2, 2, 3), z = test::numbers<double>({7, 3, 2}, -1, 1, 4));
        CHECK(y == doctest::Approx(y2).epsilon(1e-13));
        check_same(at_w, at_w2);
        check_same(at_z, at_z2);
    };
    auto sums = []<class Layer, class Row, class Folded>(Layer, Row, Folded) {
        auto const y = xg::layers<7, Layer>(xg::sum<0>(z), w);
        auto const [e, s] = xg::map<Row>(z);
        return xg::sum(xg::square(y)) + xg::sum(e) + xg::sum(s * s) + xg::sum(xg::fold<Folded>(xg::sum<0>(e), w));
    };
    check(sums(block{}, pair{}, block{}),
        sums(gradient_checkpoints<block, 3>{}, gradient_checkpoints<pair, 2>{}, gradient_checkpoints<gradient_checkpoints<block, 2>, 4>{}));
}
