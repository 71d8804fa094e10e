// SPDX-License-Identifier: MIT
// Negative log-likelihoods: counts of Poisson, normal distributions, mixtures of them.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/loss.hpp>
#include <xgrad/ops/no_nan.hpp>

XGRAD_NAMESPACE_BEGIN

/// Tag: a loss includes the terms that do not depend on the predictions.
struct compute_full_loss_tag {};
inline constexpr compute_full_loss_tag compute_full_loss{};

namespace op {
/// Stirling's approximation of log z!, 0 where z ≤ 1.
struct stirling : floating_function {
    static constexpr std::string_view name = "stirling";
    static constexpr int flops = 28;
    XGRAD_INLINE static auto value(auto z) {
        using V = decltype(z);
        using T = math::scalar_of<V>;
        V const large = math::greater(z, V(1)), at = math::where(large, z, V(1));
        V const r = at * math::log(at) - at + V(T(0.5)) * math::log(V(static_cast<T>(6.283185307179586)) * at);
        return math::where(large, r, math::where(math::equal(z, z), V(0), z));
    }
    static constexpr symbol derivative(symbol z, symbol, symbol g) {
        symbol const large = xgrad::greater(z, 1_c), at = xgrad::select(large, z, 1_c);
        return xgrad::select(large, g * (xgrad::log(at) + 0.5_c / at), 0_c);
    }
};
/// Of an error and a variance.
struct gaussian_nll : floating_function {
    static constexpr std::string_view name = "gaussian_nll";
    static constexpr int flops = 16;
    XGRAD_INLINE static auto value(auto error, auto variance) {
        using V = decltype(error);
        using T = math::scalar_of<V>;
        V const v = math::max(V(static_cast<T>(1e-6)), variance);
        return V(T(0.5)) * (math::log(v) + error * (error / v));
    }
    static constexpr symbols derivative(symbol error, symbol variance, symbol, symbol g) {
        symbol const v = xgrad::maximum(variance, 0.000001_c), ratio = error / v;
        return {{g * ratio, 0.5_c * g * (1_c - error * ratio) / v}};
    }
};
}

/// The negative log-likelihood of counts z under Poisson distributions of rates x: x − z log x, without the term log z! (Keras' Poisson,
/// without its epsilon of 1e-7). It is x where z is 0. A rate of 0 has the loss inf if the count is positive.
/// `poisson_loss(x, z, compute_full_loss)` adds Stirling's approximation of log z! where z > 1 (PyTorch's full).
/// Gradient: of the rates, g (1 − z / x), and g where z = 0; of the counts, −g log x and what the full loss adds.
template<class A, class B>
constexpr auto poisson_loss(A const& rates, B const& counts) {
    if constexpr (!Operand<A> || !Operand<B>) return detail::refuse_operand<A, B>();
    else if constexpr (detail::check_ranks<A, B>()) return rates - xlogy(counts, rates);
    else return detail::refused{};
}
template<class A, class B>
constexpr auto poisson_loss(A const& rates, B const& counts, compute_full_loss_tag) {
    if constexpr (!Operand<A> || !Operand<B>) return detail::refuse_operand<A, B>();
    else return poisson_loss(rates, counts) + elementwise<op::stirling>{}(counts);
}
/// poisson_loss of the logarithms of the rates: eˣ − z x (TensorFlow's log_poisson_loss, PyTorch's log_input). The third argument
/// compute_full_loss is that of poisson_loss.
/// Gradient: of x, g (eˣ − z); of the counts, −g x and what the full loss adds.
template<class A, class B>
constexpr auto log_poisson_loss(A const& log_rates, B const& counts) {
    if constexpr (!Operand<A> || !Operand<B>) return detail::refuse_operand<A, B>();
    else if constexpr (detail::check_ranks<A, B>()) return exp(log_rates) - multiply_no_nan(log_rates, counts);
    else return detail::refused{};
}
template<class A, class B>
constexpr auto log_poisson_loss(A const& log_rates, B const& counts, compute_full_loss_tag) {
    if constexpr (!Operand<A> || !Operand<B>) return detail::refuse_operand<A, B>();
    else return log_poisson_loss(log_rates, counts) + elementwise<op::stirling>{}(counts);
}
/// The negative log-likelihood of labels under normal distributions: (log v + (x − z)² / v) / 2, where v is the variance, at least 1e-6
/// (PyTorch's gaussian_nll_loss). `gaussian_nll(means, labels, variances, compute_full_loss)` adds log(2π) / 2.
/// Gradient: of the means, g (x − z) / v, and of the labels its opposite; of the variance, g (1 − (x − z)² / v) / 2v, also where it is
/// below 1e-6, as in PyTorch.
template<class A, class B, class V>
constexpr auto gaussian_nll(A const& means, B const& labels, V const& variances) {
    if constexpr (!Operand<A> || !Operand<B> || !Operand<V>) return detail::refuse_operand<A, B, V>();
    else if constexpr (detail::check_ranks<A, B>() && detail::check_ranks<A, V>())
        return elementwise<op::gaussian_nll>{}(means - labels, variances);
    else return detail::refused{};
}
template<class A, class B, class V>
constexpr auto gaussian_nll(A const& means, B const& labels, V const& variances, compute_full_loss_tag) {
    if constexpr (!Operand<A> || !Operand<B> || !Operand<V>) return detail::refuse_operand<A, B, V>();
    else return gaussian_nll(means, labels, variances) + 0.9189385332046727_c;
}

