// SPDX-License-Identifier: MIT
// Element types. All that xgrad knows of one is its line in the list below; file formats have names of their own for them (io).
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

// Enumerator, C++ type, name, kind. (A list of the preprocessor: as one of templates it would be part of what each
// program that includes xgrad compiles.)
#define XGRAD_ELEMENT_TYPES(X) \
    X(boolean, bool, "bool", boolean) \
    X(int32, std::int32_t, "int32", integer) \
    X(int64, std::int64_t, "int64", integer) \
    X(float32, float, "float", floating) \
    X(float64, double, "double", floating) \
    X(bfloat16, xgrad::bfloat16, "bfloat16", half) \
    X(float16, xgrad::float16, "float16", half)

/// Element type of a tensor. `literal` is the type of a bare typed constant (0.5_c): it takes the type of its peer. bfloat16 and float16 are types of
/// memory: nothing is computed in them.
enum class dtype : unsigned char {
    literal,
#define XGRAD_ENUMERATOR(enumerator, cpp, name, kind) enumerator,
    XGRAD_ELEMENT_TYPES(XGRAD_ENUMERATOR)
#undef XGRAD_ENUMERATOR
};

namespace detail {
enum class element_kind : unsigned char { none, boolean, integer, floating, half };
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

/// What an array and an expression may hold.
template<class T>
concept MemoryElement = requires { detail::dtype_traits<T>::value; };
/// What is computed in.
template<class T>
concept Element = MemoryElement<T> && !detail::is_half_type<T>;

template<MemoryElement T>
inline constexpr dtype dtype_of = detail::dtype_traits<T>::value;
/// The C++ type of a dtype.
template<dtype D>
using cpp_type_t = typename detail::cpp_type<D>::type;

/// Calls f(std::type_identity<T>{}) with the C++ type of a dtype that is known at run time; of a literal nothing.
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
/// The same where gradients and rules compute in that type; else nothing.
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
/// In which gradients and rules compute: the floating ones.
using computing_types = type_list<float, double>;
}   // namespace detail

constexpr std::size_t size_of(dtype d) { return detail::facts_of(d).size; }
constexpr std::string_view to_string(dtype d) { return detail::facts_of(d).name; }
// One statement each: constant evaluation asks hundreds of times.
constexpr bool is_floating(dtype d) { return detail::facts[static_cast<int>(d)].kind == detail::element_kind::floating; }
constexpr bool is_integer(dtype d) { return detail::facts_of(d).kind == detail::element_kind::integer; }
constexpr bool is_half(dtype d) { return detail::facts[static_cast<int>(d)].kind == detail::element_kind::half; }
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

#undef XGRAD_ELEMENT_TYPES

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
