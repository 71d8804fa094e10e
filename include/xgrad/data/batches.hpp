// SPDX-License-Identifier: MIT
// Batches of arrays in the caller's memory, in a random order that can be repeated.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/arrays/array.hpp>
#include <xgrad/core/error.hpp>
#include <xgrad/data/shuffle.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

XGRAD_NAMESPACE_BEGIN

struct batches_options {
    std::int64_t size = 0;          ///< rows of a batch
    std::uint64_t seed = 0;         ///< decides the order of an epoch, together with the epoch's number
    bool shuffle = true;            ///< false: each epoch has the order of the arrays, and nothing is copied
    bool drop_last = false;         ///< true: the last batch of an epoch is not used if it is smaller
    std::string name = "batches";   ///< name in checkpoints and errors
};

/// Some rows of an array: an address and extents. The first extent is the number of rows. It can be bound to an input.
template<class T>
class batch_view {
    T const* first_ = nullptr;
    std::int64_t extents_[max_rank]{};
    int rank_ = 0;

public:
    using value_type = T;
    batch_view() = default;
    batch_view(T const* first, std::span<std::int64_t const> extents) : first_(first), rank_(static_cast<int>(extents.size())) {
        for (int d = 0; d < rank_; ++d) extents_[d] = extents[static_cast<std::size_t>(d)];
    }
    T const* data() const { return first_; }
    std::span<std::int64_t const> shape() const { return {extents_, static_cast<std::size_t>(rank_)}; }
    std::int64_t shape(int axis) const { return extents_[axis]; }
    std::int64_t size() const {
        std::int64_t n = 1;
        for (std::int64_t const e : shape()) n *= e;
        return n;
    }
    template<class C, class Traits>
    friend std::basic_ostream<C, Traits>& operator<<(std::basic_ostream<C, Traits>& out, batch_view const& view) {
        return detail::print_shaped(out, view.data(), view.extents_, view.rank_, view.size());
    }
    T const* begin() const { return first_; }
    T const* end() const { return first_ + size(); }
    /// Element `i` of all elements in row-major order. Throws value_error if XGRAD_CHECKS is on and there is no such
    /// element.
    T const& operator[](std::int64_t i) const {
        if constexpr (XGRAD_CHECKS != 0)
            if (i < 0 || i >= size()) detail::raise_index(&i, 1, extents_, rank_);
        return first_[i];
    }
};

namespace detail {
/// The part of batches that does not depend on element types.
class batch_rows {
    struct source {
        std::byte const* first;
        std::size_t row;   // bytes
        int rank;
        std::int64_t extents[max_rank];
        std::vector<std::byte> copies;   // the rows of a batch, unless they are contiguous in the array
        std::byte const* batch;
    };
    batches_options options_;
    std::vector<source> sources_;
    std::vector<std::int64_t> order_;   // the order of epoch ordered_
    std::int64_t rows_ = 0, ordered_ = -1, epoch_ = 0, batch_ = 0;

