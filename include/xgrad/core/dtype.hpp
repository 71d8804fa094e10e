// SPDX-License-Identifier: MIT
// Element types. The list below has all facts about each. File formats use other names for them (io).
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/arrays/half.hpp>

#include <cstddef>
#include <string_view>

XGRAD_NAMESPACE_BEGIN

namespace detail {
template<class T>
inline constexpr bool is_integral_constant =
    requires { requires std::is_integral_v<typename T::value_type> && std::is_same_v<T const, typename T::type const>; };
}

// Columns: enumerator, C++ type, name, kind. It is a preprocessor list because a list of templates would be compiled
// into every program that includes xgrad.
#define XGRAD_ELEMENT_TYPES(X) \
    X(boolean, bool, "bool", boolean) \
    X(int32, std::int32_t, "int32", integer) \
    X(int64, std::int64_t, "int64", integer) \
    X(float32, float, "float", floating) \
    X(float64, double, "double", floating) \
    X(bfloat16, xgrad::bfloat16, "bfloat16", half) \
    X(float16, xgrad::float16, "float16", half) \
    X(int8, std::int8_t, "int8", integer) \
    X(int16, std::int16_t, "int16", integer) \
    X(uint8, std::uint8_t, "uint8", natural) \
    X(uint16, std::uint16_t, "uint16", natural) \
    X(uint32, std::uint32_t, "uint32", natural) \
    X(uint64, std::uint64_t, "uint64", natural)

/// Element type of a tensor.
/// * `literal` is the type of a bare typed constant (0.5_c). It takes the type of the other operand.
/// * bfloat16 and float16 are types for memory only: nothing is computed in them.
enum class dtype : unsigned char {
    literal,
#define XGRAD_ENUMERATOR(enumerator, cpp, name, kind) enumerator,
    XGRAD_ELEMENT_TYPES(XGRAD_ENUMERATOR)
#undef XGRAD_ENUMERATOR
};

namespace detail {
enum class element_kind : unsigned char { none, boolean, integer, natural, floating, half };   // natural: an integer without a sign
template<class T>
struct dtype_traits;   // not an element type of xgrad
template<dtype D>
struct cpp_type;
#define XGRAD_TRAITS(enumerator, cpp, name, kind) \
    template<> \
    struct dtype_traits<cpp> { \
        static constexpr dtype value = dtype::enumerator; \
    }; \
    template<> \
    struct cpp_type<dtype::enumerator> { \
        using type = cpp; \
    };
XGRAD_ELEMENT_TYPES(XGRAD_TRAITS)
#undef XGRAD_TRAITS
}   // namespace detail

/// Element types of arrays and expressions.
template<class T>
concept MemoryElement = requires { detail::dtype_traits<T>::value; };
/// Element types in which operations compute.
template<class T>
concept Element = MemoryElement<T> && !detail::is_half_type<T>;

template<MemoryElement T>
inline constexpr dtype dtype_of = detail::dtype_traits<T>::value;
/// The C++ type of a dtype.
template<dtype D>
using cpp_type_t = typename detail::cpp_type<D>::type;

/// Calls f(std::type_identity<T>{}) with the C++ type of a dtype that is known at run time. Does nothing for a literal.
template<class F>
constexpr void visit(dtype d, F&& f) {
    switch (d) {
    case dtype::literal: break;
#define XGRAD_CASE(enumerator, cpp, name, kind) \
    case dtype::enumerator: f(std::type_identity<cpp>{}); break;
        XGRAD_ELEMENT_TYPES(XGRAD_CASE)
#undef XGRAD_CASE
    }
}
/// Like visit, but only for types in which gradients and rules compute. Does nothing for others.
template<class F>
constexpr void visit_floating(dtype d, F&& f) {
    switch (d) {
    case dtype::literal: break;
#define XGRAD_CASE(enumerator, cpp, name, kind) \
    case dtype::enumerator: \
        if constexpr (detail::element_kind::kind == detail::element_kind::floating) f(std::type_identity<cpp>{}); \
        break;
        XGRAD_ELEMENT_TYPES(XGRAD_CASE)
#undef XGRAD_CASE
    }
}

namespace detail {
struct element_facts {
    std::string_view name;
    std::size_t size;
    element_kind kind;
};
inline constexpr element_facts facts[] = {{"literal", 0, element_kind::none},
#define XGRAD_FACTS(enumerator, cpp, name, kind) {name, sizeof(cpp), element_kind::kind},
    XGRAD_ELEMENT_TYPES(XGRAD_FACTS)
#undef XGRAD_FACTS
};
constexpr element_facts const& facts_of(dtype d) { return facts[static_cast<int>(d)]; }
template<class... T>
struct type_list {};
/// The types in which gradients and rules compute: the floating ones.
using computing_types = type_list<float, double>;
}   // namespace detail

constexpr std::size_t size_of(dtype d) { return detail::facts_of(d).size; }
constexpr std::string_view to_string(dtype d) { return detail::facts_of(d).name; }
// One statement each: constant evaluation calls these hundreds of times.
constexpr bool is_floating(dtype d) { return detail::facts[static_cast<int>(d)].kind == detail::element_kind::floating; }
constexpr bool is_unsigned(dtype d) { return detail::facts_of(d).kind == detail::element_kind::natural; }
constexpr bool is_integer(dtype d) { return detail::facts_of(d).kind == detail::element_kind::integer || is_unsigned(d); }
constexpr bool is_half(dtype d) { return detail::facts[static_cast<int>(d)].kind == detail::element_kind::half; }
/// The type in which lookups read indices of an integer type: int32 or int64. int32 holds all of the smaller types.
constexpr dtype index_type(dtype d) { return size_of(d) < 4 ? dtype::int32 : is_unsigned(d) ? dtype::int64 : d; }
/// Whether indices of this type become those of index_type(d) before a lookup reads them.
constexpr bool is_narrow_index(dtype d) { return is_integer(d) && index_type(d) != d; }
/// Whether expressions of this type have gradients.
constexpr bool has_gradient(dtype d) { return is_floating(d) || is_half(d); }
/// The type in which operations compute with elements of `d`. Gradients with respect to such elements have this type
/// too.
constexpr dtype computed_type(dtype d) { return is_half(d) ? dtype::float32 : d; }

/// Converts a number to T. Types of 16 bits are rounded from the nearest float.
template<MemoryElement T, class From>
constexpr T narrow_to(From x) {
    if constexpr (detail::is_half_type<T>) return T(static_cast<float>(x));
    else return static_cast<T>(x);
}

#undef XGRAD_ELEMENT_TYPES

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
