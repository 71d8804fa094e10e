// SPDX-License-Identifier: MIT
// Row-wise Adagrad with a group lasso on rows.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// For each row of d elements: a ← a + mean(g²); e = η / (√a + ε); w = θ − e·g;
/// θ ← w·max(0, 1 − e·l21·√d / ‖w‖) / (1 + e·l2). A row that is not needed becomes 0 as a whole.
/// Source: rowwise_adagrad with the proximal step of the group lasso (Yuan, Lin 2006). The step is exact, because a row
/// has one step length. Without l21 and l2 it is MXNet's GroupAdaGrad, except for ε.
/// Sparse: rows that occur.
/// Use: embeddings with rare rows that should vanish.
struct group_adagrad {
    static constexpr std::string_view name = "group_adagrad", tf_name = "GroupAdagrad";
    hyper learning_rate{0.01}, epsilon{1e-8}, l21{0.0}, l2{0.0};
    double initial_accumulator = 0.0;

    static constexpr std::array<slot_info, 1> slots{slot_info("accumulator", per::row)};
    static constexpr std::array<reduction_info, 3> reductions{
        reduction_info(per::row, reduction::mean), reduction_info(per::row, 1), reduction_info(per::row, 1)};
    static constexpr int flops = 14;
    double slot_init(int) const { return initial_accumulator; }
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more),
            hyper_info("epsilon", epsilon, allow::zero_or_more), hyper_info("l21", l21, allow::zero_or_more),
            hyper_info("l2", l2, allow::zero_or_more), hyper_info("initial_accumulator", initial_accumulator, allow::zero_or_more)};
    }

    template<class T>
    struct scalars {
        T rate, epsilon, l21, l2;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(learning_rate(step)), static_cast<T>(epsilon(step)), static_cast<T>(l21(step)), static_cast<T>(l2(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void terms(scalars<T> const& s, V param, V grad, V const* slot, V const*, V* term) {
        V const w = param - grad * length(s, slot);
        term[0] = grad * grad;
        term[1] = w * w;
        term[2] = V(T(1));
    }
    template<class T>
    XGRAD_INLINE static void advance_row(scalars<T> const&, T* slot, T const* reduced) {
        slot[0] = slot[0] + reduced[0];
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot, V const* reduced) {
        V const zero(T(0)), one(T(1)), e = length(s, slot), limit = e * V(s.l21) * math::sqrt(reduced[2]), norm = math::sqrt(reduced[1]);
        V const gone = math::where(math::less_equal(norm, limit), math::greater(limit, zero), zero);
        V const share = math::where(gone, zero, one - limit / math::where(math::equal(norm, zero), one, norm));
        param = (param - grad * e) * (share / (one + e * V(s.l2)));   // the second factor is the same for the whole row
    }

private:
    template<class T, class V>
    XGRAD_INLINE static V length(scalars<T> const& s, V const* slot) {
        return V(s.rate) / (math::sqrt(slot[0]) + V(s.epsilon));
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
