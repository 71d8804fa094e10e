// SPDX-License-Identifier: MIT
// Dropout of weights of attention that are never stored: a random number for each position, the same in each pass.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/random.hpp>

#include <cstdint>

XGRAD_NAMESPACE_BEGIN
namespace detail::attend {

/// Which weights of a head stay: random_bits of Philox, where the step is the row and the element is the key.
template<class T>
struct weight_drops {
    philox_key key{};
    std::int64_t first_row = 0;   // row 0 of this head, counted over all heads
    std::uint32_t least = 0;      // upper 24 bits below this number drop a weight; 0: all stay
    T factor = 1;                 // of those that stay

    static weight_drops of(T const* numbers, std::int64_t count, std::int64_t first_row, double rate) {
        std::uint64_t seed = 0;
        for (std::int64_t i = 0; i < count; ++i) seed = mix_bits(seed + static_cast<std::uint64_t>(numbers[i] * T(0x1p24)));
        double const share = rate * 0x1p24;
        std::uint32_t least = static_cast<std::uint32_t>(share);
        least += static_cast<double>(least) < share;
        return {philox_key_of({.seed = seed}), first_row, least, static_cast<T>(1 / (1 - rate))};
    }
    /// Weights, or their gradients, of `count` keys from `first` on.
    void apply(T* s, std::int64_t row, std::int64_t first, std::int64_t count) const {
        if (least != 0) drop(s, row, first, count);
    }

private:
    void drop(T* s, std::int64_t row, std::int64_t first, std::int64_t count) const {
        constexpr std::int64_t group = random_group;
        constexpr std::size_t blocks = random_group / 4;
        philox_blocks<blocks> words;
        for (std::int64_t from = first / group * group; from < first + count; from += group) {
            words.fill(key, static_cast<std::uint64_t>(first_row + row), static_cast<std::uint64_t>(from / group) * blocks);
            std::uint32_t const* const bits = words.word[0];
            std::int64_t const begin = from < first ? first : from, end = from + group < first + count ? from + group : first + count;
            for (std::int64_t j = begin; j < end; ++j) s[j - first] = bits[j - from] >> 8 >= least ? s[j - first] * factor : T(0);
        }
    }
};

}   // namespace detail::attend
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
