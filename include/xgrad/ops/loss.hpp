// SPDX-License-Identifier: MIT
// Cross entropies and squared errors, element by element or row by row. Use mean(...) or sum(...) of them as the loss.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/gather.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Computes |x| · (1 − z where x > 0, else z) + log(1 + e^−|x|). The first term is 0 if its second factor is. So an
/// infinite logit that agrees with its label adds no loss.
struct sigmoid_cross_entropy : floating_function {
    static constexpr std::string_view name = "sigmoid_cross_entropy";
    // With labels -1 and 1 the loss has no minimum. A thousandth is tolerated for rounded labels.
    static constexpr number_bound numbers{.operand = 1,
        .from = -0.001,
        .below = 1.001,
        .warning = "labels of sigmoid_cross_entropy must be from 0 to 1, or the loss has no minimum; for labels -1 and 1 write 0.5_c * "
                   "(labels + 1_c)"};
    static constexpr int flops = 28;
    XGRAD_INLINE static auto value(auto x, auto z) {
        using V = decltype(x);
        V const size = math::abs(x), missed = math::select(x > V(0), V(1) - z, z);
        return math::where(missed, size * missed, V(0)) + math::log1p(math::exp(-size));
    }
    static constexpr symbols derivative(symbol x, symbol z, symbol, symbol g) { return {{g * (xgrad::sigmoid(x) - z), -(g * x)}}; }
};
// Shared by both softmax cross entropies: shifted logits, their exponentials, and the sum of these over the last axis.
struct shifted_logits {
    symbol shifted, exponentials, sum;
};
constexpr shifted_logits shift_logits(symbol x) {
    auto const last = axis_set::of(x.table->info(x).dims.rank - 1);
    symbol const shifted = x - xgrad::stop_gradient(apply_with<max>({last, true}, x));
    symbol const e = xgrad::exp(shifted);
    return {shifted, e, sum_over(e, last, true)};
}
constexpr symbol last_axis(symbol s) { return apply_with<expand_dims>({-1}, s); }
struct softmax_cross_entropy : composite_op {
    static constexpr std::string_view name = "softmax_cross_entropy";
    static constexpr value_info infer(value_info const* v, int count, attributes const&) {
        value_info r = detail::broadcast_operands(v, count);
        if (r.wrong == fault::none && !is_floating(r.type)) r.wrong = fault::not_floating;
        if (r.wrong == fault::none && (r.dims.rank < 1 || !(v[0].dims == v[1].dims))) r.wrong = fault::shapes;
        if (r.wrong == fault::none) --r.dims.rank;
        return r;
    }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int, attributes const&) {
        auto const s = shift_logits(x[0]);
        symbol const terms = x[1] * (xgrad::log(s.sum) - s.shifted);   // 0 * inf if a logit is -inf
        return sum_over(xgrad::select(xgrad::equal(x[1], 0_c), 0_c, terms), axis_set::of(t.info(x[0]).dims.rank - 1), false);
    }
    // softmax - labels, also if a row of labels does not sum to 1
    static constexpr symbols derivative(symbol x, symbol labels, symbol, symbol g) {
        auto const s = shift_logits(x);
        symbol const row = last_axis(g);
        return {{row * (s.exponentials / s.sum - labels), row * (xgrad::log(s.sum) - s.shifted)}};
    }
};
struct sparse_softmax_cross_entropy : composite_op {
    static constexpr std::string_view name = "sparse_softmax_cross_entropy";
    static constexpr index_bound indices{.operand = 1, .of = 0, .axis = -1};
    static constexpr value_info infer(value_info const* v, int, attributes const&) {
        value_info r = v[0];
        if (!is_floating(r.type)) return {r.type, {}, fault::not_floating};
        if (!is_integer(v[1].type)) return {r.type, {}, fault::not_integer};
        if (r.dims.rank < 1 || !r.dims.extents[r.dims.rank - 1].is_static()) return {r.type, {}, fault::axis};
        --r.dims.rank;
        if (!(r.dims == v[1].dims)) r.wrong = fault::shapes;
        return r;
    }
    static constexpr symbol hot(symbol x, symbol labels) {
        value_info const v = x.table->info(x);
        std::int64_t const depth = v.dims.extents[v.dims.rank - 1].constant;
        symbol r{};
        visit_floating(v.type, [&]<class T>(std::type_identity<T>) { r = apply_with<one_hot<T>>({depth}, labels); });
        return r;
    }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int, attributes const&) {
        auto const s = shift_logits(x[0]);
        int const rank = t.info(x[0]).dims.rank;
        symbol const picked = sum_over(
            xgrad::select(xgrad::not_equal(hot(x[0], x[1]), t.constant(0, dtype::literal)), s.shifted, t.constant(0, dtype::literal)),
            axis_set::of(rank - 1), true);
        return reshape_to(xgrad::log(s.sum) - picked, t.info(x[1]).dims);
    }
    static constexpr symbols derivative(symbol x, symbol labels, symbol, symbol g) {
        auto const s = shift_logits(x);
        return {{last_axis(g) * (s.exponentials / s.sum - hot(x, labels)), {}}};
    }
};
}

