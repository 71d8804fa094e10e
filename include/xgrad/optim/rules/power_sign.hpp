// SPDX-License-Identifier: MIT
// PowerSign: longer steps where gradient and mean agree.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/meta/libm.hpp>
#include <xgrad/optim/body_parts.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>
#include <limits>

XGRAD_NAMESPACE_BEGIN

/// m ← β·m + (1 − β)·g; θ ← θ − η·b^(f·sign(g)·sign(m))·g with the new m and sign(0) = 0. f is sign_decay, a number or
/// one of sign_decays.hpp.
/// Source: Bello et al. 2017, arXiv 1709.07417; TensorFlow contrib's PowerSignOptimizer.
/// Sparse: m of every row decays, as if dense; θ moves only on the rows that occur.
/// Use: like add_sign.
struct power_sign {
    static constexpr std::string_view name = "power_sign", tf_name = "PowerSignOptimizer";
    hyper learning_rate{0.1}, base{2.718281828459045}, beta{0.9}, sign_decay{1.0};

    static constexpr std::array<slot_info, 1> slots{slot_info("m")};
    static constexpr int flops = 9;
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("base", base, allow::positive),
            hyper_info("beta", beta, allow::below_one), hyper_info("sign_decay", sign_decay, allow::finite)};
    }

    template<class T>
    struct scalars {
        T rate, up, down, beta, rest;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        double const power = sign_decay(step) * libm::log(base(step));
        return {static_cast<T>(learning_rate(step)), finite_exp<T>(power), finite_exp<T>(-power), static_cast<T>(beta(step)),
            static_cast<T>(1.0 - beta(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        slot[0] = slot[0] * V(s.beta) + grad * V(s.rest);
        param = param - detail::by_agreement(grad, slot[0], V(s.up), V(s.down), V(T(1))) * grad * V(s.rate);
    }
    /// The mean decays; θ does not move.
    template<class T>
    static scalars<T> absent_row(scalars<T> s) {
        s.rate = T(0);
        return s;
    }

private:
    /// A finite factor, so that a gradient of 0 moves nothing.
    template<class T>
    static T finite_exp(double x) {
        double const y = libm::exp(x), most = static_cast<double>(std::numeric_limits<T>::max());
        return static_cast<T>(y < most ? y : most);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
