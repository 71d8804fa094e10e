// SPDX-License-Identifier: MIT
// Losses with margins, of scores and labels: hinge, ranking of two scores, several labels.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/loss.hpp>

XGRAD_NAMESPACE_BEGIN

/// max(0, 1 − z x) of scores x and labels z of −1 and 1, element by element. For labels of 0 and 1, as in TensorFlow's tf.losses, write
/// `2_c * labels - 1_c`.
/// Gradient: of x, −g z where z x < 1, else 0; of z, −g x there.
template<class A, class B>
constexpr auto hinge(A const& scores, B const& labels) {
    if constexpr (!Operand<A> || !Operand<B>) return detail::refuse_operand<A, B>();
    else if constexpr (detail::check_ranks<A, B>()) return relu(1_c - labels * scores);
    else return detail::refused{};
}
/// max(0, 1 − z x)² of scores x and labels z of −1 and 1, element by element.
/// Gradient: of x, −2 g z (1 − z x) where z x < 1, else 0; of z, −2 g x (1 − z x) there.
template<class A, class B>
constexpr auto squared_hinge(A const& scores, B const& labels) {
    return square(hinge(scores, labels));
}
/// The hinge loss of rows of scores and one-hot labels, both [..., classes], result [...]: max(0, 1 + max((1 − z) x) − Σ z x), as in
/// Keras. The scores of other classes count as at least 0 there, because (1 − z) x is 0 for the true class.
/// Gradient: where the loss is positive, of x, g (1 − z) for the largest (1 − z) x, less g z; tied elements share the first part equally.
template<class A, class B>
constexpr auto categorical_hinge(A const& scores, B const& labels) {
    if constexpr (!Operand<A> || !Operand<B>) return detail::refuse_operand<A, B>();
    else if constexpr (detail::check_ranks<A, B>()) return relu(max<-1>((1_c - labels) * scores) - sum<-1>(labels * scores) + 1_c);
    else return detail::refused{};
}
/// log(1 + e^(−z x)) of scores x and labels z of −1 and 1, element by element, without overflow (PyTorch's soft_margin_loss).
/// Gradient: of x, −g z sigmoid(−z x); of z, −g x sigmoid(−z x).
template<class A, class B>
constexpr auto soft_margin(A const& scores, B const& labels) {
    if constexpr (!Operand<A> || !Operand<B>) return detail::refuse_operand<A, B>();
    else if constexpr (detail::check_ranks<A, B>()) return softplus(-(labels * scores));
    else return detail::refused{};
}
/// max(0, margin − z (a − b)), element by element. a should be above b by the margin where z is 1, and below it where z is −1. PyTorch's
/// margin_ranking_loss has the margin 0 by default.
/// Gradient: of a, −g z where the loss is positive; of b its opposite; of z, −g (a − b) there; of the margin, g there.
template<class A, class B, class Z, class M>
constexpr auto margin_ranking(A const& a, B const& b, Z const& labels, M const& margin) {
    if constexpr (!Operand<A> || !Operand<B> || !Operand<Z> || !Operand<M>) return detail::refuse_operand<A, B, Z, M>();
    else if constexpr (detail::check_ranks<A, B>() && detail::check_ranks<A, Z>()) return relu(margin - labels * (a - b));
    else return detail::refused{};
}
/// The margin loss of rows of scores with several true classes: the sum of max(0, 1 − (x_i − x_k)) over true classes i and others k,
/// divided by the number of classes. scores and labels are [..., classes] with labels of 0 and 1, result [...]. PyTorch's
/// multilabel_margin_loss, whose labels are lists of classes.
/// Gradient: for each pair with a positive term, −g / classes to the true class and its opposite to the other one.
template<class A, class B>
constexpr auto multilabel_margin(A const& scores, B const& labels) {
    if constexpr (!Operand<A> || !Operand<B>) return detail::refuse_operand<A, B>();
    else if constexpr (detail::check_ranks<A, B>()) {
        auto const terms = relu(1_c - expand_dims<-1>(scores) + expand_dims<-2>(scores));
        return mean<-1>(sum<-1>(terms * expand_dims<-1>(labels) * expand_dims<-2>(1_c - labels)));
    } else return detail::refused{};
}
/// The margin loss of rows of scores and their classes: the sum of max(0, 1 − x_k + x_i) over the other classes i, divided by the number of
/// classes. scores are [..., classes], labels integers [...], result [...] (PyTorch's multi_margin_loss).
/// Gradient: for each positive term, g / classes to the other class and its opposite to the true one.
template<class A, class B>
constexpr auto multi_margin(A const& scores, B const& labels) {
    constexpr bool fits = [] {
        if constexpr (!Expr<A> || !Expr<B>) return true;
        else {
            shape const &s = value_of<A>.dims, &l = value_of<B>.dims;
            if (value_of<A>.wrong != fault::none || value_of<B>.wrong != fault::none) return true;
            if (!is_integer(value_of<B>.type) || !is_floating(value_of<A>.type) || s.rank != l.rank + 1) return false;
            for (int a = 0; a < l.rank; ++a)
                if (!(l.extents[a] == s.extents[a])) return false;
            return s.extents[l.rank].is_static();
        }
    }();
    static_assert(fits,
        "xgrad::multi_margin(scores, labels): scores are not floating [..., classes] with an integer number of classes, or labels not "
        "integers [...]; write cast<std::int32_t>(labels)");
    if constexpr (!Expr<A> || !Expr<B>) return detail::refuse_operand<A, B>();
    else if constexpr (!fits || value_of<A>.wrong != fault::none || value_of<B>.wrong != fault::none) return detail::refused{};
    else {
        constexpr shape s = value_of<A>.dims;
        auto const truth = cast<cpp_type_t<value_of<A>.type>>(one_hot<s.extents[s.rank - 1].constant>(labels));
        auto const mine = sum<-1>(scores * truth, keep_dims);
        return mean<-1>(relu(1_c - mine + scores) * (1_c - truth));
    }
}
/// The mean of sigmoid_cross_entropy over the last axis: logits and labels [..., classes], result [...] (PyTorch's
/// multilabel_soft_margin_loss).
/// Gradient: of the logits, g (sigmoid(logits) − labels) / classes; of the labels, −g logits / classes.
template<class A, class B>
constexpr auto multilabel_soft_margin(A const& logits, B const& labels) {
    return mean<-1>(sigmoid_cross_entropy(logits, labels));
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
