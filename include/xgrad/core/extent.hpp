// SPDX-License-Identifier: MIT
// Extents of shapes: integers, named dimensions, and what programs write with them (`batch * (time + 1) / 2`).
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/dim.hpp>
#include <xgrad/core/polynomial.hpp>

#include <cstdint>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN

/// One extent of a shape.
using extent = polynomial<2>;

constexpr extent static_extent(std::int64_t n) {
    extent e{};
    e.constant = n;
    return e;
}
constexpr extent named_extent(dim_info const* d) {
    extent e{};
    e.count = 1;
    e.terms[0] = {1, {d, nullptr, nullptr}, {}};
    return e;
}
constexpr extent operator+(extent a, extent const& b) {
    a.add(b);
    return a;
}
constexpr extent operator-(extent a, extent const& b) {
    a.add(b, -1);
    return a;
}

constexpr extent operator*(extent const& a, extent const& b) {
    if (a.count == 0 && b.count == 0) return static_extent(a.constant * b.constant);
    extent r = multiply<2>(a, b);
    if (r.overflow && !a.overflow && !b.overflow) {   // terms may cancel out in the end, as in (n + 3) (n² - 3 n)
        r = {};
        r.add(multiply<9>(a, b));
    }
    return r;
}

constexpr std::int64_t quotient_down(std::int64_t a, std::int64_t n) { return a / n - (a % n < 0); }
/// a / n, rounded down, with n >= 1, in canonical form. Terms that divide exactly are divided. The rest must be
/// floor((d + r) / n) of one dimension d with 0 <= r < n. A larger rest, or a divisor above 1023, sets `overflow`.
constexpr extent operator/(extent const& a, std::int64_t n) {
    extent r{}, rest{};
    r.overflow = a.overflow || n < 1;
    if (r.overflow || n == 1) {
        r.add(a);
        return r;
    }
    std::int64_t common = n;
    for (int i = 0; i < a.count; ++i) {
        auto t = a.terms[i];
        std::int64_t const left = t.coefficient - quotient_down(t.coefficient, n) * n;
        t.coefficient = quotient_down(t.coefficient, n);
        r.add_term(t);
        t.coefficient = left;
        rest.add_term(t);
        for (std::int64_t b = left; b != 0;) {   // greatest common divisor
            std::int64_t const c = common % b;
            common = b;
            b = c;
        }
    }
    std::int64_t const k = quotient_down(a.constant, common), m = n / common;
    if (rest.count == 0) {
        r.constant += quotient_down(a.constant, n);
        return r;
    }
    auto t = rest.terms[0];
    if (rest.count > 1 || t.coefficient != common || t.dims[1] != nullptr ||
        floor_quotients::by(t.floors.bits) * m > floor_quotients::max_divisor) {
        r.overflow = true;
        return r;
    }
    // floor((floor((d + p) / q) + k) / m) = floor((d + p + k q) / (q m))
    std::int64_t const q = floor_quotients::by(t.floors.bits), plus = floor_quotients::plus(t.floors.bits) + k * q;
    r.constant += quotient_down(plus, q * m);
    t.coefficient = 1;
    t.floors.bits = floor_quotients::pack(plus - quotient_down(plus, q * m) * q * m, q * m);
    r.add_term(t);
    return r;
}

/// Extents such as `batch * time`, `2 * batch`, `batch - 1`, `(time + 1) / 2` (rounded down):
/// `reshape<batch * time, 16>(x)`. The order of terms and factors does not matter: both orders are one extent.
template<char Operation, class A, class B>
struct extent_expression {
    A left;
    B right;
};

namespace detail {
template<class T>
inline constexpr bool is_dim = false;
template<std::size_t N>
inline constexpr bool is_dim<dim<N>> = true;
template<char Operation, class A, class B>
inline constexpr bool is_dim<extent_expression<Operation, A, B>> = true;
template<class T>
inline constexpr bool is_dim_operand = is_dim<T> || std::is_integral_v<T>;

template<char Operation>
constexpr extent combine(extent const& a, extent const& b) {
    if constexpr (Operation == '+') return a + b;
    else if constexpr (Operation == '-') return a - b;
    else if constexpr (Operation == '*') return a * b;
    else return a / b.constant;
}
template<char Operation, class A, class B>
constexpr char operation_of(extent_expression<Operation, A, B> const&) {
    return Operation;
}
template<auto D>
constexpr extent extent_of_argument() {
    using T = std::remove_cvref_t<decltype(D)>;
    if constexpr (std::is_integral_v<T>) return static_extent(static_cast<std::int64_t>(D));
    else if constexpr (std::is_same_v<T, extent>) return D;
    else if constexpr (std::is_same_v<T, dim_info const*>) return named_extent(D);
    else if constexpr (requires { D.left; }) return combine<operation_of(D)>(extent_of_argument<D.left>(), extent_of_argument<D.right>());
    else {
        static_assert(sizeof(T) == 1 || D.name.text[0] != 0,
            "xgrad: a named dimension is not constexpr; write inline constexpr xgrad::dim batch{\"batch\"}, in a function without "
            "inline");
        return named_extent(&dim_info_of<D>);
    }
}
}

/// Operands of extents such as `batch * time` and `2 * batch`: named dimensions, expressions of them, and integers, but not only integers.
template<class A, class B>
concept DimOperands = (detail::is_dim<A> || detail::is_dim<B>)&&detail::is_dim_operand<A> && detail::is_dim_operand<B>;

template<class A, class B>
    requires DimOperands<A, B>
constexpr auto operator*(A const& a, B const& b) {
    return extent_expression<'*', A, B>{a, b};
}
template<class A, class B>
    requires DimOperands<A, B>
constexpr auto operator+(A const& a, B const& b) {
    return extent_expression<'+', A, B>{a, b};
}
template<class A, class B>
    requires DimOperands<A, B>
constexpr auto operator-(A const& a, B const& b) {
    return extent_expression<'-', A, B>{a, b};
}
template<class A, class B>
    requires DimOperands<A, B>
constexpr auto operator/(A const& a, B const& b) {
    static_assert(std::is_integral_v<B>,
        "xgrad: an extent is divided by something that is not an integer; write an integer as the divisor, which rounds down: "
        "(time + 1) / 2");
    if constexpr (std::is_integral_v<B>) return extent_expression<'/', A, B>{a, b};
    else return a;
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
