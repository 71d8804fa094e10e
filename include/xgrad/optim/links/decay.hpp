// SPDX-License-Identifier: MIT
// Transforms for chain(...) that pull parameters to zero: weight decay and regularization.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/body_parts.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

XGRAD_NAMESPACE_BEGIN

/// θ ← θ − weight_decay · rate · θ, before or after the rule, where it is in the chain.
///
/// * rate = 1, the default, before the rule: contrib's extend_with_decoupled_weight_decay of TensorFlow.
///   `chain(decoupled_decay{.weight_decay = 0.01}, momentum{...})` is contrib's MomentumW.
/// * rate = the learning rate or its schedule: the form of Loshchilov and Hutter (arXiv 1711.05101).
///
/// With indexed slices, each row that occurs decays once.
struct decoupled_decay {
    static constexpr std::string_view name = "decoupled_decay";
    static constexpr bool is_transform = true;
    static constexpr std::array<slot_info, 0> slots{};
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;
    hyper weight_decay{0.01}, rate{1};
    static constexpr int flops = 2;
    static constexpr bool idle_is_linear = true;
    auto hypers() const {
        return std::array{hyper_info("weight_decay", weight_decay, allow::zero_or_more), hyper_info("rate", rate, allow::zero_or_more)};
    }
    template<class T>
    using scalars = one_scalar<T>;
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(weight_decay(step) * rate(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(one_scalar<T> const& s, V& param, V&, V*) {
        param = param - param * V(s.value);
    }
};
/// g ← g + strength · θ, the gradient of ½ strength ‖θ‖². PyTorch's optimizers call it weight_decay, optax
/// add_decayed_weights.
/// With indexed slices it changes the rows that occur.
struct l2_regularization {
    static constexpr std::string_view name = "l2_regularization";
    static constexpr bool is_transform = true, in_front = true;
    static constexpr std::array<slot_info, 0> slots{};
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;
    hyper strength{1e-4};
    static constexpr int flops = 2;
    static constexpr bool idle_is_linear = true;
    auto hypers() const { return std::array{hyper_info("strength", strength, allow::zero_or_more)}; }
    template<class T>
    using scalars = one_scalar<T>;
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(strength(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(one_scalar<T> const& s, V& param, V& grad, V*) {
        grad = grad + param * V(s.value);
    }
};

/// g ← g + strength · sign(θ), the gradient of strength · Σ|θ|. With indexed slices it changes the rows that occur.
struct l1_regularization {
    static constexpr std::string_view name = "l1_regularization";
    static constexpr bool is_transform = true, in_front = true;
    static constexpr std::array<slot_info, 0> slots{};
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;
    hyper strength{1e-4};
    static constexpr int flops = 4;
    auto hypers() const { return std::array{hyper_info("strength", strength, allow::zero_or_more)}; }
    template<class T>
    using scalars = one_scalar<T>;
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(strength(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(one_scalar<T> const& s, V& param, V& grad, V*) {
        grad = grad + math::sign(param) * V(s.value);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
