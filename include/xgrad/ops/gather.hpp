// SPDX-License-Identifier: MIT
// Rows by index: gather, embedding_lookup, embedding_bag, one_hot. Their gradients are indexed_slices.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/kernel.hpp>
#include <xgrad/ops/reduce.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
constexpr value_info gather_rule(value_info const* v, bool bag) {
    value_info r{bag ? computed_type(v[0].type) : v[0].type, {}, fault::none};
    if (!is_integer(v[1].type)) return {r.type, {}, fault::not_integer};
    if (v[0].dims.rank < 1 || (bag && v[1].dims.rank < 1)) return {r.type, {}, fault::rank};
    int const kept = v[1].dims.rank - (bag ? 1 : 0);
    if (kept + v[0].dims.rank - 1 > max_rank) return {r.type, {}, fault::too_long};
    for (int i = 0; i < kept; ++i) r.dims.extents[r.dims.rank++] = v[1].dims.extents[i];
    for (int i = 1; i < v[0].dims.rank; ++i) r.dims.extents[r.dims.rank++] = v[0].dims.extents[i];
    return r;
}
/// The shape [number of indices, row...].
constexpr shape rows_shape(shape const& table, extent const& n) {
    shape s = table;
    s.extents[0] = n;
    return s;
}
constexpr symbol flat(symbol s) { return reshape_to(s, shape{1, {s.table->info(s).dims.size()}}); }

/// The extents of a lookup: ids or bags, elements of a row, rows of the table, ids of a bag.
constexpr extent lookup_extent(kernel_operands const& v, int which) {
    shape const &table = v.dims(0), &ids = v.dims(1);
    bool const bag = v.dims(v.operands).rank < table.rank - 1 + ids.rank;
    if (which == 1) return detail::size_after_first(table);
    if (which == 2) return table.extents[0];
    if (which == 3) return bag ? ids.extents[ids.rank - 1] : static_extent(1);
    extent n = static_extent(1);
    for (int a = 0; a < ids.rank - bag; ++a) n = n * ids.extents[a];
    return n;
}
/// The output has one row per index or bag. If these have one axis only, the rows of the output may be at any distance.
constexpr layout lookup_layout(kernel_operands const& v, int which) {
    bool const apart = which == v.operands && v.dims(0).rank == v.dims(which).rank;
    return apart ? layout::rows : layout::contiguous;
}
/// Elements that are read: a row of the table counts once per index.
constexpr extent lookup_read(kernel_operands const& v, int operand) {
    return operand == 0 ? v.dims(1).size() * detail::size_after_first(v.dims(0)) : v.dims(operand).size();
}
constexpr int four_extents(kernel_operands const&) { return 4; }
inline constexpr kernel_info gather_kernel{lookup_layout, four_extents, lookup_extent, lookup_read, nullptr, nullptr, 0b10, true, false,
    true, {"gather", "gather", "gathers", "[#0, #1]  rows of %0 by %1 → >0", "rows"}};
inline constexpr kernel_info bag_kernel{lookup_layout, four_extents, lookup_extent, lookup_read, nullptr, nullptr, 0b10, true, false, true,
    {"bag", "bag", "bags", "[#0, #1]  sums of #3 rows of %0 by %1 → >0", "sums of rows"}};

