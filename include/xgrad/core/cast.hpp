// SPDX-License-Identifier: MIT
// The conversion of element types. The table of a graph inserts it: operands of 16 bits become float before operations
// that compute.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/elementwise.hpp>
#include <xgrad/core/math.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Converts the element type like C++, and to 16 bits by rounding to nearest. math::converted says what floats outside the
/// range of an integer type become. No gradient passes through integers and bool.
constexpr symbol cast_gradient(bool passes, symbol a, symbol g);
template<MemoryElement T>
struct cast : elementwise_op {
    static constexpr std::string_view name = "cast";
    static constexpr bool converts = true;
    static constexpr int flops = 0;
    // Loads and stores convert. A register needs a change only if the value becomes 0 or 1, or is rounded to 16 bits.
    XGRAD_INLINE static auto value(auto a) {
        using V = decltype(a);
        if constexpr (std::is_same_v<T, bool>) return math::not_equal(a, V(0));
        else if constexpr (!xgrad::detail::is_half_type<T>) return a;
        else if constexpr (math::Scalar<V>) return static_cast<V>(static_cast<float>(narrow_to<T>(a)));
        else return rounded<T>(a);   // found in the namespace of the batch
    }
    static constexpr value_info infer(value_info const* v, int, attributes const&) { return {dtype_of<T>, v[0].dims, fault::none}; }
    static constexpr symbol derivative(symbol a, symbol, symbol g) {
        return cast_gradient(has_gradient(dtype_of<T>), a, g);
    }   // inside the class because of clang 16
};
constexpr symbol cast_gradient(bool passes, symbol a, symbol g) {
    if (!passes) return {};
    symbol r{};
    visit_floating(computed_type(a.table->info(a).type), [&]<class T>(std::type_identity<T>) { r = apply<cast<T>>(g); });
    return r;
}
/// Indices or a count in the type in which lookups, positions and loops have them.
constexpr symbol as_index(symbol s) {
    dtype const t = s.table->info(s).type;
    if (!is_narrow_index(t)) return s;
    return index_type(t) == dtype::int64 ? apply<cast<std::int64_t>>(s) : apply<cast<std::int32_t>>(s);
}
}

/// Changes the element type: `cast<float>(labels)`. From floating types to integers the fraction is dropped. To integers of
/// 8 and 16 bits and to unsigned ones, a number outside the range becomes the nearest in it, and NaN the smallest. To int32
/// and int64 such numbers have no defined value. From integers to smaller ones the upper bits are dropped.
/// Gradient: g in the element type of x, if both types are floating; otherwise none.
template<MemoryElement T, class A>
constexpr auto cast(A const& a) {
    return apply<op::cast<T>>(a);
}

namespace detail {
/// The same as op::as_index, for expressions.
template<Expr A>
constexpr auto as_index(A const& x) {
    constexpr dtype type = value_of<A>.type;
    if constexpr (is_narrow_index(type)) return cast<cpp_type_t<index_type(type)>>(x);
    else return x;
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
