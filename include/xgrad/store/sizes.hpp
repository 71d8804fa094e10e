// SPDX-License-Identifier: MIT
// The sizes of named dimensions at run time, and the values of extents with them.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/shape.hpp>
#include <xgrad/meta/sequence.hpp>

XGRAD_NAMESPACE_BEGIN

/// The size of a named dimension; negative if not known yet.
struct bound_size {
    dim_info const* info;
    std::int64_t size;
};

/// The entry of a dimension in the list, or null.
bound_size* find_size(sequence<bound_size> const& sizes, dim_info const& d);
/// The size of a dimension. It is `least` if the size is smaller or missing.
std::int64_t size_in(sequence<bound_size> const& sizes, dim_info const& d, std::int64_t least);
/// The value of an extent with these sizes. A dimension counts as `least` if its size is smaller or missing.
std::int64_t extent_at(extent const& e, sequence<bound_size> const& sizes, std::int64_t least);
/// Like extent_at, for values that may be too large for an integer.
double rough_extent_at(extent const& e, sequence<bound_size> const& sizes, std::int64_t least);

#if XGRAD_COMPILED != 1
XGRAD_HOST bound_size* find_size(sequence<bound_size> const& sizes, dim_info const& d) {
    for (bound_size& b : sizes)
        if (b.info->hash == d.hash) return &b;
    return nullptr;
}
XGRAD_HOST std::int64_t size_in(sequence<bound_size> const& sizes, dim_info const& d, std::int64_t least) {
    bound_size const* const b = find_size(sizes, d);
    return b != nullptr && b->size > least ? b->size : least;
}
XGRAD_NOINLINE XGRAD_HOST std::int64_t extent_at(extent const& e, sequence<bound_size> const& sizes, std::int64_t least) {
    return e.evaluate([&](dim_info const& d) { return size_in(sizes, d, least); });
}
XGRAD_RARE XGRAD_HOST double rough_extent_at(extent const& e, sequence<bound_size> const& sizes, std::int64_t least) {
    return e.evaluate([&](dim_info const& d) { return static_cast<double>(size_in(sizes, d, least)); });
}
#endif

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
