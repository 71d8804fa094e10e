// SPDX-License-Identifier: MIT
// The two kernels of take, scatter and segments: elements read, and elements written, by positions along one axis.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/ops/gather.hpp>
#include <xgrad/ops/index/joined_rows.hpp>
#include <xgrad/ops/select.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// x [b, o, n, i] at ids [b, p, k, q] along the third axis: [b, o, k, i]. p is 1 or o, and q is 1 or i.
struct take_along : kernel_op {
    static constexpr std::string_view name = "take";
    static constexpr int flops = 0;
    static constexpr bool half_operands = true, reports_indices = true, in_order = true;
    static constexpr index_bound indices{.operand = 1, .of = 0, .axis = 2};
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) {
        value_info r = v[0];
        r.dims.extents[2] = v[1].dims.extents[2];
        return r;
    }
    static constexpr extent turns(kernel_operands const& v) {
        shape const& y = v.dims(v.operands);
        return y.extents[0] * y.extents[1] * y.extents[2];
    }
    template<class T, class I>
    static void run(kernel_part const& part, tensor_view<T const, 4> x, tensor_view<I const, 4> ids, tensor_view<T, 4> y) {
        std::int64_t const o = x.shape(1), n = x.shape(2), inner = x.shape(3), k = ids.shape(2), q = ids.shape(3);
        if (part.first == part.last) return;
        std::int64_t outer = part.first / k, begin = part.first % k;
        rows_of_ids row(outer, o, ids.shape(1));
        for (std::int64_t turn = part.first; turn < part.last; ++outer, begin = 0, row.next()) {
            std::int64_t const count = std::min(k - begin, part.last - turn);
            I const* const at = ids.data() + (*row * k + begin) * q;
            T const* const from = x.data() + outer * n * inner;
            T* const to = y.data() + turn * inner;
            if (!(q == 1 ? take_rows(from, n, inner, at, count, to) : take_elements(from, n, inner, at, count, to)))
                return part.report_first_of(at, count * q, n);
            turn += count;
        }
    }
    static constexpr void derive(derivation& d);

private:
    template<class T, class I>
    static bool take_rows(
        T const* from, std::int64_t n, std::int64_t inner, I const* XGRAD_RESTRICT ids, std::int64_t count, T* XGRAD_RESTRICT to) {
        if (inner == 1) return take_line(ids, count, n, [&](std::int64_t j, std::int64_t id) { to[j] = from[id]; });
        return with_row_length(inner, [&](auto known) {
            std::int64_t const length = known.value > 0 ? known.value : inner;
            for (std::int64_t j = 0; j < count; ++j) {
                if (!is_position(ids[j], n)) return false;
                copy_bytes(
                    to + j * length, from + static_cast<std::int64_t>(ids[j]) * length, static_cast<std::size_t>(length) * sizeof(T));
            }
            return true;
        });
    }
    template<class T, class I>
    static bool take_elements(
        T const* from, std::int64_t n, std::int64_t inner, I const* XGRAD_RESTRICT ids, std::int64_t count, T* XGRAD_RESTRICT to) {
        for (std::int64_t j = 0; j < count; ++j, ids += inner, to += inner)
            if (!take_line(ids, inner, n, [&](std::int64_t c, std::int64_t id) { to[c] = from[id * inner + c]; })) return false;
        return true;
    }
    /// take(j, ids[j]) for each j. Blocks of ids are compared before they are used.
    template<class I, class F>
    XGRAD_INLINE static bool take_line(I const* XGRAD_RESTRICT ids, std::int64_t count, std::int64_t n, F const& take) {
        using U = std::make_unsigned_t<I>;
        constexpr std::int64_t block = 32;
        std::int64_t j = 0;
        for (; j + block <= count; j += block) {
            U most = 0;
            for (std::int64_t e = 0; e < block; ++e) most = std::max(most, static_cast<U>(ids[j + e]));
            if (static_cast<std::uint64_t>(most) >= static_cast<std::uint64_t>(n)) return false;
            for (std::int64_t e = 0; e < block; ++e) take(j + e, one_by_one(static_cast<std::int64_t>(ids[j + e])));
        }
        for (; j < count; ++j) {
            if (!is_position(ids[j], n)) return false;
            take(j, static_cast<std::int64_t>(ids[j]));
        }
        return true;
    }
    // Keeps compilers from gather instructions, which are slower here.
    XGRAD_INLINE static std::int64_t one_by_one(std::int64_t id) {
        asm("" : "+r"(id));
        return id;
    }
};

