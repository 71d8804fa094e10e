// SPDX-License-Identifier: MIT
// Expressions of a given shape, which take no memory: full, zeros, ones, linspace, meshgrid. Also in the shape of another expression.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/diagonals.hpp>
#include <xgrad/ops/select.hpp>

#include <tuple>

XGRAD_NAMESPACE_BEGIN

/// Which of the first two operands of meshgrid varies along the columns: the first (xy, as in NumPy) or the second (ij).
enum class indexing { xy, ij };

namespace op {
/// A value, repeated to the shape of a second operand. The second operand is not read; a call finds its named dimensions.
struct broadcast_like : composite_op {
    static constexpr std::string_view name = "broadcast_like";
    static constexpr bool half_operands = true;
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const&) {
        value_info r{v[0].type, v[1].dims, fault::none};
        shape s = r.dims;
        if (!broadcast_into(s, v[0].dims) || !(s == r.dims)) r.wrong = fault::shapes;
        return r;
    }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int, xgrad::attributes const&) {
        return broadcast_symbol(x[0], t.info(x[1]).dims);
    }
};
}

namespace detail {
enum class fill_slip { none, no_expression, wrong, extents, shape, number, named };
template<class V>
constexpr bool is_number_of_program() {
    if constexpr (Expr<V>) return value_of<V>.type == dtype::literal;
    else return false;
}
/// A number such as 2_c becomes an element of type T. Other expressions keep their type.
template<class T, class V>
constexpr auto typed_number(V const& value) {
    if constexpr (is_number_of_program<V>()) return cast<T>(value);
    else return value;
}
template<class V, auto... D>
constexpr fill_slip slip_of_fill() {
    if constexpr (sizeof...(D) > max_rank || !are_extents<D...>) return fill_slip::extents;
    else if constexpr (!Expr<V>) return fill_slip::no_expression;
    else {
        if (value_of<V>.wrong != fault::none) return fill_slip::wrong;
        shape s = make_shape<D...>();
        return broadcast_into(s, value_of<V>.dims) && s == make_shape<D...>() ? fill_slip::none : fill_slip::shape;
    }
}
/// The sentences of full, zeros and ones. T is void for the type of the value, or float.
template<class T, auto... D, class V>
constexpr auto full_of(V const& value) {
    constexpr fill_slip slip = slip_of_fill<V, D...>();
    static_assert(slip != fill_slip::extents,
        "xgrad::full, zeros, ones: an extent is not an integer of at least 0 or a named dimension, or there are more than six; write "
        "zeros<3, 4>()");
    static_assert(slip != fill_slip::shape,
        "xgrad::full<d...>(value): the value does not broadcast to that shape; write one number, or reshape the value first");
    if constexpr (slip == fill_slip::no_expression) return refuse_operand<V>();
    else if constexpr (slip != fill_slip::none) return refused{};
    else if constexpr (std::is_void_v<T>) return repeated_to<make_shape<D...>()>(typed_number<float>(value));
    else return repeated_to<make_shape<D...>()>(cast<T>(value));
}
}

