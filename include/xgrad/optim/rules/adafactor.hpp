// SPDX-License-Identifier: MIT
// Adafactor: Adam-like steps, scaled by the size of the variable. The second moment is kept per row and per column
// only.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/meta/libm.hpp>
#include <xgrad/optim/body_parts.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// The `scalars` of adafactor and unfactored_adafactor.
template<class T>
struct adafactor_scalars {
    T rate, decay, rest, epsilon, clip, least, scaled, unscaled, weight_decay;   // rest: 1 − decay; scaled: 1 if rms(θ) scales the step
    template<class Rule>
    static adafactor_scalars of(Rule const& r, std::int64_t step) {
        double const rest = libm::pow(static_cast<double>(step) + 1, -r.decay_rate(step)), scaled = r.multiply_by_parameter_scale ? 1 : 0;
        return {static_cast<T>(r.learning_rate(step)), static_cast<T>(1 - rest), static_cast<T>(rest), static_cast<T>(r.epsilon(step)),
            static_cast<T>(r.clipping_threshold(step)), static_cast<T>(r.min_scale(step)), static_cast<T>(scaled),
            static_cast<T>(1 - scaled), static_cast<T>(r.weight_decay(step))};
    }
};

namespace detail {
/// The factor of a direction. `variable` and `direction` are mean squares over the variable and over its directions.
template<class T, class V>
XGRAD_INLINE V adafactor_length(adafactor_scalars<T> const& s, V variable, V direction) {
    V const too_long = at_least(math::sqrt(direction) / V(s.clip), V(T(1)));
    V const size = V(s.scaled) * at_least(math::sqrt(variable), V(s.least)) + V(s.unscaled);
    return V(s.rate) * size / too_long;
}
}   // namespace detail

/// β = 1 − t^−decay_rate, with the step t; r ← β·r + (1 − β)·mean(g² + ε) of each row, likewise c of each column;
/// u = g / √(r/mean(r) · c); u ← u / max(1, rms(u) / clipping_threshold);
/// θ ← θ − η·max(rms(θ), min_scale)·u − weight_decay·θ.
/// t is 1 in the first step. The paper's η is min(0.01, 1/√t), a function of the step. Without
/// multiply_by_parameter_scale, rms(θ) is not used. An infinite clipping_threshold clips nothing.
/// A matrix of n by m keeps n + m numbers. Each element of a vector is a row, so its moment is per element, like optax'
/// unfactored one. With more than two axes, the first is factored against the others; optax takes the two longest.
/// optax.adafactor factors only if both lengths are at least min_dim_size_to_factor, 128; use unfactored_adafactor for
/// smaller matrices.
/// Source: Shazeer, Stern 2018, arXiv 1804.04235, algorithm 4; optax.adafactor, whose weight decay is not multiplied by
/// η either; for its momentum use averaged_steps{adafactor{}}. Keras' and PyTorch's Adafactor use min(η, 1/√t) and
/// decay by η·λ.
/// Sparse: as if dense.
/// Use: large matrices with little memory.
struct adafactor {
    static constexpr std::string_view name = "adafactor", tf_name = "Adafactor";
    hyper learning_rate{0.01}, decay_rate{0.8}, clipping_threshold{1.0}, epsilon{1e-30}, min_scale{1e-3}, weight_decay{0.0};
    bool multiply_by_parameter_scale = true;

