// SPDX-License-Identifier: MIT
// Losses for rare classes: focal losses, and the overlap of masks (dice, tversky).
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/loss.hpp>
#include <xgrad/ops/no_nan.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// The cross entropy of a logit and a label times mᵞ, where m is the probability of the other label: sigmoid(x) (1 − z) + sigmoid(−x) z.
struct sigmoid_focal : floating_function {
    static constexpr std::string_view name = "sigmoid_focal";
    static constexpr int flops = 60;
    XGRAD_INLINE static auto value(auto x, auto z, auto gamma) {
        using V = decltype(x);
        V const size = math::abs(x), e = math::exp(-size), likely = V(1) / (V(1) + e), unlikely = e * likely, other = V(1) - z;
        V const distance = math::select(x > V(0), other, z);
        V const missed = math::select(x > V(0), likely * other + unlikely * z, unlikely * other + likely * z);
        return math::pow(missed, gamma) * (math::where(distance, size * distance, V(0)) + math::log1p(e));
    }
    // m^(γ − 1) m' is written as mᵞ (m' / m), which is finite where m underflows.
    static constexpr symbols derivative(symbol x, symbol z, symbol gamma, symbol y, symbol g) {
        symbol const s = xgrad::sigmoid(x), c = xgrad::sigmoid(-x), loss = xgrad::sigmoid_cross_entropy(x, z);
        symbol const missed = s * (1_c - z) + c * z, power = g * xgrad::pow(missed, gamma);
        symbol const by_x = xgrad::divide_no_nan(s * c * (1_c - 2_c * z), missed), by_z = xgrad::divide_no_nan(c - s, missed);
        return {
            {power * (s * (1_c - z) - c * z + gamma * loss * by_x), power * (gamma * loss * by_z - x), g * y * xgrad::log_or_zero(missed)}};
    }
};
/// −(1 − p)ᵞ log p of log p.
struct focal_of_log : floating_function {
    static constexpr std::string_view name = "focal_of_log";
    static constexpr int flops = 34;
    XGRAD_INLINE static auto value(auto log_p, auto gamma) { return -(math::pow(-math::expm1(log_p), gamma) * log_p); }
    static constexpr symbols derivative(symbol log_p, symbol gamma, symbol y, symbol g) {
        symbol const missed = -xgrad::expm1(log_p), entropy = xgrad::multiply_no_nan(log_p, xgrad::exp(log_p));
        return {
            {g * xgrad::pow(missed, gamma) * (gamma * xgrad::divide_no_nan(entropy, missed) - 1_c), g * y * xgrad::log_or_zero(missed)}};
    }
};
}

