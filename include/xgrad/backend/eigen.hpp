// SPDX-License-Identifier: MIT
// The Eigen adapter: views of results and variables as Eigen vectors and matrices.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/arrays/array.hpp>

#include <Eigen/Core>

#include <type_traits>

XGRAD_NAMESPACE_BEGIN

namespace detail {
template<class T, int Rank>
using eigen_of = Eigen::Matrix<T, Eigen::Dynamic, Rank == 1 ? 1 : Eigen::Dynamic, Rank == 1 ? Eigen::ColMajor : Eigen::RowMajor>;
template<class T, int Rank>
using eigen_map = Eigen::Map<
    std::conditional_t<std::is_const_v<T>, eigen_of<std::remove_const_t<T>, Rank> const, eigen_of<std::remove_const_t<T>, Rank>>>;
}   // namespace detail

/// An Eigen::Map of a view with rank 1 or 2: a column, or a row-major matrix. Nothing is copied:
/// it is valid as long as the view, and writable if the view is (`as_eigen(train.value(w)) *= 0.5f`).
template<class T, int Rank>
    requires(Rank == 1 || Rank == 2)
detail::eigen_map<T, Rank> as_eigen(tensor_view<T, Rank> const& view) {
    auto const extent = [&](int axis) { return static_cast<Eigen::Index>(axis < Rank ? view.shape(axis) : 1); };
    return {view.data(), extent(0), extent(1)};
}
/// A copy that outlives the next call: an Eigen::VectorXf or an Eigen::RowMajor matrix, with the element type of the view.
template<class T, int Rank>
    requires(Rank == 1 || Rank == 2)
detail::eigen_of<std::remove_const_t<T>, Rank> to_eigen(tensor_view<T, Rank> const& view) {
    return as_eigen(view);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
