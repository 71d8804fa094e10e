// SPDX-License-Identifier: MIT
// Numbers in expressions: literals such as 0.5_c, and constants of one element type.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operands.hpp>

#include <bit>
#include <limits>

XGRAD_NAMESPACE_BEGIN

/// A number in an expression, identified by the bits of its value. It takes the element type of the other operand.
template<std::uint64_t Bits>
struct literal : expression_base {
    static constexpr double number = std::bit_cast<double>(Bits);
    static constexpr std::uint64_t word = Bits;   // constant_attributes
    static constexpr node_info info{op_register<op::constant>::info, {dtype::literal, {}, fault::none}, {.words = &word, .word_count = 1},
        0, nullptr, hash_mix(Bits, 0x9E3779B97F4A7C15u)};
};
namespace detail {
template<class T>
inline constexpr bool is_literal = false;
template<std::uint64_t Bits>
inline constexpr bool is_literal<literal<Bits>> = true;
}
namespace detail {
/// A whole number as a literal, for numbers that templates compute.
template<std::int64_t N>
inline constexpr literal<std::bit_cast<std::uint64_t>(static_cast<double>(N))> whole_literal{};
}
template<Element E, std::int64_t Value>
struct typed_literal : expression_base {
    static constexpr std::uint64_t word = std::bit_cast<std::uint64_t>(static_cast<double>(Value));
    static constexpr node_info info{op_register<op::constant>::info, {dtype_of<E>, {}, fault::none}, {.words = &word, .word_count = 1}, 0,
        nullptr, hash_mix(static_cast<std::uint64_t>(Value), 0x51ED27u + static_cast<unsigned>(dtype_of<E>))};
};

namespace detail {
template<MemoryElement T, auto Value>
constexpr auto make_constant() {
    constexpr bool whole = std::is_integral_v<decltype(Value)> || is_integral_constant<decltype(Value)>;
    static_assert(whole, "xgrad::constant<T, value>: value is not an integer; write cast<float>(0.5_c) for a fraction of one element type");
    static_assert(Element<T>,
        "xgrad::constant<T, value>: T is bfloat16 or float16, in which nothing is computed; write cast<bfloat16>(2_c) if you "
        "need such elements");
    constexpr std::int64_t limit = std::int64_t{1} << 53, value = whole ? static_cast<std::int64_t>(Value) : 0;
    constexpr bool fits = !Element<T> || (value >= -limit && value <= limit && static_cast<std::int64_t>(static_cast<T>(value)) == value);
    static_assert(
        fits, "xgrad::constant<T, value>: value is above 2^53, or T does not hold it exactly; write another element type, or an input");
    if constexpr (whole && fits && Element<T>) return typed_literal<T, value>{};
    else return refused{};
}
}   // namespace detail

/// A number as an expression of one element type: `constant<float, 2>`, also of a std::integral_constant. For fractions:
/// `cast<float>(0.5_c)`.
template<MemoryElement T, auto Value>
inline constexpr auto constant = detail::make_constant<T, Value>();

namespace detail {
template<char... C>
constexpr bool is_decimal() {
    constexpr char text[]{C..., '\0'};
    bool whole = true;   // a leading 0 makes an integer octal, but not a fraction
    for (char const* p = text; *p != '\0'; ++p) {
        if (*p == 'x' || *p == 'X' || *p == 'b' || *p == 'B') return false;
        whole = whole && *p != '.' && *p != 'e' && *p != 'E';
    }
    return !(whole && sizeof...(C) > 1 && text[0] == '0');
}
// Decimal text to double: exact up to 19 digits and powers of ten up to 22, beyond that within half a unit of long double.
template<char... C>
constexpr long double parse_number() {
    constexpr char text[]{C..., '\0'};
    long double mantissa = 0;
    int exponent = 0, written = 0;
    bool fraction = false, negative = false;
    for (char const* p = text; *p != '\0'; ++p) {
        if (*p == '\'') continue;
        if (*p == '.') fraction = true;
        else if (*p == 'e' || *p == 'E') {
            ++p;
            if (*p == '-' || *p == '+') negative = *p++ == '-';
            for (; *p != '\0'; ++p) written = written * 10 + (*p - '0');
            break;
        } else {
            mantissa = mantissa * 10 + (*p - '0');
            exponent -= fraction;
        }
    }
    exponent += negative ? -written : written;
    long double scale = 1;
    for (int i = 0; i < (exponent < 0 ? -exponent : exponent); ++i) scale *= 10;
    return exponent < 0 ? mantissa / scale : mantissa * scale;
}
}
inline namespace literals {
/// `0.5_c`: a typed constant for expressions, from a decimal number that double can hold.
template<char... C>
constexpr auto operator""_c() {
    static_assert(detail::is_decimal<C...>(),
        "xgrad: a constant with the suffix _c is a hexadecimal, binary or octal number; write it in decimal: 16_c");
    if constexpr (!detail::is_decimal<C...>()) return detail::refused{};
    else {
        constexpr long double number = detail::parse_number<C...>();
        static_assert(number <= std::numeric_limits<double>::max(),
            "xgrad: a constant with the suffix _c is larger than double can hold; write a number of at most 1.79e308_c");
        return literal<std::bit_cast<std::uint64_t>(static_cast<double>(number))>{};
    }
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
