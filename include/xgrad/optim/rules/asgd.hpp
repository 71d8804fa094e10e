// SPDX-License-Identifier: MIT
// Averaged gradient descent.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/meta/libm.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <algorithm>
#include <array>

XGRAD_NAMESPACE_BEGIN

/// In step t = 0, 1, …: e = η / (1 + λ·η·t)^α; θ ← θ·(1 − λ·e) − e·g; x ← x + (θ − x) / max(1, t − t₀).
/// x is θ before step t₀ = `start`, and the mean of θ from then on. Evaluate with x, the slot "ax".
/// Source: Polyak, Juditsky 1992; torch.optim.ASGD.
/// Sparse: as if dense; `lazy` moves the rows that occur.
/// Use: linear models with many noisy steps.
struct asgd {
    static constexpr std::string_view name = "asgd", tf_name = "ASGD";
    hyper learning_rate{0.01}, lambda{1e-4}, alpha{0.75};
    double start = 1e6;

    static constexpr std::array<slot_info, 1> slots{slot_info("ax")};
    static constexpr int flops = 6;
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more),
            hyper_info("lambda", lambda, allow::zero_or_more), hyper_info("alpha", alpha, allow::zero_or_more),
            hyper_info("start", start, allow::zero_or_more)};
    }

    template<class T>
    struct scalars {
        T rate, keep, weight;
        bool copies;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        double const t = static_cast<double>(step), rate = learning_rate(step),
                     e = rate / libm::pow(1.0 + lambda(step) * rate * t, alpha(step)), count = std::max(1.0, t - start);
        return {static_cast<T>(e), static_cast<T>(1.0 - lambda(step) * e), static_cast<T>(1.0 / count), count == 1.0};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        param = param * V(s.keep) - grad * V(s.rate);
        if (s.copies) slot[0] = param;
        else slot[0] = slot[0] + (param - slot[0]) * V(s.weight);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
