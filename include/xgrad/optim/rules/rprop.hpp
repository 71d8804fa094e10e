// SPDX-License-Identifier: MIT
// Rprop: step lengths that depend only on the signs of gradients.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// q = g·g' with g' the gradient of the previous step; e ← clamp(e·grow, least, most) if q > 0,
/// clamp(e·shrink, least, most) and g ← 0 if q < 0; θ ← θ − sign(g)·e; g' ← g. e begins at the learning rate, which is
/// not read later.
/// Source: Riedmiller, Braun 1993; torch.optim.Rprop (etas, step_sizes), optax.rprop. optax moves by the step of the
/// previous gradient, so its first step moves nothing.
/// Sparse: as if dense: a zero gradient clears g' and keeps e; `lazy` moves the rows that occur.
/// Use: full batches without noise.
struct rprop {
    static constexpr std::string_view name = "rprop", tf_name = "Rprop";
    hyper learning_rate{0.01}, shrink{0.5}, grow{1.2}, least{1e-6}, most{50.0};

    static constexpr std::array<slot_info, 2> slots{slot_info("prev"), slot_info("step_size")};
    static constexpr int flops = 10;
    double slot_init(int slot) const { return slot == 1 ? learning_rate(0) : 0.0; }
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more),
            hyper_info("shrink", shrink, allow::between_zero_and_one), hyper_info("grow", grow, allow::at_least_one),
            hyper_info("least", least, allow::zero_or_more), hyper_info("most", most, allow::positive)};
    }

    template<class T>
    struct scalars {
        T shrink, grow, least, most;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(shrink(step)), static_cast<T>(grow(step)), static_cast<T>(least(step)), static_cast<T>(most(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        V const zero(T(0)), q = grad * slot[0];
        V const turned = math::less(q, zero);
        V const factor = math::where(turned, V(s.shrink), math::where(math::greater(q, zero), V(s.grow), V(T(1))));
        V const g = math::where(turned, zero, grad);
        slot[0] = g;
        slot[1] = math::min(math::max(slot[1] * factor, V(s.least)), V(s.most));
        param = param - math::sign(g) * slot[1];
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