/// `value` in the shape D..., which are integers and named dimensions: `full<3, 4>(7_c)`. A number such as 7_c becomes float.
/// The value may be an expression that broadcasts to the shape, and keeps its element type (NumPy's full).
/// Gradient: of the value, the sum of g.
template<auto... D, class V>
constexpr auto full(V const& value) {
    return detail::full_of<void, D...>(value);
}
/// `value` in the shape D... with elements of type T: `full<double, 3, 4>(7_c)`.
/// Gradient: of the value, the sum of g.
template<MemoryElement T, auto... D, class V>
constexpr auto full(V const& value) {
    return detail::full_of<T, D...>(value);
}
/// Zeros of the shape D...: `zeros<batch, 4>()`. They are float. A named dimension is one that an input of the program has.
/// Gradient: none.
template<auto... D>
constexpr auto zeros() {
    return detail::full_of<float, D...>(literal<0>{});
}
/// Zeros of the shape D... with elements of type T: `zeros<std::int32_t, 3, 4>()`.
/// Gradient: none.
template<MemoryElement T, auto... D>
constexpr auto zeros() {
    return detail::full_of<T, D...>(literal<0>{});
}
/// Ones of the shape D...: `ones<batch, 4>()`. They are float.
/// Gradient: none.
template<auto... D>
constexpr auto ones() {
    return detail::full_of<float, D...>(detail::whole_literal<1>);
}
/// Ones of the shape D... with elements of type T: `ones<double, 3, 4>()`.
/// Gradient: none.
template<MemoryElement T, auto... D>
constexpr auto ones() {
    return detail::full_of<T, D...>(detail::whole_literal<1>);
}
/// `x` repeated to the shape of `other` by NumPy's rule. Of `other` only the shape counts (TensorFlow's broadcast_to with the
/// shape of another tensor).
/// Gradient: of x, g summed over the repeated axes; of `other` none.
template<class A, class B>
constexpr auto broadcast_like(A const& x, B const& other) {
    constexpr fault f = detail::fault_of<op::broadcast_like, A, B>();
    static_assert(f != fault::shapes,
        "xgrad::broadcast_like(x, other): x does not broadcast to the shape of the other: from the right, its extents must be equal or 1");
    return apply<op::broadcast_like>(x, other);
}
/// `value` in the shape and element type of x. Of x only these count (NumPy's full_like).
/// Gradient: of the value, the sum of g; of x none.
template<class A, class V>
constexpr auto full_like(A const& x, V const& value) {
    if constexpr (!Expr<A> || !Expr<V>) return detail::refuse_operand<A, V>();
    else {
        constexpr fault f = detail::fault_of<op::broadcast_like, V, A>();
        static_assert(f != fault::shapes,
            "xgrad::full_like(x, value): the value does not broadcast to the shape of x; write one number, or reshape it");
        if constexpr (f != fault::none || value_of<A>.wrong != fault::none) return detail::refused{};
        else return apply<op::broadcast_like>(cast<cpp_type_t<value_of<A>.type>>(value), x);
    }
}
/// Zeros in the shape and element type of x.
/// Gradient: none.
template<class A>
constexpr auto zeros_like(A const& x) {
    return full_like(x, literal<0>{});
}
/// Ones in the shape and element type of x.
/// Gradient: none.
template<class A>
constexpr auto ones_like(A const& x) {
    return full_like(x, detail::whole_literal<1>);
}

namespace detail {
/// An extent as a number of element type Number.
template<extent E, class Number>
struct extent_as_number : expression_base {
    static constexpr extent extents[1]{E};
    static constexpr auto words = to_words(op::size::attributes{static_cast<std::int64_t>(dtype_of<Number>)});
    static constexpr node_info info = make_info(op_register<op::size>::info, {words.at, extents, 1, 1, 0, {}}, nullptr, 0);
};
template<extent E, class T>
constexpr auto extent_as() {
    if constexpr (E.is_static()) return constant<T, E.constant>;
    else return extent_as_number<E, T>{};
}
template<class A, class B>
constexpr fill_slip slip_of_ends() {
    if constexpr (!Expr<A> || !Expr<B>) return fill_slip::no_expression;
    else {
        constexpr value_info a = value_of<A>, b = value_of<B>;
        if (a.wrong != fault::none || b.wrong != fault::none) return fill_slip::wrong;
        if (a.dims.rank != 0 || b.dims.rank != 0) return fill_slip::number;
        auto const takes = [](dtype t) { return t == dtype::literal || is_floating(t); };
        bool const one_type = a.type == b.type || a.type == dtype::literal || b.type == dtype::literal;
        return takes(a.type) && takes(b.type) && one_type ? fill_slip::none : fill_slip::number;
    }
}
/// The type of the elements between two ends.
template<class T, class A, class B>
constexpr auto type_between() {
    if constexpr (value_of<A>.type != dtype::literal) return std::type_identity<cpp_type_t<value_of<A>.type>>{};
    else if constexpr (value_of<B>.type != dtype::literal) return std::type_identity<cpp_type_t<value_of<B>.type>>{};
    else return std::type_identity<T>{};
}
}
/// N numbers at equal distances from `start` to `end`, both included: `linspace<5>(0_c, 1_c)`. N is an integer or a named
/// dimension. Both ends are floating numbers; if both are like 1_c, the elements are of type T. With N = 1 it is `start`
/// (NumPy's linspace).
/// Gradient: of each end, the sum of g weighted by the position.
template<auto N, Element T = float, class A, class B>
constexpr auto linspace(A const& start, B const& end) {
    using detail::fill_slip;
    constexpr bool length = detail::are_extents<N>;
    constexpr fill_slip slip = detail::slip_of_ends<A, B>();
    static_assert(
        length, "xgrad::linspace<n>(start, end): n is not an integer of at least 0, or a named dimension; write linspace<5>(0_c, 1_c)");
    static_assert(slip != fill_slip::number,
        "xgrad::linspace<n>(start, end): an end is not one floating number, or the ends differ in element type; write 0_c, or cast<float>(x)");
    if constexpr (!length) return detail::refused{};
    else if constexpr (slip == fill_slip::no_expression) return detail::refuse_operand<A, B>();
    else if constexpr (slip != fill_slip::none) return detail::refused{};
    else {
        using E = typename decltype(detail::type_between<T, A, B>())::type;
        constexpr extent n = make_shape<N>().extents[0];
        auto const first = detail::typed_number<E>(start);
        auto const last = detail::typed_number<E>(end);
        if constexpr (n.is_static() && n.constant <= 1) return detail::repeated_to<shape{1, {n}}>(first);
        else {
            constexpr auto one = detail::whole_literal<1>;
            auto const place = cast<E>(detail::positions_along<n>{});
            auto const steps = [&] {   // at least 1
                if constexpr (n.is_static()) return constant<E, n.constant - 1>;
                else return maximum(detail::extent_as<n, E>() - one, one);
            }();
            return select(equal(place, steps), last, first + place * ((last - first) / steps));
        }
    }
}

