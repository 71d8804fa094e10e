// SPDX-License-Identifier: MIT
// Rows chosen by their values, up to a number that is known: boolean_mask, nonzero, dynamic_partition. Numbers of elements and coordinates.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/ops/arrange.hpp>
#include <xgrad/ops/shapes/fill.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Operands: rows [n, row], and the part of each, int32 [n]. Attributes: the numbers of parts and of places in a part.
/// Outputs: rows [parts, places, row], and how many rows each part has.
struct dynamic_partition : kernel_op {
    static constexpr std::string_view name = "dynamic_partition";
    static constexpr int outputs = 2;
    static constexpr bool half_operands = true;
    static constexpr int flops = 0;
    static constexpr value_info infer(value_info const* v, int, attributes const& a, int output) {
        if (output == 1) return {dtype::int32, {1, {a.extents[0]}}, fault::none};
        return {v[0].type, {3, {a.extents[0], a.extents[1], v[0].dims.extents[1]}}, fault::none};
    }
    static constexpr extent turns(kernel_operands const& v) { return v.dims(3).extents[0]; }
    template<class T>
    static void run(kernel_part const& part, tensor_view<T const, 2> x, tensor_view<std::int32_t const, 1> parts, tensor_view<T, 3> y,
        tensor_view<std::int32_t, 1> counts) {
        std::int64_t const n = x.shape(0), row = x.shape(1), places = y.shape(1);
        for (std::int64_t p = part.first; p < part.last; ++p) {
            T* const out = y.data() + p * places * row;
            std::int64_t count = 0;
            for (std::int64_t i = 0; i < n; ++i) {
                if (parts[i] != p) continue;
                if (count < places) {
                    if (row == 1) out[count] = x.data()[i];
                    else std::copy_n(x.data() + i * row, row, out + count * row);
                }
                ++count;
            }
            counts[p] = static_cast<std::int32_t>(count);
            std::fill(out + std::min(count, places) * row, out + places * row, T(0));
        }
    }
    static constexpr void derive(derivation& d);
};
/// Operands: rows [parts, places, row], and the part of each row of the result, int32 [n]. The result is [n, row].
struct merge_partitions : kernel_op {
    static constexpr std::string_view name = "merge_partitions";
    static constexpr bool half_operands = true;
    static constexpr int flops = 0;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) {
        return {v[0].type, {2, {v[1].dims.extents[0], v[0].dims.extents[2]}}, fault::none};
    }
    static constexpr extent turns(kernel_operands const&) { return static_extent(1); }
    static constexpr extent scratch_bytes(kernel_operands const& v) { return v.dims(0).extents[0] * static_extent(8); }
    template<class T>
    static void run(kernel_part const& part, tensor_view<T const, 3> x, tensor_view<std::int32_t const, 1> parts, tensor_view<T, 2> y) {
        std::int64_t const count = x.shape(0), places = x.shape(1), row = x.shape(2);
        auto* const met = reinterpret_cast<std::int64_t*>(part.scratch);   // rows of each part so far
        std::fill_n(met, count, std::int64_t{0});
        for (std::int64_t i = 0; i < parts.shape(0); ++i) {
            T* const out = y.data() + i * row;
            std::int64_t const p = parts[i];
            bool const there = p >= 0 && p < count && met[p]++ < places;
            if (there) std::copy_n(x.data() + (p * places + met[p] - 1) * row, row, out);
            else std::fill_n(out, row, T(0));
        }
    }
    static constexpr void derive(derivation& d);
};
constexpr void dynamic_partition::derive(derivation& d) {
    if (d.gradients[0].exists()) d.out[0] = apply<merge_partitions>(d.gradients[0], d.operands[1]);
}
constexpr void merge_partitions::derive(derivation& d) {
    derivation cut{};
    cut.table = d.table;
    cut.result = apply_with<dynamic_partition>(
        shape_attributes({2, {d.info(0).dims.extents[0], d.info(0).dims.extents[1]}}), d.gradient, d.operands[1]);
    d.out[0] = cut.output(0);
}
}

