// SPDX-License-Identifier: MIT
// Cross entropies of probabilities, weighted and balanced ones of logits, divergences, smoothed labels.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/index/along_axis.hpp>
#include <xgrad/ops/loss.hpp>
#include <xgrad/ops/no_nan.hpp>
#include <xgrad/ops/rounding.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Of a probability that is clipped to [epsilon, 1 − epsilon], a label, and epsilon.
struct binary_cross_entropy : floating_function {
    static constexpr std::string_view name = "binary_cross_entropy";
    static constexpr int flops = 30;
    XGRAD_INLINE static auto value(auto p, auto z, auto epsilon) {
        using V = decltype(p);
        V const q = math::max(epsilon, math::min(V(1) - epsilon, p)), other = V(1) - z;
        return -(math::where(z, z * math::log(q), V(0)) + math::where(other, other * math::log1p(-q), V(0)));
    }
    static constexpr symbols derivative(symbol p, symbol z, symbol epsilon, symbol, symbol g) {
        symbol const q = xgrad::clip(p, epsilon, 1_c - epsilon);
        return {{xgrad::select(xgrad::equal(p, q), g * (q - z) / (q * (1_c - q)), 0_c), g * (xgrad::log1p(-q) - xgrad::log(q)), {}}};
    }
};
/// a log(1 + e^−x) + b log(1 + e^x) of a logit x and two weights.
struct two_sided_cross_entropy : floating_function {
    static constexpr std::string_view name = "two_sided_cross_entropy";
    static constexpr int flops = 30;
    XGRAD_INLINE static auto value(auto x, auto a, auto b) {
        using V = decltype(x);
        V const size = math::abs(x), missed = math::select(x > V(0), b, a);
        return math::where(missed, size * missed, V(0)) + (a + b) * math::log1p(math::exp(-size));
    }
    static constexpr symbols derivative(symbol x, symbol a, symbol b, symbol, symbol g) {
        return {{g * (b * xgrad::sigmoid(x) - a * xgrad::sigmoid(-x)), g * xgrad::softplus(-x), g * xgrad::softplus(x)}};
    }
};
/// p log(p / q), and 0 where p is 0.
struct relative_entropy : floating_function {
    static constexpr std::string_view name = "relative_entropy";
    static constexpr int flops = 16;
    XGRAD_INLINE static auto value(auto p, auto q) {
        using V = decltype(p);
        return math::where(p, p * math::log(p / q), V(0));
    }
    static constexpr symbols derivative(symbol p, symbol q, symbol, symbol g) {
        symbol const none = xgrad::equal(p, 0_c), ratio = xgrad::select(none, 1_c, p) / xgrad::select(none, 1_c, q);
        return {{xgrad::select(none, 0_c, g * (xgrad::log(ratio) + 1_c)), xgrad::select(none, 0_c, -(g * ratio))}};
    }
};
/// With d = (p − q) / (p + q): (p + q) / 4 times (1 + d) log(1 + d) + (1 − d) log(1 − d). This sum is log(1 − d²) + d log((1 + d) /
/// (1 − d)), which keeps its digits where d is small.
struct jensen_shannon : floating_function {
    static constexpr std::string_view name = "jensen_shannon";
    static constexpr int flops = 40;
    XGRAD_INLINE static auto value(auto p, auto q) {
        using V = decltype(p);
        using T = math::scalar_of<V>;
        V const sum = p + q, d = (p - q) / math::where(sum, sum, V(1)), up = V(1) + d, down = V(1) - d;
        V const near = math::less(math::abs(d), V(T(0.5)));
        V const first = math::log1p(math::where(near, -d * d, d));
        V const second = math::log1p(math::where(near, (d + d) / down, -d));
        V const far = math::where(up, up * first, V(0)) + math::where(down, down * second, V(0));
        return V(T(0.25)) * sum * math::where(near, first + d * second, far);
    }
    static constexpr symbols derivative(symbol p, symbol q, symbol, symbol g) {
        symbol const sum = p + q, d = (p - q) / xgrad::select(xgrad::equal(sum, 0_c), 1_c, sum);
        return {{0.5_c * g * xgrad::log1p(xgrad::select(xgrad::equal(p, 0_c), 0_c, d)),
            0.5_c * g * xgrad::log1p(xgrad::select(xgrad::equal(q, 0_c), 0_c, -d))}};
    }
};
}

