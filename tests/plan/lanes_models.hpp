// SPDX-License-Identifier: MIT
// Nests whose lanes are along a dimension other than the last one, compared with the planner switched off.
// All sizes around those of a batch.
#pragma once

#include <plan/planned.hpp>

namespace lanes_models {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};

/// Loop nests of a program with rows in blocks of lanes, and its copies of inputs.
template<class P>
constexpr int blocks_of() {
    int n = 0;
    for (int s = 0; s < P::plan.step_count; ++s) n += P::plan.steps[s].lane >= 0;
    return n;
}
template<class P>
constexpr int copies_of() {
    int n = 0;
    for (int b = 0; b < P::plan.buffer_count; ++b) n += P::table.view().kind(P::plan.buffers[b].node) == xg::op_kind::input;
    return n;
}

template<class T>
struct leaves {
    static constexpr auto x = xg::input<"x", T, batch, 5>;
    static constexpr auto y = xg::input<"y", T, batch>;
    static constexpr auto a = xg::input<"a", T, 7>;
    static constexpr auto m = xg::input<"m", T, 7, 5>;
    static constexpr auto q = xg::input<"q", T, 7, 5>;
    static constexpr auto s = xg::input<"s", T, 4, 3>;
};

/// Distances, log-sum-exp over the components, gradients with respect to everything.
template<class T>
struct mixture : leaves<T> {
    using l = leaves<T>;
    static constexpr auto outputs() {
        auto const u = xg::exp(l::q) * (xg::expand_dims<1>(l::x) - l::m);
        auto const e = l::a + xg::sum<1>(l::q) - xg::sum<2>(xg::square(u)) * 0.5_c;
        auto const value = xg::sum(xg::log_sum_exp<1>(e)) - xg::log_sum_exp(l::a);
        return std::tuple_cat(std::tuple(value), xg::gradients(value, l::a, l::m, l::q));
    }
    static constexpr int blocks = 2, copies = 1;
};
/// Values for each row as results, with one that does not vary with the row; the largest element over the lanes.
template<class T>
struct nearest : leaves<T> {
    using l = leaves<T>;
    static constexpr auto outputs() {
        auto const far = xg::sum<2>(xg::abs(xg::expand_dims<1>(l::x) - l::m)) * xg::expand_dims<1>(l::y);
        return std::tuple(xg::max<1>(far), xg::max<0>(far), xg::max(far), xg::sum(l::a), xg::sum(xg::max<1>(far)));
    }
    static constexpr int blocks = 2, copies = 1;
};
/// Weighted means of rows: nothing is kept but the sums over the batch.
template<class T>
struct means : leaves<T> {
    using l = leaves<T>;
    static constexpr auto outputs() {
        auto const w = xg::softmax<1>(-xg::sum<2>(xg::square(xg::expand_dims<1>(l::x) - l::m)));
        auto const total = xg::sum<0>(w);
        return std::tuple(xg::sum<0>(xg::expand_dims<2>(w) * xg::expand_dims<1>(l::x)), total,
            xg::sum<0, 1>(xg::expand_dims<2>(w) * (xg::expand_dims<1>(l::x) - l::m)));
    }
    static constexpr int blocks = 2, copies = 1;
};
/// Sums along the lanes of products: factors that do not vary are taken out, also signs, also from both sides. The mean of nothing is NaN;
/// as a factor of a sum of nothing it has no effect.
template<class T>
struct products : leaves<T> {
    using l = leaves<T>;
    static constexpr auto outputs() {
        auto const pair = xg::expand_dims<1>(l::x) - l::m;
        auto const w = xg::expand_dims<2>(xg::softmax<1>(-xg::sum<2>(xg::square(pair))));
        auto const left = -(w * l::q);
        auto const right = pair * 3_c;
        return std::tuple(xg::sum<0>(left * right), xg::sum<0>(left), xg::sum<0>(-(l::q * right)),
            xg::sum<0>(-right * -left * (l::m * l::q)), xg::max<0>(left * 2_c), xg::sum<0>((l::m * l::q) * (w * pair) + l::q),
            xg::sum<0>(right * xg::mean(l::y)));
    }
    static constexpr int blocks = 2, copies = 1;
};
/// Four dimensions; the copied input is also the factor of a product, which reads the original.
template<class T>
struct deep : leaves<T> {
    using l = leaves<T>;
    static constexpr auto outputs() {
        auto const pair = xg::expand_dims<1>(xg::expand_dims<1>(l::x)) - xg::expand_dims<1>(l::m);   // [batch, 7, 1, 5]
        auto const all = xg::tanh(pair * xg::expand_dims<1>(xg::sum<1>(l::s)));                      // [batch, 7, 4, 5]
        return std::tuple(
            xg::mean(xg::square(xg::sum<3>(all))), xg::sum<0, 1, 2>(all), xg::max<0, 1, 2>(pair), xg::matmul<false, true>(l::x, l::m));
    }
    static constexpr int blocks = 1, copies = 1;
};
/// The long dimension is not the first one.
template<class T>
struct inside : leaves<T> {
    using l = leaves<T>;
    static constexpr auto outputs() {
        auto const rows = xg::sum<1>(l::x);                                                                 // [batch]
        auto const grid = xg::expand_dims<1>(l::s) * xg::expand_dims<1>(rows) + xg::expand_dims<1>(l::y);   // [4, batch, 3]
        auto const top = xg::log_sum_exp<2>(grid);
        return std::tuple(xg::sum(xg::square(top)), xg::max(top), xg::sum(grid));
    }
    static constexpr int blocks = 1, copies = 0;
};
template<class P, class T>
auto call(auto& f, std::int64_t n) {
    using l = leaves<T>;
    auto const x = test::numbers<T>({n, 5}, -1, 1, 1), y = test::numbers<T>({n}, T(0.25), 1, 2), a = test::numbers<T>({7}, -1, 1, 3),
               m = test::numbers<T>({7, 5}, -1, 1, 4), q = test::numbers<T>({7, 5}, -1, 1, 5), s = test::numbers<T>({4, 3}, -1, 1, 6);
    return test::results<T>(
        f, std::tuple_cat(test::bound_if_read<P>(l::x, x), test::bound_if_read<P>(l::y, y), test::bound_if_read<P>(l::a, a),
               test::bound_if_read<P>(l::m, m), test::bound_if_read<P>(l::q, q), test::bound_if_read<P>(l::s, s)));
}
/// In double the planner on against off, in float against the same numbers computed in double.
template<template<class> class Model>
void compare() {
    using O = test::outputs_of<Model<double>>;
    using P = test::planned<Model<double>>;
    using Q = test::plain<Model<double>>;
    using F = test::outputs_of<Model<float>>;
    using S = test::planned<Model<float>>;
    static_assert(blocks_of<P>() == Model<double>::blocks);
    static_assert(copies_of<P>() == Model<double>::copies);
    static_assert(blocks_of<S>() == Model<float>::blocks);
    static_assert(blocks_of<Q>() == 0);
    xg::function<O, P> on{O{}};
    xg::function<O, Q> off{O{}};
    xg::function<F, S> single{F{}};
    for (std::int64_t n = 0; n <= 3000; n += n < 52 ? 1 : n < 1000 ? 486 : 1024) {   // also several blocks of long rows
        CAPTURE(n);
        auto const expected = call<Q, double>(off, n);
        test::check_close(call<P, double>(on, n), expected, P::table.view().count);
        std::vector<std::vector<float>> rounded;
        for (auto const& e : expected) rounded.emplace_back(e.begin(), e.end());
        test::check_close(call<S, float>(single, n), rounded, P::table.view().count);
    }
}
}
