// SPDX-License-Identifier: MIT
// Arrays as arguments and results: views of results and variables, and pointers with extents.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/arrays/array_like.hpp>
#include <xgrad/core/error.hpp>
#include <xgrad/core/arrays/print.hpp>

#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

XGRAD_NAMESPACE_BEGIN

namespace detail {
XGRAD_COLD inline void add_list(message_text& to, char const* begin, std::int64_t const* numbers, int count, char const* end) {
    to.add({begin});
    for (int d = 0; d < count; ++d) to.add({d == 0 ? "" : ", ", numbers[d]});
    to.add({end});
}
[[noreturn]] XGRAD_COLD inline void raise_elements(std::int64_t elements, std::int64_t const* extents, int rank) {
    message_text text;
    text.add({"xgrad::array(elements, extents...): there are ", elements, " elements, and the extents are "});
    add_list(text, "[", extents, rank, "]");
    raise<shape_error>(text.c_str());
}
[[noreturn]] XGRAD_COLD inline void raise_extents(std::int64_t const* extents, int rank) {
    message_text text;
    add_list(text, "xgrad::array(elements, extents...): an extent is negative: [", extents, rank, "]");
    raise<shape_error>(text.c_str());
}
[[noreturn]] XGRAD_COLD inline void raise_index(std::int64_t const* index, int count, std::int64_t const* extents, int rank) {
    message_text text;
    add_list(text, "xgrad: there is no element (", index, count, ")");
    add_list(text, " in a view of shape [", extents, rank, "]");
    if (count == 1 && rank > 1) text.add({"; view[i] counts all elements, view(i, j) those of each axis"});
    raise<value_error>(text.c_str());
}
}   // namespace detail

/// A view of a row-major tensor that the next call may overwrite, without a warning: a pointer and `Rank` extents.
/// * The result of a function is a view of the arena. The next call of the same function overwrites it.
/// * A view of a variable shows what each step makes of it. It stays valid until the variables are destroyed or grow.
/// * A copy stays: `std::vector<float> kept(view.begin(), view.end())`. `f.into(arrays...)` writes to your arrays.
///
/// `train.value(w) = other.value(w)` copies the elements.
/// A named view of writable memory cannot be assigned to, because the assignment could mean either the elements or the
/// view. A named view of results is read-only. Assigning to it makes it refer to other results.
template<class T, int Rank>
class tensor_view {
    T* first_ = nullptr;
    std::array<std::int64_t, Rank> shape_{};

protected:
    constexpr void refer(tensor_view const& other) {
        first_ = other.first_;
        shape_ = other.shape_;
    }

public:
    using value_type = std::remove_const_t<T>;
    constexpr tensor_view() = default;
    constexpr tensor_view(T* first, std::array<std::int64_t, Rank> const& shape) : first_(first), shape_(shape) {}
    constexpr tensor_view(tensor_view const&) = default;
    constexpr tensor_view& operator=(tensor_view const&) &
            requires std::is_const_v<T>
        = default;
    template<class From>
        requires(!std::is_const_v<T>)
    constexpr tensor_view& operator=(From const&) & {
        static_assert(std::is_void_v<From>,
            "xgrad: a named view of elements that can be written is assigned to, which is ambiguous; write train.assign(w, array) "
            "to copy elements, or give the other view another name");
        return *this;
    }
    /// Copies the elements. Throws shape_error if the shapes differ.
    template<class U>
        requires(!std::is_const_v<T> && std::is_same_v<std::remove_const_t<U>, T>)
    void operator=(tensor_view<U, Rank> const& from) && {
        if (from.shape() != shape_)
            raise<shape_error>("xgrad: a view is assigned to a view of another shape; elements are copied between equal shapes");
        if (size() > 0) std::memmove(first_, from.data(), static_cast<std::size_t>(size()) * sizeof(T));
    }
    template<class From>
        requires(!std::is_const_v<T> && !__is_base_of(tensor_view<T, Rank>, From) && !__is_base_of(tensor_view<T const, Rank>, From))
    void operator=(From const&) && {
        static_assert(std::is_void_v<From>,
            "xgrad: a view is assigned something other than a view of its type; write train.assign(w, array) for an array, view(i, "
            "k) = 1 or view() = 1 for a number");
    }
    constexpr T* data() const { return first_; }
    constexpr std::array<std::int64_t, Rank> const& shape() const { return shape_; }
    constexpr std::int64_t shape(int axis) const { return shape_[static_cast<std::size_t>(axis)]; }
    constexpr std::int64_t size() const {
        std::int64_t n = 1;
        for (auto e : shape_) n *= e;
        return n;
    }
    /// A copy of all elements in row-major order: `std::vector<float> numbers = predict(x = images);`
    template<class Container>
        requires std::is_same_v<typename Container::value_type, value_type> && requires(Container c, value_type const* p) {
            c.push_back(*p);
            Container(p, p);
        }
    operator Container() const {
        return Container(begin(), end());
    }
    /// The number in a view of rank 0: `float const rate = train.value(scale);`
    constexpr operator value_type() const
        requires(Rank == 0)
    {
        return *first_;
    }
    template<class Number>
        requires(std::is_floating_point_v<Number> && Rank > 0)
    operator Number() const = delete;   // a view is used as a number; write view(i, k) for an element, mean(loss) to minimize a loss
    /// Prints like NumPy: rows in brackets. Of more than 1000 elements, only the first and last three along each axis.
    template<class C, class Traits>
    friend std::basic_ostream<C, Traits>& operator<<(std::basic_ostream<C, Traits>& out, tensor_view const& view) {
        return detail::print_shaped(out, view.data(), view.shape().data(), Rank, view.size());
    }
    constexpr T* begin() const { return first_; }
    constexpr T* end() const { return first_ + size(); }
    /// Element `i` of all elements in row-major order. Throws value_error if XGRAD_CHECKS is on and there is no such
    /// element.
    constexpr T& operator[](std::int64_t i) const {
        if constexpr (XGRAD_CHECKS != 0)
            if (i < 0 || i >= size()) detail::raise_index(&i, 1, shape_.data(), Rank);
        return first_[i];
    }
    template<class... I>
        requires(sizeof...(I) != Rank)
    constexpr T& operator()(I...) const {
        static_assert(sizeof...(I) < 0,
            "xgrad: view(i...) has more or fewer indices than the view has axes; write view(i, k) for two axes, view() for rank 0, "
            "or view[i] to count all elements");
        return *first_;
    }
    /// The element at one index per axis. Throws like operator[].
    template<class... I>
        requires(sizeof...(I) == Rank)
    constexpr T& operator()(I... index) const {
        std::array<std::int64_t, Rank> const position{static_cast<std::int64_t>(index)...};
        std::int64_t at = 0;
        for (std::size_t d = 0; d < position.size(); ++d) {
            if constexpr (XGRAD_CHECKS != 0)
                if (position[d] < 0 || position[d] >= shape_[d]) detail::raise_index(position.data(), Rank, shape_.data(), Rank);
            at = at * shape_[d] + position[d];
        }
        return first_[at];
    }
};