/// Updates [b, o, k, i] at ids [b, p, k, q] along the third axis of x [b, o, n, i]. The operands are x, ids and updates. Without Base they
/// are ids and updates. Then n is the extent in the attributes, and an element without an update is the neutral one.
template<combine How, bool Base>
struct put_along : kernel_op {
    static constexpr std::string_view name = How == combine::update ? "put"
                                             : How == combine::add  ? "put_sum"
                                             : How == combine::mul  ? "put_product"
                                             : How == combine::max  ? "put_max"
                                                                    : "put_min";
    static constexpr bool half_operands = How == combine::update, reports_indices = true;
    static constexpr int first_ids = Base ? 1 : 0;
    static constexpr index_bound indices{.operand = first_ids, .of = Base ? 0 : -1, .axis = 2};
    static constexpr extent flops(kernel_operands const& v) { return v.dims(first_ids + 1).size(); }
    static constexpr value_info infer(value_info const* v, int, attributes const& a, int) {
        value_info r = v[Base ? 0 : 1];
        if (!Base) r.dims.extents[2] = a.extents[0];
        return r;
    }
    static constexpr extent turns(kernel_operands const& v) { return v.dims(v.operands).extents[0] * v.dims(v.operands).extents[1]; }
    template<class T, class I>
    static void run(kernel_part const& part, tensor_view<T const, 4> x, tensor_view<I const, 4> ids, tensor_view<T const, 4> updates,
        tensor_view<T, 4> y) {
        std::int64_t const size = y.shape(2) * y.shape(3);
        std::copy(x.data() + part.first * size, x.data() + part.last * size, y.data() + part.first * size);
        put_all(part, ids, updates, y);
    }
    template<class T, class I>
    static void run(kernel_part const& part, tensor_view<I const, 4> ids, tensor_view<T const, 4> updates, tensor_view<T, 4> y) {
        std::int64_t const size = y.shape(2) * y.shape(3);
        std::fill(y.data() + part.first * size, y.data() + part.last * size, neutral<How, T>());
        put_all(part, ids, updates, y);
    }
    static constexpr void derive(derivation& d);

private:
    template<class T, class I>
    static void put_all(kernel_part const& part, tensor_view<I const, 4> ids, tensor_view<T const, 4> updates, tensor_view<T, 4> y) {
        std::int64_t const o = y.shape(1), n = y.shape(2), inner = y.shape(3), k = ids.shape(2), q = ids.shape(3);
        if (part.first == part.last) return;
        rows_of_ids row(part.first, o, ids.shape(1));
        for (std::int64_t outer = part.first; outer < part.last; ++outer, row.next()) {
            I const* const at = ids.data() + *row * k * q;
            T const* const from = updates.data() + outer * k * inner;
            T* const to = y.data() + outer * n * inner;
            if (!(q == 1 ? put_rows(from, n, inner, at, k, to) : put_elements(from, n, inner, at, k, to)))
                return part.report_first_of(at, k * q, n);
        }
    }
    template<class T, class I>
    static bool put_rows(T const* XGRAD_RESTRICT from, std::int64_t n, std::int64_t inner, I const* XGRAD_RESTRICT ids, std::int64_t count,
        T* XGRAD_RESTRICT to) {
        if (inner == 1)
            for (std::int64_t j = 0; j < count; ++j) {
                if (!is_position(ids[j], n)) return false;
                T& e = to[static_cast<std::int64_t>(ids[j])];
                e = combined<How>(e, from[j]);
            }
        else
            return with_row_length(inner, [&](auto known) {
                std::int64_t const length = known.value > 0 ? known.value : inner;
                for (std::int64_t j = 0; j < count; ++j) {
                    if (!is_position(ids[j], n)) return false;
                    combine_row<How>(to + static_cast<std::int64_t>(ids[j]) * length, from + j * length, length);
                }
                return true;
            });
        return true;
    }
    template<class T, class I>
    static bool put_elements(T const* XGRAD_RESTRICT from, std::int64_t n, std::int64_t inner, I const* XGRAD_RESTRICT ids,
        std::int64_t count, T* XGRAD_RESTRICT to) {
        for (std::int64_t j = 0; j < count; ++j, ids += inner, from += inner)
            for (std::int64_t c = 0; c < inner; ++c) {
                if (!is_position(ids[c], n)) return false;
                T& e = to[static_cast<std::int64_t>(ids[c]) * inner + c];
                e = combined<How>(e, from[c]);
            }
        return true;
    }
};

