// SPDX-License-Identifier: MIT
// Arrays on their way in and out: what a container, a view, a span or a pointer with extents looks like to a call.
#pragma once

#include <xgrad/core/dtype.hpp>
#include <xgrad/core/shape.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

XGRAD_NAMESPACE_BEGIN

/// A row-major tensor somewhere in memory: a pointer and `Rank` extents. Results of functions are views of the arena and stay valid until the
/// next call of the same function; a view of a variable until the variables are destroyed.
template<class T, int Rank>
class tensor_view {
    T* first_ = nullptr;
    std::array<std::int64_t, Rank> shape_{};

public:
    using value_type = std::remove_const_t<T>;
    constexpr tensor_view() = default;
    constexpr tensor_view(T* first, std::array<std::int64_t, Rank> const& shape) : first_(first), shape_(shape) {}
    constexpr T* data() const { return first_; }
    constexpr std::array<std::int64_t, Rank> const& shape() const { return shape_; }
    constexpr std::int64_t shape(int axis) const { return shape_[static_cast<std::size_t>(axis)]; }
    constexpr std::int64_t size() const {
        std::int64_t n = 1;
        for (auto e : shape_) n *= e;
        return n;
    }
    constexpr T* begin() const { return first_; }
    constexpr T* end() const { return first_ + size(); }
    constexpr T& operator[](std::int64_t i) const { return first_[i]; }
    /// Element at one index for each axis.
    template<class... I>
        requires(sizeof...(I) == Rank)
    constexpr T& operator()(I... index) const {
        std::int64_t at = 0;
        int axis = 0;
        ((at = at * shape_[static_cast<std::size_t>(axis++)] + static_cast<std::int64_t>(index)), ...);
        return first_[at];
    }
};

/// A row-major tensor with memory of its own: the result of a function that does not outlive the call.
template<class T, int Rank>
class tensor : public tensor_view<T, Rank> {
    explicit tensor(tensor_view<T, Rank> const& view) : tensor_view<T, Rank>(view) {}

public:
    explicit tensor(tensor_view<T const, Rank> const& from)
        : tensor(tensor_view<T, Rank>(new T[static_cast<std::size_t>(from.size())], from.shape())) {
        for (std::int64_t i = 0; i < from.size(); ++i) (*this)[i] = from[i];
    }
    tensor(tensor&& other) noexcept : tensor_view<T, Rank>(other) { static_cast<tensor_view<T, Rank>&>(other) = {}; }
    tensor& operator=(tensor&& other) noexcept {
        tensor taken(std::move(other));
        tensor_view<T, Rank> const mine = *this;
        static_cast<tensor_view<T, Rank>&>(*this) = taken;
        static_cast<tensor_view<T, Rank>&>(taken) = mine;
        return *this;
    }
    ~tensor() { delete[] this->data(); }
};

/// A pointer with extents as an argument: `f(x = xgrad::array(p, 64, 784))`. Row-major, contiguous; nothing is copied.
template<class T, class... N>
constexpr auto array(T* first, N... extents) {
    return tensor_view<T, static_cast<int>(sizeof...(N))>(first, {static_cast<std::int64_t>(extents)...});
}

/// An array as a call sees it, without its type.
struct array_ref {
    void const* data;
    int rank;
    std::int64_t extents[max_rank];
    bool contiguous;
};

namespace detail {
template<class A>
concept HasShape = requires(A const& a) {
    a.data();
    a.shape().size();
    *a.shape().begin();
};
template<class A>
concept ContiguousRange = requires(A const& a) {
    a.data();
    a.size();
} && !HasShape<A>;

template<class A>
struct element_of {
    using type = void;
};
template<class A>
    requires std::is_arithmetic_v<A>
struct element_of<A> {
    using type = A;
};
template<class A>
    requires(HasShape<A> || ContiguousRange<A>)
struct element_of<A> {
    using type = std::remove_cvref_t<decltype(*std::declval<A const&>().data())>;
};

/// Containers with a shape (xtensor's and tensor_view), contiguous ranges of rank 1, numbers.
template<class A>
array_ref refer_to(A const& a) {
    array_ref r{};
    r.contiguous = true;
    if constexpr (std::is_arithmetic_v<A>) r.data = &a;
    else if constexpr (HasShape<A>) {
        r.data = a.data();
        if constexpr (requires { a.data_offset(); }) r.data = a.data() + a.data_offset();
        r.rank = 0;
        for (auto e : a.shape()) {
            if (r.rank < max_rank) r.extents[r.rank] = static_cast<std::int64_t>(e);
            ++r.rank;
        }
        if constexpr (requires { a.strides().size(); }) {
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