/// A row-major tensor that owns its memory: the result of a function that does not outlive the call.
template<class T, int Rank>
class tensor : public tensor_view<T, Rank> {
    explicit tensor(tensor_view<T, Rank> const& view) : tensor_view<T, Rank>(view) {}

public:
    explicit tensor(tensor_view<T const, Rank> const& from)
        : tensor(tensor_view<T, Rank>(new T[static_cast<std::size_t>(from.size())], from.shape())) {
        for (std::int64_t i = 0; i < from.size(); ++i) (*this)[i] = from[i];
    }
    tensor(tensor&& other) noexcept : tensor_view<T, Rank>(other) { other.refer({}); }
    tensor& operator=(tensor&& other) noexcept {
        tensor taken(std::move(other));
        tensor_view<T, Rank> const mine = *this;
        this->refer(taken);
        taken.refer(mine);
        return *this;
    }
    ~tensor() { delete[] this->data(); }
};

/// A pointer with extents as an argument: `f(x = xgrad::array(p, 64, 784))`. The memory is row-major and contiguous,
/// and is not copied. Throws shape_error for a negative extent.
template<class T, class... N>
constexpr auto array(T* first, N... extents) {
    static_assert((!std::is_floating_point_v<N> && ...),
        "xgrad::array(elements, extents...): an extent is not an integer; write an integer for each axis: "
        "xgrad::array(numbers, 64, 784)");
    if (((static_cast<std::int64_t>(extents) < 0) || ...)) {
        std::int64_t const given[]{static_cast<std::int64_t>(extents)..., 0};
        detail::raise_extents(given, static_cast<int>(sizeof...(N)));
    }
    return tensor_view<T, static_cast<int>(sizeof...(N))>(first, {static_cast<std::int64_t>(extents)...});
}
/// A vector, span or other contiguous range with extents: `f(x = xgrad::array(numbers, 64, 784))`. Throws shape_error
/// if the number of elements differs. Nothing is copied. So the range must have a name; only spans and views may be
/// temporaries.
template<class R, class... N>
    requires(sizeof...(N) > 0 && requires(R& r) { std::to_address(r.data()), r.size(); })
constexpr auto array(R&& elements, N... extents) {
    constexpr bool lives = std::is_lvalue_reference_v<R> || std::ranges::enable_borrowed_range<std::remove_cvref_t<R>>;
    static_assert(
        lives, "xgrad::array(elements, extents...): elements is a temporary, which ends before the array is read; give it a name");
    auto const all = array(std::to_address(elements.data()), extents...);
    if (auto const there = static_cast<std::int64_t>(elements.size());
        ((static_cast<std::int64_t>(extents) < 0) || ...) || there != all.size())
        detail::raise_elements(there, all.shape().data(), static_cast<int>(sizeof...(N)));
    return all;
}

// Catches array(numbers) and array(numbers, {64, 784}).
template<class R>
    requires requires(R& r) { r.data(), r.size(); }
constexpr auto array(R&&, detail::in_braces = {}) {
    static_assert(sizeof(R) == 0, "xgrad::array(elements, extents...): the extents are missing or in braces; write them one by one: "
                                  "xgrad::array(numbers, 64, 784)");
    return tensor_view<float const, 1>();
}

XGRAD_NAMESPACE_END

template<class T, int Rank>
inline constexpr bool std::ranges::enable_borrowed_range<xgrad::tensor_view<T, Rank>> = true;
#include <xgrad/config/macros_end.hpp>
