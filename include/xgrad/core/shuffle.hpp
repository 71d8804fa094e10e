// SPDX-License-Identifier: MIT
// Numbers in an order by chance that is the same on all machines.
#pragma once

#include <xgrad/core/random.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// 0, 1, ... in an order that the key alone decides, each as likely as any other (Fisher and Yates, with Philox).
inline void shuffled_numbers(std::span<std::int64_t> order, random_key const& key) {
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<std::int64_t>(k);
    for (std::uint64_t k = order.size(); k > 1; --k) {
        std::uint64_t const bits = std::uint64_t{random_bits(key, 2 * k)} << 32 | random_bits(key, 2 * k + 1);
        std::int64_t& other = order[bits % k];   // 64 bits: no number is preferred by more than 2^-30
        std::int64_t const last = order[k - 1];
        order[k - 1] = other;
        other = last;
    }
}
}   // namespace detail

XGRAD_NAMESPACE_END
