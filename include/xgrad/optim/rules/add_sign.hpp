// SPDX-License-Identifier: MIT
// AddSign: longer steps where gradient and mean agree.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/optim/body_parts.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// m ← β·m + (1 − β)·g; θ ← θ − η·(α + f·sign(g)·sign(m))·g with the new m and sign(0) = 0. f is sign_decay, a number
/// or one of sign_decays.hpp.
/// Source: Bello et al. 2017, arXiv 1709.07417; TensorFlow contrib's AddSignOptimizer.
/// Sparse: m of every row decays, as if dense; θ moves only on the rows that occur.
/// Use: image models (the rule was found by automatic search); a cheap alternative to momentum.
struct add_sign {
    static constexpr std::string_view name = "add_sign", tf_name = "AddSignOptimizer";
    hyper learning_rate{0.1}, alpha{1.0}, beta{0.9}, sign_decay{1.0};

    static constexpr std::array<slot_info, 1> slots{slot_info("m")};
    static constexpr int flops = 9;
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("alpha", alpha, allow::finite),
            hyper_info("beta", beta, allow::below_one), hyper_info("sign_decay", sign_decay, allow::finite)};
    }

    template<class T>
    struct scalars {
        T rate, up, down, alpha, beta, rest;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        T const a = static_cast<T>(alpha(step)), decay = static_cast<T>(sign_decay(step));
        return {static_cast<T>(learning_rate(step)), a + decay, a - decay, a, static_cast<T>(beta(step)), static_cast<T>(1.0 - beta(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        slot[0] = slot[0] * V(s.beta) + grad * V(s.rest);
        param = param - detail::by_agreement(grad, slot[0], V(s.up), V(s.down), V(s.alpha)) * grad * V(s.rate);
    }
    /// The mean decays; θ does not move.
    template<class T>
    static scalars<T> absent_row(scalars<T> s) {
        s.rate = T(0);
        return s;
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