/// −z log p − (1 − z) log(1 − p) of probabilities p and labels z in [0, 1], element by element. p is clipped to [epsilon, 1 − epsilon],
/// by default with 1e-7, as in Keras. For logits, sigmoid_cross_entropy is better. An epsilon of 0_c is possible: then p = 0 and p = 1
/// have the loss inf, unless they agree with the label.
/// Gradient: of p, g (p − z) / (p (1 − p)), and 0 where p is clipped; of z, g (log(1 − p) − log p); of epsilon none.
template<class A, class B, class E>
constexpr auto binary_cross_entropy(A const& probabilities, B const& labels, E const& epsilon) {
    if constexpr (!Operand<A> || !Operand<B> || !Operand<E>) return detail::refuse_operand<A, B, E>();
    else if constexpr (detail::check_ranks<A, B>()) return elementwise<op::binary_cross_entropy>{}(probabilities, labels, epsilon);
    else return detail::refused{};
}
template<class A, class B>
constexpr auto binary_cross_entropy(A const& probabilities, B const& labels) {
    return binary_cross_entropy(probabilities, labels, 0.0000001_c);
}
/// −z log(p + epsilon) − (1 − z) log(1 − p + epsilon), element by element: the log_loss of TensorFlow's tf.losses, by default with its
/// epsilon of 1e-7. A logarithm with the factor 0 adds nothing.
/// Gradient: of p, g ((1 − z) / (1 − p + epsilon) − z / (p + epsilon)); of z and epsilon, by the chain rule.
template<class A, class B, class E>
constexpr auto binary_log_loss(A const& probabilities, B const& labels, E const& epsilon) {
    if constexpr (!Operand<A> || !Operand<B> || !Operand<E>) return detail::refuse_operand<A, B, E>();
    else if constexpr (detail::check_ranks<A, B>())
        return -(xlogy(labels, probabilities + epsilon) + xlogy(1_c - labels, 1_c - probabilities + epsilon));
    else return detail::refused{};
}
template<class A, class B>
constexpr auto binary_log_loss(A const& probabilities, B const& labels) {
    return binary_log_loss(probabilities, labels, 0.0000001_c);
}
/// q z log(1 + e^−x) + (1 − z) log(1 + eˣ) for logits x, labels z and the weight q of positive labels, element by element. It does not
/// overflow. TensorFlow's function has this name, and q is PyTorch's pos_weight. With q = 1 it is sigmoid_cross_entropy. An infinite
/// logit that agrees with its label of 0 or 1 has the loss 0.
/// Gradient: of x, g ((1 − z) sigmoid(x) − q z sigmoid(−x)); of z and q, by the chain rule.
template<class A, class B, class Q>
constexpr auto weighted_cross_entropy_with_logits(A const& logits, B const& labels, Q const& pos_weight) {
    if constexpr (!Operand<A> || !Operand<B> || !Operand<Q>) return detail::refuse_operand<A, B, Q>();
    else if constexpr (detail::check_ranks<A, B>())
        return elementwise<op::two_sided_cross_entropy>{}(logits, pos_weight * labels, 1_c - labels);
    else return detail::refused{};
}
/// beta z log(1 + e^−x) + (1 − beta) (1 − z) log(1 + eˣ) for logits x and labels z, element by element: the balanced cross entropy, with
/// beta near the share of negative labels. Source: Xie and Tu 2015, "Holistically-nested edge detection".
/// Gradient: of x, g ((1 − beta) (1 − z) sigmoid(x) − beta z sigmoid(−x)); of z and beta, by the chain rule.
template<class A, class B, class Q>
constexpr auto balanced_cross_entropy_with_logits(A const& logits, B const& labels, Q const& beta) {
    if constexpr (!Operand<A> || !Operand<B> || !Operand<Q>) return detail::refuse_operand<A, B, Q>();
    else if constexpr (detail::check_ranks<A, B>())
        return elementwise<op::two_sided_cross_entropy>{}(logits, beta * labels, (1_c - beta) * (1_c - labels));
    else return detail::refused{};
}
/// The divergence of Kullback and Leibler Σ p log(p / q) over the last axis, of distributions p from predicted ones q, both [..., n].
/// The predictions come first. A term with p = 0 is 0, and one with q = 0 < p is inf. Keras clips p and q to [1e-7, 1]:
/// `kl_divergence(clip(q, 1e-7_c, 1_c), clip(p, 1e-7_c, 1_c))`. See kl_divergence_with_logits for logits.
/// Gradient: of q, −g p / q; of p, g (log(p / q) + 1), and 0 where p = 0.
template<class A, class B>
constexpr auto kl_divergence(A const& predictions, B const& labels) {
    if constexpr (!Operand<A> || !Operand<B>) return detail::refuse_operand<A, B>();
    else if constexpr (detail::check_ranks<A, B>()) return sum<-1>(elementwise<op::relative_entropy>{}(labels, predictions));
    else return detail::refused{};
}
/// The divergence Σ p (log p − log softmax(logits)) over the last axis, of distributions p [..., n] and logits [..., n] of one shape,
/// without overflow: softmax_cross_entropy less the entropy of p.
/// Gradient: of the logits, g (softmax(logits) − p); of p, g (log p + 1 − log softmax(logits)).
template<class A, class B>
constexpr auto kl_divergence_with_logits(A const& logits, B const& labels) {
    if constexpr (!Operand<A> || !Operand<B>) return detail::refuse_operand<A, B>();
    else return softmax_cross_entropy(logits, labels) + sum<-1>(xlogy(labels, labels));
}
/// The divergence of Jensen and Shannon over the last axis, (KL(p, m) + KL(q, m)) / 2 with m = (p + q) / 2, of distributions p and q
/// [..., n]. It is between 0 and log 2, also where one of them is 0, and keeps its digits where both are nearly equal. SciPy's
/// distance is its root.
/// Gradient: of p, g log(p / m) / 2, and 0 where p = 0; of q likewise.
template<class A, class B>
constexpr auto jensen_shannon(A const& p, B const& q) {
    if constexpr (!Operand<A> || !Operand<B>) return detail::refuse_operand<A, B>();
    else if constexpr (detail::check_ranks<A, B>()) return sum<-1>(elementwise<op::jensen_shannon>{}(p, q));
    else return detail::refused{};
}
/// Distributions [..., classes] that are moved towards equal ones: (1 − smoothing) labels + smoothing / classes (the label_smoothing
/// of TensorFlow, Keras and PyTorch). smoothing is a number such as 0.1_c. `label_smoothing<classes>(ids, 0.1_c)` is that of the one-hot
/// rows of integer ids [...], in float; `label_smoothing<classes, double>` in double. An id outside of the classes has equal numbers.
/// Gradient: of the labels, (1 − smoothing) g; of the smoothing, by the chain rule.
template<class A, class S>
constexpr auto label_smoothing(A const& labels, S const& smoothing) {
    if constexpr (!Expr<A> || !Operand<S>) return detail::refuse_operand<A, S>();
    else if constexpr (value_of<A>.wrong != fault::none) return detail::refused{};
    else {
        constexpr shape s = value_of<A>.dims;
        constexpr bool rows = s.rank > 0 && !is_integer(value_of<A>.type);
        static_assert(rows, "xgrad::label_smoothing(labels, smoothing): labels are ids, or have no axis of classes; write "
                            "label_smoothing<classes>(ids, smoothing), or binary_label_smoothing");
        if constexpr (!rows) return detail::refused{};
        else return (1_c - smoothing) * labels + smoothing / detail::number_of<cpp_type_t<value_of<A>.type>, s.extents[s.rank - 1]>();
    }
}
template<std::int64_t Classes, Element T = float, class A, class S>
constexpr auto label_smoothing(A const& ids, S const& smoothing) {
    return label_smoothing(one_hot<Classes, T>(ids), smoothing);
}
/// Labels of 0 and 1 that are moved towards one half: (1 − smoothing) z + smoothing / 2 (the label_smoothing of TensorFlow's
/// sigmoid_cross_entropy).
/// Gradient: of the labels, (1 − smoothing) g; of the smoothing, g (1/2 − z).
template<class A, class S>
constexpr auto binary_label_smoothing(A const& labels, S const& smoothing) {
    if constexpr (!Operand<A> || !Operand<S>) return detail::refuse_operand<A, S>();
    else return (1_c - smoothing) * labels + 0.5_c * smoothing;
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