namespace detail {
// [batch, 1] with [batch] would give [batch, batch]. A constant is a target for all elements.
template<class A, class B>
constexpr bool have_one_rank() {
    if constexpr (!Expr<A> || !Expr<B>) return true;
    else {
        node_info const &a = *info_of<A>, &b = *info_of<B>;
        auto const constant = [](node_info const& n) { return n.op->kind == op_kind::constant || n.value.type == dtype::literal; };
        return a.value.wrong != fault::none || b.value.wrong != fault::none || constant(a) || constant(b) ||
               a.value.dims.rank == b.value.dims.rank;
    }
}
template<class A, class B>
constexpr bool check_ranks() {
    static_assert(have_one_rank<A, B>(),
        "xgrad: the operands of a loss such as squared_error(a, b) have different ranks: [batch, 1] with [batch] would be "
        "[batch, batch]; write squeeze, expand_dims or reshape on one of them");
    return have_one_rank<A, B>();
}
}

/// log(1 + e^x) - x z for logits x and labels z in [0, 1], element by element, without overflow (TensorFlow's
/// sigmoid_cross_entropy_with_logits). Both have the same rank, or one is a constant. An infinite logit that agrees
/// with its label of 0 or 1 has the loss 0; TensorFlow has NaN.
/// Gradient: of x, g (sigmoid(x) − z); of z, −g x.
template<class A, class B>
constexpr auto sigmoid_cross_entropy(A const& logits, B const& labels) {
    constexpr bool typed = detail::fault_of<op::sigmoid_cross_entropy, A, B>() != fault::dtypes;
    static_assert(typed,
        "xgrad::sigmoid_cross_entropy(logits, labels): logits and labels are not both float or both double; write the logits "
        "first, and cast<float>(labels)");
    if constexpr (!typed) return detail::refused{};
    else if constexpr (detail::check_ranks<A, B>()) {
        check_elementwise<op::sigmoid_cross_entropy, A, B>();
        return apply<op::sigmoid_cross_entropy>(logits, labels);
    } else return detail::refused{};
}
/// -sum(labels * log softmax(logits)) over the last axis: logits and labels [..., classes], result [...]. A logit of
/// -inf with a label of 0 adds nothing; TensorFlow has NaN. A row in which all logits are -inf, or one is +inf, gives
/// NaN, like its softmax.
/// Gradient: of the logits, g (softmax(logits) − labels); of the labels, −g log softmax(logits).
template<class A, class B>
constexpr auto softmax_cross_entropy(A const& logits, B const& labels) {
    constexpr fault f = detail::fault_of<op::softmax_cross_entropy, A, B>();
    static_assert(f != fault::dtypes && f != fault::not_floating,
        "xgrad::softmax_cross_entropy(logits, labels): logits and labels are not both float or both double; for integer labels "
        "write sparse_softmax_cross_entropy");
    static_assert(f != fault::shapes,
        "xgrad::softmax_cross_entropy(logits, labels): logits and labels have different shapes; give both the shape [..., "
        "classes]");
    return apply<op::softmax_cross_entropy>(logits, labels);
}
/// -log softmax(logits)[label] over the last axis: logits [..., classes], integer labels [...] in 0 ...
/// classes-1, result [...]. Labels that are an input are checked before the step.
/// Gradient: of the logits, g (softmax(logits) − one_hot(labels)); of the labels none.
template<class A, class B>
constexpr auto sparse_softmax_cross_entropy(A const& logits, B const& labels) {
    constexpr fault f = detail::fault_of<op::sparse_softmax_cross_entropy, A, B>();
    static_assert(f != fault::not_floating,
        "xgrad::sparse_softmax_cross_entropy(logits, labels): logits are neither float nor double; write the logits first, "
        "then the labels");
    static_assert(f != fault::not_integer, "xgrad::sparse_softmax_cross_entropy(logits, labels): labels are not integers; for rows of "
                                           "probabilities write softmax_cross_entropy");
    static_assert(f != fault::axis,
        "xgrad::sparse_softmax_cross_entropy(logits, labels): the last extent of logits, the number of classes, is not an "
        "integer; declare the logits with an integer there");
    static_assert(f != fault::shapes,
        "xgrad::sparse_softmax_cross_entropy(logits, labels): labels do not have the shape of logits without the last axis; "
        "write reshape or squeeze on the labels");
    return apply<op::sparse_softmax_cross_entropy>(logits, labels);
}
/// (a - b)², element by element. a and b have the same rank, or one is a constant.
/// Gradient: of a, 2 g (a − b); of b its opposite.
template<class A, class B>
constexpr auto squared_error(A const& a, B const& b) {
    if constexpr (!Operand<A> || !Operand<B>) return detail::refuse_operand<A, B>();
    else if constexpr (detail::check_ranks<A, B>()) return square(a - b);
    else return detail::refused{};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
