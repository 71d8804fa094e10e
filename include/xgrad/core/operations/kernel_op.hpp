// SPDX-License-Identifier: MIT
// The protocol of operations with separate loops over whole tensors: pooling, convolutions, sorting, factorizations.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/arrays/array.hpp>
#include <xgrad/core/operations/call_fault.hpp>
#include <xgrad/core/operations/kernel.hpp>
#include <xgrad/core/operations/own_op.hpp>

XGRAD_NAMESPACE_BEGIN

/// Arguments of a kernel other than its tensors: which iterations of its outermost loop it runs, and scratch memory.
struct kernel_part {
    std::int64_t first, last;   // iterations
    std::byte* scratch;         // scratch_bytes(...) bytes, aligned to 64
    bool* bad_index;
    call_fault* fault = nullptr;    // set next to bad_index by an operation that names what it has found
    std::string_view operation{};   // its name, for messages

    /// For an operation with `reports_indices`: reports that an index is out of its range. The call then fails before
    /// anything is updated. The contents of the outputs do not matter then.
    void report_bad_index() const { *bad_index = true; }
    /// The same for an index that is not below the limit, or is wrong for another reason. The message has its number, and names the input
    /// if `index` refers to an element of one.
    template<class I>
    void report_bad_index(I const& index, std::int64_t limit, char const* reason = "") const {
        report_index(bad_index, fault, operation, index, limit, reason);
    }
    /// The same for the first of n indices that is outside of [0, limit).
    template<class I>
    XGRAD_COLD void report_first_of(I const* indices, std::int64_t n, std::int64_t limit) const {
        for (std::int64_t i = 0; i < n; ++i)
            if (!is_position(indices[i], limit)) return report_bad_index(indices[i], limit);
        report_bad_index();
    }
};

/// Base of operations with a kernel that gets all operands and outputs as row-major tensors. A complete user-defined
/// operation:
///
///     struct sums_of_prefixes_op : xgrad::kernel_op {
///         static constexpr std::string_view name = "sums_of_prefixes";
///         static constexpr xgrad::value_info infer(xgrad::value_info const* v, int count, xgrad::attributes const& a, int output);
///         template<class T>
///         static void run(xgrad::kernel_part const& part, xgrad::tensor_view<T const, 2> x, xgrad::tensor_view<T, 2> sums);
///         static constexpr void derive(xgrad::derivation& d);
///     };
///     inline constexpr xgrad::kernel_function<sums_of_prefixes_op> sums_of_prefixes{};   // auto y = sums_of_prefixes(x);
///
/// `infer` gives the element type and shape of each output, or a fault.
///
/// `run` gets the operands, then the outputs. It runs the iterations part.first … part.last - 1 of its outermost loop.
/// It must write everything that belongs to these iterations, and nothing else, because parts may run at the same time.
/// The number of iterations is the first extent of the first operand, or the result of
/// `static constexpr extent turns(kernel_operands const&)`. An output exists even if it is not read.
///
/// With `struct attributes { ... }` (core/attributes.hpp), `run` gets the attributes as its first argument, and infer
/// reads them by a.as<attributes>(). `derive` is like that of row_op. Optional members and their defaults:
///     static constexpr int outputs                                   1
///     static constexpr int flops                                     1, per element of the first operand
///     static constexpr extent flops(kernel_operands const&)          alternative: of the whole kernel, a polynomial of the extents
///     static constexpr extent scratch_bytes(kernel_operands const&)  none
///     static constexpr index_bound indices                           which operand holds indices; compared when a call binds them
///     static constexpr bool reports_indices                          false; true if `run` checks the indices too and reports a wrong one
///     static constexpr bool in_order                                 false; true if iteration n writes the n-th piece of each output.
///                                                                    The pieces are equal and in memory order.
///                                                                    A loop after it then runs a few iterations at a time.
///     static constexpr bool half_operands                            false: operands of bfloat16 and float16 are passed as cast<float>
///                                                                    true: they are passed as they are
struct kernel_op {
    static constexpr int outputs = 1;
    static constexpr int flops = 1;
    static constexpr bool reports_indices = false;
    static constexpr bool in_order = false;
    static constexpr bool half_operands = false;
};

namespace detail {
constexpr layout whole_layout(kernel_operands const&, int) { return layout::contiguous; }
/// The number of iterations, then all extents of the operands and outputs.
constexpr int whole_extent_count(kernel_operands const& v) {
    int n = 1;
    for (int k = 0; k < v.count(); ++k) n += v.dims(k).rank;
    return n;
}
template<class Op>
concept SaysTurns = requires(kernel_operands const& v) {
    { Op::turns(v) } -> std::same_as<extent>;
};
template<class Op>
concept SaysScratch = requires { static_cast<extent (*)(kernel_operands const&)>(Op::scratch_bytes); };
template<class Op>
constexpr extent whole_extent(kernel_operands const& v, int which) {
    if (which == 0) {
        if constexpr (SaysTurns<Op>) return Op::turns(v);
        else return v.dims(0).rank > 0 ? v.dims(0).extents[0] : static_extent(1);
    }
    int k = 0;
    for (--which; which >= v.dims(k).rank; ++k) which -= v.dims(k).rank;
    return v.dims(k).extents[which];
}
template<class Op>
constexpr auto scratch_rule() -> extent (*)(kernel_operands const&) {
    if constexpr (SaysScratch<Op>) return Op::scratch_bytes;
    else return nullptr;
}
template<class Op>
inline constexpr kernel_info whole_kernel{whole_layout, whole_extent_count, whole_extent<Op>, nullptr, nullptr, scratch_rule<Op>(), 0,
    Op::reports_indices, false, Op::in_order, plain_kernel_text};
template<class Op>
constexpr value_info first_output(value_info const* v, int count, attributes const& a) {
    return Op::infer(v, count, a, 0);
}
}

