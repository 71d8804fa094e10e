// SPDX-License-Identifier: MIT
// The adapter for Eigen's tensors: views of results and variables of any rank.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/arrays/array.hpp>

#include <unsupported/Eigen/CXX11/Tensor>

#include <type_traits>

XGRAD_NAMESPACE_BEGIN

namespace detail {
template<class T, int Rank>
using eigen_tensor = Eigen::Tensor<T, Rank, Eigen::RowMajor, Eigen::Index>;
template<class T, int Rank>
using eigen_tensor_map = Eigen::TensorMap<
    std::conditional_t<std::is_const_v<T>, eigen_tensor<std::remove_const_t<T>, Rank> const, eigen_tensor<std::remove_const_t<T>, Rank>>>;
}   // namespace detail

/// An Eigen::TensorMap of a view, with layout RowMajor. Nothing is copied: it is valid as long as the view, and writable if the view is.
template<class T, int Rank>
detail::eigen_tensor_map<T, Rank> as_eigen_tensor(tensor_view<T, Rank> const& view) {
    Eigen::DSizes<Eigen::Index, Rank> shape;
    for (int d = 0; d < Rank; ++d) shape[d] = static_cast<Eigen::Index>(view.shape(d));
    return {view.data(), shape};
}
/// A copy that outlives the next call.
template<class T, int Rank>
detail::eigen_tensor<std::remove_const_t<T>, Rank> to_eigen_tensor(tensor_view<T, Rank> const& view) {
    return as_eigen_tensor(view);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
