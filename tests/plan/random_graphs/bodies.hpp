// SPDX-License-Identifier: MIT
// Steps over bodies in random graphs: loops, calls, branches, loops with a condition, and some in each other.
#pragma once

#include "numbers.hpp"

#include <xgrad/ops/ops.hpp>

namespace random_graphs {
namespace bodies {
using namespace xg::literals;
inline constexpr xg::dim b{"b"};
inline constexpr xg::dim t{"t"};
inline constexpr xg::dim n{"n"};
inline constexpr auto w3 = xg::input<"w3", float, 3>;
inline constexpr auto m4 = xg::input<"m4", double, 4, 4>;
inline constexpr auto c0 = xg::input<"c0", float>;
inline constexpr auto table = xg::input<"table", float, n, 2>;

struct cell : xg::region {
    static constexpr auto value(auto h, auto x) {
        auto const next = xg::tanh(h * w3 + x);
        return xg::carry(next).emit(next * h);
    }
};
struct counted : xg::region {
    static constexpr auto value(auto h, auto k, auto x) {
        auto const z = xg::sigmoid(xg::matmul(h, m4) + x);
        return xg::carry(z, k + 1_c).emit(xg::sum<1>(h), xg::transpose(z), k);
    }
};
struct plain : xg::region {
    static constexpr auto value(auto h) { return xg::carry(h * c0 + xg::relu(h)); }
};
struct inner : xg::region {
    static constexpr auto value(auto h, auto x) { return xg::carry(h * x + c0).emit(h); }
};
struct nested : xg::region {
    static constexpr auto value(auto h, auto x) {
        auto const [last, all] = xg::scan<inner>(xg::carry(h), x);
        return xg::carry(last).emit(xg::sum<0>(all) * h);
    }
};
struct looked_up : xg::region {
    static constexpr auto value(auto h, auto ids) {
        auto const rows = xg::gather(table, ids);
        return xg::carry(h + xg::sum<0>(rows)).emit(rows * h);
    }
};
struct noisy : xg::region {
    static constexpr auto value(auto h) { return xg::carry(h * xg::uniform_like<"r">(h)).emit(xg::softmax(h)); }
};

inline constexpr auto l0 = xg::scan<cell>(xg::carry(xg::input<"h", float, b, 3>), xg::input<"x", float, t, b, 3>);
inline constexpr auto l1 =
    xg::scan<counted>(xg::carry(xg::input<"h", double, 2, 4>, xg::input<"k", std::int32_t>), xg::input<"x", double, 5, 4>);
inline constexpr auto l2 = xg::scan<plain, 3>(xg::carry(xg::input<"h", float, t>));
inline constexpr auto l3 = xg::scan<nested>(xg::carry(xg::input<"h", float, b>), xg::input<"x", float, t, 2, b>);
inline constexpr auto l4 = xg::scan<looked_up>(xg::carry(xg::input<"h", float, 2>), xg::input<"x", std::int32_t, t, b>);
inline constexpr auto l5 = xg::scan<noisy, n>(xg::carry(xg::input<"h", double, b, 4>));

// ---- bodies that run once
struct affine : xg::region {
    static constexpr auto value(auto h) { return std::tuple{h * w3 + 1_c, xg::sum<1>(xg::square(h)), h}; }
};
struct of_first : xg::region {
    static constexpr auto value(auto h) { return std::get<0>(xg::call<affine>(xg::tanh(h))); }
};
struct of_itself : xg::region {
    static constexpr auto value(auto h) { return h; }
};
struct by_matrix : xg::region {
    static constexpr auto value(auto h, auto k) { return std::tuple{xg::sigmoid(xg::matmul(h, m4)), k * 2_c}; }
};
struct by_softmax : xg::region {
    static constexpr auto value(auto h, auto k) { return std::tuple{xg::softmax(h) * xg::cast<double>(k), k}; }
};
struct times_c : xg::region {
    static constexpr auto value(auto h) { return h * c0; }
};
struct squared : xg::region {
    static constexpr auto value(auto h) { return xg::square(h); }
};
struct of_zeros : xg::region {
    static constexpr auto value(auto h) { return h * 0_c; }
};
struct rows_of_table : xg::region {
    static constexpr auto value(auto h, auto ids) { return h * xg::sum<0>(xg::gather(table, ids)); }
};
struct without_table : xg::region {
    static constexpr auto value(auto h, auto) { return xg::exp(h * 0.25_c); }
};
struct noisy_call : xg::region {
    static constexpr auto value(auto h) { return h * xg::uniform_like<"r">(h); }
};
struct looping : xg::region {
    static constexpr auto value(auto h, auto x) {
        auto const [last, all] = xg::scan<inner>(xg::carry(h), x);
        return std::tuple{xg::tanh(last), xg::sum<0>(all)};
    }
};
// The gradient that is written for times_c is another one than that of its value.
struct slope : xg::region {
    static constexpr auto value(auto h, auto y, auto g) { return g * 3_c + y * h; }
};
struct cubed : xg::region {
    static constexpr auto value(auto h) { return h * h * h; }
};

// ---- loops with a condition, counted ones, and bodies in bodies
struct below_six : xg::region {
    static constexpr auto value(auto, auto k) { return xg::less(k, 6_c); }
};
struct step : xg::region {
    static constexpr auto value(auto h, auto k) { return xg::carry(xg::tanh(h * w3) + h * 0.5_c, k + 1_c); }
};
struct halves : xg::region {
    static constexpr auto value(auto k, auto sum) { return xg::carry(k + 2_c, sum * 3_c + k); }
};
struct odd_turns : xg::region {
    static constexpr auto value(auto h, auto k, auto x) {
        auto const y = xg::cond<times_c, squared>(xg::greater(k, 1_c), h);
        return xg::carry(y + x, 3_c - k).emit(xg::tanh(y));
    }
};
struct waits : xg::region {
    static constexpr auto value(auto h, auto k) {
        auto const [last, end] = xg::while_loop<below_six, step, 12>(xg::carry(h, k));
        return xg::carry(last, k + end - 5_c);
    }
};
struct row_of_map : xg::region {
    static constexpr auto value(auto x, auto y) { return std::tuple{xg::sum(x * y), xg::tanh(x) * c0}; }
};

inline constexpr auto h3 = xg::input<"h", float, b, 3>;
inline constexpr auto v3 = xg::input<"h", float, 3>;
inline constexpr auto k0 = xg::input<"k", std::int32_t>;
inline constexpr auto p0 = xg::input<"p", bool>;
inline constexpr auto r0 = xg::call<affine>(h3);
inline constexpr auto r1 = xg::cond<by_matrix, by_softmax>(p0, xg::input<"h", double, b, 4>, k0);
inline constexpr auto r2 = xg::switch_case<squared, times_c, of_zeros>(k0, xg::input<"h", float, t>);
inline constexpr auto r3 = xg::cond<of_first, of_itself>(p0, h3);
inline constexpr auto r4 =
    xg::switch_case<rows_of_table, without_table>(xg::input<"k", std::int64_t>, xg::input<"h", float, 2>, xg::input<"x", std::int32_t, b>);
inline constexpr auto r5 = xg::call<noisy_call>(xg::input<"h", double, b, 4>);
inline constexpr auto r6 = xg::call<looping>(xg::input<"h", float, b>, xg::input<"x", float, t, b>);
inline constexpr auto r7 = xg::custom_gradient<cubed, slope>(xg::input<"h", double, t, n>);
inline constexpr auto r8 = xg::while_loop<below_six, step, 16>(xg::carry(v3, k0));
inline constexpr auto r9 = xg::while_loop<below_six, step, 4>(xg::carry(v3, k0));
inline constexpr auto r10 = xg::while_loop<below_six, halves>(xg::carry(k0, k0));
inline constexpr auto r11 = xg::scan<cell>(xg::carry(h3).turns(xg::input<"turns", std::int32_t>), xg::input<"x", float, t, b, 3>);
inline constexpr auto r12 = xg::scan<odd_turns>(xg::carry(xg::input<"h", float, b>, k0), xg::input<"x", float, t, b>);
inline constexpr auto r13 = xg::scan<waits, t>(xg::carry(v3, k0));
inline constexpr auto r14 = xg::map<row_of_map>(xg::input<"x", float, t, b>, xg::input<"y", float, t, b>);

template<class L>
constexpr xg::node_info const* region_of(L const&) {
    if constexpr (xg::Expr<L>) return xg::info_of<L>->operands[0];
    else return xg::info_of<std::tuple_element_t<0, L>>->operands[0];
}
// Those of the first list are in all graphs. One seed in four has the others instead.
inline constexpr xg::node_info const* loops[]{region_of(l0), region_of(l1), region_of(l2), region_of(l3), region_of(l4), region_of(l5)};
inline constexpr xg::node_info const* others[]{region_of(r0), region_of(r1), region_of(r2), region_of(r3), region_of(r4), region_of(r5),
    region_of(r6), region_of(r7), region_of(r8), region_of(r9), region_of(r10), region_of(r11), region_of(r12), region_of(r13),
    region_of(r14)};
/// The operand that is ids of the table of a body, or -1.
constexpr int ids_of(xg::node_info const* region) { return region == loops[4] ? 1 : region == others[4] ? 1 : -1; }
/// The operand that is the number of iterations, or -1.
constexpr int turns_of(xg::node_info const* region) {
    bool const loop = region->op->region->policy == xg::region_policy::loop;
    return loop && region->op->region->control != nullptr ? region->count - 1 : -1;
}
}   // namespace bodies

}   // namespace random_graphs
