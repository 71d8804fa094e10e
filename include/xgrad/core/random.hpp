// SPDX-License-Identifier: MIT
// Counter-based random numbers (Philox4x32-10): a number depends on its key and position only, never on order or threads.
#pragma once

#include <xgrad/meta/fixed_string.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

XGRAD_NAMESPACE_BEGIN

using philox_counter = std::array<std::uint32_t, 4>;
using philox_key = std::array<std::uint32_t, 2>;

/// Philox4x32-10 of Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011): four words of 32 random
/// bits for each pair of counter and key. Equal to Random123's `philox4x32_R(10, ...)`.
constexpr philox_counter philox(philox_counter c, philox_key k) noexcept {
    for (int round = 0; round < 10; ++round) {
        std::uint64_t const p = std::uint64_t{0xD2511F53u} * c[0];
        std::uint64_t const q = std::uint64_t{0xCD9E8D57u} * c[2];
        c = {static_cast<std::uint32_t>(q >> 32) ^ c[1] ^ k[0], static_cast<std::uint32_t>(q),
            static_cast<std::uint32_t>(p >> 32) ^ c[3] ^ k[1], static_cast<std::uint32_t>(p)};
        k[0] += 0x9E3779B9u;
        k[1] += 0xBB67AE85u;
    }
    return c;
}

/// Output function of splitmix64 (Steele, Lea, Flood 2014): a bijection of 64 bits.
constexpr std::uint64_t mix_bits(std::uint64_t x) noexcept {
    std::uint64_t z = x + 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/// The hash of a name, for random_key::name_hash; the same as of the names of leaves.
constexpr std::uint64_t hash_name(std::string_view name) noexcept { return hash_text(name); }

/// Float in [0, 1): the upper 24 bits times 2^-24, so every value is exact and 1 is never reached.
constexpr float uniform01(std::uint32_t bits) noexcept { return static_cast<float>(static_cast<std::int32_t>(bits >> 8)) * 0x1p-24f; }
/// Double in [0, 1) from 53 of two words' bits; `high` gives the leading 32.
constexpr double uniform01(std::uint32_t high, std::uint32_t low) noexcept {
    return static_cast<double>((std::uint64_t{high} << 21) | (low >> 11)) * 0x1p-53;
}

/// What a random tensor depends on. `seed` and `step` are stored state, `name_hash` is hash_name of the op or variable, `worker` the
/// replica, `iteration` the turn of a loop inside one step.
struct random_key {
    std::uint64_t seed = 0;
    std::uint64_t name_hash = 0;
    std::uint64_t step = 0;
    std::uint32_t worker = 0;
    std::uint32_t iteration = 0;

    friend constexpr bool operator==(random_key const&, random_key const&) = default;
};

/// Elements come in groups of 64 = 4 words x 16 blocks: within group g, element 16 w + b is word w of block 16 g + b. Four stores of
/// 16 neighbours follow from that, with no shuffle, for every SIMD width up to 16; the numbers do not depend on the width.
inline constexpr std::size_t random_group = 64;

/// The Philox key of a random_key: mix(mix(mix(seed) + name_hash) + (worker << 32 | iteration)). Two random_keys that differ in one of
/// the four fields never share a Philox key.
constexpr philox_key philox_key_of(random_key const& key) noexcept {
    std::uint64_t const named = mix_bits(mix_bits(key.seed) + key.name_hash);
    std::uint64_t const k = mix_bits(named + ((std::uint64_t{key.worker} << 32) | key.iteration));
    return {static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(k >> 32)};
}

/// The Philox counter: (block low, block high, step low, step high).
constexpr philox_counter philox_counter_of(std::uint64_t step, std::uint64_t block) noexcept {
    return {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), static_cast<std::uint32_t>(step),
        static_cast<std::uint32_t>(step >> 32)};
}

/// The 32 random bits of one element: the definition that the filling loops below reproduce.
constexpr std::uint32_t random_bits(random_key const& key, std::uint64_t element) noexcept {
    std::uint64_t const block = element / random_group * 16 + element % 16;
    return philox(philox_counter_of(key.step, block), philox_key_of(key))[element % random_group / 16];
}

namespace detail {

// One round over 16 blocks: the rounds stand outside, the lanes inside, so that compilers make a batch of each line.
constexpr void philox_round(std::uint32_t* XGRAD_RESTRICT c, philox_key k) noexcept {
    for (std::size_t b = 0; b < 16; ++b) {
        std::uint64_t const p = std::uint64_t{0xD2511F53u} * c[b];
        std::uint64_t const q = std::uint64_t{0xCD9E8D57u} * c[32 + b];
        std::uint32_t const c1 = c[16 + b];
        std::uint32_t const c3 = c[48 + b];
        c[b] = static_cast<std::uint32_t>(q >> 32) ^ c1 ^ k[0];
        c[16 + b] = static_cast<std::uint32_t>(q);
        c[32 + b] = static_cast<std::uint32_t>(p >> 32) ^ c3 ^ k[1];
        c[48 + b] = static_cast<std::uint32_t>(p);
    }
}

}   // namespace detail

/// The bits of the 64 elements from 64 * group on, in order of elements. `k` = philox_key_of(key), taken out of the loop by the caller.
constexpr void random_bits_group(philox_key k, std::uint64_t step, std::uint64_t group, std::uint32_t* XGRAD_RESTRICT out) noexcept {
    for (std::size_t b = 0; b < 16; ++b) {
        // 16 * group + b never carries out of the low word within a group: 2^32 is a multiple of 16.
        philox_counter const c = philox_counter_of(step, group * 16);
        out[b] = c[0] + static_cast<std::uint32_t>(b);
        out[16 + b] = c[1];
        out[32 + b] = c[2];
        out[48 + b] = c[3];
    }
    for (int round = 0; round < 10; ++round) {
        detail::philox_round(out, k);
        k[0] += 0x9E3779B9u;
        k[1] += 0xBB67AE85u;
    }
}

/// Calls sink(i, bits) for i = 0 … n - 1 in order, bits = random_bits(key, first + i), a group of 64 at a time.
template<class Sink>
constexpr void for_each_random(random_key const& key, std::uint64_t first, std::size_t n, Sink&& sink) {
    philox_key const k = philox_key_of(key);
    alignas(64) std::uint32_t bits[random_group] = {};
    for (std::size_t i = 0; i < n;) {
        std::uint64_t const element = first + i;
        std::size_t const begin = static_cast<std::size_t>(element % random_group);
        std::size_t const count = random_group - begin < n - i ? random_group - begin : n - i;
        random_bits_group(k, key.step, element / random_group, bits);
        for (std::size_t j = 0; j < count; ++j) sink(i + j, bits[begin + j]);
        i += count;
    }
}

namespace detail {

struct store_bits {
    std::uint32_t* out;
    constexpr void operator()(std::size_t i, std::uint32_t bits) const noexcept { out[i] = bits; }
};
struct store_uniform {
    float* out;
    constexpr void operator()(std::size_t i, std::uint32_t bits) const noexcept { out[i] = uniform01(bits); }
};

}   // namespace detail

/// out[i] = random_bits(key, first + i), i < n.
constexpr void fill_random_bits(random_key const& key, std::uint64_t first, std::uint32_t* out, std::size_t n) noexcept {
    for_each_random(key, first, n, detail::store_bits{out});
}
/// out[i] = uniform01(random_bits(key, first + i)), i < n: floats in [0, 1).
constexpr void fill_uniform(random_key const& key, std::uint64_t first, float* out, std::size_t n) noexcept {
    for_each_random(key, first, n, detail::store_uniform{out});
}

XGRAD_NAMESPACE_END