    [[noreturn]] void fail(std::initializer_list<message_part> parts) const {
        raise<value_error>(message({"xgrad: the batches \"", options_.name, "\" ", message(parts)}));
    }
    void add(array_ref const& a, std::size_t element) {
        int const number = static_cast<int>(sources_.size()) + 1;
        auto const refuse = [&](std::initializer_list<message_part> parts) {
            return message({"xgrad: the batches \"", options_.name, "\": array ", number, " ", message(parts)});
        };
        if (a.rank < 1 || a.rank > max_rank)
            raise<shape_error>(refuse({"has rank ", a.rank, ", expected are 1 to ", max_rank, " axes, of which the first one is rows"}));
        if (!a.contiguous)
            raise<binding_error>(
                refuse({"does not have contiguous rows; copy it to a row-major container first, for example with xt::eval"}));
        if (number == 1) rows_ = a.extents[0];
        if (a.extents[0] != rows_) {
            bool const flat = a.rank == 1 || sources_[0].rank == 1;
            raise<shape_error>(refuse({"has ", a.extents[0], " rows, and array 1 has ", rows_,
                flat ? "; one of several columns needs its extents: xgrad::array(pointer, rows, columns)" : ""}));
        }
        source s{static_cast<std::byte const*>(a.data), element, a.rank, {}, {}, nullptr};
        for (int d = 0; d < a.rank; ++d) {
            s.extents[d] = a.extents[d];
            if (d > 0) s.row *= static_cast<std::size_t>(a.extents[d]);
        }
        sources_.push_back(std::move(s));
    }

protected:
    struct typed_ref {
        array_ref array;
        std::size_t element;
    };
    batch_rows(batches_options const& options, std::initializer_list<typed_ref> arrays) : options_(options) {
        for (typed_ref const& a : arrays) add(a.array, a.element);
        if (options.size < 1) fail({"have size ", options.size, ", which must be at least 1"});
        if (rows_ < 1) fail({"have arrays without rows"});
        if (count() < 1)
            fail({"would be empty: there are ", rows_, " rows, and a batch of less than ", options.size, " is dropped with drop_last"});
        if (!options.shuffle) return;
        order_.resize(static_cast<std::size_t>(rows_));
        for (source& s : sources_) s.copies.resize(static_cast<std::size_t>(options.size < rows_ ? options.size : rows_) * s.row);
    }
    /// Prepares the next batch. Does not allocate.
    void take_next() {
        std::int64_t const first = batch_ * options_.size, left = rows_ - first, n = left < options_.size ? left : options_.size;
        if (options_.shuffle && ordered_ != epoch_) {
            random_key key;
            key.seed = options_.seed;
            key.name_hash = hash_text("xgrad.batches");
            key.step = static_cast<std::uint64_t>(epoch_);
            shuffled_numbers(order_, key);
            ordered_ = epoch_;
        }
        for (source& s : sources_) {
            s.extents[0] = n;
            s.batch = options_.shuffle ? s.copies.data() : s.first + static_cast<std::size_t>(first) * s.row;
            for (std::int64_t k = 0; options_.shuffle && s.row > 0 && k < n; ++k)
                std::memcpy(s.copies.data() + static_cast<std::size_t>(k) * s.row,
                    s.first + static_cast<std::size_t>(order_[static_cast<std::size_t>(first + k)]) * s.row, s.row);
        }
        if (++batch_ == count()) {
            batch_ = 0;
            ++epoch_;
        }
    }
    template<class T>
    batch_view<T> view(std::size_t k) const {
        source const& s = sources_[k];
        return {reinterpret_cast<T const*>(s.batch), {s.extents, static_cast<std::size_t>(s.rank)}};
    }
    void go_to(std::int64_t epoch, std::int64_t batch) {
        if (epoch < 0 || batch < 0 || batch >= count())
            fail({"have no batch ", batch, " of epoch ", epoch, ": each epoch, from 0 on, has ", count()});
        epoch_ = epoch;
        batch_ = batch;
    }

public:
    std::string const& name() const { return options_.name; }
    batches_options const& options() const { return options_; }
    /// The number of rows of each array.
    std::int64_t rows() const { return rows_; }
    /// The number of batches of an epoch.
    std::int64_t count() const { return rows_ / options_.size + (!options_.drop_last && rows_ % options_.size != 0); }
    /// The epoch of the next batch, and its number in the epoch, both counted from 0.
    std::int64_t epoch() const { return epoch_; }
    std::int64_t batch() const { return batch_; }

    // For checkpoints: the saved numbers, their name, and how to restore them.
    static constexpr std::string_view saved_as = "position",
                                      broken = "is not a position in batches of this size, this number of rows and this kind of order";
    std::array<std::int64_t, 7> numbers() const {
        return {epoch_, batch_, static_cast<std::int64_t>(options_.seed), rows_, options_.size, options_.shuffle, options_.drop_last};
    }
    /// Restores position and seed. Returns false for numbers of different batches; nothing has changed then.
    bool assign(std::span<std::int64_t const> numbers) {
        auto const mine = this->numbers();
        if (numbers.size() != mine.size() || numbers[0] < 0 || numbers[1] < 0 || numbers[1] >= count()) return false;
        for (std::size_t k = 3; k < mine.size(); ++k)
            if (numbers[k] != mine[k]) return false;
        epoch_ = numbers[0];
        batch_ = numbers[1];
        options_.seed = static_cast<std::uint64_t>(numbers[2]);
        ordered_ = -1;
        return true;
    }
};
/// The element type. For a type that is not an array, which is refused, it is char.
template<class A>
using batch_element = std::conditional_t<std::is_void_v<typename element_of<A>::type>, char, typename element_of<A>::type>;
struct refused_batches {};
template<class T>
inline constexpr bool is_batches = std::is_base_of_v<batch_rows, T>;
/// Option names that other tools use.
struct other_size {
    std::int64_t size;
    constexpr other_size(std::int64_t n) : size(n) {}
};
struct other_batches_options {
    refused_batches by_name_alone{};   // {64, 1} are batches_options
    other_size batch_size;
    std::uint64_t seed = 0;
    bool shuffle = true, drop_last = false, drop_remainder = false;
    char const* name = "";
};
}   // namespace detail

