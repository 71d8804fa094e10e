// SPDX-License-Identifier: MIT
// Ftrl with a group lasso on rows.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// For each element: n' = n + g²; z ← z + g − (√n' − √n)/η·θ; y = sign(z)·l1 − z where |z| > l1, else 0; n ← n'. For
/// each row of d elements: θ ← (1 − l21·√d / ‖y‖)·y / (√n'/η + 2·l2), and 0 if ‖y‖ ≤ l21·√d.
/// Source: Yue et al. 2021, arXiv 2107.14432 (Group FTRL); with l21 = 0 it is ftrl.
/// Sparse: rows that occur.
/// Use: embeddings with rare rows that should vanish.
struct group_ftrl {
    static constexpr std::string_view name = "group_ftrl", tf_name = "GroupFtrl";
    hyper learning_rate{0.01};
    double initial_accumulator = 0.1;
    hyper l1{0.0}, l2{0.0}, l21{0.0};

    static constexpr std::array<slot_info, 2> slots{slot_info("accum"), slot_info("linear")};
    static constexpr std::array<reduction_info, 2> reductions{reduction_info(per::row), reduction_info(per::row)};
    static constexpr int flops = 30;
    double slot_init(int slot) const { return slot == 0 ? initial_accumulator : 0.0; }
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::positive),
            hyper_info("initial_accumulator", initial_accumulator, allow::positive), hyper_info("l1", l1, allow::zero_or_more),
            hyper_info("l2", l2, allow::zero_or_more), hyper_info("l21", l21, allow::zero_or_more)};
    }

    template<class T>
    struct scalars {
        T inverse_rate, l1, two_l2, l21;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {
            static_cast<T>(1.0 / learning_rate(step)), static_cast<T>(l1(step)), static_cast<T>(2.0 * l2(step)), static_cast<T>(l21(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void terms(scalars<T> const& s, V param, V grad, V const* slot, V* term) {
        V moved[]{slot[0], slot[1]};
        V const y = pull(s, param, grad, moved);
        term[0] = y * y;
        term[1] = V(T(1));
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot, V const* reduced) {
        V const zero(T(0)), one(T(1)), y = pull(s, param, grad, slot);
        V const norm = math::sqrt(reduced[0]), limit = V(s.l21) * math::sqrt(reduced[1]), gone = math::less_equal(norm, limit);
        V const share = math::where(gone, zero, one - limit / math::where(gone, one, norm));
        param = y * share / (math::sqrt(slot[0]) * V(s.inverse_rate) + V(s.two_l2));
    }

private:
    /// Moves n and z. Returns y, the part of −z beyond l1.
    template<class T, class V>
    XGRAD_INLINE static V pull(scalars<T> const& s, V param, V grad, V* slot) {
        V const zero(T(0)), limit(s.l1), next = slot[0] + grad * grad;
        V const z = slot[1] + grad - (math::sqrt(next) - math::sqrt(slot[0])) * V(s.inverse_rate) * param;
        slot[0] = next;
        slot[1] = z;
        return math::where(math::less_equal(math::abs(z), limit), zero, math::sign(z) * limit - z);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
