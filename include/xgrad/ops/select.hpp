// SPDX-License-Identifier: MIT
// Comparisons and select.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/cast.hpp>
#include <xgrad/core/math.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
struct comparison : elementwise_op {
    static constexpr bool returns_boolean = true;
};
struct greater : comparison {
    static constexpr std::string_view name = "greater";
    XGRAD_INLINE static auto value(auto a, auto b) { return math::greater(a, b); }
};
struct greater_equal : comparison {
    static constexpr std::string_view name = "greater_equal";
    XGRAD_INLINE static auto value(auto a, auto b) { return math::greater_equal(a, b); }
};
struct less : comparison {
    static constexpr std::string_view name = "less";
    XGRAD_INLINE static auto value(auto a, auto b) { return math::less(a, b); }
};
struct less_equal : comparison {
    static constexpr std::string_view name = "less_equal";
    XGRAD_INLINE static auto value(auto a, auto b) { return math::less_equal(a, b); }
};
struct equal : comparison {
    static constexpr std::string_view name = "equal";
    XGRAD_INLINE static auto value(auto a, auto b) { return math::equal(a, b); }
};
struct not_equal : comparison {
    static constexpr std::string_view name = "not_equal";
    XGRAD_INLINE static auto value(auto a, auto b) { return math::not_equal(a, b); }
};
struct logical : elementwise_op {
    static constexpr operand_types accepts = operand_types::boolean;
    static constexpr bool returns_boolean = true;
};
struct logical_and : logical {
    static constexpr std::string_view name = "logical_and";
    XGRAD_INLINE static auto value(auto a, auto b) { return a * b; }
};
struct logical_or : logical {
    static constexpr std::string_view name = "logical_or";
    XGRAD_INLINE static auto value(auto a, auto b) { return a + b - a * b; }
};
struct logical_not : logical {
    static constexpr std::string_view name = "logical_not";
    static constexpr bool self_inverse = true;
    XGRAD_INLINE static auto value(auto a) { return decltype(a)(1) - a; }
};
/// select(c, a, b): a where c, else b. NaN and inf of the value that is not chosen do not leak.
struct select : elementwise_op {
    static constexpr std::string_view name = "select";
    XGRAD_INLINE static auto value(auto c, auto a, auto b) { return math::where(c, a, b); }
    static constexpr value_info infer(value_info const* v, int count, attributes const&) {
        value_info r = detail::broadcast_operands(v, count, 1);
        if (r.wrong == fault::none && v[0].type != dtype::boolean) r.wrong = fault::not_boolean;
        return r;
    }
    static constexpr symbols derivative(symbol c, symbol a, symbol b, symbol y, symbol g);
};
}

namespace detail {
template<class A, class B>
concept SameHalf = Expr<A> && Expr<B> && is_half(value_of<A>.type) && value_of<A>.type == value_of<B>.type;
/// Element-wise operations compute in float. The result is rounded to 16 bits again, which changes nothing.
template<class Op>
struct choosing_elementwise : elementwise<Op> {
    using elementwise<Op>::operator();
    template<Expr C, Expr A, Expr B>
        requires SameHalf<A, B>
    constexpr auto operator()(C const& c, A const& a, B const& b) const {
        return cast<cpp_type_t<value_of<A>.type>>(elementwise<Op>::operator()(c, a, b));
    }
};
}   // namespace detail

/// a > b.
inline constexpr elementwise<op::greater> greater{};
/// a ≥ b.
inline constexpr elementwise<op::greater_equal> greater_equal{};
/// a < b.
inline constexpr elementwise<op::less> less{};
/// a ≤ b.
inline constexpr elementwise<op::less_equal> less_equal{};
/// a = b.
inline constexpr elementwise<op::equal> equal{};
/// a ≠ b.
inline constexpr elementwise<op::not_equal> not_equal{};
/// Whether both hold.
inline constexpr elementwise<op::logical_and> logical_and{};
/// Whether one of them holds.
inline constexpr elementwise<op::logical_or> logical_or{};
/// Whether it does not hold.
inline constexpr elementwise<op::logical_not> logical_not{};
/// select(condition, a, b): `a` where the condition (bool) holds, else `b`; shapes broadcast. It is also the safe form
/// of a masked expression: value and gradient of the operand that is not chosen have no effect. The exception is an
/// operand that itself makes a NaN from a zero gradient. If both operands have one 16-bit type, the result has it too. If
/// one is another operand, such as the number 0_c, the result is float.
inline constexpr detail::choosing_elementwise<op::select> select{};
/// The same as select, by its name in NumPy, TensorFlow and PyTorch: `where(condition, a, b)`.
inline constexpr auto const& where = select;

namespace op {
using namespace literals;
constexpr symbols select::derivative(symbol c, symbol, symbol, symbol, symbol g) {
    return {{{}, xgrad::select(c, g, 0_c), xgrad::select(c, 0_c, g)}};
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
