// SPDX-License-Identifier: MIT
// FTRL: follow the regularized leader, proximal form.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// With p = −learning_rate_power, n the accumulator, z the linear term and gs = g + 2·l2_shrinkage·θ: n' = n + g² (not
/// gs); z ← z + gs − (n'^p − n^p)/η · θ; θ ← 0 if |z| ≤ l1, else (sign(z)·l1 − z) / ((n'^p + β)/η + 2·l2); n ← n'.
/// With multiply_linear_by_rate, z is stored as η·z, so a change of the rate rescales it. z starts at zero for any θ:
/// the first step discards most of an initial θ other than zero. An element becomes 0 if l2 is 0 and its accumulator is
/// still 0 (initial_accumulator 0, no gradient yet); TensorFlow's sparse form gives NaN.
/// Source: McMahan et al. 2013; TensorFlow's FtrlOptimizer and, with β, Keras' Ftrl; multiply_linear_by_lr of
/// TensorFlow's kernels.
/// Sparse: rows that occur, including the shrinkage.
/// Use: large linear models with exact zeros.
struct ftrl {
    static constexpr std::string_view name = "ftrl", tf_name = "Ftrl";
    hyper learning_rate{0.001};
    double learning_rate_power = -0.5, initial_accumulator = 0.1;
    hyper l1{0.0}, l2{0.0}, l2_shrinkage{0.0}, beta{0.0};
    bool multiply_linear_by_rate = false;

    static constexpr std::array<slot_info, 2> slots{"accum", "linear"};
    static constexpr int flops = 26;   // with a power of -0.5
    double slot_init(int slot) const { return slot == 0 ? initial_accumulator : 0.0; }
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::positive),
            hyper_info("learning_rate_power", learning_rate_power, allow::zero_or_less),
            hyper_info("initial_accumulator", initial_accumulator, allow::zero_or_more), hyper_info("l1", l1, allow::zero_or_more),
            hyper_info("l2", l2, allow::zero_or_more), hyper_info("l2_shrinkage", l2_shrinkage, allow::zero_or_more),
            hyper_info("beta", beta, allow::zero_or_more)};
    }

    enum class root : unsigned char { square_root, one, identity, general };   // n^p for p = 0.5, 0, 1 and others
    template<class T>
    struct scalars {
        T gain, inverse_rate, power, l1, two_l2, two_shrinkage;   // gain: factor of g in z; later members have the unit of z
        root kind;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        double const p = -learning_rate_power, rate = learning_rate(step), gain = multiply_linear_by_rate ? rate : 1.0;
        return {static_cast<T>(gain), static_cast<T>(gain / rate), static_cast<T>(p), static_cast<T>(l1(step) * gain),
            static_cast<T>((2.0 * l2(step) + beta(step) / rate) * gain), static_cast<T>(2.0 * l2_shrinkage(step)),
            p == 0.5   ? root::square_root
            : p == 0.0 ? root::one
            : p == 1.0 ? root::identity
                       : root::general};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        V const zero(T(0)), one(T(1)), n = slot[0], next = n + grad * grad;
        V before = n, after = next;
        if (s.kind == root::square_root) {
            before = math::sqrt(n);
            after = math::sqrt(next);
        } else if (s.kind == root::one) {
            before = after = one;
        } else if (s.kind == root::general) {
            before = math::where(math::equal(n, zero), zero, math::pow(n, V(s.power)));
            after = math::where(math::equal(next, zero), zero, math::pow(next, V(s.power)));
        }
        V const z = slot[1] + (grad + V(s.two_shrinkage) * param) * V(s.gain) - (after - before) * V(s.inverse_rate) * param;
        V const denominator = after * V(s.inverse_rate) + V(s.two_l2);
        V const limit(s.l1);
        V const toward = math::where(math::greater(z, zero), limit - z, zero - limit - z);
        // 0 if |z| <= l1 or the denominator is 0; the quotient is then computed with 1 and dropped. A NaN gradient
        // stays NaN.
        V const rests = math::where(math::equal(denominator, zero), one, math::less_equal(math::abs(z), limit));
        param = math::where(rests, zero, toward / math::where(rests, one, denominator));
        slot[0] = next;
        slot[1] = z;
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
