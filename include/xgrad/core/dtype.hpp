// SPDX-License-Identifier: MIT
// Element types. The trait is open: a new storage type gets an enumerator and a specialisation.
#pragma once

#include <xgrad/config/config.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

XGRAD_NAMESPACE_BEGIN

/// Element type of a tensor. `literal` is the type of a bare typed constant (0.5_c): it takes the type of its peer.
enum class dtype : unsigned char { literal, boolean, int32, int64, float32, float64 };

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

template<class T>
concept Element = requires { dtype_traits<T>::value; };

template<Element T>
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
/// The C++ type of a dtype.
template<dtype D>
using cpp_type_t = typename cpp_type<D>::type;

constexpr std::size_t size_of(dtype d) {
    switch (d) {
    case dtype::boolean: return 1;
    case dtype::int32:
    case dtype::float32: return 4;
    case dtype::int64:
    case dtype::float64: return 8;
    default: return 0;
    }
}
constexpr bool is_floating(dtype d) { return d == dtype::float32 || d == dtype::float64; }
constexpr bool is_integer(dtype d) { return d == dtype::int32 || d == dtype::int64; }

constexpr std::string_view to_string(dtype d) {
    switch (d) {
    case dtype::boolean: return "bool";
    case dtype::int32: return "int32";
    case dtype::int64: return "int64";
    case dtype::float32: return "float";
    case dtype::float64: return "double";
    default: return "literal";
    }
}

XGRAD_NAMESPACE_END