namespace detail {
enum class partition_slip { none, no_expression, wrong, sizes, type, shape, many_axes, parts };
/// The extents of s from an axis on.
constexpr shape axes_from(shape const& s, int first) {
    shape r{};
    for (int i = first; i < s.rank; ++i) r.extents[r.rank++] = s.extents[i];
    return r;
}
constexpr bool begins_with(shape const& s, shape const& first) {
    if (first.rank > s.rank) return false;
    for (int i = 0; i < first.rank; ++i)
        if (!(s.extents[i] == first.extents[i])) return false;
    return true;
}
/// `New` axes take the place of the axes of M in X.
template<class X, class M>
constexpr partition_slip slip_of_partition(partition_slip of_type, bool sizes, int new_axes) {
    if constexpr (!Expr<X> || !Expr<M>) return partition_slip::no_expression;
    else {
        if (value_of<X>.wrong != fault::none || value_of<M>.wrong != fault::none) return partition_slip::wrong;
        if (!sizes) return partition_slip::sizes;
        if (of_type != partition_slip::none) return of_type;
        if (!begins_with(value_of<X>.dims, value_of<M>.dims)) return partition_slip::shape;
        return value_of<X>.dims.rank - value_of<M>.dims.rank + new_axes > max_rank ? partition_slip::many_axes : partition_slip::none;
    }
}
template<class A>
constexpr bool is_of_integers() {
    if constexpr (Expr<A>) return is_integer(value_of<A>.type);
    else return true;
}
template<class A>
constexpr bool is_of_truths() {
    if constexpr (Expr<A>) return value_of<A>.type == dtype::boolean;
    else return true;
}
template<partition_slip Slip>
constexpr void check_parts() {
    static_assert(Slip != partition_slip::parts,
        "xgrad: the parts of dynamic_partition<parts, capacity>(x, parts) or merge_partitions(values, parts) are not integers; write "
        "cast<std::int32_t>(parts)");
    static_assert(Slip != partition_slip::many_axes,
        "xgrad: a result of boolean_mask, dynamic_partition or merge_partitions has more than six axes; reshape the operands first");
}
/// Rows [parts, places, row...] of x and their numbers, by the parts of the rows.
template<extent Parts, extent Places, class X, class M>
constexpr auto partitioned(X const& x, M const& parts) {
    constexpr extent n = value_of<M>.dims.size(), row = axes_from(value_of<X>.dims, value_of<M>.dims.rank).size();
    return apply_all<with_shape<op::dynamic_partition, shape{2, {Parts, Places}}>>(
        reshaped_to<shape{2, {n, row}}>(x), reshaped_to<shape{1, {n}}>(cast<std::int32_t>(parts)));
}
template<extent Capacity, class X, class M>
constexpr auto masked(X const& x, M const& mask) {
    constexpr shape one{1, {Capacity}};
    auto const [rows, counts] = partitioned<static_extent(1), Capacity>(x, logical_not(mask));   // part 1 is dropped
    return std::tuple{reshaped_to<joined(one, axes_from(value_of<X>.dims, value_of<M>.dims.rank))>(rows), reshaped_to<shape{}>(counts)};
}
}

