// SPDX-License-Identifier: MIT
// Rows that are probabilities: the nearest point of the simplex, as a constraint or as an operation.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/row_function.hpp>
#include <xgrad/ops/arithmetic.hpp>
#include <xgrad/ops/reduce.hpp>

#include <algorithm>
#include <limits>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// max(x − τ, 0) with τ such that the row sums to 1. τ is found in the sorted row (Held, Wolfe, Crowder 1974; Duchi et
/// al. 2008, "Efficient projections onto the l1-ball", figure 1).
struct simplex : row_op {
    static constexpr std::string_view name = "simplex";
    static constexpr int flops = 12;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) {
        value_info r = v[0];
        if (!is_floating(r.type)) r.wrong = fault::not_floating;
        return r;
    }
    template<class T>
    static void row(std::span<T const> x, std::span<T> out) {
        bool finite = true;
        for (T const e : x) finite = finite && e - e == T(0);
        std::copy(x.begin(), x.end(), out.begin());
        if (finite) std::sort(out.begin(), out.end(), [](T a, T b) { return a > b; });
        // Sums start at the largest element and use differences from it. So a large offset of the row costs no
        // precision.
        T const top = x.empty() ? T(0) : out[0];
        double sum = 0, over = -1;
        for (std::size_t k = 0; finite && k < x.size(); ++k) {
            sum += static_cast<double>(out[k] - top);
            double const mean = (sum - 1) / static_cast<double>(k + 1);
            if (static_cast<double>(out[k] - top) <= mean) break;
            over = mean;
        }
        for (std::size_t j = 0; j < x.size(); ++j) {
            double const e = static_cast<double>(x[j] - top) - over;
            out[j] = !finite ? std::numeric_limits<T>::quiet_NaN() : e > 0 ? static_cast<T>(e) : T(0);
        }
    }
    static constexpr void derive(derivation& d) {
        auto const last = axis_set::of(d.info(0).dims.rank - 1);
        symbol const on = xgrad::sign(d.result);   // 1 above 0
        d.out[0] = on * (d.gradient - sum_over(on * d.gradient, last, true) / sum_over(on, last, true));
    }
};
}

namespace nn {
/// For each row (the last axis), the nearest point with elements of at least 0 that sum to 1. Rows are weights of a
/// portfolio or a mixture. As a constraint after each update:
/// `minimize(loss, rule, assign(w, nn::simplex(updated(w))))` (optax.projections.projection_simplex). For rows that sum
/// to s: s · simplex(w / s). A row with an infinite element or NaN becomes NaN. The gradient is that of the elements
/// above 0, minus their mean.
inline constexpr row_function<op::simplex> simplex{};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
