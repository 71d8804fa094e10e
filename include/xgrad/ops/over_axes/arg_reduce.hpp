// SPDX-License-Identifier: MIT
// The positions of extrema along an axis.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/elementwise.hpp>
#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/core/operations/row_function.hpp>
#include <xgrad/meta/row_registers.hpp>
#include <xgrad/ops/shape_ops.hpp>

#include <cstring>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN

namespace op {
template<bool Largest, class T>
constexpr bool better(T x, T best) {
    return Largest ? x > best : x < best;
}
/// The position of the first extremum of each row.
template<bool Largest>
struct arg_row : row_op {
    static constexpr std::string_view name = Largest ? "argmax" : "argmin";
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) {
        value_info r = v[0];
        r.type = dtype::int32;
        --r.dims.rank;
        return r;
    }
    template<class T>
    static std::size_t first_equal(std::span<T const> x, T e) {
        constexpr std::size_t lanes = 32;
        std::size_t i = 0;
        for (; i + lanes <= x.size(); i += lanes) {
            int found = 0;
            for (std::size_t k = 0; k < lanes; ++k) found |= x[i + k] == e ? 1 : 0;
            if (found != 0) break;
        }
        while (i < x.size() && !(x[i] == e)) ++i;
        return i;
    }
    template<class T>
    static std::size_t first_nan(std::span<T const> x) {
        std::size_t i = 0;
        while (i < x.size() && x[i] == x[i]) ++i;
        return i;
    }
    // The extremum in lanes first, then its position: both are loops without branches.
    template<class T>
    static void row(std::span<T const> x, std::span<std::int32_t> place) {
        constexpr std::size_t lanes = 32;
        place[0] = 0;
        if (x.empty()) return;
        T best[lanes];
        T part = x[0];
        std::size_t i = 0;
        bool all_numbers = x[0] == x[0];
        if (x.size() >= lanes) {
            std::int32_t nan[lanes]{};
            for (std::size_t k = 0; k < lanes; ++k) best[k] = x[k];
            for (; i + lanes <= x.size(); i += lanes)
                for (std::size_t k = 0; k < lanes; ++k) {
                    T const e = x[i + k];
                    best[k] = better<Largest>(e, best[k]) ? e : best[k];
                    nan[k] |= e == e ? 0 : 1;
                }
            for (std::size_t k = 0; k < lanes; ++k) {
                part = better<Largest>(best[k], part) ? best[k] : part;
                all_numbers = all_numbers && nan[k] == 0;
            }
        }
        for (; i < x.size(); ++i) {
            part = better<Largest>(x[i], part) ? x[i] : part;
            all_numbers = all_numbers && x[i] == x[i];
        }
        place[0] = static_cast<std::int32_t>(all_numbers ? first_equal(x, part) : first_nan(x));
    }
    static constexpr void derive(derivation&) {}
};
/// Along the middle axis of three. Adjacent columns run together.
template<bool Largest>
struct arg_columns : kernel_op {
    static constexpr std::string_view name = arg_row<Largest>::name;
    static constexpr std::int64_t most = 512;   // columns
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) {
        if (v[0].dims.rank != 3) return {v[0].type, {}, fault::rank};
        return {dtype::int32, {2, {v[0].dims.extents[0], v[0].dims.extents[2]}}, fault::none};
    }
    static constexpr extent turns(kernel_operands const& v) { return v.dims(0).extents[0] * v.dims(0).extents[2]; }
    template<class T>
    static void together(T const* x, std::int32_t* place, std::int64_t n, std::int64_t between, std::int64_t columns) {
        if constexpr (sizeof(T) == 4 || sizeof(T) == 8)
            if (n > 0 && in_registers(x, place, n, between, columns)) return;
        T best[most];
        for (std::int64_t c = 0; c < columns; ++c) {
            place[c] = 0;
            if (n > 0) best[c] = x[c];
        }
        for (std::int64_t k = 1; k < n; ++k) {
            T const* const from = x + k * between;
            for (std::int64_t c = 0; c < columns; ++c) {
                T const e = from[c], b = best[c];
                bool const stays = !(better<Largest>(e, b) || e != e) || b != b;
                best[c] = stays ? b : e;
                place[c] = stays ? place[c] : static_cast<std::int32_t>(k);
            }
        }
    }
    /// The same for numbers, four rows at a time. False if the sum of all elements is NaN: one of them may be.
    template<class T>
    static bool in_registers(T const* x, std::int32_t* place, std::int64_t n, std::int64_t between, std::int64_t columns) {
        using I = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
        using V __attribute__((vector_size(32))) = T;
        using W __attribute__((vector_size(32))) = I;
        constexpr std::int64_t lanes = 32 / sizeof(T);
        T best[most];
        I at[most];
        for (std::int64_t c = 0; c < columns; ++c) {
            best[c] = x[c];
            at[c] = 0;
        }
        V sums{};
        T sum = 0;
        auto const pass = [&]<int Rows>(std::integral_constant<int, Rows>, std::int64_t k) {
            T const* const from = x + k * between;
            std::int64_t c = 0;
            for (; c + lanes <= columns; c += lanes) {
                V b, all{};
                W p;
                std::memcpy(&b, best + c, sizeof(V));
                std::memcpy(&p, at + c, sizeof(W));
#pragma GCC unroll 4
                for (int r = 0; r < Rows; ++r) {
                    V e;
                    std::memcpy(&e, from + r * between + c, sizeof(V));
                    xgrad::detail::keep_in_register(e);
                    W const now = Largest ? e > b : e < b, row = W{} + static_cast<I>(k + r);
                    b = now ? e : b;
                    p = now ? row : p;
                    if constexpr (std::is_floating_point_v<T>) all = r == 0 ? e : all + e;
                }
                sums += all;
                std::memcpy(best + c, &b, sizeof(V));
                std::memcpy(at + c, &p, sizeof(W));
            }
            for (; c < columns; ++c)
                for (int r = 0; r < Rows; ++r) {
                    T const e = from[r * between + c];
                    at[c] = better<Largest>(e, best[c]) ? static_cast<I>(k + r) : at[c];
                    best[c] = better<Largest>(e, best[c]) ? e : best[c];
                    if constexpr (std::is_floating_point_v<T>) sum += e;
                }
        };
        std::int64_t k = 0;
        for (; k + 4 <= n; k += 4) pass(std::integral_constant<int, 4>{}, k);
        for (; k < n; ++k) pass(std::integral_constant<int, 1>{}, k);
        for (std::int64_t c = 0; c < columns; ++c) place[c] = static_cast<std::int32_t>(at[c]);
        for (std::int64_t l = 0; l < lanes; ++l) sum += sums[l];
        return sum == sum;
    }
    template<class T>
    static void run(kernel_part const& part, tensor_view<T const, 3> x, tensor_view<std::int32_t, 2> place) {
        std::int64_t const n = x.shape(1), inner = x.shape(2);
        for (std::int64_t t = part.first, columns = 0; t < part.last; t += columns) {
            std::int64_t const outer = t / inner, first = t % inner, rest = part.last - t;
            columns = inner - first < most ? inner - first : most;
            if (columns > rest) columns = rest;
            together(x.data() + (n == 0 ? 0 : outer * n * inner + first), place.data() + t, n, inner, columns);
        }
    }
    static constexpr void derive(derivation&) {}
};
/// Along the axis in the attributes.
template<bool Largest>
struct arg_along : composite_op {
    using attributes = axis_attributes;
    static constexpr std::string_view name = arg_row<Largest>::name;
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a) {
        value_info r{dtype::int32, {}, fault::none};
        int const axis = named_axis(a, v[0].dims.rank);
        if (axis < 0 || axis >= v[0].dims.rank) r.wrong = fault::axis;
        for (int i = 0; i < v[0].dims.rank; ++i)
            if (i != axis) r.dims.extents[r.dims.rank++] = v[0].dims.extents[i];
        return r;
    }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int, xgrad::attributes const& a) {
        shape const s = t.info(x[0]).dims, result = infer(&t.info(x[0]), 1, a).dims;
        int const axis = named_axis(a, s.rank);
        extent outer = static_extent(1), inner = static_extent(1);
        for (int i = 0; i < s.rank; ++i)
            if (i != axis) (i < axis ? outer : inner) = (i < axis ? outer : inner) * s.extents[i];
        if (axis == s.rank - 1) return apply<arg_row<Largest>>(x[0]);
        if (is_one(inner)) return reshape_to(apply<arg_row<Largest>>(reshape_to(x[0], {2, {outer, s.extents[axis]}})), result);
        return reshape_to(apply<arg_columns<Largest>>(reshape_to(x[0], {3, {outer, s.extents[axis], inner}})), result);
    }
};
}

