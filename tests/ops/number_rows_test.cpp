// SPDX-License-Identifier: MIT
// Bodies of short rows, which run in registers, against the same bodies with a plan.
#include <ops/number_bodies.hpp>

namespace {
using namespace number_bodies;

template<class T, int N>
struct of_width {
    static constexpr auto x = xg::input<"x", T, N>;
    static constexpr auto a = xg::input<"a", T, N>;
    static constexpr auto c = xg::input<"c", T>;
    static constexpr auto rows = xg::input<"rows", T, time_steps, N>;
    struct cell : xg::region {
        static constexpr auto value(auto h, auto row) {
            auto const next = xg::tanh(h * a + row) * c;
            auto const kept = xg::select(xg::less(next, row), next, row * 0.5_c);
            return xg::carry(kept + xg::broadcast_to<N>(c) * 0.25_c).emit(kept);
        }
    };
    struct summing : xg::region {
        static constexpr auto value(auto h, auto row) {
            auto const e = xg::exp(h + row * c);
            auto const p = e / xg::sum(e);
            return xg::carry(h * 0.5_c + p * xg::sum(p * row)).emit(xg::max(h));
        }
    };
    template<class Body>
    static constexpr auto outputs(auto const&... of) {
        auto const [last, each] = xg::scan<Body>(xg::carry(x), rows);
        return test::list_of(std::tuple_cat(std::tuple{last, each}, xg::gradients(xg::sum(last * last) + xg::sum(each), of...)));
    }
};
template<class T, int N>
void same_by_elements() {
    using w = of_width<T, N>;
    constexpr auto list = w::template outputs<typename w::cell>(w::x, w::a, w::rows);
    both_programs both{list};
    for (std::int64_t const steps : {0, 1, 3, 70})
        both.same(w::x = test::numbers<T>({N}), w::a = test::numbers<T>({N}, 0.5, 1, 2), w::c = T(0.75),
            w::rows = test::numbers<T>({steps, N}, -1, 1, 3));
}
template<class T, int N>
void close_with_sums() {
    using w = of_width<T, N>;
    constexpr auto list = w::template outputs<typename w::summing>(w::x, w::c, w::rows);
    both_programs both{list};
    both.template close<T>(w::x = test::numbers<T>({N}), w::c = T(0.75), w::rows = test::numbers<T>({20, N}, -1, 1, 3));
}
}

TEST_CASE("rows of one element, of part of a register, of a whole one, and of several") {
    same_by_elements<float, 3>();
    same_by_elements<float, 32>();
    same_by_elements<double, 1>();
    same_by_elements<double, 19>();
}
TEST_CASE("sums and largest elements of rows") {
    close_with_sums<float, 7>();
    close_with_sums<float, 29>();
    close_with_sums<double, 16>();
}

namespace {
struct doubled : xg::region {
    static constexpr auto value(auto h) { return xg::carry(h * 2_c); }
};
struct multiplied : xg::region {
    static constexpr auto value(auto h) { return xg::carry(xg::matmul(h, h)); }
};
struct drawn : xg::region {
    static constexpr auto value(auto h) { return xg::carry(xg::dropout<"drop">(h, 0.5_c)); }
};
inline constexpr xg::dim wide{"wide"};
template<class Body, auto... D>
inline constexpr bool in_registers = [] {
    constexpr auto last = std::get<0>(xg::scan<Body, 2>(xg::carry(xg::input<"x", float, D...>)));
    return all_in_registers<xg::expression_list<std::remove_const_t<decltype(last)>>>;
}();
}
TEST_CASE("longer rows, rows of unknown length, products and random numbers have a plan") {
    CHECK(in_registers<doubled, 32>);
    CHECK(in_registers<doubled, 2, 16>);
    CHECK_FALSE(in_registers<doubled, 33>);
    CHECK_FALSE(in_registers<doubled, wide>);
    CHECK_FALSE(in_registers<multiplied, 2, 2>);
    CHECK_FALSE(in_registers<drawn, 2>);
}