struct gather {
    static constexpr value_info infer(value_info const* v, int, attributes const&) { return gather_rule(v, false); }
    static constexpr void derive(derivation& d) {
        d.values[0] = reshape_to(d.gradient, rows_shape(d.info(0).dims, d.info(1).dims.size()));
        d.indices[0] = flat(d.operands[1]);
    }
    static constexpr op_info describe() {
        op_info r = make_op("gather", op_kind::kernel, infer, derive);
        r.kernel = &gather_kernel;
        r.half_operands = true;
        r.indices = {.operand = 1, .of = 0, .axis = 0};
        return r;
    }
};
struct embedding_bag {
    static constexpr value_info infer(value_info const* v, int, attributes const&) { return gather_rule(v, true); }
    static constexpr void derive(derivation& d) {
        shape const &table = d.info(0).dims, &ids = d.info(1).dims;
        // Each row of a bag gets the gradient of the bag: [..., row] -> [bags, 1, row] -> [bags, length, row] -> [n, row].
        shape one{table.rank + 1, {static_extent(1), static_extent(1)}};
        for (int i = 0; i + 1 < ids.rank; ++i) one.extents[0] = one.extents[0] * ids.extents[i];
        for (int i = 1; i < table.rank; ++i) one.extents[i + 1] = table.extents[i];
        shape all = one;
        all.extents[1] = ids.extents[ids.rank - 1];
        d.values[0] = reshape_to(broadcast_symbol(reshape_to(d.gradient, one), all), rows_shape(table, ids.size()));
        d.indices[0] = flat(d.operands[1]);
    }
    static constexpr op_info describe() {
        op_info r = make_op("embedding_bag", op_kind::kernel, infer, derive);
        r.kernel = &bag_kernel;
        r.half_operands = true;
        r.indices = {.operand = 1, .of = 0, .axis = 0};
        r.flops = 1;
        return r;
    }
};
/// The extents of a scatter: values, elements of a row, rows of the result.
constexpr extent scatter_extent(kernel_operands const& v, int which) {
    return which == 0 ? v.dims(1).extents[0] : which == 1 ? detail::size_after_first(v.dims(2)) : v.dims(2).extents[0];
}
constexpr layout scatter_layout(kernel_operands const&, int which) { return which == 0 ? layout::rows : layout::contiguous; }
constexpr int three_extents(kernel_operands const&) { return 3; }
inline constexpr kernel_info scatter_kernel{scatter_layout, three_extents, scatter_extent, nullptr, nullptr, nullptr, 0b10, true, true,
    false, {"scatter", "scatter", "scatters", "[#0, #1]  rows of %0 by %1, summed → >0 [#2, #1]", "sum of rows"}};
/// Operands: values [n, row...] and indices [n]. Attributes: the dense shape. Duplicated rows are summed.
struct scatter {
    static constexpr value_info infer(value_info const* v, int, attributes const& a) { return {v[0].type, a.target(), fault::none}; }
    static constexpr void derive(derivation& d) { d.out[0] = apply<gather>(d.gradient, d.operands[1]); }
    static constexpr op_info describe() {
        op_info r = make_op("scatter", op_kind::kernel, infer, derive);
        r.kernel = &scatter_kernel;
        r.indices = {.operand = 1, .of = -1, .axis = 0};
        r.flops = 1;
        return r;
    }
};
constexpr symbol densify(symbol values, symbol indices, shape const& target) {
    return apply_with<scatter>(shape_attributes(target), values, indices);
}
/// The position along the last axis, int32. Its shape is the extents in the attributes.
struct index {
    static constexpr value_info infer(value_info const*, int, attributes const& a) { return {dtype::int32, a.target(), fault::none}; }
    static constexpr op_info describe() { return make_op("index", op_kind::index, infer, nullptr); }
};
/// The positions along an axis of this extent, in the integer type of `like`.
constexpr symbol positions(symbol like, extent const& length) {
    symbol const position = like.table->add(op_register<index>::info, nullptr, 0, shape_attributes({1, {length}}));
    return like.table->info(like).type == dtype::int64 ? apply<cast<std::int64_t>>(position) : position;
}
}
namespace detail {
/// The positions 0, 1, ... along an axis, int32.
template<extent Length>
struct positions_along : expression_base {
    static constexpr extent extents[1]{Length};
    static constexpr node_info info = make_info(op_register<op::index>::info, {nullptr, extents, 0, 1, 0, {}}, nullptr, 0);
};
}
namespace op {
/// 1 where index and position are equal, else 0, in element type T.
template<Element T>
struct match : elementwise_op {
    static constexpr std::string_view name = "match";
    static constexpr bool cheap = true;
    static constexpr operand_types accepts = operand_types::any;
    XGRAD_INLINE static auto value(auto a, auto b) { return math::equal(a, b); }
    static constexpr value_info infer(value_info const* v, int count, attributes const& a) {
        value_info r = detail::elementwise_rule<match::accepts, match::returns_boolean>(v, count, a);
        r.type = dtype_of<T>;
        return r;
    }
};
struct one_hot_attributes {
    std::int64_t depth;
};
template<Element T>
struct one_hot : composite_op {
    using attributes = one_hot_attributes;
    static constexpr std::string_view name = "one_hot";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a) {
        value_info r{dtype_of<T>, v[0].dims, fault::none};
        if (!is_integer(v[0].type)) r.wrong = fault::not_integer;
        if (r.dims.rank == max_rank) return {r.type, {}, fault::too_long};
        r.dims.extents[r.dims.rank++] = static_extent(a.as<attributes>().depth);
        return r;
    }
    static constexpr symbol expand(symbol_table&, symbol const* x, int, xgrad::attributes const& a) {
        symbol const ids = as_index(x[0]), all = positions(ids, static_extent(a.as<attributes>().depth));
        symbol const column = apply_with<expand_dims>({-1}, ids);
        // a loop over smaller integers would compare only the lower bits
        bool const cut = is_narrow_index(dtype_of<T>) || (dtype_of<T> == dtype::int32 && ids.table->info(ids).type == dtype::int64);
        return cut ? apply<cast<T>>(apply<match<bool>>(column, all)) : apply<match<T>>(column, all);
    }
};
}