// apply_with returns a symbol, where apply would deduce its type: clang 16 cannot, while it defines an operation that derives itself.
constexpr symbol take_at(symbol x, symbol ids) { return apply_with<take_along>(attributes{}, x, ids); }
template<combine How>
constexpr symbol put_at(symbol x, symbol ids, symbol updates) {
    return apply_with<put_along<How, true>>(attributes{}, x, ids, updates);
}
template<combine How>
constexpr symbol put_from_neutral(symbol ids, symbol updates, extent const& n) {
    return apply_with<put_along<How, false>>(shape_attributes({1, {n}}), ids, updates);
}
/// 1 where a condition holds, else 0.
constexpr symbol number_where(symbol condition, dtype type) {
    return xgrad::select(condition, condition.table->constant(1, type), condition.table->constant(0, type));
}
/// Whether an update is the last one at its position: the positions are put there too, and read back.
constexpr symbol is_last_update(symbol ids, extent const& n) {
    shape const& s = ids.table->info(ids).dims;
    symbol const line =
        reshape_to(positions(ids, s.extents[2]), shape{4, {static_extent(1), static_extent(1), s.extents[2], static_extent(1)}});
    symbol const place = broadcast_symbol(line, s);
    return xgrad::equal(take_at(put_from_neutral<combine::update>(ids, place, n), ids), place);
}
/// The gradient of an update u whose product with others and x, as far as they are not 0, is `part`. The number of zeros at its
/// position decides. One zero is the sum of the zeros, which is written as such for the sake of its derivative.
constexpr symbol product_update_gradient(symbol ids, symbol u, symbol part, extent const& n, dtype type) {
    symbol_table& t = *u.table;
    symbol const zero = t.constant(0, type), one = t.constant(1, type), two = t.constant(2, type), none = xgrad::equal(u, zero);
    auto const of_updates = [&](symbol s) { return take_at(put_from_neutral<combine::add>(ids, s, n), ids); };
    symbol const zeros = of_updates(number_where(none, type)), sum = of_updates(xgrad::select(none, u, zero));
    symbol const others = take_at(part, ids), rest = others / xgrad::select(none, one, u);
    symbol const of_zero =
        xgrad::select(xgrad::equal(zeros, one), others, xgrad::select(xgrad::equal(zeros, two), others * (sum - u), zero));
    symbol const of_number = xgrad::select(xgrad::equal(zeros, zero), rest, xgrad::select(xgrad::equal(zeros, one), rest * sum, zero));
    return xgrad::select(none, of_zero, of_number);
}

/// The gradient of updates u of which y are the extrema: those that are equal to them share g.
constexpr symbol shared_by_extrema(symbol ids, symbol u, symbol y, symbol g, extent const& n, dtype type) {
    symbol const chosen = xgrad::equal(u, take_at(y, ids));
    symbol const count = put_from_neutral<combine::add>(ids, number_where(chosen, type), n);
    symbol const share = g / xgrad::maximum(count, u.table->constant(1, type));   // where there is no update
    return xgrad::select(chosen, take_at(share, ids), u.table->constant(0, type));
}
constexpr void take_along::derive(derivation& d) {
    d.out[0] = put_from_neutral<combine::add>(d.operands[1], d.gradient, d.info(0).dims.extents[2]);
}
template<combine How, bool Base>
constexpr void put_along<How, Base>::derive(derivation& d) {
    symbol const ids = d.operands[first_ids], u = d.operands[first_ids + 1], g = d.gradient;
    symbol of_x{}, of_u{};
    extent const n = d.table->info(d.result).dims.extents[2];
    dtype const type = d.table->info(g).type;
    auto const at_ids = [&](symbol s) { return take_at(s, ids); };
    if constexpr (How == combine::update) {
        if (Base && d.wanted[0]) of_x = put_at<How>(g, ids, zeros_of(d, d.table->info(u).dims));
        if (d.wanted[first_ids + 1]) of_u = xgrad::select(is_last_update(ids, n), at_ids(g), d.table->constant(0, type));
    } else if constexpr (How == combine::add) {
        of_x = g;
        if (d.wanted[first_ids + 1]) of_u = at_ids(g);
    } else if constexpr (How == combine::mul) {
        if (Base && d.wanted[0]) of_x = put_at<How>(g, ids, u);
        if (d.wanted[first_ids + 1]) {
            symbol const numbers = xgrad::select(xgrad::equal(u, d.table->constant(0, type)), d.table->constant(1, type), u);
            symbol part{};
            if constexpr (Base) part = put_at<How>(d.operands[0], ids, numbers);
            else part = put_from_neutral<How>(ids, numbers, n);
            of_u = product_update_gradient(ids, u, g * part, n, type);
        }
    } else if constexpr (!Base) of_u = shared_by_extrema(ids, u, d.result, g, n, type);
    else {   // what equals the result shares the gradient
        symbol const zero = d.table->constant(0, type), chosen = xgrad::equal(u, at_ids(d.result));
        symbol const of_base = xgrad::equal(d.operands[0], d.result);
        symbol const share = g / (put_from_neutral<combine::add>(ids, number_where(chosen, type), n) + number_where(of_base, type));
        if (d.wanted[0]) of_x = xgrad::select(of_base, share, zero);
        if (d.wanted[first_ids + 1]) of_u = xgrad::select(chosen, at_ids(share), zero);
    }
    if (Base) d.out[0] = of_x;
    d.out[first_ids + 1] = of_u;
}
}

