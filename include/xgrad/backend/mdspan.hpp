// SPDX-License-Identifier: MIT
// The mdspan adapter: std::mdspan, or the Kokkos reference implementation.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/arrays/array.hpp>

#if __has_include(<version>)
#    include <version>
#endif
#if defined(__cpp_lib_mdspan)
#    include <mdspan>
#elif __has_include(<mdspan/mdspan.hpp>)
#    include <mdspan/mdspan.hpp>
#else
#    error "xgrad: <xgrad/mdspan.hpp> needs std::mdspan (C++23) or Kokkos' <mdspan/mdspan.hpp> in the include path"
#endif

#include <array>
#include <cstddef>

XGRAD_NAMESPACE_BEGIN

namespace detail {
#if defined(__cpp_lib_mdspan)
namespace mdspan_of = std;
#else
namespace mdspan_of = MDSPAN_IMPL_STANDARD_NAMESPACE;
#endif
}   // namespace detail

/// An mdspan of a view, row-major (layout_right). Nothing is copied: it is valid as long as the view, and writable if the view is.
template<class T, int Rank>
auto as_mdspan(tensor_view<T, Rank> const& view) {
    using extents = detail::mdspan_of::dextents<std::size_t, static_cast<std::size_t>(Rank)>;
    std::array<std::size_t, static_cast<std::size_t>(Rank)> shape{};
    for (std::size_t d = 0; d < shape.size(); ++d) shape[d] = static_cast<std::size_t>(view.shape()[d]);
    return detail::mdspan_of::mdspan<T, extents>(view.data(), shape);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
