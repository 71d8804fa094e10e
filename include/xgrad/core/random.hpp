// SPDX-License-Identifier: MIT
// Counter-based random numbers (Philox4x32-10). A number depends only on its key and position, never on order or
// threads.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/meta/fixed_string.hpp>
#include <xgrad/meta/libm.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string_view>

XGRAD_NAMESPACE_BEGIN

using philox_counter = std::array<std::uint32_t, 4>;
using philox_key = std::array<std::uint32_t, 2>;

namespace detail {
/// One round. next_philox_key gives the key of the next one.
constexpr void philox_round(
    std::uint32_t& c0, std::uint32_t& c1, std::uint32_t& c2, std::uint32_t& c3, std::uint32_t k0, std::uint32_t k1) noexcept {
    std::uint64_t const p = std::uint64_t{0xD2511F53u} * c0, q = std::uint64_t{0xCD9E8D57u} * c2;
    c0 = static_cast<std::uint32_t>(q >> 32) ^ c1 ^ k0;
    c1 = static_cast<std::uint32_t>(q);
    c2 = static_cast<std::uint32_t>(p >> 32) ^ c3 ^ k1;
    c3 = static_cast<std::uint32_t>(p);
}
constexpr philox_key next_philox_key(philox_key const& k) noexcept { return {k[0] + 0x9E3779B9u, k[1] + 0xBB67AE85u}; }
inline constexpr int philox_rounds = 10;
}   // namespace detail

/// Philox4x32-10 of Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011). It gives four
/// words of 32 random bits per pair of counter and key. Equal to Random123's `philox4x32_R(10, ...)`.
constexpr philox_counter philox(philox_counter c, philox_key k) noexcept {
    for (int round = 0; round < detail::philox_rounds; ++round) {
        detail::philox_round(c[0], c[1], c[2], c[3], k[0], k[1]);
        k = detail::next_philox_key(k);
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

/// The hash of a name, for random_key::name_hash. It equals the hash of the name of a leaf.
constexpr std::uint64_t hash_name(std::string_view name) noexcept { return hash_text(name); }

/// A float in [0, 1): the upper 24 bits times 2^-24. So every value is exact, and 1 is never reached.
constexpr float uniform01(std::uint32_t bits) noexcept { return static_cast<float>(static_cast<std::int32_t>(bits >> 8)) * 0x1p-24f; }
/// A double in [0, 1) from 53 bits of two words. `high` has the leading 32 bits.
constexpr double uniform01(std::uint32_t high, std::uint32_t low) noexcept {
    return static_cast<double>((std::uint64_t{high} << 21) | (low >> 11)) * 0x1p-53;
}

/// A normal number with mean 0 and variance 1 (Box and Muller 1958). It uses two uniform numbers of two words each.
inline double standard_normal(philox_counter const& bits) noexcept {
    return libm::sqrt(-2.0 * libm::log(1.0 - uniform01(bits[0], bits[1]))) *
           libm::cos(2.0 * std::numbers::pi * uniform01(bits[2], bits[3]));
}

/// What a random tensor depends on. `seed` and `step` are stored state. `name_hash` is hash_name of the operation or
/// variable, `worker` the replica, and `iteration` the iteration of a loop inside one step.
struct random_key {
    std::uint64_t seed = 0;
    std::uint64_t name_hash = 0;
    std::uint64_t step = 0;
    std::uint32_t worker = 0;
    std::uint32_t iteration = 0;

    friend constexpr bool operator==(random_key const&, random_key const&) = default;
};

/// Elements come in groups of 64 = 4 words x 16 blocks. In group g, element 16 w + b is word w of block 16 g + b. So
/// each group is written by four stores of 16 neighbors, without shuffles, for every SIMD width up to 16. The numbers
/// do not depend on the width.
inline constexpr std::size_t random_group = 64;

/// The Philox key of a random_key: mix(mix(mix(seed) + name_hash) + (worker << 32 | iteration)). Two random_keys that
/// differ in one of the four fields never share a Philox key.
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

namespace detail {
/// Philox of several blocks, in loops over blocks that compilers can vectorize. word[w][b] is word w of block b.
template<std::size_t Blocks>
struct philox_blocks {
    std::uint32_t word[4][Blocks];

    void fill(philox_key k, std::uint64_t step, std::uint64_t first_block) {
        for (std::size_t b = 0; b < Blocks; ++b) {
            philox_counter const from = philox_counter_of(step, first_block + b);
            for (std::size_t w = 0; w < 4; ++w) word[w][b] = from[w];
        }
        for (int round = 0; round < philox_rounds; ++round) {
            mix(k[0], k[1]);
            k = next_philox_key(k);
        }
    }

private:
    /// Not inlined: g++ -O3 would vectorize over the rounds of a block, which depend on each other, instead of over blocks.
    [[gnu::noinline]] void mix(std::uint32_t k0, std::uint32_t k1) {
        for (std::size_t b = 0; b < Blocks; ++b) philox_round(word[0][b], word[1][b], word[2][b], word[3][b], k0, k1);
    }
};
}

/// The 32 random bits of one element.
constexpr std::uint32_t random_bits(random_key const& key, std::uint64_t element) noexcept {
    std::uint64_t const block = element / random_group * 16 + element % 16;
    return philox(philox_counter_of(key.step, block), philox_key_of(key))[element % random_group / 16];
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