template<class Op>
    requires __is_base_of(kernel_op, Op)
constexpr op_info op_description(Op const*) {
    op_info r = make_op(Op::name, op_kind::kernel, detail::first_output<Op>, nullptr);
    r.kernel = &detail::whole_kernel<Op>;
    detail::take_flops<Op>(r);
    r.half_operands = Op::half_operands;
    if constexpr (Op::outputs > 1) {
        r.outputs = Op::outputs;
        r.infer_output = Op::infer;
    }
    if constexpr (detail::Derives<Op>) r.derive = Op::derive;
    r.lacks_derivative = detail::OwnOp<Op> && r.derive == nullptr;
    if constexpr (requires { Op::indices; }) r.indices = Op::indices;
    static_assert(
        !Op::reports_indices || requires { Op::indices; } || !detail::OwnOp<Op>,
        "xgrad: a kernel_op with reports_indices has no member `indices`; write `static constexpr index_bound indices`: which "
        "operand holds the indices, and their limit");
    return r;
}

namespace detail {
template<class Op, class... View>
constexpr bool takes_views(kernel_part const*, View const*... view) {
    if constexpr (requires { typename op_traits<Op>::op::attributes; })
        return requires(typename op_traits<Op>::op::attributes const& a, kernel_part const& part) {
            { op_traits<Op>::op::run(a, part, *view...) } -> std::same_as<void>;
        };
    else
        return requires(kernel_part const& part) {
            { op_traits<Op>::op::run(part, *view...) } -> std::same_as<void>;
        };
}
template<class Op, class E>
using kernel_element = cpp_type_t<op_traits<Op>::op::half_operands ? value_of<E>.type : computed_type(value_of<E>.type)>;
template<class Op, class E>
using operand_view = tensor_view<kernel_element<Op, E> const, value_of<E>.dims.rank>;
template<class E>
using output_view = tensor_view<cpp_type_t<value_of<E>.type>, value_of<E>.dims.rank>;
/// Whether the kernel accepts views of these operands and of the outputs that infer gives. True if this cannot be
/// decided here.
template<class Op, class... A>
constexpr bool kernel_takes() {
    if constexpr (!(Expr<A> && ...) || fault_of<Op, A...>() != fault::none) return true;
    else if constexpr (((value_of<A>.type == dtype::literal || value_of<A>.wrong != fault::none) || ...)) return true;
    else
        return []<int... K>(std::integer_sequence<int, K...>) {
            using Node = node<Op, A...>;
            constexpr kernel_part const* part = nullptr;
            if constexpr (sizeof...(K) == 1)
                return takes_views<Op>(
                    part, static_cast<operand_view<Op, A> const*>(nullptr)..., static_cast<output_view<Node> const*>(nullptr));
            else
                return takes_views<Op>(part, static_cast<operand_view<Op, A> const*>(nullptr)...,
                    static_cast<output_view<xgrad::part<K, Node>> const*>(nullptr)...);
        }(std::make_integer_sequence<int, op_traits<Op>::op::outputs>{});
}
}

/// The function object of a kernel_op. It returns an expression, or a tuple of expressions for several outputs.
/// `kernel_function<with<Op, Op::attributes{...}>>` passes attributes.
template<class Op>
struct kernel_function {
    template<class... A>
    constexpr auto operator()(A const&... a) const {
        if constexpr (detail::own_call_is_refused<kernel_op, Op, A...>()) return detail::refused_results<Op>();
        else return call(a...);
    }

private:
    using op = typename detail::op_traits<Op>::op;
    template<class... A>
    static constexpr auto call(A const&... a) {
        constexpr fault f = detail::fault_of<Op, A...>();
        static_assert(f != fault::rank && f != fault::shapes && f != fault::axis && f != fault::inner && f != fault::too_long,
            "xgrad: the operands of this operation have ranks or shapes that its infer(...) does not take; give operands of the "
            "shapes that infer(...) asks for");
        static_assert(f != fault::dtypes && f != fault::not_floating && f != fault::not_integer && f != fault::not_boolean,
            "xgrad: the operands of this operation have element types that its infer(...) does not take; write cast<float>(x) or "
            "another type");
        static_assert(sizeof...(A) + op::outputs <= detail::most_kernel_operands,
            "xgrad: a kernel_op has more than 21 operands and outputs; join some of them by concat");
        constexpr bool takes = detail::kernel_takes<Op, A...>();
        static_assert(takes,
            "xgrad: run(...) of this kernel_op has another form; write public static void run(kernel_part const&, tensor_view<T "
            "const, rank> x..., tensor_view<T, rank> y...), with attributes const& first if there are any");
        if constexpr (!takes) return detail::refused_results<Op>();
        else if constexpr (op::outputs == 1) return apply<Op>(a...);
        else return apply_all<Op>(a...);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
