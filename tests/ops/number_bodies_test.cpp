// SPDX-License-Identifier: MIT
// Bodies of single numbers, which run in registers, against the same bodies with a plan.
#include <ops/number_bodies.hpp>

namespace {
using namespace number_bodies;

constexpr auto x = xg::input<"x", double>;
constexpr auto a = xg::input<"a", double>;
constexpr auto f = xg::input<"f", float>;
constexpr auto by = xg::input<"by", float>;
constexpr auto n = xg::input<"n", std::int32_t>;
constexpr auto flag = xg::input<"flag", bool>;
constexpr auto seq = xg::input<"seq", float, time_steps>;

struct cell : xg::region {
    static constexpr auto value(auto h, auto row) {
        auto const next = xg::tanh(h * by + row) + xg::exp(0.0_c - h * h);
        return xg::carry(next).emit(next * row, xg::greater(next, row));
    }
};
struct counted : xg::region {
    static constexpr auto value(auto h, auto k, auto big) {
        auto const more = xg::logical_and(xg::less(k, 7_c), xg::logical_not(big));
        auto const next = xg::select(more, h * a + xg::cast<double>(k), h / a);
        return xg::carry(next, k + 2_c, xg::greater(next, 40_c));
    }
};
struct below : xg::region {
    static constexpr auto value(auto h, auto k, auto) { return xg::logical_and(xg::less(k, n), xg::less(h, 1e6_c)); }
};
struct squared : xg::region {
    static constexpr auto value(auto h) { return h * h * a; }
};
struct exponential : xg::region {
    static constexpr auto value(auto h) { return xg::exp(h) + a; }
};
struct root : xg::region {
    static constexpr auto value(auto h) { return xg::sqrt(xg::abs(h)); }
};
struct inner_line : xg::region {
    static constexpr auto value(auto h) { return xg::carry(h * a + 0.125_c); }
};
struct outer : xg::region {
    static constexpr auto value(auto h, auto k) {
        auto const [in] = xg::scan<inner_line, 3>(xg::carry(h));
        auto const chosen = xg::switch_case<squared, exponential, root>(k, in);
        return xg::carry(xg::cond<root, squared>(xg::less(chosen, 2_c), chosen), k + 1_c).emit(xg::call<exponential>(in * 0.1_c));
    }
};
}

TEST_CASE("a loop of floats with emitted values, its history and its gradients, of one order and of two") {
    auto const [last, rows, larger] = xg::scan<cell>(xg::carry(f), seq);
    auto const loss = xg::square(last) + xg::sum(rows * rows);
    auto const g = xg::gradients(loss, f, by, seq);
    auto const gg = xg::gradients(xg::square(std::get<1>(g)), f, by);
    auto const list = test::list_of(std::tuple_cat(std::tuple{last, rows, larger}, g, gg));
    both_programs both{list};
    for (std::int64_t const steps : {0, 1, 5, 64, 65, 128, 130, 200}) both.same(f = 0.5f, by = 0.75f, seq = test::numbers<float>({steps}));
}
TEST_CASE("a loop of a number of iterations that a value gives: rows after them are zeros") {
    auto const [last, rows, larger] = xg::scan<cell>(xg::carry(f).turns(n), seq);
    auto const g = xg::gradients(last + xg::sum(rows), f, by, seq);
    auto const list = test::list_of(std::tuple_cat(std::tuple{last, rows, larger}, g));
    both_programs both{list};
    auto const data = test::numbers<float>({150});
    for (std::int32_t const steps : {150, 3, 0, 63, 64, 65, 128, 129, 1}) both.same(f = 0.5f, by = 0.75f, seq = data, n = steps);
    for (std::int32_t const steps : {-1, 151})
        both.fail(steps < 0 ? "the body \"cell\" has -1 iterations" : "the body \"cell\" has 151 iterations", f = 0.5f, by = 0.75f,
            seq = data, n = steps);
}
TEST_CASE("a loop with a condition over a number, a counter and a truth value, with gradients up to its capacity") {
    auto const [h, k, big] = xg::while_loop<below, counted, 8>(xg::carry(x, xg::constant<std::int32_t, 1>, flag));
    auto const g = xg::gradients(xg::square(h), x, a);
    auto const list = test::list_of(std::tuple_cat(std::tuple{h, k, big}, g));
    both_programs both{list};
    for (std::int32_t const end : {0, 1, 2, 9, 16, 17})
        for (bool const start : {false, true}) both.same(x = 1.5, a = 1.75, n = end, flag = start);
    both.fail("a loop over the body \"counted\" has 9 iterations or more", x = 1.5, a = 1.0, n = 1000, flag = false);
    both.same(x = 1.5, a = 1.75, n = 9, flag = false);
    auto const forwards = test::list_of(std::tuple{h, k, big});   // no history, so any number of iterations
    both_programs both_forwards{forwards};
    both_forwards.same(x = 1.5, a = 1.0, n = 1000, flag = false);
}
TEST_CASE("steps in bodies: loops, calls and branches in a loop, with gradients; an index out of range selects the last body") {
    auto const [last, k, rows] = xg::scan<outer, 6>(xg::carry(x, n));
    auto const g = xg::gradients(last + xg::sum(rows), x, a);
    auto const list = test::list_of(std::tuple_cat(std::tuple{last, k, rows}, g));
    both_programs both{list};
    for (std::int32_t const first : {-3, -1, 0, 2, 7}) both.same(x = 0.5, a = 0.75, n = first);
}

namespace {
struct precise : xg::region {   // a double near 1 and an integer near 2^24: as floats they would be equal
    static constexpr auto value(auto h, auto k) {
        auto const near = xg::logical_and(xg::greater(h, 1_c), xg::less(k, n));
        return xg::select(near, h * 2_c, a);
    }
};
}
TEST_CASE("numbers are compared in their own type") {
    auto const list = test::list_of(std::tuple{xg::call<precise>(x, n - 1_c), xg::call<precise>(x, n)});
    both_programs both{list};
    test::function_of<std::remove_const_t<decltype(list)>, true> f{list};
    double const above = 1 + 0x1p-40;
    both.same(x = above, a = 5.0, n = 16777217);
    auto const [less, equal] = f(x = above, a = 5.0, n = 16777217);
    CHECK(less == 2 * above);
    CHECK(equal == 5);
}
