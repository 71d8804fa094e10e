// SPDX-License-Identifier: MIT
// Gradient descent with averaging instead of a schedule.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/meta/libm.hpp>
#include <xgrad/optim/body_parts.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <algorithm>
#include <array>
#include <limits>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// The weight of z in the mean: the power of the largest rate so far, divided by the sum of all weights. p holds the
/// sum and the largest rate.
struct schedule_free_weight {
    double sum, largest, share;
    schedule_free_weight(double rate, double power, double const* p) : sum(0), largest(std::max(rate, p[1])), share(0) {
        double const weight =
            power == 2.0 ? largest * largest : libm::pow(largest, power);   // pow takes a third of a step on a thousand elements
        sum = p[0] + weight;
        share = sum == 0.0 ? 0.0 : weight / sum;
    }
    void store(double* p) const {
        p[0] = sum;
        p[1] = largest;
    }
};
/// Moves the variable and its z along d. z begins as the variable.
template<class S, class V>
XGRAD_INLINE void schedule_free_step(S const& s, V& param, V d, V z, V& slot) {
    param = param + (z - param) * V(s.share) + d * V(s.along);
    slot = z - d * V(s.rate);
}
}   // namespace detail

/// d = g + λ·y; z ← z − η·d; x ← (1 − c)·x + c·z; y ← (1 − β)·z + β·x; c = wₜ / Σw, where w is the largest η so far to
/// the power weight_power. z begins as y. The variable holds y, where gradients are taken. Evaluate with
/// x = y + (z − y)·(1 − 1/β): `average(y, z, β)` for an element y of the variable and z of the slot "z".
/// Source: Defazio et al. 2024, arXiv 2405.15682; schedulefree.SGDScheduleFree, optax.contrib.schedule_free_sgd. A
/// warm-up is a schedule of η; optax then uses the η of the next step for w.
/// Sparse: as if dense: every row moves to its mean.
/// Use: if the number of steps is not known. η is larger than for momentum; a short warm-up is a schedule of η.
struct schedule_free_sgd {
    static constexpr std::string_view name = "schedule_free_sgd", tf_name = "ScheduleFreeSGD";
    hyper learning_rate{1.0}, momentum{0.9}, weight_decay{0.0}, weight_power{2.0};

    static constexpr std::array<slot_info, 3> slots{
        slot_info("z"), slot_info("weight_sum", per::optimizer), slot_info("largest_rate", per::optimizer)};
    static constexpr int flops = 9;
    double slot_init(int slot) const { return slot == 0 ? std::numeric_limits<double>::quiet_NaN() : 0.0; }
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more),
            hyper_info("momentum", momentum, allow::between_zero_and_one), hyper_info("weight_decay", weight_decay, allow::zero_or_more),
            hyper_info("weight_power", weight_power, allow::zero_or_more)};
    }
    void advance_powers(double* p, std::int64_t step = 0) const {
        detail::schedule_free_weight(learning_rate(step), weight_power(step), p).store(p);
    }

    template<class T>
    struct scalars {
        T rate, share, along, decay;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const* p) const {
        double const rate = learning_rate(step);
        detail::schedule_free_weight const w(rate, weight_power(step), p);
        return {static_cast<T>(rate), static_cast<T>(w.share), static_cast<T>(rate * (momentum(step) * (1.0 - w.share) - 1.0)),
            static_cast<T>(weight_decay(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        detail::schedule_free_step(s, param, grad + param * V(s.decay), detail::begun(slot[0], param), slot[0]);
    }
    /// The value to evaluate with, for an element y of the variable and its z.
    template<class V>
    static V average(V y, V z, double momentum) {
        return y + (z - y) * V(1.0 - 1.0 / momentum);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
