// SPDX-License-Identifier: MIT
// Rows for keys: maps 64-bit keys to rows of a table. Rows are assigned in the order in which keys are first seen.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/error.hpp>
#include <xgrad/core/random.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

XGRAD_NAMESPACE_BEGIN

/// A key for a text: a 64-bit hash. Two texts with the same key share a row. Among a million texts the probability of that is about 3e-8.
constexpr std::int64_t key_of(std::string_view text) { return static_cast<std::int64_t>(mix_bits(hash_text(text))); }

namespace detail {
/// Throws shape_error if the numbers of keys and rows differ.
inline void check_room(std::string_view what, std::string const& name, std::size_t keys, std::size_t rows) {
    if (keys != rows)
        raise<shape_error>(
            message({"xgrad: the ", what, " \"", name, "\": there are ", keys, " keys and ", rows, " rows; give one row for each key"}));
}
}   // namespace detail

/// The rows of a growing table. The row of a key is the number of keys inserted before it.
/// Inputs of a step are rows, so keys are looked up before the step:
///
///     auto rows = users_seen.lookup_or_insert(keys);
///     if (users_seen.size() > train.value(users).shape(0)) train.grow(features = 2 * users_seen.size(), xg::random_uniform{.seed = 1});
///     train(ids = rows);
///
/// A hash table with open addressing, at most half full. It uses 8 bytes per key for the keys, and 8 to 16 for their places.
/// It is saved and restored with a checkpoint under its name.
/// Several threads may look up keys at the same time. No other call may run during an insertion.
class vocabulary {
    std::string name_;
    std::vector<std::int64_t> keys_;     // of each row
    std::vector<std::int32_t> places_;   // row + 1; 0: free; their number is a power of two

    std::size_t place_of(std::int64_t key) const {
        std::size_t const mask = places_.size() - 1;
        std::size_t at = static_cast<std::size_t>(mix_bits(static_cast<std::uint64_t>(key))) & mask;
        while (places_[at] != 0 && keys_[static_cast<std::size_t>(places_[at] - 1)] != key) at = (at + 1) & mask;
        return at;
    }
    void widen(std::size_t count) {   // places for `count` keys
        if (count > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
            raise<value_error>("xgrad: the vocabulary \"" + name_ + "\" has no rows left: it holds up to 2^31 - 1 keys");
        std::size_t n = 16;
        while (n < 2 * count) n *= 2;
        if (n <= places_.size()) return;
        std::vector<std::int32_t>(n, 0).swap(places_);
        for (std::size_t row = 0; row < keys_.size(); ++row) places_[place_of(keys_[row])] = static_cast<std::int32_t>(row) + 1;
    }
    template<class Row>
    void check_lengths(std::span<std::int64_t const> keys, std::span<Row> rows) const {
        detail::check_room("vocabulary", name_, keys.size(), rows.size());
    }

public:
    template<class R = void>
    vocabulary() {
        static_assert(!std::is_void_v<R>,
            "xgrad::vocabulary: the name is missing, by which a checkpoint finds its keys; write vocabulary users(\"users\")");
    }
    /// `name`: the keys are saved in a checkpoint as "name/keys". Throws value_error if the name is empty.
    explicit vocabulary(std::string name) : name_(std::move(name)) {
        if (name_.empty()) raise<value_error>("xgrad::vocabulary: its name is empty; a checkpoint has its keys as \"name/keys\"");
        widen(0);
    }

    std::string const& name() const { return name_; }
    /// The number of assigned rows.
    std::int64_t size() const { return static_cast<std::int64_t>(keys_.size()); }
    /// The key of each row.
    std::vector<std::int64_t> const& keys() const { return keys_; }
    bool contains(std::int64_t key) const { return places_[place_of(key)] != 0; }
    /// Allocates memory for this many keys, so that inserting them does not allocate.
    void reserve(std::int64_t count) {
        widen(static_cast<std::size_t>(count));
        keys_.reserve(static_cast<std::size_t>(count));
    }

    /// The row of a key, or `missing` for an unknown key.
    std::int64_t lookup(std::int64_t key, std::int64_t missing = -1) const {
        std::int32_t const row = places_[place_of(key)];
        return row != 0 ? row - 1 : missing;
    }
    /// The same for many keys, into std::int32_t or std::int64_t. Does not allocate. Throws shape_error if the lengths differ.
    template<class Row>
    void lookup(std::span<std::int64_t const> keys, std::span<Row> rows, std::int64_t missing = -1) const {
        check_lengths(keys, rows);
        for (std::size_t i = 0; i < keys.size(); ++i) rows[i] = static_cast<Row>(lookup(keys[i], missing));
    }

    /// The row of a key; an unknown key gets a new row. Throws std::bad_alloc, or
    /// value_error if there are 2^31 - 1 keys. In these cases the key is not inserted.
    std::int64_t lookup_or_insert(std::int64_t key) {
        if (std::int64_t const row = lookup(key); row >= 0) return row;
        widen(keys_.size() + 1);
        keys_.push_back(key);
        places_[place_of(key)] = static_cast<std::int32_t>(keys_.size());
        return size() - 1;
    }
    /// The same for many keys, in order. After a failure the earlier ones stay inserted.
    template<class Row>
    void lookup_or_insert(std::span<std::int64_t const> keys, std::span<Row> rows) {
        check_lengths(keys, rows);
        for (std::size_t i = 0; i < keys.size(); ++i) rows[i] = static_cast<Row>(lookup_or_insert(keys[i]));
    }
    std::vector<std::int32_t> lookup_or_insert(std::span<std::int64_t const> keys) {
        std::vector<std::int32_t> rows(keys.size());
        lookup_or_insert(keys, std::span(rows));
        return rows;
    }

    // For checkpoints: what is saved, its name, and how it is restored.
    static constexpr std::string_view saved_as = "keys", broken = "has a key twice";
    std::vector<std::int64_t> const& numbers() const { return keys_; }
    /// The same vocabulary without keys.
    vocabulary blank() const { return vocabulary(name_); }
    /// Replaces all keys by these, in the order of their rows. Returns false, and changes nothing, if a key occurs twice.
    bool assign(std::span<std::int64_t const> keys) {
        vocabulary other(name_);
        other.reserve(static_cast<std::int64_t>(keys.size()));
        for (std::int64_t const k : keys) other.lookup_or_insert(k);
        if (other.keys_.size() != keys.size()) return false;
        std::swap(*this, other);
        return true;
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
