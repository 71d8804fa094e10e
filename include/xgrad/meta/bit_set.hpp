// SPDX-License-Identifier: MIT
// A set of small numbers, as bits. It can be a template argument.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <cstdint>

XGRAD_NAMESPACE_BEGIN

/// Numbers below Count.
template<int Count>
struct bit_set {
    static constexpr int word_count = (Count + 63) / 64;
    std::uint64_t words[static_cast<unsigned>(word_count)];

    constexpr bool has(int k) const { return (words[k / 64] >> k % 64 & 1) != 0; }
    constexpr void add(int k) { words[k / 64] |= std::uint64_t{1} << k % 64; }
    /// The numbers from `first` to `end` - 1.
    constexpr void add(int first, int end) {
        for (int k = first; k < end; ++k) add(k);
    }
    constexpr void add(bit_set const& o) {
        for (int i = 0; i < word_count; ++i) words[i] |= o.words[i];
    }
    constexpr void remove(bit_set const& o) {
        for (int i = 0; i < word_count; ++i) words[i] &= ~o.words[i];
    }
    /// `first` + k for each bit k of `bits`.
    constexpr void add_bits(std::uint64_t bits, int first) {
        int const shift = first % 64;
        words[first / 64] |= bits << shift;
        if (shift > 0 && first / 64 + 1 < word_count) words[first / 64 + 1] |= bits >> (64 - shift);
    }
    constexpr bool empty() const {
        std::uint64_t any = 0;
        for (std::uint64_t const w : words) any |= w;
        return any == 0;
    }
    friend constexpr bool operator==(bit_set const&, bit_set const&) = default;
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