namespace detail {
template<class Op, class A, class B>
constexpr void check_gather() {
    constexpr fault f = fault_of<Op, A, B>();
    static_assert(f != fault::not_integer,
        "xgrad: a lookup such as gather(table, ids) has ids that are not integers; write the table first, and for ids of "
        "another type cast<std::int32_t>(ids)");
    static_assert(f != fault::rank,
        "xgrad: a lookup has a table without an axis, or embedding_bag(table, ids) has ids without an axis; write reshape or "
        "expand_dims");
    static_assert(f != fault::too_long, "xgrad: the result of this lookup has more than six axes; reshape the ids first");
}
}

/// Rows of `table` [rows, ...] at `ids` (integers of any type and shape): the result has the shape ids.shape +
/// table.shape[1:]. Ids are checked before anything is changed.
/// Gradient: of the table, sparse: rows of g at the ids, duplicated ones summed; of the ids none.
template<class A, class B>
constexpr auto gather(A const& table, B const& ids) {
    detail::check_gather<op::gather, A, B>();
    return apply<op::gather>(table, ids);
}
/// Another name of gather.
/// Gradient: that of gather.
template<class A, class B>
constexpr auto embedding_lookup(A const& table, B const& ids) {
    return gather(table, ids);
}
/// The sum of the rows of each bag of ids [..., length]: the result has the shape ids.shape[:-1] + table.shape[1:].
/// Gradient: of the table, sparse: the row of g of a bag at each of its ids; of the ids none.
template<class A, class B>
constexpr auto embedding_bag(A const& table, B const& ids) {
    detail::check_gather<op::embedding_bag, A, B>();
    return apply<op::embedding_bag>(table, ids);
}
/// Rows of zeros with a 1 at each id, of shape ids.shape + [Depth]. A row is all zeros for an id outside 0 ... Depth-1.
/// For float, Depth is below 2^24.
/// Gradient: none.
template<std::int64_t Depth, Element T = float, class A>
constexpr auto one_hot(A const& ids) {
    using O = with<op::one_hot<T>, op::one_hot_attributes{Depth}>;
    constexpr fault f = detail::fault_of<O, A>();
    static_assert(f != fault::not_integer, "xgrad::one_hot<depth>(ids): ids are not integers; write cast<std::int32_t>(ids)");
    static_assert(f != fault::too_long, "xgrad::one_hot<depth>(ids): the result has more than six axes; reshape the ids first");
    return apply<O>(ids);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
