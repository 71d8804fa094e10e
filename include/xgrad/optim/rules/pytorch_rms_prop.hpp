// SPDX-License-Identifier: MIT
// RMSProp in PyTorch's form, plain and centered.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/rules/rms_prop.hpp>

XGRAD_NAMESPACE_BEGIN

/// s ← s + (g² − s)(1 − ρ); b ← μ·b + g / (√s + ε); θ ← θ − η·b. s begins at 0. Unlike in rms_prop, ε is outside the
/// root and η outside b.
/// Source: Tieleman, Hinton 2012; torch.optim.RMSprop (its decay is alpha).
/// Sparse: as if dense; `lazy` moves the rows that occur.
/// Use: programs ported from PyTorch.
struct pytorch_rms_prop {
    static constexpr std::string_view name = "pytorch_rms_prop", tf_name = "RMSprop";
    hyper learning_rate{0.01}, decay{0.99}, momentum{0.0}, epsilon{1e-8};

    static constexpr std::array<slot_info, 2> slots{slot_info("rms"), slot_info("momentum")};
    static constexpr int flops = 11;
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("decay", decay, allow::up_to_one),
            hyper_info("momentum", momentum, allow::zero_or_more), hyper_info("epsilon", epsilon, allow::zero_or_more)};
    }

    template<class T>
    using scalars = rms_prop_scalars<T>;
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return scalars<T>::of(*this, step);
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        slot[0] = slot[0] + (grad * grad - slot[0]) * V(s.one_minus_decay);
        slot[1] = slot[1] * V(s.momentum) + grad / (math::sqrt(slot[0]) + V(s.epsilon));
        param = param - slot[1] * V(s.rate);
    }
};

/// As pytorch_rms_prop, with the variance instead of the mean square: a ← a + (g − a)(1 − ρ);
/// b ← μ·b + g / (√(s − a²) + ε).
/// Source: torch.optim.RMSprop with centered=True.
/// Sparse: as if dense; `lazy` moves the rows that occur.
/// Use: programs ported from PyTorch.
struct pytorch_centered_rms_prop {
    static constexpr std::string_view name = "pytorch_centered_rms_prop", tf_name = "RMSprop";
    hyper learning_rate{0.01}, decay{0.99}, momentum{0.0}, epsilon{1e-8};

    static constexpr std::array<slot_info, 3> slots{slot_info("rms"), slot_info("mg"), slot_info("momentum")};
    static constexpr int flops = 16;
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("decay", decay, allow::up_to_one),
            hyper_info("momentum", momentum, allow::zero_or_more), hyper_info("epsilon", epsilon, allow::zero_or_more)};
    }

    template<class T>
    using scalars = rms_prop_scalars<T>;
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return scalars<T>::of(*this, step);
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        slot[0] = slot[0] + (grad * grad - slot[0]) * V(s.one_minus_decay);
        slot[1] = slot[1] + (grad - slot[1]) * V(s.one_minus_decay);
        slot[2] = slot[2] * V(s.momentum) + grad / (math::sqrt(slot[0] - slot[1] * slot[1]) + V(s.epsilon));
        param = param - slot[2] * V(s.rate);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
