// SPDX-License-Identifier: MIT
// Memory and reproducible numbers of the yardsticks: aligned, staggered buffers and the hash stream of tests/reference/recipe.py.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>
#if defined(__linux__)
#    include <sys/mman.h>
#endif

namespace hand {

/// Zeroed memory, aligned to 64 bytes. Each next buffer starts a little further into its page: loops over several arrays would
/// otherwise meet the same address modulo 4096 in all of them. Large ones ask for huge pages.
template<class T>
class buffer {
public:
    buffer() = default;
    explicit buffer(std::size_t n) : size_(n) {
        static std::size_t turn = 0;
        std::size_t const stagger = (turn++ % 13) * 320, huge = std::size_t(1) << 21;
        std::size_t const bytes = n * sizeof(T) + 64 + stagger, align = bytes >= huge / 4 ? huge : 4096;
        std::size_t const all = (bytes + align - 1) / align * align;
        memory_ = std::aligned_alloc(align, all);
#if defined(__linux__)
        if (align == huge) madvise(memory_, all, MADV_HUGEPAGE);
#endif
        std::memset(memory_, 0, all);
        data_ = reinterpret_cast<T*>(static_cast<char*>(memory_) + stagger);
    }
    buffer(buffer&& o) noexcept
        : memory_(std::exchange(o.memory_, nullptr)), data_(std::exchange(o.data_, nullptr)), size_(std::exchange(o.size_, 0)) {}
    buffer& operator=(buffer&& o) noexcept {
        std::swap(memory_, o.memory_);
        std::swap(data_, o.data_);
        std::swap(size_, o.size_);
        return *this;
    }
    ~buffer() { std::free(memory_); }

    operator T*() { return data_; }
    operator T const*() const { return data_; }
    T* data() { return data_; }
    T const* data() const { return data_; }
    std::size_t size() const { return size_; }

private:
    void* memory_ = nullptr;
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

inline std::uint64_t mix(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ x >> 27) * 0x94D049BB133111EBull;
    return x ^ x >> 31;
}
inline std::uint64_t stream(std::uint64_t seed, std::uint64_t s, std::uint64_t i) { return mix(mix(seed << 32 | s) + i); }
inline double uniform(std::uint64_t seed, std::uint64_t s, std::uint64_t i) { return double(stream(seed, s, i) >> 40) * 0x1p-24; }

/// n numbers uniform in [-limit, limit).
template<class T>
std::vector<T> symmetric(std::uint64_t seed, std::uint64_t s, std::size_t n, double limit) {
    std::vector<T> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = T((2 * uniform(seed, s, i) - 1) * limit);
    return v;
}
inline std::vector<float> glorot(std::uint64_t seed, std::uint64_t s, std::size_t rows, std::size_t columns) {
    return symmetric<float>(seed, s, rows * columns, std::sqrt(6.0 / double(rows + columns)));
}

/// n ids in [0, rows), Zipf with exponent 1 (rank r drawn with weight 1 / r by inverting the harmonic sum), ranks scattered over the
/// table.
inline std::vector<std::int32_t> zipf_ids(std::uint64_t seed, std::size_t n, std::int32_t rows) {
    std::vector<std::int32_t> ids(n);
    for (std::size_t i = 0; i < n; ++i) {
        double const rank = std::floor(std::exp(uniform(seed, 0x300, i) * std::log(double(rows))));
        ids[i] = std::int32_t(mix(std::uint64_t(rank)) % std::uint64_t(rows));
    }
    return ids;
}

}   // namespace hand
