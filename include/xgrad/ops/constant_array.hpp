// SPDX-License-Identifier: MIT
// Arrays of constant numbers in static memory, read where they are.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/leaves.hpp>
#include <xgrad/meta/type_name.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// Element type, rank and extents of C arrays and of std::array, nested in any way.
template<class T>
struct constant_shape {
    using element = T;
    static constexpr void extents(shape&) {}
};
template<class T, std::size_t N>
struct constant_shape<T[N]> : constant_shape<T> {
    static constexpr void extents(shape& s) {
        if (s.rank < max_rank) s.extents[s.rank] = static_extent(static_cast<std::int64_t>(N));
        ++s.rank;
        constant_shape<T>::extents(s);
    }
};
template<class T, std::size_t N>
struct constant_shape<T const[N]> : constant_shape<T[N]> {};
template<class T, std::size_t N>
struct constant_shape<std::array<T, N>> : constant_shape<T[N]> {};
template<class T>
struct constant_shape<T const> : constant_shape<T> {};

template<class T>
constexpr shape shape_of_constant() {
    shape s{};
    constant_shape<T>::extents(s);
    return s;
}
template<auto& Table>
constexpr std::string_view text_of_table() {
    return std::string_view(__PRETTY_FUNCTION__);
}
}

namespace op {
/// An input that is bound already: to the array Table.
template<auto& Table>
struct constant_array {
    static constexpr op_info describe() {
        op_info r = make_op("constant_array", op_kind::input, no_rule, nullptr);
        r.values = &Table;
        return r;
    }
};
}

template<auto& Table>
struct constant_array_type : expression_base {
    using array = std::remove_const_t<std::remove_reference_t<decltype(Table)>>;
    using element = typename detail::constant_shape<array>::element;
    static constexpr node_info info = [] {
        node_info r =
            detail::leaf_info<op::constant_array<Table>>("an array of constants", dtype_of<element>, detail::shape_of_constant<array>());
        r.attrs.name_hash = hash_text(detail::text_of_table<Table>());
        r.hash = hash_mix(r.hash, r.attrs.name_hash);
        return r;
    }();
};

namespace detail {
template<auto& Table>
constexpr auto make_constant_array() {
    using array = std::remove_reference_t<decltype(Table)>;
    using element = typename constant_shape<std::remove_const_t<array>>::element;
    constexpr bool fixed = std::is_const_v<array>, numbers = MemoryElement<element>;
    constexpr int rank = shape_of_constant<std::remove_const_t<array>>().rank;
    static_assert(fixed, "xgrad::constant_array<table>: table is not constant; declare it as inline constexpr, or write an input");
    static_assert(numbers,
        "xgrad::constant_array<table>: table is not an array, C's or std::array, of an element type such as float; copy the numbers into one");
    static_assert(rank >= 1 && rank <= max_rank,
        "xgrad::constant_array<table>: table has no axis or more than six; write 2_c for a number, and join axes");
    if constexpr (fixed && numbers && rank >= 1 && rank <= max_rank) return constant_array_type<Table>{};
    else return refused{};
}
}

/// The numbers of a C array or std::array with static memory as an expression of its shape, inf and NaN too:
///
///     inline constexpr float weights[] = {0.299f, 0.587f, 0.114f};
///     auto gray = sum<-1>(image * xg::constant_array<weights>);
///
/// Nested arrays give several axes. The array is read where it is, and is never copied. It costs the compiler the same for
/// each length. Gradient: none.
template<auto& Table>
inline constexpr auto constant_array = detail::make_constant_array<Table>();

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
