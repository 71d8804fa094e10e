// SPDX-License-Identifier: MIT
// Adagrad with one accumulator for each row of a table.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// For each row: a ← a + mean(g²); θ ← θ − g·η / (√a + ε). A table of n rows of d elements keeps n numbers instead of
/// n·d. Each element of a vector is a row; a scalar is one row.
/// Source: DLRM and FBGEMM's EXACT_ROWWISE_ADAGRAD, which begin with a = 0; DLRM's ε is 1e-10.
/// Sparse: rows that occur.
/// Use: large embeddings.
struct rowwise_adagrad {
    static constexpr std::string_view name = "rowwise_adagrad", tf_name = "RowWiseAdagrad";
    hyper learning_rate{0.01}, epsilon{1e-8};
    double initial_accumulator = 0.0;

    static constexpr std::array<slot_info, 1> slots{slot_info("accumulator", per::row)};
    static constexpr std::array<reduction_info, 1> reductions{reduction_info(per::row, reduction::mean)};
    static constexpr int flops = 7;   // with the sum
    double slot_init(int) const { return initial_accumulator; }
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more),
            hyper_info("epsilon", epsilon, allow::zero_or_more),
            hyper_info("initial_accumulator", initial_accumulator, allow::zero_or_more)};
    }
    template<class T>
    struct scalars {
        T rate, epsilon;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(learning_rate(step)), static_cast<T>(epsilon(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void terms(scalars<T> const&, V, V grad, V const*, V* term) {
        term[0] = grad * grad;
    }
    template<class T>
    XGRAD_INLINE static void advance_row(scalars<T> const&, T* slot, T const* reduced) {
        slot[0] = slot[0] + reduced[0];
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot, V const*) {
        param = param - grad * (V(s.rate) / (math::sqrt(slot[0]) + V(s.epsilon)));
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
