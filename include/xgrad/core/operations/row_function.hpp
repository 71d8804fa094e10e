// SPDX-License-Identifier: MIT
// The protocol of operations that apply a separate function to each row, with one output or several.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/kernel.hpp>
#include <xgrad/core/operations/own_op.hpp>

#include <span>

XGRAD_NAMESPACE_BEGIN

/// Base of operations that work on rows. A row is the last axis of an operand or output. All other axes must be equal.
/// An operand or output without the last axis has rows of one element. A complete user-defined operation:
///
///     struct running_max_op : xgrad::row_op {
///         static constexpr std::string_view name = "running_max";
///         static constexpr int outputs = 2;   // the values, and where each was met
///         static constexpr xgrad::value_info infer(xgrad::value_info const* v, int count, xgrad::attributes const& a, int output);
///         static void row(std::span<float const> x, std::span<float> values, std::span<std::int32_t> where);
///         static constexpr void derive(xgrad::derivation& d);
///     };
///     inline constexpr xgrad::row_function<running_max_op> running_max{};   // auto [values, where] = running_max(x);
///
/// `row` gets the rows of the operands, then those of the outputs. It must fill the output rows completely, and may use
/// them as scratch until then. An output exists even if it is not read.
///
/// `derive` reads `d.operands`, `d.output(k)` and `d.gradients[k]`, which exists if something depends on output k. It
/// sets `d.out[i]`, the gradients of the operands. A gradient that reaches an operation
/// without `derive` is an error. If no gradient is meant to pass, leave `derive` empty.
///
/// `static constexpr index_bound indices{.operand = 1, .of = 0, .axis = -1}` says that operand 1 holds indices below
/// the row length of operand 0. If they are an input, they are compared before the call runs.
struct row_op {
    static constexpr int outputs = 1;
    static constexpr int flops = 1;                // per element of the first operand; or a function, as in kernel_op
    static constexpr bool half_operands = false;   // true: operands of bfloat16 and float16 are passed as they are, not as cast<float>
};

namespace detail {
/// Whether `s` has the leading axes of `first`. The row axis may be missing in `s`.
constexpr bool has_leading_axes(shape const& s, shape const& first) {
    if (s.rank != first.rank && s.rank + 1 != first.rank) return false;
    for (int i = 0; i + 1 < first.rank; ++i)
        if (!(s.extents[i] == first.extents[i])) return false;
    return true;
}
template<class Op>
constexpr value_info row_rule(value_info const* v, int count, attributes const& a, int output) {
    if (v[0].dims.rank < 1) return {v[0].type, {}, fault::rank};
    for (int i = 1; i < count; ++i)
        if (!has_leading_axes(v[i].dims, v[0].dims)) return {v[0].type, {}, fault::shapes};
    value_info r = Op::infer(v, count, a, output);
    if (r.wrong == fault::none && !has_leading_axes(r.dims, v[0].dims)) r.wrong = fault::axis;
    return r;
}
constexpr extent row_length_of(shape const& s, int rank) { return s.rank == rank ? s.extents[rank - 1] : static_extent(1); }
constexpr layout row_layout(kernel_operands const&, int) { return layout::contiguous; }
constexpr int row_extent_count(kernel_operands const& v) { return 1 + v.count(); }
/// The number of rows, then the row length of each operand and output.
constexpr extent row_extent(kernel_operands const& v, int which) {
    shape const& first = v.dims(0);
    if (which > 0) return row_length_of(v.dims(which - 1), first.rank);
    extent n = static_extent(1);
    for (int a = 0; a + 1 < first.rank; ++a) n = n * first.extents[a];
    return n;
}
constexpr extent one_row(kernel_operands const& v, int output) { return row_length_of(v.dims(output), v.dims(0).rank); }
inline constexpr kernel_info row_kernel{row_layout, row_extent_count, row_extent, nullptr, one_row, nullptr, 0, false, false, true,
    {"rows", "function on rows", "functions on rows", "[#0, #1]  @ row by row → >*", {}}};

template<class Op>
constexpr value_info first_row_rule(value_info const* v, int count, attributes const& a) {
    return row_rule<Op>(v, count, a, 0);
}
}

template<class Op>
    requires __is_base_of(row_op, Op)