    static constexpr std::array<slot_info, 2> slots{slot_info("vr", per::row), slot_info("vc", per::column)};
    static constexpr std::array<reduction_info, 5> reductions{reduction_info(per::row, reduction::mean),
        reduction_info(per::column, reduction::mean), reduction_info(per::variable, reduction::mean, 1),
        reduction_info(per::variable, reduction::mean, 2), reduction_info(per::variable, reduction::mean, 2)};
    static constexpr int flops = 30;   // the direction twice, and the sums
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more),
            hyper_info("decay_rate", decay_rate, allow::zero_or_more),
            hyper_info("clipping_threshold", clipping_threshold, allow::positive_or_infinite),
            hyper_info("epsilon", epsilon, allow::positive), hyper_info("min_scale", min_scale, allow::zero_or_more),
            hyper_info("weight_decay", weight_decay, allow::zero_or_more)};
    }

    template<class T>
    using scalars = adafactor_scalars<T>;
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return scalars<T>::of(*this, step);
    }
    template<class T, class V>
    XGRAD_INLINE static void terms(scalars<T> const& s, V param, V grad, V const* slot, V const* reduced, V* term) {
        V const u = direction<T>(grad, slot, reduced);
        term[0] = term[1] = grad * grad + V(s.epsilon);
        term[2] = slot[0];
        term[3] = param * param;
        term[4] = u * u;
    }
    template<class T>
    XGRAD_INLINE static void advance_row(scalars<T> const& s, T* slot, T const* reduced) {
        slot[0] = s.decay * slot[0] + s.rest * reduced[0];
    }
    /// Also replaces the mean by 1/√c. The direction then needs one root per column instead of one per element.
    template<class T>
    XGRAD_INLINE static void advance_column(scalars<T> const& s, T* slot, T* reduced) {
        slot[1] = s.decay * slot[1] + s.rest * reduced[1];
        reduced[1] = T(1) / math::sqrt(slot[1]);
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot, V const* reduced) {
        param = param - direction<T>(grad, slot, reduced) * detail::adafactor_length(s, reduced[3], reduced[4]) - V(s.weight_decay) * param;
    }

private:
    template<class T, class V>
    XGRAD_INLINE static V direction(V grad, V const* slot, V const* reduced) {
        return grad * reduced[1] * (V(T(1)) / math::sqrt(slot[0] / reduced[2]));   // two roots: the product of two moments may underflow
    }
};

/// β as in adafactor; v ← β·v + (1 − β)·(g² + ε) of each element; u = g / √v; then as in adafactor.
/// Source: Shazeer, Stern 2018, arXiv 1804.04235; optax.adafactor for vectors, and for matrices with a length below
/// min_dim_size_to_factor.
/// Sparse: as if dense; `lazy` moves the rows that occur, with the means of those rows.
/// Use: matrices too small to save memory, in a model that uses adafactor for large ones.
struct unfactored_adafactor {
    static constexpr std::string_view name = "unfactored_adafactor", tf_name = "Adafactor";
    hyper learning_rate{0.01}, decay_rate{0.8}, clipping_threshold{1.0}, epsilon{1e-30}, min_scale{1e-3}, weight_decay{0.0};
    bool multiply_by_parameter_scale = true;

    static constexpr std::array<slot_info, 1> slots{slot_info("v")};
    static constexpr std::array<reduction_info, 2> reductions{
        reduction_info(per::variable, reduction::mean), reduction_info(per::variable, reduction::mean)};
    static constexpr int flops = 24;   // the direction twice, and the sums
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more),
            hyper_info("decay_rate", decay_rate, allow::zero_or_more),
            hyper_info("clipping_threshold", clipping_threshold, allow::positive_or_infinite),
            hyper_info("epsilon", epsilon, allow::positive), hyper_info("min_scale", min_scale, allow::zero_or_more),
            hyper_info("weight_decay", weight_decay, allow::zero_or_more)};
    }

    template<class T>
    using scalars = adafactor_scalars<T>;
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return scalars<T>::of(*this, step);
    }
    template<class T, class V>
    XGRAD_INLINE static void terms(scalars<T> const& s, V param, V grad, V const* slot, V* term) {
        V const u = grad / math::sqrt(moved(s, grad, slot[0]));
        term[0] = param * param;
        term[1] = u * u;
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot, V const* reduced) {
        slot[0] = moved(s, grad, slot[0]);
        param = param - grad / math::sqrt(slot[0]) * detail::adafactor_length(s, reduced[0], reduced[1]) - V(s.weight_decay) * param;
    }

private:
    template<class T, class V>
    XGRAD_INLINE static V moved(scalars<T> const& s, V grad, V moment) {
        return V(s.decay) * moment + V(s.rest) * (grad * grad + V(s.epsilon));
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