/// The rows of x by their part, and how many there are: `auto const [rows, counts] = dynamic_partition<4, 16>(x, parts)` is
/// [4, 16, ...] and int32 [4]. `parts` has the shape of the first axes of x. Its numbers are int32 or int64. A row whose number
/// is outside 0 ... Parts − 1 is in no part. A part has Capacity places: rows in their order, then zeros. Rows beyond are
/// dropped, but are counted (TensorFlow's dynamic_partition, in fixed sizes).
/// Gradient: of x, g at the place of each row, zero for dropped rows; of the parts none.
template<std::int64_t Parts, auto Capacity, class A, class P>
constexpr auto dynamic_partition(A const& x, P const& parts) {
    using detail::partition_slip;
    constexpr bool sizes = Parts >= 1 && detail::are_extents<Capacity>;
    constexpr partition_slip slip =
        detail::slip_of_partition<A, P>(detail::is_of_integers<P>() ? partition_slip::none : partition_slip::parts, sizes, 2);
    static_assert(slip != partition_slip::sizes,
        "xgrad::dynamic_partition<parts, capacity>(x, parts): parts is not an integer of at least 1, or capacity is no extent; write such "
        "sizes");
    static_assert(slip != partition_slip::shape,
        "xgrad::dynamic_partition<parts, capacity>(x, parts): the numbers of the parts do not have the shape of the first axes of x");
    detail::check_parts<slip>();
    if constexpr (slip == partition_slip::no_expression) return std::tuple{detail::refuse_operand<A, P>(), detail::refused{}};
    else if constexpr (slip != partition_slip::none) return std::tuple{detail::refused{}, detail::refused{}};
    else {
        constexpr extent places = make_shape<Capacity>().extents[0];
        constexpr shape first{2, {static_extent(Parts), places}};
        auto const [rows, counts] = detail::partitioned<static_extent(Parts), places>(x, parts);
        return std::tuple{
            detail::reshaped_to<detail::joined(first, detail::axes_from(value_of<A>.dims, value_of<P>.dims.rank))>(rows), counts};
    }
}
/// The inverse of dynamic_partition: `values` [parts, places, ...] at the rows that they came from, in the shape of `parts` +
/// values.shape[2:]. Rows that have no place are zero. It combines what several experts computed of their rows.
/// Gradient: of the values, the rows of g by their part; of the parts none.
template<class A, class P>
constexpr auto merge_partitions(A const& values, P const& parts) {
    using detail::partition_slip;
    constexpr auto slip = [] {
        if constexpr (!Expr<A> || !Expr<P>) return partition_slip::no_expression;
        else {
            if (value_of<A>.wrong != fault::none || value_of<P>.wrong != fault::none) return partition_slip::wrong;
            if (!is_integer(value_of<P>.type)) return partition_slip::parts;
            if (value_of<A>.dims.rank < 2) return partition_slip::shape;
            return value_of<A>.dims.rank - 2 + value_of<P>.dims.rank > max_rank ? partition_slip::many_axes : partition_slip::none;
        }
    }();
    static_assert(slip != partition_slip::shape,
        "xgrad::merge_partitions(values, parts): values have fewer than two axes; give values [parts, places, ...]");
    detail::check_parts<slip>();
    if constexpr (slip == partition_slip::no_expression) return detail::refuse_operand<A, P>();
    else if constexpr (slip != partition_slip::none) return detail::refused{};
    else {
        constexpr shape s = value_of<A>.dims, p = value_of<P>.dims, rest = detail::axes_from(s, 2);
        return detail::reshaped_to<detail::joined(p, rest)>(
            apply<op::merge_partitions>(detail::reshaped_to<shape{3, {s.extents[0], s.extents[1], rest.size()}}>(values),
                detail::reshaped_to<shape{1, {p.size()}}>(cast<std::int32_t>(parts))));
    }
}
/// The rows of x where `mask` is true, then zeros, and how many there are: `auto const [rows, count] = boolean_mask<8>(x,
/// mask)` is [8, ...] and an int32 number. The mask is bool and has the shape of the first axes of x. Capacity is an integer
/// or a named dimension. Rows beyond it are dropped, but are counted (TensorFlow's boolean_mask, in a fixed size).
/// Gradient: of x, the rows of g where the mask is true, zero elsewhere; of the mask none.
template<auto Capacity, class A, class M>
constexpr auto boolean_mask(A const& x, M const& mask) {
    using detail::partition_slip;
    constexpr partition_slip slip = detail::slip_of_partition<A, M>(
        detail::is_of_truths<M>() ? partition_slip::none : partition_slip::type, detail::are_extents<Capacity>, 1);
    static_assert(slip != partition_slip::sizes,
        "xgrad::boolean_mask<capacity>(x, mask): capacity is not an integer of at least 0, or a named dimension; write boolean_mask<8>(x, mask)");
    static_assert(slip != partition_slip::type,
        "xgrad::boolean_mask<capacity>(x, mask): the mask is not bool; write a comparison, not_equal(mask, 0_c)");
    static_assert(
        slip != partition_slip::shape, "xgrad::boolean_mask<capacity>(x, mask): the mask does not have the shape of the first axes of x");
    detail::check_parts<slip>();
    if constexpr (slip == partition_slip::no_expression) return std::tuple{detail::refuse_operand<A, M>(), detail::refused{}};
    else if constexpr (slip != partition_slip::none) return std::tuple{detail::refused{}, detail::refused{}};
    else return detail::masked<make_shape<Capacity>().extents[0]>(x, mask);
}
// catches boolean_mask(x, mask)
template<class A, class M>
constexpr auto boolean_mask(A const&, M const&) {
    static_assert(detail::never<A>,
        "xgrad::boolean_mask<capacity>(x, mask): there is no capacity, the largest number of rows; write boolean_mask<8>(x, mask)");
    return std::tuple{detail::refused{}, detail::refused{}};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