/// The focal loss of logits x and labels z in [0, 1], element by element: alpha_z mᵞ times sigmoid_cross_entropy(x, z). m is the
/// probability of the wrong label, sigmoid(x) (1 − z) + sigmoid(−x) z, and alpha_z is alpha z + (1 − alpha) (1 − z). So elements that are
/// right already count less. By default alpha is 0.25 and gamma 2, as in torchvision and Keras; alpha = 0.5_c halves all alike.
/// Without overflow for large logits. Source: Lin et al. 2017.
/// Gradient: of x, g alpha_z mᵞ (sigmoid(x) − z + gamma sigmoid_cross_entropy(x, z) m' / m), where m' is the derivative of m; of the
/// others, by the chain rule.
template<class A, class B, class W, class G>
constexpr auto sigmoid_focal(A const& logits, B const& labels, W const& alpha, G const& gamma) {
    if constexpr (!Operand<A> || !Operand<B> || !Operand<W> || !Operand<G>) return detail::refuse_operand<A, B, W, G>();
    else if constexpr (detail::check_ranks<A, B>())
        return (alpha * labels + (1_c - alpha) * (1_c - labels)) * elementwise<op::sigmoid_focal>{}(logits, labels, gamma);
    else return detail::refused{};
}
template<class A, class B>
constexpr auto sigmoid_focal(A const& logits, B const& labels) {
    return sigmoid_focal(logits, labels, 0.25_c, 2_c);
}
/// The focal loss of rows of logits and distributions as labels, both [..., classes], result [...]: −Σ alpha z (1 − p)ᵞ log p with p =
/// softmax(logits). alpha is a number or an expression with a weight for each class. By default alpha is 0.25 and gamma 2, as in Keras,
/// which clips p to [1e-7, 1 − 1e-7] too. A class with the label 0 adds nothing.
/// Gradient: of the logits, by log p = log_softmax(logits): of log p it is g alpha z (1 − p)ᵞ (gamma p log p / (1 − p) − 1); of the
/// others, by the chain rule.
template<class A, class B, class W, class G>
constexpr auto categorical_focal(A const& logits, B const& labels, W const& alpha, G const& gamma) {
    if constexpr (!Operand<A> || !Operand<B> || !Operand<W> || !Operand<G>) return detail::refuse_operand<A, B, W, G>();
    else if constexpr (detail::check_ranks<A, B>())
        return sum<-1>(multiply_no_nan(alpha * elementwise<op::focal_of_log>{}(log_softmax(logits), gamma), labels));
    else return detail::refused{};
}
template<class A, class B>
constexpr auto categorical_focal(A const& logits, B const& labels) {
    return categorical_focal(logits, labels, 0.25_c, 2_c);
}
/// The dice loss over the axes (all if none is given): 1 − (2 Σ p z + smooth) / (Σ p + Σ z + smooth) of probabilities p and labels z.
/// `dice<1, 2>(p, z, 1_c)` of masks [batch, h, w] is one number for each of them. Without smooth, 1e-7 is added to the denominator only,
/// as in Keras: empty masks have the loss 1 then, and with smooth 0.
/// Gradient: by the chain rule.
template<int... Axes, class A, class B, class S>
constexpr auto dice(A const& probabilities, B const& labels, S const& smooth) {
    if constexpr (!Operand<A> || !Operand<B> || !Operand<S>) return detail::refuse_operand<A, B, S>();
    else if constexpr (detail::check_ranks<A, B>())
        return 1_c - (2_c * sum<Axes...>(probabilities * labels) + smooth) / (sum<Axes...>(probabilities + labels) + smooth);
    else return detail::refused{};
}
template<int... Axes, class A, class B>
constexpr auto dice(A const& probabilities, B const& labels) {
    if constexpr (!Operand<A> || !Operand<B>) return detail::refuse_operand<A, B>();
    else if constexpr (detail::check_ranks<A, B>())
        return 1_c - 2_c * sum<Axes...>(probabilities * labels) / (sum<Axes...>(probabilities + labels) + 0.0000001_c);
    else return detail::refused{};
}
/// The loss of Tversky over the axes (all if none is given): 1 − (t + smooth) / (t + alpha f + beta m + smooth). t is Σ p z. f is Σ p (1 −
/// z), what is wrongly found, and m is Σ (1 − p) z, what is missed. With alpha = beta = 0.5_c it is the dice loss. Without smooth, 1e-7 is
/// added to the denominator only, as in Keras, whose alpha and beta are exchanged. Source: Salehi et al. 2017.
/// Gradient: by the chain rule.
template<int... Axes, class A, class B, class F, class M, class S>
constexpr auto tversky(A const& probabilities, B const& labels, F const& alpha, M const& beta, S const& smooth) {
    if constexpr (!Operand<A> || !Operand<B> || !Operand<F> || !Operand<M> || !Operand<S>) return detail::refuse_operand<A, B, F, M, S>();
    else if constexpr (detail::check_ranks<A, B>()) {
        auto const t = sum<Axes...>(probabilities * labels);
        auto const f = sum<Axes...>(probabilities * (1_c - labels));
        auto const m = sum<Axes...>((1_c - probabilities) * labels);
        return 1_c - (t + smooth) / (t + alpha * f + beta * m + smooth);
    } else return detail::refused{};
}
template<int... Axes, class A, class B, class F, class M>
constexpr auto tversky(A const& probabilities, B const& labels, F const& alpha, M const& beta) {
    if constexpr (!Operand<A> || !Operand<B> || !Operand<F> || !Operand<M>) return detail::refuse_operand<A, B, F, M>();
    else if constexpr (detail::check_ranks<A, B>()) {
        auto const t = sum<Axes...>(probabilities * labels);
        auto const f = sum<Axes...>(probabilities * (1_c - labels));
        auto const m = sum<Axes...>((1_c - probabilities) * labels);
        return 1_c - t / (t + alpha * f + beta * m + 0.0000001_c);
    } else return detail::refused{};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