/// Batches of arrays with equal first axes:
///
///     xg::batches all{{.size = 64, .seed = 1}, images, labels};
///     for (int epoch = 0; epoch < 10; ++epoch)
///         for (auto const& [images, labels] : all) train(x = images, y = labels);
///
/// * Order: each epoch has the rows in another order. Seed and epoch number decide it, equally on all machines.
/// * Position: batches have a position, like a file. A loop starts there and runs to the end of the epoch. next()
///   continues without end.
/// * Checkpoints: save and restore take the object after the path, `save(train, path, {}, all)`. Training then
///   continues with the batches that would have come next. A file with another number of rows, batch size or kind of
///   order is refused.
/// * Memory: the arrays are not copied and must stay at their place. `array(...)`, spans and other views may be
///   temporaries. The result of next() is valid until the following batch. The constructor allocates the rows of one
///   batch and 8 bytes per row of the arrays. Iterating does not allocate.
/// * Threads: do not use one object in several threads at the same time.
template<class... T>
class batches : public detail::batch_rows {
    template<class A>
    static typed_ref reference(A const& a) {
        if constexpr (detail::is_array_like<A>()) {
            static_assert(std::is_trivially_copyable_v<typename detail::element_of<A>::type>);
            return {detail::refer_to(a), sizeof(typename detail::element_of<A>::type)};
        } else {
            return {};
        }
    }

public:
    /// Throws shape_error if the first axes differ or an array has no axis, binding_error for strides, value_error if
    /// there would be no batch.
    template<class... A>
        requires(sizeof...(A) > 0 && sizeof...(A) == sizeof...(T))
    explicit batches(batches_options const& options, A&&... arrays) : batch_rows(options, {reference<std::remove_cvref_t<A>>(arrays)...}) {
        static_assert(((std::is_lvalue_reference_v<A> || detail::is_view<std::remove_cvref_t<A>>)&&...),
            "xgrad::batches{options, arrays...}: an array is a temporary, which ends before its rows are read; give it a name");
    }

    /// The next batch. After the last one of an epoch, the first one of the next epoch.
    std::tuple<batch_view<T>...> next() {
        take_next();
        return [&]<std::size_t... K>(std::index_sequence<K...>) { return std::tuple(this->template view<T>(K)...); }(
                   std::index_sequence_for<T...>{});
    }
    /// Sets the position: `for (auto const& [x, y] : all.at(3))` is epoch 3. Throws value_error if there is no such
    /// batch.
    batches& at(std::int64_t epoch, std::int64_t batch = 0) {
        this->go_to(epoch, batch);
        return *this;
    }

    /// Iterates over the rest of the epoch. A batch counts as used when it is read. You may leave the loop
    /// anywhere: position and checkpoints in it mean the next unread batch.
    class iterator {
        batches* from_ = nullptr;
        std::int64_t left_ = 0;
        mutable std::tuple<batch_view<T>...> now_;
        mutable bool taken_ = false;

    public:
        using value_type = std::tuple<batch_view<T>...>;
        using difference_type = std::ptrdiff_t;
        iterator() = default;
        explicit iterator(batches& from) : from_(&from), left_(from.count() - from.batch()) {}
        value_type const& operator*() const {
            if (!taken_) now_ = from_->next();
            taken_ = true;
            return now_;
        }
        iterator& operator++() {
            **this;   // skips a batch that was not read
            taken_ = false;
            --left_;
            return *this;
        }
        void operator++(int) { ++*this; }
        friend bool operator==(iterator const& i, std::default_sentinel_t) { return i.left_ == 0; }
    };
    iterator begin() { return iterator(*this); }
    std::default_sentinel_t end() const { return {}; }

    // For checkpoints.
    batches blank() const { return *this; }
};
// Catches batches{64, x, y}, batches{{.batch_size = 64}, x, y}, batches{x, y, {.size = 64}}, batches{{.size = 64}}.
template<>
class batches<detail::refused_batches> {
    template<class... A>
    static void refuse() {
        static_assert(sizeof...(A) > 99,
            "xgrad::batches{options, arrays...}: the first argument is not the options in braces, size, seed, shuffle, drop_last, "
            "name; write batches all{{.size = 64, .seed = 1}, images, labels}");
    }

public:
    template<class... A>
    explicit batches(A const&...) {
        refuse<A...>();
    }
    template<class... A>
    explicit batches(detail::other_batches_options const&, A const&...) {
        refuse<A...>();
    }
    template<class R = void>
    explicit batches(batches_options const&) {
        refuse<R>();
    }
    template<class A>
    batches(A const&, batches_options const&) {
        refuse<A>();
    }
    template<class A, class B>
    batches(A const&, B const&, batches_options const&) {
        refuse<A, B>();
    }
};
template<class A, class... B>
    requires(!std::is_same_v<std::remove_cvref_t<A>, batches_options> && !detail::is_batches<std::remove_cvref_t<A>>)
batches(A&&, B&&...) -> batches<detail::refused_batches>;
batches(batches_options) -> batches<detail::refused_batches>;
template<class... A>
batches(detail::other_batches_options, A&&...) -> batches<detail::refused_batches>;
template<class A>
batches(A&&, batches_options) -> batches<detail::refused_batches>;
template<class A, class B>
batches(A&&, B&&, batches_options) -> batches<detail::refused_batches>;
template<class... A>
batches(batches_options, A&&...) -> batches<detail::batch_element<std::remove_cvref_t<A>>...>;

XGRAD_NAMESPACE_END

template<class T>
inline constexpr bool std::ranges::enable_borrowed_range<xgrad::batch_view<T>> = true;
#include <xgrad/config/macros_end.hpp>
