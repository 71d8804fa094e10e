// SPDX-License-Identifier: MIT
// Numbers in a random order that is the same on all machines.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/random.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// Computes many random_bits in one pass, in loops over blocks that compilers can vectorize.
struct random_words {
    static constexpr std::size_t blocks = 64, count = 4 * blocks;
    std::uint32_t bits[count];

    /// bits[e] is random_bits(key, count * part + e).
    void fill(random_key const& key, std::uint64_t part) {
        philox_blocks<blocks> c;
        c.fill(philox_key_of(key), key.step, part * blocks);
        for (std::size_t b = 0; b < blocks; ++b)
            for (std::size_t w = 0; w < 4; ++w) bits[b / 16 * random_group + 16 * w + b % 16] = c.word[w][b];
    }
};
/// A number below n from 64 bits: the upper half of bits * n, or the remainder if n has more than 32 bits.
/// The bias towards any number is at most n / 2^64.
constexpr std::uint64_t number_below(std::uint64_t n, std::uint64_t bits) {
    if (n >> 32 != 0) return bits % n;
    return ((bits >> 32) * n + ((bits & 0xFFFFFFFFu) * n >> 32)) >> 32;
}

/// Writes 0, 1, ... in an order that depends only on the key. All orders are equally likely (Fisher and Yates, with
/// Philox).
inline void shuffled_numbers(std::span<std::int64_t> order, random_key const& key) {
    constexpr std::uint64_t draws = random_words::count / 2;
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<std::int64_t>(k);
    random_words words;
    for (std::uint64_t k = order.size(); k > 1; --k) {
        if (k == order.size() || k % draws == draws - 1) words.fill(key, k / draws);
        std::uint32_t const* const word = words.bits + k % draws * 2;
        std::int64_t& other = order[static_cast<std::size_t>(number_below(k, std::uint64_t{word[0]} << 32 | word[1]))];
        std::int64_t const last = order[k - 1];
        order[k - 1] = other;
        other = last;
    }
}
}   // namespace detail

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
