// SPDX-License-Identifier: MIT
// Models with the planner on and off.
// The planner takes sums in another order, so numbers differ by rounding. The bound for each operation of the graph is 4 ULP of the largest
// element of a result. Each operation adds at most that much relative to its operands, and no model here cancels by more.
#pragma once

#include <plan/planned.hpp>

#include <cmath>

namespace corpus {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
using T = float;
constexpr auto x = xg::input<"x", T, batch, 12>;
constexpr auto q = xg::input<"q", T, batch, 3, 4>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto z = xg::input<"z", T, batch>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch, 3>;
constexpr auto w1 = xg::variable<"w1", T, 12, 16>;
constexpr auto b1 = xg::variable<"b1", T, 16>;
constexpr auto w2 = xg::variable<"w2", T, 16, 5>;
constexpr auto b2 = xg::variable<"b2", T, 5>;
constexpr auto square12 = xg::variable<"s", T, 12, 12>;
constexpr auto scale = xg::variable<"scale", T, 12>;
constexpr auto table = xg::variable<"table", T, 20, 4>;
constexpr auto wide = xg::variable<"wide", T, 20, 1>;
constexpr auto m34 = xg::variable<"m34", T, 3, 4>;

struct mlp {
    static constexpr auto loss() {
        return xg::mean(xg::sparse_softmax_cross_entropy(xg::matmul(xg::relu(xg::matmul(x, w1) + b1), w2) + b2, y));
    }
};
struct wide_and_deep {
    static constexpr auto loss() {
        auto const deep = xg::concat<1>(xg::embedding_bag(table, ids), xg::reshape<batch, 12>(xg::gather(table, ids)), x);
        auto const hidden = xg::tanh(xg::matmul(deep, xg::variable<"wd", T, 28, 8>) + xg::variable<"bd", T, 8>);
        auto const logit = xg::squeeze<1>(xg::matmul(hidden, xg::variable<"wo", T, 8, 1>) + xg::embedding_bag(wide, ids));
        return xg::mean(xg::sigmoid_cross_entropy(logit, xg::cast<T>(xg::greater(z, 0_c))));
    }
};
struct log_sums {
    static constexpr auto loss() { return xg::mean(xg::log_sum_exp<1>(x * scale)) + xg::log_sum_exp<0, 1>(q * m34, xg::keep_dims) * 0.1_c; }
};
struct softmaxes {
    static constexpr auto loss() {
        return xg::sum(xg::square(xg::softmax<1>(q * m34) - xg::softmax<2>(q + m34)) * xg::softmax<1, 2>(q * m34)) +
               xg::sum(xg::softmax(x * scale) * xg::softmax(x));
    }
};
struct broadcasts {
    static constexpr auto loss() {
        auto const row = xg::mean<1>(x * scale, xg::keep_dims);
        auto const column = xg::mean<0>(x, xg::keep_dims);
        return xg::mean(xg::square(x - row) / (1_c + xg::square(column))) +
               xg::mean(xg::square(q * xg::expand_dims<1>(xg::slice<1, 0, 4>(x * scale)) + xg::expand_dims<1>(xg::slice<0, 0, 3>(scale))));
    }
};
struct joined {
    static constexpr auto loss() {
        auto const a = xg::exp(-xg::square(x));
        auto const b = xg::sigmoid(x * scale);
        auto const c = xg::concat<1>(a, b, xg::matmul(a, square12), a);
        return xg::mean(xg::square(xg::matmul(c, xg::variable<"wj", T, 48, 2>))) + xg::mean(b * xg::slice<1, 12, 24>(c));
    }
};
struct slices {
    static constexpr auto loss() {
        auto const left = xg::slice<1, 0, 6>(x * scale);
        auto const right = xg::slice<1, 6, 12>(x * scale);
        auto const turned = xg::matmul<true, false>(left, xg::tanh(right));
        return xg::mean(xg::square(turned)) + xg::mean(xg::squeeze<1>(xg::slice<1, 1, 2>(q)) * xg::slice<1, 2, 6>(x * scale));
    }
};
struct transposes {
    static constexpr auto loss() {
        auto const t = xg::transpose<0, 2, 1>(q * m34);
        return xg::mean(xg::square(xg::matmul(t, xg::variable<"wt", T, 3, 3>))) + xg::mean(xg::reshape<batch, 12>(t) * x) +
               xg::mean(xg::matmul(xg::transpose(x * scale), x));
    }
};
struct reductions {
    static constexpr auto loss() {
        auto const v = q * m34;
        return xg::mean(xg::square(xg::sum<0>(v))) * 0.01_c + xg::mean(xg::square(xg::sum<1>(v))) + xg::mean(xg::max<2>(v)) +
               xg::mean(xg::square(xg::mean<0, 1>(v))) + xg::mean(xg::square(xg::sum<1, 2>(v))) + xg::max(xg::mean<0, 2>(v));
    }
};
struct rows {   // a chain of values for each row
    static constexpr auto loss() {
        auto const centred = x - xg::mean<1>(x, xg::keep_dims);
        auto const normal = centred / xg::sqrt(xg::mean<1>(xg::square(centred), xg::keep_dims) + 0.001_c) * scale;
        return xg::mean(
            xg::square(xg::tanh(normal) * xg::sum<1>(normal * centred, xg::keep_dims) + xg::log_sum_exp<1>(normal, xg::keep_dims)));
    }
};
struct epilogues {
    static constexpr auto loss() {
        auto const p = xg::matmul(x, square12);
        return xg::mean(xg::sigmoid(p * scale + x) * xg::expand_dims<1>(z)) +
               xg::mean(xg::square(xg::relu(xg::matmul<false, true>(p, xg::transpose(w1)) * 0.5_c + b1)));
    }
};
struct shared {   // one matrix in three layers, and transposed
    static constexpr auto loss() {
        auto const h = xg::tanh(xg::matmul(xg::tanh(xg::matmul(xg::tanh(xg::matmul(x, square12)), square12)), square12));
        return xg::mean(xg::square(xg::matmul<false, true>(h, square12) - x));
    }
};
struct curvature {   // second derivatives
    static constexpr auto loss() {
        auto const inner = mlp::loss();
        auto const g = xg::gradients(inner, w1, x);
        return inner + xg::sum(xg::square(std::get<0>(g))) + 0.1_c * xg::sum(xg::square(std::get<1>(g)));
    }
};
/// Several models as one: a trainer costs the compiler as much as a model.
template<class... Model>
struct sum_of {
    static constexpr auto loss() { return (Model::loss() + ...); }
};
struct data {
    test::tensor<T> x, q, z;
    test::tensor<std::int32_t> y, ids;
    explicit data(std::int64_t n)
        : x(test::numbers<T>({n, 12}, -1, 1, 1)), q(test::numbers<T>({n, 3, 4}, -1, 1, 2)), z(test::numbers<T>({n}, -1, 1, 3)), y({n}),
          ids({n, 3}) {
        for (std::int64_t i = 0; i < n; ++i) y[i] = static_cast<std::int32_t>(i % 5);
        for (std::int64_t i = 0; i < 3 * n; ++i) ids[i] = static_cast<std::int32_t>(xg::mix_bits(static_cast<std::uint64_t>(i)) % 20);
    }
};
// Binds what a program uses.
template<class P, class F>
auto call_with(F& f, data const& d) {
    return std::apply([&](auto const&... b) { return f(b...); },
        std::tuple_cat(test::bound_if_read<P>(x, d.x), test::bound_if_read<P>(q, d.q), test::bound_if_read<P>(z, d.z),
            test::bound_if_read<P>(y, d.y), test::bound_if_read<P>(ids, d.ids)));
}
template<class Model, bool Fuse>
auto train(std::int64_t n, int steps, auto const& rule) {
    auto trainer = xg::minimize<xg::gating::none, Fuse>(Model::loss(), rule);
    trainer.initialize(xg::random_uniform{.seed = 11, .range = 0.5});
    data const d(n);
    std::vector<std::vector<T>> r(1);
    for (int i = 0; i < steps; ++i) {
        auto const loss = call_with<typename decltype(trainer)::program_type>(trainer, d);
        if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(loss)>>) r[0].push_back(loss);
        else r[0].insert(r[0].end(), loss.begin(), loss.end());
    }
    for (auto const& v : trainer.store().variables()) r.emplace_back(static_cast<T const*>(v.data), static_cast<T const*>(v.data) + v.size);
    return r;
}
// Largest difference in units of the bound.
inline double difference(std::vector<std::vector<T>> const& a, std::vector<std::vector<T>> const& b, int operations) {
    double worst = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        double scale = 0;
        for (T v : b[k]) scale = std::max(scale, std::abs(static_cast<double>(v)));
        for (std::size_t i = 0; i < a[k].size(); ++i) {
            double const off = std::abs(static_cast<double>(a[k][i]) - static_cast<double>(b[k][i])) /
                               (4 * operations * static_cast<double>(std::numeric_limits<T>::epsilon()) * scale);
            if (!(off <= worst)) worst = off;
        }
    }
    return worst;
}

using normalised = sum_of<log_sums, softmaxes, rows>;
using reduced = sum_of<broadcasts, reductions>;
using moved = sum_of<joined, slices, transposes>;
using products = sum_of<epilogues, shared>;

template<class Model>
void compare() {
    using P = typename decltype(xg::minimize(Model::loss(), xg::gradient_descent{}))::program_type;
    for (std::int64_t n : {7, 1, 40}) {
        CAPTURE(n);
        // one step of rate 1 from small numbers: the losses and the gradients are compared
        auto const on = train<Model, true>(n, 1, xg::gradient_descent{.learning_rate = 1.0});
        auto const off = train<Model, false>(n, 1, xg::gradient_descent{.learning_rate = 1.0});
        CHECK(difference(on, off, P::table.view().count) <= 1);
    }
}

}   // namespace corpus
