// SPDX-License-Identifier: MIT
// Assigns buffers to blocks of the arena. A block is reused after the last step of its buffer.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/extent_pool.hpp>
#include <xgrad/plan/plan.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// Must be called for buffers in the order of their first steps.
class arena_planner {
    struct block {
        extent_id bytes;
        int next;   // in the list of free blocks of its size, or in that of blocks that become free after the same step
    };
    extent_pool& pool;
    sequence<block> list;
    sequence<int> free_of;     // by size: the first free block
    sequence<int> ending_at;   // by step: the blocks that become free after it
    int passed = 0;            // steps whose blocks have been released

    constexpr void release(int freed) {
        while (free_of.count <= list.at[freed].bytes) free_of.push(-1);
        // Sorted by number, so that the lowest block is used first.
        int* at = &free_of.at[list.at[freed].bytes];
        while (*at >= 0 && *at < freed) at = &list.at[*at].next;
        list.at[freed].next = *at;
        *at = freed;
    }

public:
    constexpr arena_planner(extent_pool& extents, int steps) : pool(extents), list(64), ending_at(steps + 2, -1) {}

    /// The block of a buffer that lives from step `first` to step `last`:
    /// 1. a free block of the same size;
    /// 2. otherwise a free block whose size is larger, or smaller, for all values of the named dimensions;
    /// 3. otherwise a new block.
    constexpr int place(extent_id bytes, int first, int last) {
        for (; passed < first; ++passed)
            for (int b = ending_at.at[passed]; b >= 0;) {
                int const next = list.at[b].next;
                release(b);
                b = next;
            }
        extent const& size = pool.values.at[bytes];
        int best = -1;
        extent_id from = bytes;
        if (bytes < free_of.count) best = free_of.at[bytes];
        if (best < 0)
            for (int s = 0; s < free_of.count; ++s) {
                int const b = free_of.at[s];
                if (b < 0 || (best >= 0 && b > best)) continue;
                extent const& other = pool.values.at[s];
                if (!other.dominates(size) && !size.dominates(other)) continue;
                best = b;
                from = static_cast<extent_id>(s);
            }
        if (best >= 0) free_of.at[from] = list.at[best].next;
        else {
            best = list.count;
            list.push({bytes, -1});
        }
        block& b = list.at[best];
        if (b.bytes != bytes && size.dominates(pool.values.at[b.bytes])) b.bytes = bytes;
        b.next = ending_at.at[last];
        ending_at.at[last] = best;
        return best;
    }
    constexpr int count() const { return list.count; }
    constexpr extent const& bytes(int number) const { return pool.values.at[list.at[number].bytes]; }
};

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
