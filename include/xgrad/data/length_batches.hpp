// SPDX-License-Identifier: MIT
// Batches of sequences of near lengths, padded to the longest one of the batch.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/error.hpp>
#include <xgrad/data/batches.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

XGRAD_NAMESPACE_BEGIN

struct length_batches_options {
    std::int64_t size = 0;      ///< sequences of a batch
    std::int64_t window = 50;   ///< batches of a window: sequences are sorted by length in it
    std::uint64_t seed = 0;     ///< decides the order of an epoch, together with the epoch's number
    bool shuffle = true;        ///< false: windows and batches have the order of the sequences
    bool drop_last = false;     ///< true: a batch of fewer sequences is not used
};
/// Sequences of one batch. It is valid until the following batch.
template<class T>
struct padded_batch {
    batch_view<T> values;                 ///< [rows, longest sequence], with the padding after each row's end
    batch_view<std::int32_t> lengths;     ///< of the rows
    std::span<std::int64_t const> rows;   ///< numbers of the sequences, to find their labels
};

/// Batches of sequences of near lengths (bucketing), such as texts of token ids in a `std::vector<std::vector<std::int32_t>>`:
///
///     xg::length_batches all{{.size = 32, .seed = 1}, texts};
///     for (std::int64_t k = 0; k < all.count(); ++k) {
///         auto const& batch = all.next();
///         train(x = batch.values, n = batch.lengths);
///     }
///
/// An epoch has the sequences in a random order. Each window of `window` batches is sorted by length and cut into batches. The batches
/// of all windows come in a random order, which seed and epoch decide, equally on all machines. A large window has less padding, a small
/// one is more random.
/// The sequences are not copied and must stay at their place.
template<class T>
class length_batches {
    std::vector<std::vector<T>> const* sequences_;
    length_batches_options options_;
    T padding_;
    std::vector<std::int64_t> order_, first_;   // the sequences of an epoch, and where its batches begin
    std::vector<T> values_;
    std::vector<std::int32_t> lengths_;
    padded_batch<T> now_;
    std::int64_t epoch_ = 0, batch_ = 0, ordered_ = -1;

    std::size_t length_of(std::int64_t row) const { return (*sequences_)[static_cast<std::size_t>(row)].size(); }
    std::int64_t sequences() const { return static_cast<std::int64_t>(sequences_->size()); }
    random_key key(char const* name) const {
        return {.seed = options_.seed, .name_hash = hash_name(name), .step = static_cast<std::uint64_t>(epoch_)};
    }
    void sort_epoch() {
        for (std::size_t k = 0; k < order_.size(); ++k) order_[k] = static_cast<std::int64_t>(k);
        if (options_.shuffle) detail::shuffled_numbers(order_, key("xgrad.length_batches"));
        std::int64_t const n = sequences(), window = options_.window <= n / options_.size ? options_.window * options_.size : n;
        for (std::int64_t from = 0; from < n; from += window)
            std::stable_sort(order_.begin() + from, order_.begin() + std::min(from + window, n),
                [this](std::int64_t a, std::int64_t b) { return length_of(a) < length_of(b); });
        std::vector<std::int64_t> places(first_.size());
        for (std::size_t k = 0; k < places.size(); ++k) places[k] = static_cast<std::int64_t>(k);
        if (options_.shuffle) detail::shuffled_numbers(places, key("xgrad.length_batches.places"));
        for (std::size_t k = 0; k < places.size(); ++k) first_[k] = places[k] * options_.size;
        ordered_ = epoch_;
    }

public:
    /// Throws value_error for a size or window below 1, and if there would be no batch.
    length_batches(length_batches_options const& options, std::vector<std::vector<T>> const& sequences, T padding = T(0))
        : sequences_(&sequences), options_(options), padding_(padding) {
        if (options.size < 1 || options.window < 1)
            raise_parts<value_error>(
                {"xgrad: length_batches: the size is ", options.size, " and the window ", options.window, "; both must be at least 1"});
        std::int64_t const n = this->sequences();
        std::int64_t const count = n / options.size + (!options.drop_last && n % options.size != 0);
        if (count < 1)
            raise_parts<value_error>(
                {"xgrad: length_batches: there would be no batch: there are ", n, " sequences, and the size is ", options.size});
        order_.resize(static_cast<std::size_t>(n));
        first_.resize(static_cast<std::size_t>(count));
    }
    length_batches(length_batches_options const&, std::vector<std::vector<T>> const&&, T = T(0)) = delete;   // it would end before its use

    /// The number of batches of an epoch.
    std::int64_t count() const { return static_cast<std::int64_t>(first_.size()); }
    /// The epoch of the next batch, and its number in the epoch, both counted from 0.
    std::int64_t epoch() const { return epoch_; }
    std::int64_t batch() const { return batch_; }
    /// Sets the position. Throws value_error if there is no such batch.
    length_batches& at(std::int64_t epoch, std::int64_t batch = 0) {
        if (epoch < 0 || batch < 0 || batch >= count())
            raise_parts<value_error>(
                {"xgrad: length_batches: there is no batch ", batch, " of epoch ", epoch, ": each epoch, from 0 on, has ", count()});
        epoch_ = epoch;
        batch_ = batch;
        return *this;
    }
    /// The next batch. After the last one of an epoch, the first one of the next epoch.
    padded_batch<T> const& next() {
        if (ordered_ != epoch_) sort_epoch();
        std::int64_t const first = first_[static_cast<std::size_t>(batch_)], rows = std::min(options_.size, sequences() - first);
        std::span<std::int64_t const> const chosen(order_.data() + first, static_cast<std::size_t>(rows));
        std::size_t longest = 0;
        for (std::int64_t const row : chosen) longest = std::max(longest, length_of(row));
        values_.assign(static_cast<std::size_t>(rows) * longest, padding_);
        lengths_.clear();
        for (std::size_t k = 0; k < chosen.size(); ++k) {
            std::vector<T> const& s = (*sequences_)[static_cast<std::size_t>(chosen[k])];
            std::copy(s.begin(), s.end(), values_.begin() + static_cast<std::ptrdiff_t>(k * longest));
            lengths_.push_back(static_cast<std::int32_t>(s.size()));
        }
        std::int64_t const extents[]{rows, static_cast<std::int64_t>(longest)};
        now_ = {{values_.data(), extents}, {lengths_.data(), std::span(extents).first(1)}, chosen};
        if (++batch_ == count()) {
            batch_ = 0;
            ++epoch_;
        }
        return now_;
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
