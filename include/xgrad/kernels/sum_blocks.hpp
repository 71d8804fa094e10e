// SPDX-License-Identifier: MIT
// Sums of many terms in float. Blocks of terms are summed in float, some of their sums are added in float,
// and these sums are added in double.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/simd.hpp>

#include <cstdint>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN
namespace kernels::detail {

/// The error of a sequential sum grows with the number of terms, and a float sum of 2^24 equal terms does not grow any further.
/// So sums of more than `long_sum` terms are split:
/// - blocks of `sum_block` terms are summed in float;
/// - the sums of `blocks_together` blocks are added in float;
/// - these sums are added in double.
///
/// A product in registers loses more than 3 % of its time if shorter sums are split. A product that waits for memory loses nothing.
inline constexpr std::int64_t long_sum = 1024, long_sum_from_memory = 256, sum_block = 64, blocks_together = 16;

/// Whether sums in T may be split into blocks. Sequential sums in double are accurate enough, and integers are exact.
template<class T>
inline constexpr bool takes_blocks = std::is_same_v<T, float>;
/// How many of k terms are summed in order before the sum is added to those of other blocks.
template<class T>
constexpr std::int64_t terms_at_once(std::int64_t k, std::int64_t longest = long_sum) {
    return !takes_blocks<T> || k <= longest ? k : sum_block;
}

/// totals[i] = sums[i] for the first blocks, totals[i] += sums[i] for others. n elements, in whole batches.
XGRAD_NOINLINE inline void add_blocks(float const* sums, double* totals, std::int64_t n, bool first) {
    constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<float>), half = W / 2;
    for (std::int64_t i = 0; i < n; i += W) {
        simd::batch<float> const x = simd::load(sums + i);
        simd::batch<double> low = simd::doubles<0>(x), high = simd::doubles<1>(x);
        if (!first) {
            low = simd::load(totals + i) + low;
            high = simd::load(totals + i + half) + high;
        }
        simd::store(totals + i, low);
        simd::store(totals + i + half, high);
    }
}

/// sums[i] = totals[i] in float.
XGRAD_NOINLINE inline void take_totals(float* sums, double const* totals, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) sums[i] = static_cast<float>(totals[i]);
}

/// n long sums in progress, in whole batches. Two arrays of n elements: the sums of some blocks, and the totals.
struct block_sums {
    float* blocks;
    double* totals;
    std::int64_t n, count = 0;   // count: of blocks

    /// Adds the sums of a further block, for elements from i on.
    XGRAD_KERNEL void add(std::int64_t i, simd::batch<float> x) const {
        simd::store(blocks + i, count % blocks_together == 0 ? x : simd::load(blocks + i) + x);
    }
    XGRAD_NOINLINE void clear() const {
        for (std::int64_t i = 0; i < n; ++i) blocks[i] = 0;
    }
    /// Moves `blocks` to the totals. All elements of `blocks` must have been 0 before the first block.
    /// After the last one `blocks` contains the long sums.
    XGRAD_NOINLINE void move(bool last) const {
        add_blocks(blocks, totals, n, count <= blocks_together);
        if (last) take_totals(blocks, totals, n);
        else clear();
    }
    /// Call after all sums of a block have been added. After the last one `blocks` contains the long sums.
    XGRAD_KERNEL void next(bool last) {
        if (++count % blocks_together == 0 || last) add_blocks(blocks, totals, n, count <= blocks_together);
        if (last) take_totals(blocks, totals, n);
    }
};

}   // namespace kernels::detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
