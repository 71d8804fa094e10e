// SPDX-License-Identifier: MIT
// The random source and the hash of the reference recipes: initial values, order of rows, hashed features, bit for bit.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <span>
#include <vector>

namespace examples {

/// Output function of splitmix64.
constexpr std::uint64_t mix(std::uint64_t x) {
    std::uint64_t z = x + 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/// Number i of stream s.
constexpr std::uint64_t stream(std::uint64_t seed, std::uint64_t s, std::uint64_t i) { return mix(mix(seed << 32 | s) + i); }

/// In [0, 1), 24 random bits.
constexpr double uniform(std::uint64_t seed, std::uint64_t s, std::uint64_t i) {
    return static_cast<double>(stream(seed, s, i) >> 40) * 0x1p-24;
}

/// Uniform in [-limit, limit), computed in double, then rounded.
inline void fill_symmetric(std::uint64_t seed, std::uint64_t s, double limit, std::span<float> out) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>((2.0 * uniform(seed, s, i) - 1.0) * limit);
}

/// A weight matrix [fan_in, fan_out] after Glorot and Bengio (2010).
inline void fill_glorot(std::uint64_t seed, std::uint64_t s, std::size_t fan_in, std::size_t fan_out, std::span<float> out) {
    fill_symmetric(seed, s, std::sqrt(6.0 / static_cast<double>(fan_in + fan_out)), out);
}

/// The order in which epoch `epoch` visits n rows: sorted by a hash.
inline std::vector<std::uint32_t> order_of_rows(std::uint64_t seed, std::uint64_t epoch, std::size_t n) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> keyed(n);
    for (std::size_t i = 0; i < n; ++i) keyed[i] = {stream(seed, 0x10000 + epoch, i), static_cast<std::uint32_t>(i)};
    std::sort(keyed.begin(), keyed.end());
    std::vector<std::uint32_t> rows(n);
    std::transform(keyed.begin(), keyed.end(), rows.begin(), [](auto const& k) { return k.second; });
    return rows;
}

/// A hashed feature: the bucket of up to three values, of which the low 16 bits count.
constexpr std::int32_t bucket(std::uint64_t field, std::initializer_list<std::int64_t> values, std::uint64_t size) {
    std::uint64_t key = field;
    for (std::int64_t const v : values) key = key << 16 | (static_cast<std::uint64_t>(v) & 0xFFFF);
    for (std::size_t i = values.size(); i < 3; ++i) key <<= 16;
    return static_cast<std::int32_t>(mix(key) % size);
}

}   // namespace examples
