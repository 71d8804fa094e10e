// SPDX-License-Identifier: MIT
// Shapes are lists of extents. Two shapes broadcast by NumPy's rule.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/extent.hpp>

XGRAD_NAMESPACE_BEGIN

inline constexpr int max_rank = 6;

/// Extents, outermost first (row-major).
struct shape {
    int rank;
    extent extents[max_rank];

    constexpr bool operator==(shape const& o) const {
        if (rank != o.rank) return false;
        // Most extents differ in the constant or are only a constant.
        for (int i = 0; i < rank; ++i)
            if (extent const &x = extents[i], &y = o.extents[i];
                x.constant != y.constant || (x.count + y.count + x.overflow + y.overflow > 0 && !(x == y)))
                return false;
        return true;
    }
    constexpr extent size() const {
        extent n = static_extent(1);
        for (int i = 0; i < rank; ++i) n = n * extents[i];
        return n;
    }
    constexpr bool is_static() const {
        for (int i = 0; i < rank; ++i)
            if (!extents[i].is_static()) return false;
        return true;
    }
    constexpr std::uint64_t hash() const {
        std::uint64_t h = static_cast<std::uint64_t>(rank);
        for (int i = 0; i < rank; ++i) h = hash_mix(h, extents[i].hash());
        return h;
    }
};

constexpr bool is_one(extent const& e) { return e.count == 0 && e.constant == 1; }

namespace detail {
template<auto D>
constexpr bool is_extent() {
    using T = std::remove_cvref_t<decltype(D)>;
    if constexpr (std::is_integral_v<T>) return D >= 0;
    else if constexpr (std::is_same_v<T, extent>) return !D.overflow && (D.count > 0 || D.constant >= 0);
    else return is_dim_operand<T>;
}
template<auto... D>
inline constexpr bool are_extents = (is_extent<D>() && ...);
}

/// Makes a shape of template arguments: integers, named dimensions, expressions of these, values of type extent. It is empty for other
/// arguments and for too many; the caller reports that.
template<auto... D>
constexpr shape make_shape() {
    if constexpr (sizeof...(D) <= max_rank && detail::are_extents<D...>)
        return shape{static_cast<int>(sizeof...(D)), {detail::extent_of_argument<D>()...}};
    else return shape{};
}

/// Widens `a` so that it holds `b` too, by NumPy's rule. Returns false if two extents differ and neither is 1.
constexpr bool broadcast_into(shape& a, shape const& b) {
    if (b.rank > a.rank) {
        int const shift = b.rank - a.rank;
        for (int i = a.rank - 1; i >= 0; --i) a.extents[i + shift] = a.extents[i];
        for (int i = 0; i < shift; ++i) a.extents[i] = static_extent(1);
        a.rank = b.rank;
    }
    for (int i = 0; i < b.rank; ++i) {
        extent& x = a.extents[a.rank - b.rank + i];
        extent const& y = b.extents[i];
        if (x.constant == y.constant && x.count == 0 && y.count == 0 && x.overflow == y.overflow) continue;
        if (is_one(x)) x = y;
        else if (!is_one(y) && !(x == y)) return false;
    }
    return true;
}

namespace detail {
/// Finds a named dimension that both shapes have while the other one has 1 or, on one side, no axis, such as [batch, 1]
/// with [batch]. Null if there is no such dimension.
constexpr extent const* repeated_dimension(shape const& a, shape const& b) {
    shape const &wide = a.rank > b.rank ? a : b, &narrow = a.rank > b.rank ? b : a;
    int const shift = wide.rank - narrow.rank;
    for (int j = 0; shift > 0 && j < narrow.rank; ++j) {
        extent const& e = narrow.extents[j];
        if (e.count == 0 || !is_one(wide.extents[shift + j])) continue;
        for (int i = 0; i < shift; ++i)
            if (wide.extents[i] == e) return &(a.rank > b.rank ? e : wide.extents[i]);   // the pointer is into b
    }
    return nullptr;
}
constexpr bool has_twice(shape const& s, extent const& e) {
    int n = 0;
    for (int i = 0; i < s.rank; ++i) n += s.extents[i] == e;
    return n > 1;
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