constexpr op_info op_description(Op const*) {
    op_info r = make_op(Op::name, op_kind::kernel, detail::first_row_rule<Op>, nullptr);
    r.kernel = &detail::row_kernel;
    detail::take_flops<Op>(r);
    r.half_operands = Op::half_operands;
    if constexpr (Op::outputs > 1) {
        r.outputs = Op::outputs;
        r.infer_output = detail::row_rule<Op>;
    }
    if constexpr (detail::Derives<Op>) r.derive = Op::derive;
    r.lacks_derivative = detail::OwnOp<Op> && r.derive == nullptr;
    if constexpr (requires { Op::indices; }) r.indices = Op::indices;
    return r;
}

namespace detail {
template<class Op, class... Row>
concept RowTakes = requires(Row... row) {
    { Op::row(row...) } -> std::same_as<void>;
};
/// Whether row(...) fills its outputs. A row(...) that accepts constant output elements does not. A row(...) that takes
/// any argument is recognized by its exact form.
template<class Op, class... X, class... Y>
constexpr bool fills_rows(std::tuple<std::span<X const>...> const*, std::tuple<std::span<Y>...> const*) {
    if constexpr (!RowTakes<Op, std::span<X const>..., std::span<Y>...>) return false;
    else
        return !RowTakes<Op, std::span<X const>..., std::span<Y const>...> ||
               requires { static_cast<void (*)(std::span<X const>..., std::span<Y>...)>(Op::row); };
}
template<class Own, Expr A>
using row_element = cpp_type_t<Own::half_operands ? value_of<A>.type : computed_type(value_of<A>.type)>;
template<class Own, class... A>
using rows_of_operands = std::tuple<std::span<row_element<Own, A> const>...>;
/// Whether row(...) accepts the rows of these operands and of the outputs that infer gives. True if this cannot be
/// decided here.
template<class Op, class... A>
constexpr bool row_takes() {
    if constexpr (!(Expr<A> && ...) || sizeof...(A) > max_operands || fault_of<Op, A...>() != fault::none) return true;
    else if constexpr (((value_of<A>.type == dtype::literal || value_of<A>.wrong != fault::none) || ...)) return true;
    else
        return []<int... K>(std::integer_sequence<int, K...>) {
            using Node = node<Op, A...>;
            using own = typename op_traits<Op>::op;
            constexpr rows_of_operands<own, A...> const* x = nullptr;
            if constexpr (sizeof...(K) == 1)
                return fills_rows<own>(x, static_cast<std::tuple<std::span<cpp_type_t<value_of<Node>.type>>> const*>(nullptr));
            else return fills_rows<own>(x, static_cast<std::tuple<std::span<cpp_type_t<value_of<part<K, Node>>.type>>...> const*>(nullptr));
        }(std::make_integer_sequence<int, op_traits<Op>::op::outputs>{});
}
}

/// The function object of an operation on rows, with its attributes if it has some. It returns an expression, or a
/// tuple of expressions for several outputs.
template<class Op>
struct row_function {
    template<class... A>
    constexpr auto operator()(A const&... a) const {
        if constexpr (detail::own_call_is_refused<row_op, Op, A...>()) return detail::refused_results<Op>();
        else return call(a...);
    }

private:
    template<class... A>
    static constexpr auto call(A const&... a) {
        constexpr fault f = detail::fault_of<Op, A...>();
        static_assert(f != fault::rank, "xgrad: an operand of this operation on rows has no axis; write expand_dims or reshape");
        static_assert(f != fault::shapes,
            "xgrad: the operands of this operation on rows have different axes before the last, or a last axis that it does not "
            "take; write reshape, transpose or slice");
        static_assert(f != fault::axis,
            "xgrad: infer(...) of this row_op changes other axes of the first operand than the last; for one number a row write "
            "value_info r = v[0]; --r.dims.rank;");
        static_assert(f != fault::dtypes && f != fault::not_floating && f != fault::not_integer,
            "xgrad: an operand of this operation on rows has an element type that it does not take; write cast<float>(x) or "
            "another type");
        constexpr bool takes = detail::row_takes<Op, A...>();
        static_assert(takes,
            "xgrad: row(...) of this row_op has another form; write public static void row(std::span<T const>, std::span<T>), with "
            "a span for each operand, then for each output, as in infer(...)");
        if constexpr (!takes) return detail::refused_results<Op>();
        else if constexpr (detail::op_traits<Op>::op::outputs == 1) return apply<Op>(a...);
        else return apply_all<Op>(a...);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
