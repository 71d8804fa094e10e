// SPDX-License-Identifier: MIT
// SM3: Adagrad with one accumulator for each row and each column.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// ν = min(row, column) + g²; u = g / √(ν + ε), 0 where ν is 0; m ← β·m + (1 − β)·u; θ ← θ − η·m; for each row:
/// row ← max ν; for each column: column ← max(column, max ν).
/// A matrix [a, b] keeps m and a + b accumulators. For a vector it is Adagrad with the initial accumulator 0. With
/// more than two axes, the first axis and all others together have accumulators; optax has one for each axis.
/// Source: Anil et al. 2019, arXiv 1901.11150, SM3-II; optax.sm3, whose ε is 1e-8.
/// Sparse: rows that occur; the accumulators are those of a dense gradient, because rows without a gradient do not
/// increase them.
/// Use: large matrices and tables for which Adagrad works, but its accumulator is too large.
struct sm3 {
    static constexpr std::string_view name = "sm3", tf_name = "SM3";
    hyper learning_rate{0.1}, momentum{0.9}, epsilon{1e-8};

    static constexpr std::array<slot_info, 3> slots{slot_info("momentum"), slot_info("row", per::row), slot_info("column", per::column)};
    static constexpr std::array<reduction_info, 2> reductions{
        reduction_info(per::row, reduction::max), reduction_info(per::column, reduction::max)};
    static constexpr bool slots_move_behind = true;
    static constexpr int flops = 15;   // the accumulator twice
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more),
            hyper_info("momentum", momentum, allow::below_one), hyper_info("epsilon", epsilon, allow::zero_or_more)};
    }

    template<class T>
    struct scalars {
        T rate, momentum, rest, epsilon;   // rest: 1 − momentum
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        double const beta = momentum(step);
        return {static_cast<T>(learning_rate(step)), static_cast<T>(beta), static_cast<T>(1 - beta), static_cast<T>(epsilon(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void terms(scalars<T> const&, V, V grad, V const* slot, V* term) {
        term[0] = term[1] = accumulated(grad, slot);
    }
    template<class T>
    XGRAD_INLINE static void advance_row(scalars<T> const&, T* slot, T const* reduced) {
        slot[1] = reduced[0];
    }
    template<class T>
    XGRAD_INLINE static void advance_column(scalars<T> const&, T* slot, T const* reduced) {
        slot[2] = reduced[1] < slot[2] ? slot[2] : reduced[1];   // NaN stays NaN
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot, V const*) {
        V const nu = accumulated(grad, slot), root = math::sqrt(nu + V(s.epsilon));
        V const u = math::where(math::equal(nu, V(T(0))), V(T(0)), grad / root);
        slot[0] = V(s.momentum) * slot[0] + V(s.rest) * u;
        param = param - V(s.rate) * slot[0];
    }

private:
    template<class V>
    XGRAD_INLINE static V accumulated(V grad, V const* slot) {
        return math::where(math::less_equal(slot[1], slot[2]), slot[1], slot[2]) + grad * grad;
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