namespace detail {
template<bool Largest, int Axis, class A>
constexpr auto arg_reduced(A const& x) {
    if constexpr (!Expr<A>) return refuse_operand<A>();
    else {
        using O = with<op::arg_along<Largest>, axis_attributes{Axis}>;
        constexpr fault f = fault_of<O, A>();
        static_assert(f != fault::axis, "xgrad::argmax<axis>(x), argmin<axis>(x): axis is outside of -rank ... rank-1; write an axis of x");
        if constexpr (f != fault::none) return refused{};
        else return apply<O>(x);
    }
}
template<class A, int Function>
constexpr refused refuse_arg_axis() {
    static_assert(
        sizeof(A) == 0, "xgrad::argmax<axis>(x), argmin<axis>(x): the axis is an argument; write it in angle brackets: argmax<1>(x)");
    return {};
}
}

/// The position of the largest element along an axis, which the result does not have: int32, for any element type. Of equal
/// elements it is the first, and the first NaN if there is one (NumPy's argmax). It is 0 if the axis is empty.
/// Gradient: none.
template<int Axis = 0, class A>
constexpr auto argmax(A const& x) {
    return detail::arg_reduced<true, Axis>(x);
}
/// The position of the smallest element along an axis, as argmax.
/// Gradient: none.
template<int Axis = 0, class A>
constexpr auto argmin(A const& x) {
    return detail::arg_reduced<false, Axis>(x);
}
// NumPy's argmax(x, 1).
template<class A, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto argmax(A const&, N const&...) {
    return detail::refuse_arg_axis<A, 0>();
}
template<class A, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto argmin(A const&, N const&...) {
    return detail::refuse_arg_axis<A, 1>();
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
