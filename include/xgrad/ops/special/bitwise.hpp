// SPDX-License-Identifier: MIT
// Bits of integers. The operators & | ^ ~ << >> stay errors, because & and | of expressions are often meant for truth values.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/cast.hpp>
#include <xgrad/core/operations/elementwise.hpp>
#include <xgrad/ops/arithmetic.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
struct bitwise : elementwise_op {
    static constexpr value_info infer(value_info const* v, int count, attributes const&) {
        value_info r = xgrad::detail::broadcast_operands(v, count);
        if (r.wrong == fault::none && !is_integer(r.type)) r.wrong = fault::not_integer;
        return r;
    }
};
/// f of integers. A program calls it with nothing else.
template<class F, class V>
XGRAD_INLINE V of_bits(F const& f, V const& x, V const& y) {
    if constexpr (std::is_integral_v<V>) return static_cast<V>(f(x, y));
    else return x;
}
struct bitwise_and : bitwise {
    static constexpr std::string_view name = "bitwise_and";
    static constexpr bool commutative = true;
    XGRAD_INLINE static auto value(auto x, auto y) {
        return of_bits([](auto a, auto b) { return a & b; }, x, y);
    }
};
struct bitwise_or : bitwise {
    static constexpr std::string_view name = "bitwise_or";
    static constexpr bool commutative = true;
    XGRAD_INLINE static auto value(auto x, auto y) {
        return of_bits([](auto a, auto b) { return a | b; }, x, y);
    }
};
struct bitwise_xor : bitwise {
    static constexpr std::string_view name = "bitwise_xor";
    static constexpr bool commutative = true;
    XGRAD_INLINE static auto value(auto x, auto y) {
        return of_bits([](auto a, auto b) { return a ^ b; }, x, y);
    }
};
struct bitwise_not : bitwise {
    static constexpr std::string_view name = "bitwise_not";
    static constexpr bool self_inverse = true;
    XGRAD_INLINE static auto value(auto x) {
        return of_bits([](auto a, auto) { return ~a; }, x, x);
    }
};
struct population_count : bitwise {
    static constexpr std::string_view name = "population_count";
    static constexpr int flops = 8;
    XGRAD_INLINE static auto value(auto x) {
        return of_bits([](auto a, auto) { return __builtin_popcountll(static_cast<std::make_unsigned_t<decltype(a)>>(a)); }, x, x);
    }
};
struct left_shift : bitwise {
    static constexpr std::string_view name = "left_shift";
    XGRAD_INLINE static auto value(auto x, auto by) {
        return of_bits(
            [](auto a, auto n) {
                using unsigned_type = std::make_unsigned_t<decltype(a)>;
                constexpr int bits = sizeof(a) * 8;
                return n < 0 || n >= bits ? unsigned_type(0) : static_cast<unsigned_type>(static_cast<unsigned_type>(a) << n);
            },
            x, by);
    }
};
struct right_shift : bitwise {
    static constexpr std::string_view name = "right_shift";
    XGRAD_INLINE static auto value(auto x, auto by) {
        return of_bits(
            [](auto a, auto n) {
                constexpr int last = sizeof(a) * 8 - 1;
                return a >> (n < 0 || n > last ? last : static_cast<int>(n));
            },
            x, by);
    }
};
}
namespace detail {
template<class Op, class... A>
constexpr auto of_integers(A const&... a) {
    if constexpr (FitsElementwise<Op, A...>) return node<Op, A...>{};
    else {
        constexpr fault f = fault_of<Op, A...>();
        static_assert(f != fault::not_integer,
            "xgrad::bitwise_and(x, y) and the like: an operand is no integer; write cast<std::int32_t>(x), or logical_and(x, y) for bool");
        if constexpr (f != fault::not_integer) {
            check_elementwise<Op, A...>();
            return apply<Op>(a...);
        } else return refused{};
    }
}
}

/// The bits that are set in both integers.
///
/// Gradient: none.
template<Operand A, Operand B>
constexpr auto bitwise_and(A const& x, B const& y) {
    return detail::of_integers<op::bitwise_and>(x, y);
}
/// The bits that are set in either integer.
///
/// Gradient: none.
template<Operand A, Operand B>
constexpr auto bitwise_or(A const& x, B const& y) {
    return detail::of_integers<op::bitwise_or>(x, y);
}
/// The bits that are set in exactly one of two integers.
///
/// Gradient: none.
template<Operand A, Operand B>
constexpr auto bitwise_xor(A const& x, B const& y) {
    return detail::of_integers<op::bitwise_xor>(x, y);
}
/// All bits of an integer inverted: −1 − x (TensorFlow's invert).
///
/// Gradient: none.
template<Operand A>
constexpr auto bitwise_not(A const& x) {
    return detail::of_integers<op::bitwise_not>(x);
}
/// The number of bits of an integer that are 1, as an integer of the same type (TensorFlow's population_count). Of negative numbers it is
/// that of the two's complement: all bits of −1.
///
/// Gradient: none.
template<Operand A>
constexpr auto population_count(A const& x) {
    if constexpr (Expr<A>) {
        constexpr dtype type = value_of<A>.type;
        using namespace literals;
        if constexpr (type == dtype::int8)
            return cast<std::int8_t>(detail::of_integers<op::population_count>(bitwise_and(cast<std::int32_t>(x), 255_c)));
        else if constexpr (type == dtype::int16)
            return cast<std::int16_t>(detail::of_integers<op::population_count>(bitwise_and(cast<std::int32_t>(x), 65535_c)));
        else return detail::of_integers<op::population_count>(x);
    } else return detail::of_integers<op::population_count>(x);
}
/// x times 2 to the power `by`, without the bits that leave the integer. It is 0 where `by` is negative or not below the
/// number of bits.
///
/// Gradient: none.
template<Operand A, Operand B>
constexpr auto left_shift(A const& x, B const& by) {
    return detail::of_integers<op::left_shift>(x, by);
}
/// x divided by 2 to the power `by`, rounded down. Where `by` is negative or not below the number of bits, it is 0, or −1
/// for negative x.
///
/// Gradient: none.
template<Operand A, Operand B>
constexpr auto right_shift(A const& x, B const& by) {
    return detail::of_integers<op::right_shift>(x, by);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
