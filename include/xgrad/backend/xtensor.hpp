// SPDX-License-Identifier: MIT
// The xtensor adapter: views of results and variables as xtensor containers and adaptors.
// Arguments of calls do not need it (see core/arrays/array.hpp).
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/arrays/array.hpp>

#if __has_include(<xtensor/containers/xadapt.hpp>)
#    include <xtensor/containers/xadapt.hpp>
#    include <xtensor/containers/xtensor.hpp>
#else
#    include <xtensor/xadapt.hpp>
#    include <xtensor/xtensor.hpp>
#endif

#include <algorithm>
#include <array>

XGRAD_NAMESPACE_BEGIN

namespace detail {
template<class T, int Rank>
std::array<std::size_t, Rank> xtensor_shape(tensor_view<T, Rank> const& view) {
    std::array<std::size_t, Rank> shape{};
    for (std::size_t d = 0; d < shape.size(); ++d) shape[d] = static_cast<std::size_t>(view.shape()[d]);
    return shape;
}
}

/// A row-major copy of a result or variable. It outlives the next call.
template<class T, int Rank>
xt::xtensor<std::remove_const_t<T>, static_cast<std::size_t>(Rank), xt::layout_type::row_major> to_xtensor(
    tensor_view<T, Rank> const& view) {
    xt::xtensor<std::remove_const_t<T>, static_cast<std::size_t>(Rank), xt::layout_type::row_major> copy(detail::xtensor_shape(view));
    std::copy(view.begin(), view.end(), copy.data());
    return copy;
}

/// An xtensor adaptor on the memory of the view. Nothing is copied:
/// it is valid as long as the view, and writable if the view is (`adapt(train.value(w)) *= 0.5f`).
template<class T, int Rank>
auto adapt(tensor_view<T, Rank> const& view) {
    return xt::adapt<xt::layout_type::row_major>(
        view.data(), static_cast<std::size_t>(view.size()), xt::no_ownership(), detail::xtensor_shape(view));
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
