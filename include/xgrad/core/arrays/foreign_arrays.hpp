// SPDX-License-Identifier: MIT
// std::mdspan and the matrices and tensors of Eigen as arguments. They are recognized by their members, without
// including their headers.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// std::mdspan and Kokkos::mdspan with elements that are stored in memory as they are.
template<class A>
concept Mdspan = requires(A const& a, std::size_t axis) {
    A::rank();
    a.extent(axis);
    a.accessor();
    a.mapping().is_strided();
    requires std::is_pointer_v<std::remove_cvref_t<decltype(a.data_handle())>>;
    requires std::is_same_v<typename A::reference, typename A::element_type&>;
};
/// A matrix, map or block of Eigen in row-major order. Only the object knows the stride between its rows. A transpose
/// of a column-major matrix is one too.
template<class A>
concept RowMajorMatrix = requires(A const& a) {
    a.data();
    a.rows();
    a.cols();
    a.outerStride();
    requires A::IsRowMajor != 0 && A::IsVectorAtCompileTime == 0 && A::InnerStrideAtCompileTime == 1;
};
/// A tensor or tensor map of Eigen with Layout RowMajor (1) or at most one axis.
template<class A>
concept RowMajorTensor = requires(A const& a) {
    a.data();
    a.dimension(0);
    requires static_cast<int>(A::Layout) == 1 || static_cast<int>(A::NumDimensions) < 2;
};
template<class A>
concept Foreign = Mdspan<A> || RowMajorMatrix<A> || RowMajorTensor<A>;

/// The address of an element of a non-empty mdspan, by mapping and accessor. It is the second element along `axis`, or
/// the first of all for axis -1.
template<Mdspan A>
constexpr auto* element_of_mdspan(A const& a, int axis) {
    return [&]<std::size_t... D>(std::index_sequence<D...>) {
        return __builtin_addressof(
            a.accessor().access(a.data_handle(), static_cast<std::size_t>(a.mapping()((static_cast<int>(D) == axis ? 1 : 0)...))));
    }(std::make_index_sequence<A::rank()>{});
}
template<class A>
    requires Foreign<std::remove_const_t<A>>
constexpr auto* data_of_foreign(A& a) {
    if constexpr (Mdspan<std::remove_const_t<A>>) {
        bool none = a.data_handle() == nullptr;
        for (std::size_t d = 0; d < a.rank(); ++d) none = none || a.extent(d) == 0;
        return none ? a.data_handle() : element_of_mdspan(a, -1);
    } else return a.data();
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
/// The distance of neighboring elements along an axis with at least two, in elements. `dense` is the distance without
/// gaps. -1 if the distance is not constant.
template<Foreign A>
constexpr std::int64_t stride_of_foreign(A const& a, int axis, std::int64_t dense) {
    if constexpr (Mdspan<A>)
        return a.data_handle() == nullptr ? dense
               : a.mapping().is_strided() ? static_cast<std::int64_t>(element_of_mdspan(a, axis) - element_of_mdspan(a, -1))
                                          : std::int64_t{-1};
    else if constexpr (RowMajorMatrix<A>) return axis == 0 ? static_cast<std::int64_t>(a.outerStride()) : dense;
    else return dense;
}
/// An Eigen::Ref of constant elements. It may own a copy of its source, and a copy of the Ref does not own one.
template<class A>
concept RefOfEigen = requires(A const& a) {
    typename A::PlainObject;
    a.data();
    requires !requires { a.nestedExpression(); };
    requires !std::is_same_v<typename A::PlainObject, A> && !std::is_constructible_v<A, decltype(a.data()), std::ptrdiff_t, std::ptrdiff_t>;
} && requires(A& a) { requires std::is_const_v<std::remove_pointer_t<decltype(a.data())>>; };
/// An object of Eigen that shows the memory of another object.
template<class A>
concept MapOfEigen = !RefOfEigen<A> && (requires(A const& a) {
    typename A::PlainObject;
    a.data();
    requires !std::is_same_v<typename A::PlainObject, A>;
} || (RowMajorTensor<A> && !requires(A& a) { a.resize(a.dimensions()); }));

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
