// SPDX-License-Identifier: MIT
// LARS: momentum with a rate scaled for each variable.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// r = trust·‖θ‖ / (‖g‖ + λ·‖θ‖ + ε); d = η·r·(g + λ·θ); a ← μ·a + d; θ ← θ − a, or with Nesterov θ ← θ − (d + μ·a).
/// Norms are over a variable. r is 1 if a norm is 0.
/// Source: You, Gitman, Ginsburg 2017, arXiv 1708.03888; TensorFlow 1.15 contrib's LARSOptimizer. optax.lars is
/// chain(l2_regularization{λ}, lars{.weight_decay = 0}): its norm is that of g + λ·θ. For its skip_list use a separate
/// group with momentum.
/// Sparse: rows that occur, with the norms of those rows. TensorFlow moves them by plain momentum; use that rule for
/// tables.
/// Use: very large batches of images.
struct lars {
    static constexpr std::string_view name = "lars", tf_name = "LARSOptimizer";
    hyper learning_rate{0.01}, momentum{0.9}, weight_decay{1e-4}, trust{1e-3}, epsilon{0.0};
    bool use_nesterov = false;

    static constexpr std::array<slot_info, 1> slots{slot_info("momentum")};
    static constexpr std::array<reduction_info, 2> reductions{reduction_info(per::variable), reduction_info(per::variable)};
    static constexpr int flops = 14;
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more),
            hyper_info("momentum", momentum, allow::zero_or_more), hyper_info("weight_decay", weight_decay, allow::zero_or_more),
            hyper_info("trust", trust, allow::zero_or_more), hyper_info("epsilon", epsilon, allow::zero_or_more)};
    }

    template<class T>
    struct scalars {
        T rate, momentum, decay, trust, epsilon;
        bool nesterov;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(learning_rate(step)), static_cast<T>(momentum(step)), static_cast<T>(weight_decay(step)),
            static_cast<T>(trust(step)), static_cast<T>(epsilon(step)), use_nesterov};
    }
    template<class T, class V>
    XGRAD_INLINE static void terms(scalars<T> const&, V param, V grad, V const*, V* term) {
        term[0] = param * param;
        term[1] = grad * grad;
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot, V const* reduced) {
        V const zero(T(0)), one(T(1)), length = math::sqrt(reduced[0]), slope = math::sqrt(reduced[1]);
        V const both = math::where(math::greater(length, zero), math::greater(slope, zero), zero);
        V const below = slope + V(s.decay) * length + V(s.epsilon);
        V const ratio = math::where(both, V(s.trust) * length / math::where(both, below, one), one);
        V const d = (grad + param * V(s.decay)) * (ratio * V(s.rate));
        slot[0] = slot[0] * V(s.momentum) + d;
        if (s.nesterov) param = param - (d + slot[0] * V(s.momentum));
        else param = param - slot[0];
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