namespace detail {
enum class index_slip { none, no_expression, wrong, types, ids, axis, batch, rank, shapes, many_axes, segments };
/// The mistake of any two operands of which the second holds ids.
template<class A, class B>
constexpr index_slip slip_of_ids() {
    if constexpr (!Expr<A> || !Expr<B>) return index_slip::no_expression;
    else {
        if (value_of<A>.wrong != fault::none || value_of<B>.wrong != fault::none) return index_slip::wrong;
        return is_integer(value_of<B>.type) ? index_slip::none : index_slip::ids;
    }
}
// Two mistakes of all functions that have ids.
template<index_slip Slip>
constexpr void check_ids() {
    static_assert(Slip != index_slip::ids,
        "xgrad::take<axis>(x, ids), scatter_add(x, ids, updates), segment_sum<n>(x, ids) ...: the ids are not integers; write "
        "cast<std::int32_t>(ids), after x");
    static_assert(Slip != index_slip::many_axes,
        "xgrad::take<axis>(x, ids), scatter_add(x, ids, updates) ...: the parts at the ids have more than six axes; reshape the ids first");
}
constexpr int axis_of_rank(int axis, int rank) { return axis < -rank || axis >= rank ? -1 : axis < 0 ? axis + rank : axis; }
/// The number of elements of the axes from `first` to before `last`.
constexpr extent size_between(shape const& s, int first, int last) {
    extent n = static_extent(1);
    for (int a = first; a < last; ++a) n = n * s.extents[a];
    return n;
}
/// `s` without the axes from `first` to before `last`, and the extents of `in` in their place.
constexpr shape replaced(shape const& s, int first, int last, shape const& in) {
    shape r{};
    for (int a = 0; a < first; ++a) r.extents[r.rank++] = s.extents[a];
    r = joined(r, in);
    for (int a = last; a < s.rank && r.rank < max_rank; ++a) r.extents[r.rank++] = s.extents[a];
    return r;
}
/// Some axes of a shape as a shape.
constexpr shape axes_between(shape const& s, int first, int last) {
    shape r{};
    for (int a = first; a < last; ++a) r.extents[r.rank++] = s.extents[a];
    return r;
}
constexpr shape four(extent const& b, extent const& o, extent const& n, extent const& i) { return shape{4, {b, o, n, i}}; }
/// The four axes of a kernel with another extent along its axis.
constexpr shape with_axis(shape s, extent const& n) {
    s.extents[2] = n;
    return s;
}
/// [1, before, n, after] around an axis.
constexpr shape four_around(shape const& s, int axis) {
    return four(static_extent(1), size_between(s, 0, axis), s.extents[axis], size_between(s, axis + 1, s.rank));
}
/// Whether `s` repeats to `whole`.
constexpr bool repeats_to(shape const& s, shape const& whole) {
    shape r = whole;
    return s.rank <= whole.rank && broadcast_into(r, s) && r == whole;
}
/// Updates, or a number in their place, in the element type and with the shape that they must have.
template<dtype Type, shape S, class U>
constexpr auto updates_as(U const& u) {
    if constexpr (value_of<U>.type == dtype::literal) return repeated_to<S>(cast<cpp_type_t<Type>>(u));
    else return repeated_to<S>(u);
}
template<dtype Type, class U>
constexpr index_slip slip_of_updates(shape const& s) {
    if constexpr (!Expr<U>) return index_slip::no_expression;
    else {
        if (value_of<U>.wrong != fault::none) return index_slip::wrong;
        if (value_of<U>.type != Type && value_of<U>.type != dtype::literal) return index_slip::types;
        return repeats_to(value_of<U>.dims, s) ? index_slip::none : index_slip::shapes;
    }
}
/// An extent as an expression.
template<extent E, dtype Type>
struct extent_number : expression_base {
    static constexpr extent extents[1]{E};
    static constexpr auto words = to_words(op::size::attributes{static_cast<std::int64_t>(Type)});
    static constexpr node_info info = make_info(op_register<op::size>::info, words.view(extents, 1), nullptr, 0);
};
template<Element T, extent E>
constexpr auto number_of() {
    if constexpr (E.is_static()) return constant<T, E.constant>;
    else return extent_number<E, dtype_of<T>>{};
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