namespace detail {
/// Whether labels [...] belong to means [..., components], or labels [..., d] to means [..., components, d].
template<class L, class M, class Z>
constexpr bool are_mixtures() {
    if constexpr (!Expr<L> || !Expr<M> || !Expr<Z>) return true;
    else {
        value_info const &logits = value_of<L>, &means = value_of<M>, &labels = value_of<Z>;
        if (logits.wrong != fault::none || means.wrong != fault::none || labels.wrong != fault::none) return true;
        int const d = means.dims.rank - logits.dims.rank;
        return logits.dims.rank > 0 && (d == 0 || d == 1) && labels.dims.rank == means.dims.rank - 1;
    }
}
}

/// The negative log-likelihood of labels under mixtures of normal distributions, the loss of a mixture density network: −log Σ_k
/// softmax(logits)_k N(labels; means_k, scales_k²). logits, means and scales have the shape [..., components], labels and result [...].
/// For labels of several numbers [..., d], means and scales are [..., components, d] (normal distributions with diagonal covariances).
/// scales are standard deviations above 0. Without overflow also for logits of ±1e4 and labels far from all means.
/// Gradient: let r be the probabilities of the components after the label, and u = (label − mean) / scale. Of the logits it is g
/// (softmax(logits) − r), of the means −g r u / scale, of the scales g r (1 − u²) / scale. Of the labels it is the opposite of all means.
template<class L, class M, class S, class Z>
constexpr auto gaussian_mixture_nll(L const& logits, M const& means, S const& scales, Z const& labels) {
    constexpr bool mixtures = detail::are_mixtures<L, M, Z>();
    static_assert(mixtures, "xgrad::gaussian_mixture_nll(logits, means, scales, labels): the ranks do not fit; give logits and means [..., "
                            "components] with labels [...]");
    if constexpr (!Expr<L> || !Expr<M> || !Expr<S> || !Expr<Z>) return detail::refuse_operand<L, M, S, Z>();
    else if constexpr (!mixtures || value_of<L>.wrong != fault::none || value_of<M>.wrong != fault::none) return detail::refused{};
    else {
        constexpr bool several = value_of<M>.dims.rank > value_of<L>.dims.rank;
        auto const u = (expand_dims < several ? -2 : -1 > (labels)-means) / scales;
        auto const logs = -(0.5_c * square(u)) - log(scales) - 0.9189385332046727_c;
        if constexpr (several) return -log_sum_exp<-1>(log_softmax(logits) + sum<-1>(logs));
        else return -log_sum_exp<-1>(log_softmax(logits) + logs);
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
