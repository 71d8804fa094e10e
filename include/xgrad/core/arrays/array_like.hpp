// SPDX-License-Identifier: MIT
// Types that may be bound to an input. Their elements are contiguous by type, or the object reports its strides.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/dtype.hpp>
#include <xgrad/core/arrays/foreign_arrays.hpp>
#include <xgrad/core/shape.hpp>

#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>

XGRAD_NAMESPACE_BEGIN

/// An array as a call sees it, without its C++ type.
struct array_ref {
    void const* data;
    int rank;
    std::int64_t extents[max_rank];
    bool contiguous;
};

namespace detail {
/// Matches braces in place of arguments, so that a sentence can refuse them: f({x = a, y = b}), reshape(x, {2, 3}).
struct in_braces {
    template<class... A>
    constexpr in_braces(A const&...) {}
    constexpr in_braces(std::initializer_list<in_braces>) {}
};
/// std::vector, std::array, std::span, C arrays: everything that converts to std::span.
template<class A>
concept Contiguous = std::is_array_v<A> || requires(A const& a) {
    std::span(a);
    a.data();
};
/// Containers, adaptors and views of xtensor. Strides count elements.
template<class A>
concept HasStrides = requires(A const& a) {
    a.strides().size();
    a.strides()[0];
};
template<class A>
concept HasShape = requires(A const& a) {
    a.data();
    a.shape().size();
    *a.shape().begin();
} && (HasStrides<A> || Contiguous<A>);
/// A vector of Eigen, or a map or column of Eigen that has no gaps by its type.
template<class A>
concept FlatVector = requires(A const& a) {
    a.data();
    a.size();
    requires A::IsVectorAtCompileTime != 0;
    requires A::InnerStrideAtCompileTime == 1;
} && !HasShape<A>;
/// Has data() and size(), but its memory layout is unknown.
template<class A>
concept MemoryOfSomeLayout = requires(A const& a) {
    *a.data();
    a.size();
};

template<class A>
inline constexpr bool is_one_element = std::is_arithmetic_v<A> || is_half_type<A>;

template<class A>
struct element_of {
    using type = void;
};
template<class A>
    requires is_one_element<A>
struct element_of<A> {
    using type = A;
};
template<class A>
    requires std::is_array_v<A>
struct element_of<A> {
    using type = std::remove_cv_t<std::remove_all_extents_t<A>>;
};
template<class A>
    requires(HasShape<A> || Contiguous<A> || FlatVector<A>) && (!std::is_array_v<A> && !Foreign<A>)
struct element_of<A> {
    using type = std::remove_cvref_t<decltype(*std::declval<A const&>().data())>;
};
template<Foreign A>
struct element_of<A> {
    using type = std::remove_cvref_t<decltype(*data_of_foreign(std::declval<A const&>()))>;
};

/// Types that a binding holds by value: numbers, spans and views. Temporary arrays are moved into the binding. All
/// other arrays are referred to.
template<class A>
inline constexpr bool is_view = is_one_element<A> || std::ranges::enable_borrowed_range<A> || Mdspan<A> || MapOfEigen<A>;

/// Whether `A` is an array; otherwise one error sentence.
template<class A>
constexpr bool is_array_like() {
    constexpr bool array = !std::is_void_v<typename element_of<A>::type>, memory = MemoryOfSomeLayout<A>;
    static_assert(array || !memory,
        "xgrad: the type of this array does not show that it is contiguous and row-major; give an Eigen matrix with "
        "Eigen::RowMajor, xgrad::array(pointer, extents...), or a copy");
    static_assert(array || memory,
        "xgrad: this is not an array, but an object without data(), such as an expression of xtensor or std::vector<bool>; "
        "give a container, xgrad::array(pointer, extents...) or xt::eval(expression)");
    return array;
}

/// Accepts containers with a shape (xtensor's and tensor_view), contiguous ranges of rank 1, C arrays, numbers, and the
/// types of foreign_arrays.hpp.
template<class A>
array_ref refer_to(A const& a) {
    array_ref r{};
    r.contiguous = true;
    if constexpr (is_one_element<A>) r.data = &a;
    else if constexpr (std::is_array_v<A>) {
        r.data = &a;
        r.rank = static_cast<int>(std::rank_v<A>);
        [&]<std::size_t... D>(std::index_sequence<D...>) {
            ((r.extents[D] = static_cast<std::int64_t>(std::extent_v<A, static_cast<unsigned>(D)>)), ...);
        }(std::make_index_sequence<(std::rank_v<A> < max_rank ? std::rank_v<A> : max_rank)>{});
    } else if constexpr (Foreign<A>) {
        r.data = data_of_foreign(a);
        r.rank = rank_of_foreign<A>();
        std::int64_t dense = 1;
        bool empty = false;
        for (int d = r.rank; d-- > 0 && r.rank <= max_rank;) {
            r.extents[d] = extent_of_foreign(a, d);
            empty = empty || r.extents[d] == 0;
        }
        for (int d = r.rank; d-- > 0 && r.rank <= max_rank && !empty;) {
            if (r.extents[d] != 1 && stride_of_foreign(a, d, dense) != dense) r.contiguous = false;
            dense *= r.extents[d];
        }
    } else if constexpr (HasShape<A>) {
        r.data = a.data();
        if constexpr (requires { a.data_offset(); }) r.data = a.data() + a.data_offset();
        r.rank = 0;
        for (auto e : a.shape()) {
            if (r.rank < max_rank) r.extents[r.rank] = static_cast<std::int64_t>(e);
            ++r.rank;
        }
        if constexpr (HasStrides<A>) {
            std::int64_t expected = 1;
            for (int d = r.rank; d-- > 0 && r.rank <= max_rank;) {
                if (r.extents[d] != 1 && static_cast<std::int64_t>(a.strides()[static_cast<std::size_t>(d)]) != expected)
                    r.contiguous = false;
                expected *= r.extents[d];
            }
            for (int d = 0; d < r.rank && d < max_rank; ++d)
                if (r.extents[d] == 0) r.contiguous = true;
        }
    } else {
        r.data = a.data();
        r.rank = 1;
        r.extents[0] = static_cast<std::int64_t>(a.size());
    }
    return r;
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
