// SPDX-License-Identifier: MIT
// Signum: the sign of a mean of gradients.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// m ← β·m + (1 − β)·g; θ ← θ − η·sign(m). β = 0 is sign descent.
/// Source: Bernstein et al. 2018, arXiv 1802.04434; pytorch_optimizer.SignSGD, optax.signum; with β = 0 optax.sign_sgd.
/// Sparse: as if dense; `lazy` moves the rows that occur.
/// Use: if workers exchange gradients as signs.
struct signum {
    static constexpr std::string_view name = "signum", tf_name = "Signum";
    hyper learning_rate{1e-3}, beta{0.9};

    static constexpr std::array<slot_info, 1> slots{slot_info("m")};
    static constexpr int flops = 5;
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("beta", beta, allow::below_one)};
    }

    template<class T>
    struct scalars {
        T rate, beta, rest;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(learning_rate(step)), static_cast<T>(beta(step)), static_cast<T>(1.0 - beta(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        slot[0] = slot[0] * V(s.beta) + grad * V(s.rest);
        param = param - math::sign(slot[0]) * V(s.rate);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
