// SPDX-License-Identifier: MIT
// Fromage: steps with a length relative to the norm of the variable.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/meta/libm.hpp>
#include <xgrad/optim/body_parts.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// θ ← (θ − η·g·‖θ‖ / ‖g‖) / √(1 + η²). Norms are over a variable and at least min_norm.
/// Source: Bernstein, Vahdat, Yue, Liu 2020, arXiv 2002.03432; optax.fromage.
/// Sparse: as if dense; `lazy` moves the rows that occur, with the norms of those rows.
/// Use: one rate, a relative change, for variables of all sizes, without slots. The rate should decay.
struct fromage {
    static constexpr std::string_view name = "fromage", tf_name = "Fromage";
    hyper learning_rate{0.01}, min_norm{1e-6};

    static constexpr std::array<slot_info, 0> slots{};
    static constexpr std::array<reduction_info, 2> reductions{reduction_info(per::variable), reduction_info(per::variable)};
    static constexpr int flops = 8;
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{
            hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("min_norm", min_norm, allow::positive)};
    }
    template<class T>
    struct scalars {
        T rate, shrink, least;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        double const rate = learning_rate(step), shrink = 1.0 / libm::sqrt(1.0 + rate * rate);
        return {static_cast<T>(rate * shrink), static_cast<T>(shrink), static_cast<T>(min_norm(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void terms(scalars<T> const&, V param, V grad, V const*, V* term) {
        term[0] = param * param;
        term[1] = grad * grad;
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V*, V const* reduced) {
        V const least(s.least);
        param = param * V(s.shrink) -
                grad * (V(s.rate) * detail::at_least(math::sqrt(reduced[0]), least) / detail::at_least(math::sqrt(reduced[1]), least));
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
