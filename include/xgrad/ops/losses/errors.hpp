// SPDX-License-Identifier: MIT
// Losses of regression: absolute errors, huber, log_cosh, quantiles, errors of differences of pairs.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/index/along_axis.hpp>
#include <xgrad/ops/loss.hpp>
#include <xgrad/ops/no_nan.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Of an error and delta.
struct huber : elementwise_op {
    static constexpr std::string_view name = "huber";
    static constexpr operand_types accepts = operand_types::floating;
    static constexpr int flops = 7;
    XGRAD_INLINE static auto value(auto error, auto delta) {
        using V = decltype(error);
        using T = math::scalar_of<V>;
        V const size = math::abs(error), near = math::min(size, delta);
        return near * (V(T(0.5)) * near) + delta * (size - near);
    }
    static constexpr symbols derivative(symbol error, symbol delta, symbol, symbol g) {
        symbol const beyond = xgrad::relu(xgrad::abs(error) - delta);
        return {{g * xgrad::minimum(xgrad::maximum(error, -delta), delta), g * beyond}};
    }
};
/// log cosh x is log(1 + s) with s = cosh x − 1 = (e^−|x| − 1)² / (2 e^−|x|), and |x| − log 2 + log(1 + e^−2|x|).
struct log_cosh : floating_function {
    static constexpr std::string_view name = "log_cosh";
    static constexpr int flops = 30;
    XGRAD_INLINE static auto value(auto x) {
        using V = decltype(x);
        using T = math::scalar_of<V>;
        V const size = math::abs(x), less_one = math::expm1(-size), power = less_one + V(1);
        V const near = math::less(size, V(1));
        V const inner = math::where(near, V(T(0.5)) * less_one * less_one / power, power * power);
        return math::log1p(inner) + math::where(near, V(0), size - V(static_cast<T>(0.6931471805599453)));
    }
    static constexpr symbol derivative(symbol x, symbol, symbol g) { return g * xgrad::tanh(x); }
};
}

namespace detail {
/// All axes but the first one.
template<class A>
constexpr auto sum_of_rows(A const& x) {
    constexpr int rank = value_of<A>.dims.rank;
    return [&]<int... K>(std::integer_sequence<int, K...>) { return sum<(K + 1)...>(x, keep_dims); }(
               std::make_integer_sequence<int, rank - 1>());
}
template<class A, class B>
constexpr bool have_rows() {
    if constexpr (!Expr<A> || !Expr<B>) return true;
    else return value_of<A>.wrong != fault::none || value_of<B>.wrong != fault::none || value_of<A>.dims.rank > 1;
}
}

/// |a − b|, element by element (TensorFlow's absolute_difference, PyTorch's l1_loss). a and b have the same rank, or one is a constant.
/// Gradient: of a, g sign(a − b), 0 where a = b; of b its opposite.
template<class A, class B>
constexpr auto absolute_error(A const& a, B const& b) {
    if constexpr (!Operand<A> || !Operand<B>) return detail::refuse_operand<A, B>();
    else if constexpr (detail::check_ranks<A, B>()) return abs(a - b);
    else return detail::refused{};
}
/// Huber's loss of the error e = a − b, element by element: e² / 2 where |e| ≤ delta, else delta (|e| − delta / 2). Without delta it is
/// 1, as in TensorFlow and PyTorch. delta is a positive number such as 2_c, or an expression. PyTorch's smooth_l1_loss is
/// `huber(a, b, beta) / beta`.
/// Gradient: of a, g times e clipped to [−delta, delta]; of b its opposite; of delta, g (|e| − delta) where |e| > delta.
template<class A, class B, class D>
constexpr auto huber(A const& a, B const& b, D const& delta) {
    if constexpr (!Operand<A> || !Operand<B> || !Operand<D>) return detail::refuse_operand<A, B, D>();
    else if constexpr (detail::check_ranks<A, B>()) return elementwise<op::huber>{}(a - b, delta);
    else return detail::refused{};
}
template<class A, class B>
constexpr auto huber(A const& a, B const& b) {
    return huber(a, b, 1_c);
}
/// log cosh(a − b), element by element, without overflow. Near 0 it is (a − b)² / 2, with all digits.
/// Gradient: of a, g tanh(a − b); of b its opposite.
template<class A, class B>
constexpr auto log_cosh(A const& a, B const& b) {
    if constexpr (!Operand<A> || !Operand<B>) return detail::refuse_operand<A, B>();
    else if constexpr (detail::check_ranks<A, B>()) return elementwise<op::log_cosh>{}(a - b);
    else return detail::refused{};
}
/// The quantile loss, or pinball loss: with e = labels − predictions, q e where e ≥ 0, else (q − 1) e. Its minimum is the quantile q of
/// the labels. q is a number such as 0.9_c, or an expression: predictions [batch, 3] for three quantiles [1, 3]. `quantile_loss(x, z,
/// 0.5_c)` is half the absolute error.
/// Gradient: of the predictions, −q g where e ≥ 0, else (1 − q) g; of the labels its opposite; of q, g e.
template<class A, class B, class Q>
constexpr auto quantile_loss(A const& predictions, B const& labels, Q const& q) {
    if constexpr (!Operand<A> || !Operand<B> || !Operand<Q>) return detail::refuse_operand<A, B, Q>();
    else if constexpr (detail::check_ranks<A, B>()) {
        auto const error = labels - predictions;
        return maximum(q * error, (q - 1_c) * error);
    } else return detail::refused{};
}
/// The mean of (d_i − d_k)² over all pairs i ≠ k of elements of one example, where d is predictions − labels. Both have the shape
/// [batch, ...], with at least two axes, and the result has [batch]. It is 0 for examples of one element. TensorFlow's
/// mean_pairwise_squared_error is `weighted_loss<loss_reduction::sum>` of it.
/// Gradient: of the predictions, 4 g (d − mean of d) / (n − 1) for n elements; of the labels its opposite.
template<class A, class B>
constexpr auto mean_pairwise_squared_error(A const& predictions, B const& labels) {
    constexpr bool rows = detail::have_rows<A, B>();
    static_assert(rows,
        "xgrad::mean_pairwise_squared_error(predictions, labels): predictions have fewer than two axes, so an example is one "
        "number; write expand_dims<0> or reshape");
    if constexpr (!Expr<A> || !Expr<B>) return detail::refuse_operand<A, B>();
    else if constexpr (!rows || !detail::check_ranks<A, B>()) return detail::refused{};
    else {
        auto const d = predictions - labels;
        if constexpr (value_of<decltype(d)>.wrong != fault::none) return d;
        else {
            constexpr shape s = value_of<decltype(d)>.dims;
            auto const n = detail::number_of<cpp_type_t<value_of<decltype(d)>.type>, detail::size_between(s, 1, s.rank)>();
            auto const squares = detail::sum_of_rows(square(d - divide_no_nan(detail::sum_of_rows(d), n)));
            return detail::reshaped_to<shape{1, {s.extents[0]}}>(divide_no_nan(2_c * squares, n - 1_c));
        }
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