namespace detail {
template<class... A>
constexpr fill_slip slip_of_mesh() {
    if constexpr (sizeof...(A) > max_rank) return fill_slip::extents;
    else if constexpr (!(Expr<A> && ...)) return fill_slip::no_expression;
    else {
        if (((value_of<A>.wrong != fault::none) || ...)) return fill_slip::wrong;
        return ((value_of<A>.dims.rank <= 1) && ...) ? fill_slip::none : fill_slip::shape;
    }
}
template<class>
inline constexpr refused refused_for{};
/// The axis of the result that has operand k.
constexpr int mesh_axis(indexing how, int rank, int k) { return how == indexing::xy && rank > 1 && k < 2 ? 1 - k : k; }
template<indexing How, class... A>
constexpr shape mesh_shape() {
    shape r{static_cast<int>(sizeof...(A)), {}};
    int k = 0;
    ((r.extents[mesh_axis(How, r.rank, k++)] = value_of<A>.dims.rank == 0 ? static_extent(1) : value_of<A>.dims.extents[0]), ...);
    return r;
}
}
/// The coordinates of a grid as a std::tuple: operand k repeated along the axes of all others. `auto const [x, y] =
/// meshgrid(a, b)` gives two arrays [rows of b, columns of a]; `meshgrid<indexing::ij>(a, b)` gives [a, b]. Operands have one
/// axis, or none (NumPy's meshgrid).
/// Gradient: of each operand, the sums of its g over the other axes.
template<indexing How = indexing::xy, class A, class... B>
constexpr auto meshgrid(A const& first, B const&... rest) {
    using detail::fill_slip;
    constexpr fill_slip slip = detail::slip_of_mesh<A, B...>();
    static_assert(
        slip != fill_slip::extents, "xgrad::meshgrid(a, b...): more than six operands are given, but a tensor has at most six axes");
    static_assert(slip != fill_slip::shape, "xgrad::meshgrid(a, b...): an operand has more than one axis; write flatten or reshape first");
    if constexpr (slip == fill_slip::no_expression) return std::tuple{detail::refuse_operand<A, B...>(), detail::refused_for<B>...};
    else if constexpr (slip != fill_slip::none) return std::tuple{detail::refused{}, detail::refused_for<B>...};
    else {
        constexpr shape all = detail::mesh_shape<How, A, B...>();
        return [&]<int... K>(std::integer_sequence<int, K...>, auto const&... a) {
            return std::tuple{detail::repeated_to<all>(detail::reshaped_to<detail::length_at(
                    all.rank, detail::mesh_axis(How, all.rank, K), all.extents[detail::mesh_axis(How, all.rank, K)])>(a))...};
        }(std::make_integer_sequence<int, static_cast<int>(1 + sizeof...(B))>{}, first, rest...);
    }
}

namespace detail {
template<class I, int Function>
constexpr refused refuse_shape_argument() {
    static_assert(sizeof(I) == 0, "xgrad: a shape is an argument; write it in angle brackets: zeros<3, 4>(), ones<3>(), full<3, 4>(7_c)");
    return {};
}
}
// NumPy's zeros(3), ones(3) and full(3, 7).
template<class I, class... N>
    requires std::is_integral_v<I>
constexpr auto zeros(I const&, N const&...) {
    return detail::refuse_shape_argument<I, 0>();
}
template<class I, class... N>
    requires std::is_integral_v<I>
constexpr auto ones(I const&, N const&...) {
    return detail::refuse_shape_argument<I, 1>();
}
template<class I, class... N>
    requires(std::is_integral_v<I> && sizeof...(N) > 0)
constexpr auto full(I const&, N const&...) {
    return detail::refuse_shape_argument<I, 2>();
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
