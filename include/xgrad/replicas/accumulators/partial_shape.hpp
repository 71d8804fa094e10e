// SPDX-License-Identifier: MIT
// Shapes of gradients that are only partly known beforehand.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/error.hpp>
#include <xgrad/core/shape.hpp>

#include <cstdint>
#include <initializer_list>

XGRAD_NAMESPACE_BEGIN

/// Extents, some of which may be unknown: `{784, 128}`, `{-1, 8}`. `{}` is any shape of any rank.
class partial_shape {
    int rank_ = -1;
    std::int64_t extents_[max_rank]{};

public:
    static constexpr std::int64_t unknown = -1;

    constexpr partial_shape() = default;
    /// Throws shape_error for more than six extents, and for an extent below -1.
    constexpr partial_shape(std::initializer_list<std::int64_t> extents)
        : partial_shape(extents.begin(), static_cast<int>(extents.size())) {}
    constexpr partial_shape(std::int64_t const* extents, int rank) : rank_(rank) {
        if (rank > max_rank) raise_parts<shape_error>({"xgrad: a shape of ", rank, " extents: there are at most ", max_rank});
        for (int d = 0; d < rank; ++d) {
            if (extents[d] < unknown) raise_parts<shape_error>({"xgrad: a shape with the extent ", extents[d], "; -1 is an unknown one"});
            extents_[d] = extents[d];
        }
    }
    /// -1 if unknown.
    constexpr int rank() const { return rank_; }
    /// The extent of axis d < rank(); -1 if unknown.
    constexpr std::int64_t operator[](int d) const { return extents_[d]; }
    /// Whether a tensor of these extents matches this shape.
    constexpr bool takes(std::int64_t const* extents, int rank) const {
        if (rank_ < 0) return true;
        for (int d = 0; d < rank_ && rank == rank_; ++d)
            if (extents_[d] != unknown && extents_[d] != extents[d]) return false;
        return rank == rank_;
    }
};

namespace detail {
/// "[784, ?]", "of any rank" if the rank is unknown, or "of rank 7" if there are more than max_rank extents.
inline std::string text_of_shape(std::int64_t const* extents, int rank) {
    if (rank < 0) return "of any rank";
    if (rank > max_rank) return message({"of rank ", rank});
    std::string text = "[";
    for (int d = 0; d < rank; ++d) {
        if (d > 0) text += ", ";
        if (extents[d] < 0) text += '?';
        else append(text, {extents[d]});
    }
    return text += ']';
}
inline std::string text_of_shape(partial_shape const& s) {
    std::int64_t extents[max_rank]{};
    for (int d = 0; d < s.rank(); ++d) extents[d] = s[d];
    return text_of_shape(extents, s.rank());
}
}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
