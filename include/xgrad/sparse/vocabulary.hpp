// SPDX-License-Identifier: MIT
// Rows for keys: 64-bit keys of any value to the rows of a table, given out in the order in which keys are first seen.
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

/// A key for a text, by a hash of 64 bits. Two texts with one key share a row; among a million texts that happens with a chance of about 3e-8.
constexpr std::int64_t key_of(std::string_view text) { return static_cast<std::int64_t>(mix_bits(hash_text(text))); }

namespace detail {
/// As many rows as keys; else shape_error.
inline void check_room(std::string_view what, std::string const& name, std::size_t keys, std::size_t rows) {
    if (keys != rows) raise<shape_error>(message({"xgrad: the ", what, " \"", name, "\": ", keys, " keys and room for ", rows, " rows"}));
}
}   // namespace detail

/// The rows of a table that grows: key k has the row in which it came. Inputs of a step are rows; keys are looked up before it:
///
///     auto rows = users_seen.lookup_or_insert(keys);
///     if (users_seen.size() > train.value(users).shape(0)) train.grow(features = 2 * users_seen.size(), xg::random_uniform{.seed = 1});
///     train(ids = rows);
///
/// A hash table with open addressing, at most half full: 8 bytes a key for the keys and 8 to 16 for their places. Saved and restored with a
/// checkpoint under its name. Looking up may run in several threads; inserting not at the same time as anything else.
class vocabulary {
    std::string name_;
    std::vector<std::int64_t> keys_;     // of each row
    std::vector<std::int32_t> places_;   // row + 1, 0 is free; a power of two of them

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
        static_assert(
            !std::is_void_v<R>, "xgrad::vocabulary: it has a name, of which a checkpoint has its keys: vocabulary users(\"users\")");
    }
    /// `name`: that of its keys in a checkpoint, which is "name/keys". Throws value_error for an empty one.
    explicit vocabulary(std::string name) : name_(std::move(name)) {
        if (name_.empty()) raise<value_error>("xgrad::vocabulary: its name is empty; a checkpoint has its keys as \"name/keys\"");
        widen(0);
    }

    std::string const& name() const { return name_; }
    /// The number of rows given out.
    std::int64_t size() const { return static_cast<std::int64_t>(keys_.size()); }
    /// The key of each row.
    std::vector<std::int64_t> const& keys() const { return keys_; }
    bool contains(std::int64_t key) const { return places_[place_of(key)] != 0; }
    /// Room for this many keys, so that inserting them allocates nothing.
    void reserve(std::int64_t count) {
        widen(static_cast<std::size_t>(count));
        keys_.reserve(static_cast<std::size_t>(count));
    }

    /// The row of a key, `missing` for one that is not there.
    std::int64_t lookup(std::int64_t key, std::int64_t missing = -1) const {
        std::int32_t const row = places_[place_of(key)];
        return row != 0 ? row - 1 : missing;
    }
    /// The same for many, into std::int32_t or std::int64_t. Allocates nothing. Throws shape_error where the lengths differ.
    template<class Row>
    void lookup(std::span<std::int64_t const> keys, std::span<Row> rows, std::int64_t missing = -1) const {
        check_lengths(keys, rows);
        for (std::size_t i = 0; i < keys.size(); ++i) rows[i] = static_cast<Row>(lookup(keys[i], missing));
    }

    /// The row of a key, a new one for a key that is not there. Throws std::bad_alloc, and value_error where there are 2^31 - 1 keys; the key is not
    /// inserted then.
    std::int64_t lookup_or_insert(std::int64_t key) {
        if (std::int64_t const row = lookup(key); row >= 0) return row;
        widen(keys_.size() + 1);
        keys_.push_back(key);
        places_[place_of(key)] = static_cast<std::int32_t>(keys_.size());
        return size() - 1;
    }
    /// The same for many, in their order; those before a failure stay inserted.
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

    // For checkpoints: what is saved, as what, and back.
    static constexpr std::string_view saved_as = "keys", broken = "has a key twice";
    std::vector<std::int64_t> const& numbers() const { return keys_; }
    /// The same without any key.
    vocabulary blank() const { return vocabulary(name_); }
    /// These keys, in the order of their rows, in place of all; false where one occurs twice, and nothing has been changed then.
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
