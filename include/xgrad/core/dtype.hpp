// SPDX-License-Identifier: MIT
// Element types. The trait is open: a new storage type gets an enumerator and a specialisation.
#pragma once

#include <xgrad/core/half.hpp>

#include <cstddef>
#include <string_view>

XGRAD_NAMESPACE_BEGIN

/// Element type of a tensor. `literal` is the type of a bare typed constant (0.5_c): it takes the type of its peer. bfloat16 and float16 are types of
/// memory: nothing is computed in them.
enum class dtype : unsigned char { literal, boolean, int32, int64, float32, float64, bfloat16, float16 };

template<class T>
struct dtype_traits;   // not an element type of xgrad
template<>
struct dtype_traits<bool> {
    static constexpr dtype value = dtype::boolean;
};
template<>
struct dtype_traits<std::int32_t> {
    static constexpr dtype value = dtype::int32;
};
template<>
struct dtype_traits<std::int64_t> {
    static constexpr dtype value = dtype::int64;
};
template<>
struct dtype_traits<float> {
    static constexpr dtype value = dtype::float32;
};
template<>
struct dtype_traits<double> {
    static constexpr dtype value = dtype::float64;
};

template<>
struct dtype_traits<bfloat16> {
    static constexpr dtype value = dtype::bfloat16;
};
template<>
struct dtype_traits<float16> {
    static constexpr dtype value = dtype::float16;
};

/// What an array and an expression may hold.
template<class T>
concept MemoryElement = requires { dtype_traits<T>::value; };
/// What is computed in.
template<class T>
concept Element = MemoryElement<T> && !detail::is_half_type<T>;

template<MemoryElement T>
inline constexpr dtype dtype_of = dtype_traits<T>::value;

template<dtype D>
struct cpp_type;
template<>
struct cpp_type<dtype::boolean> {
    using type = bool;
};
template<>
struct cpp_type<dtype::int32> {
    using type = std::int32_t;
};
template<>
struct cpp_type<dtype::int64> {
    using type = std::int64_t;
};
template<>
struct cpp_type<dtype::float32> {
    using type = float;
};
template<>
struct cpp_type<dtype::float64> {
    using type = double;
};
template<>
struct cpp_type<dtype::bfloat16> {
    using type = bfloat16;
};
template<>
struct cpp_type<dtype::float16> {
    using type = float16;
};
/// The C++ type of a dtype.
template<dtype D>
using cpp_type_t = typename cpp_type<D>::type;

constexpr std::size_t size_of(dtype d) {
    switch (d) {
    case dtype::boolean: return 1;
    case dtype::bfloat16:
    case dtype::float16: return 2;
    case dtype::int32:
    case dtype::float32: return 4;
    case dtype::int64:
    case dtype::float64: return 8;
    default: return 0;
    }
}
constexpr bool is_floating(dtype d) { return d == dtype::float32 || d == dtype::float64; }
constexpr bool is_integer(dtype d) { return d == dtype::int32 || d == dtype::int64; }
constexpr bool is_half(dtype d) { return d == dtype::bfloat16 || d == dtype::float16; }
/// Whether expressions of this type have gradients.
constexpr bool has_gradient(dtype d) { return is_floating(d) || is_half(d); }
/// In which type operations compute with elements of `d`; gradients with respect to them are of that type too.
constexpr dtype computed_type(dtype d) { return is_half(d) ? dtype::float32 : d; }

/// A number as T; 16 bits are made of the nearest float.
template<MemoryElement T, class From>
constexpr T narrow_to(From x) {
    if constexpr (detail::is_half_type<T>) return T(static_cast<float>(x));
    else return static_cast<T>(x);
}

/// Calls f(std::type_identity<T>{}) with the C++ type of a dtype that is known at run time; of a literal nothing.
template<class F>
constexpr void visit(dtype d, F&& f) {
    switch (d) {
    case dtype::literal: break;
    case dtype::boolean: f(std::type_identity<bool>{}); break;
    case dtype::int32: f(std::type_identity<std::int32_t>{}); break;
    case dtype::int64: f(std::type_identity<std::int64_t>{}); break;
    case dtype::float32: f(std::type_identity<float>{}); break;
    case dtype::float64: f(std::type_identity<double>{}); break;
    case dtype::bfloat16: f(std::type_identity<bfloat16>{}); break;
    case dtype::float16: f(std::type_identity<float16>{}); break;
    }
}

constexpr std::string_view to_string(dtype d) {
    switch (d) {
    case dtype::boolean: return "bool";
    case dtype::int32: return "int32";
    case dtype::int64: return "int64";
    case dtype::float32: return "float";
    case dtype::float64: return "double";
    case dtype::bfloat16: return "bfloat16";
    case dtype::float16: return "float16";
    default: return "literal";
    }
}

XGRAD_NAMESPACE_END
