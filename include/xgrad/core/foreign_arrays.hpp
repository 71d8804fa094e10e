// SPDX-License-Identifier: MIT
// std::mdspan and the matrices and tensors of Eigen as arguments, known by their members: no header of theirs is read.
#pragma once

#include <xgrad/config/config.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// std::mdspan and Kokkos::mdspan whose elements are what lies in memory.
template<class A>
concept Mdspan = requires(A const& a, std::size_t axis) {
    A::rank();
    a.extent(axis);
    a.mapping().is_strided();
    requires std::is_pointer_v<std::remove_cvref_t<decltype(a.data_handle())>>;
    requires std::is_same_v<typename A::reference, typename A::element_type&>;
};
/// A matrix, map or block of Eigen whose rows lie one behind the other, with a stride that only the object knows. A transpose of columns is one too.
template<class A>
concept RowMajorMatrix = requires(A const& a) {
    a.data();
    a.rows();
    a.cols();
    a.outerStride();
    requires A::IsRowMajor != 0 && A::IsVectorAtCompileTime == 0 && A::InnerStrideAtCompileTime == 1;
};
/// A tensor or a tensor map of Eigen, of Layout RowMajor (1) or with one axis.
template<class A>
concept RowMajorTensor = requires(A const& a) {
    a.data();
    a.dimension(0);
    requires static_cast<int>(A::Layout) == 1 || static_cast<int>(A::NumDimensions) < 2;
};
template<class A>
concept Foreign = Mdspan<A> || RowMajorMatrix<A> || RowMajorTensor<A>;

template<class A>
    requires Foreign<std::remove_const_t<A>>
constexpr auto* data_of_foreign(A& a) {
    if constexpr (Mdspan<std::remove_const_t<A>>) return a.data_handle();
    else return a.data();
}
template<Foreign A>
constexpr int rank_of_foreign() {
    if constexpr (Mdspan<A>) return static_cast<int>(A::rank());
    else if constexpr (RowMajorMatrix<A>) return 2;
    else return static_cast<int>(A::NumDimensions);
}
template<Foreign A>
constexpr std::int64_t extent_of_foreign(A const& a, int axis) {
    if constexpr (Mdspan<A>) return static_cast<std::int64_t>(a.extent(static_cast<std::size_t>(axis)));
    else if constexpr (RowMajorMatrix<A>) return static_cast<std::int64_t>(axis == 0 ? a.rows() : a.cols());
    else return static_cast<std::int64_t>(a.dimension(static_cast<std::size_t>(axis)));
}
/// From one element to the next along an axis, in elements; `dense` is what it is without gaps.
template<Foreign A>
constexpr std::int64_t stride_of_foreign(A const& a, int axis, std::int64_t dense) {
    if constexpr (Mdspan<A>)
        if constexpr (A::rank() > 0)
            return a.is_strided() ? static_cast<std::int64_t>(a.mapping().stride(static_cast<std::size_t>(axis))) : -1;
        else return dense;
    else if constexpr (RowMajorMatrix<A>) return axis == 0 ? static_cast<std::int64_t>(a.outerStride()) : dense;
    else return dense;
}
/// Of Eigen: it shows memory of another object.
template<class A>
concept MapOfEigen =
    requires { typename A::PlainObject; } && !std::is_same_v<typename A::PlainObject, A> && requires(A const& a) { a.data(); };

}   // namespace detail
XGRAD_NAMESPACE_END
