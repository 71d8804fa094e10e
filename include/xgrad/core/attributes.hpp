// SPDX-License-Identifier: MIT
// The attributes of an operation, which it has in addition to operands: numbers in a separate struct, extents, a name.
// Tables keep, hash and compare them in a generic form, without knowing the operation.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/shape.hpp>

#include <bit>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN

/// A truth value that is followed by no padding.
struct flag {
    std::uint32_t value;
    constexpr flag(bool b = false) : value(b) {}
    constexpr operator bool() const { return value != 0; }
};
/// A set of axes of a tensor.
struct axis_set {
    std::uint32_t bits;
    constexpr bool has(int axis) const { return (bits >> axis & 1) != 0; }
    constexpr void add(int axis) { bits |= std::uint32_t{1} << axis; }
    constexpr bool fits(int rank) const { return bits >> rank == 0; }
    static constexpr axis_set of(int axis) { return {std::uint32_t{1} << axis}; }
    static constexpr axis_set all(int rank) { return {(std::uint32_t{1} << rank) - 1}; }
};
/// Axes in an order.
struct axis_list {
    static constexpr int room = 7;
    static_assert(room >= max_rank);
    std::int8_t count;
    std::int8_t at[room];
    constexpr int operator[](int i) const { return at[i]; }
    constexpr void push(int axis) { at[count++] = static_cast<std::int8_t>(axis); }
};

/// The attributes of an operation as generic code sees them. This struct only refers to them. The owner is a record in
/// static memory or, for a node of a table, the table.
struct attributes {
    std::uint64_t const* words = nullptr;   // the words of the operation's own struct
    extent const* extents = nullptr;
    int word_count = 0, extent_count = 0;
    std::uint64_t name_hash = 0;   // for leaves and random streams
    std::string_view name{};

    /// The struct that the words were made from; zeros if none was given. Example:
    /// `a.as<op::concat::attributes>().axis`.
    template<class A>
    constexpr A as() const;
    /// The extents as a shape. For a reshape or broadcast it is the shape of the result.
    constexpr shape target() const {
        shape s{};
        for (; s.rank < extent_count; ++s.rank) s.extents[s.rank] = extents[s.rank];
        return s;
    }
    constexpr bool empty() const { return word_count == 0 && extent_count == 0 && name_hash == 0; }
    constexpr std::uint64_t hash() const {
        std::uint64_t h = name_hash;
        for (int i = 0; i < word_count; ++i) h = hash_mix(h, words[i]);
        for (int i = 0; i < extent_count; ++i) h = hash_mix(h, extents[i].hash());
        return h;
    }
    constexpr bool equals(attributes const& o) const {
        if (word_count != o.word_count || extent_count != o.extent_count || name_hash != o.name_hash) return false;
        for (int i = 0; i < word_count; ++i)
            if (words[i] != o.words[i]) return false;
        for (int i = 0; i < extent_count; ++i)
            if (!(extents[i] == o.extents[i])) return false;
        return true;
    }
};

/// The words of an attribute struct, for passing them on.
template<std::size_t N>
struct attribute_words {
    std::uint64_t at[N];
    /// `extents` must outlive the returned value.
    constexpr attributes view(extent const* extents = nullptr, int extent_count = 0) const {
        return {at, extents, static_cast<int>(N), extent_count, 0, {}};
    }
};
namespace detail {
/// Bytes between members have no value, and compilers refuse to read them.
template<class A>
concept HasNoGaps = __has_unique_object_representations(A) || !std::is_default_constructible_v<A> || requires {
    typename std::bool_constant<(__builtin_bit_cast(attribute_words<sizeof(A) / sizeof(std::uint64_t)>, A{}), true)>;
};
template<class A>
inline constexpr bool fills_words = __is_trivially_copyable(A) && sizeof(A) % sizeof(std::uint64_t) == 0 && HasNoGaps<A>;
}
template<class A>
constexpr auto to_words(A const& a) {
    constexpr bool fills = detail::fills_words<A>;
    static_assert(fills,
        "xgrad: the attributes of this operation are not plain members that fill words of 8 bytes without gaps; add integers, "
        "or give extents after them: with<op, op::attributes{...}, extent...>");
    if constexpr (fills) return __builtin_bit_cast(attribute_words<sizeof(A) / sizeof(std::uint64_t)>, a);
    else return attribute_words<1>{};
}
template<class A>
constexpr A attributes::as() const {
    attribute_words<sizeof(A) / sizeof(std::uint64_t)> w{};
    for (int i = 0; i < word_count; ++i) w.at[i] = words[i];
    return __builtin_bit_cast(A, w);
}
/// A struct of attributes in static memory, as words.
template<auto A>
inline constexpr auto words_of = to_words(A);

/// Attributes that are only a shape.
constexpr attributes shape_attributes(shape const& s) { return {nullptr, s.extents, 0, s.rank, 0, {}}; }
/// Attributes that are only a name.
constexpr attributes name_attributes(std::string_view name, std::uint64_t hash) { return {nullptr, nullptr, 0, 0, hash, name}; }

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
