// SPDX-License-Identifier: MIT
// Sums of dense gradients.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/aligned_buffer.hpp>
#include <xgrad/replicas/accumulators/add_elements.hpp>

#include <cstring>

XGRAD_NAMESPACE_BEGIN
namespace detail {

template<class T>
struct dense_sum {
    aligned_buffer<T> values;   // may be larger than the gradient

    void clear() noexcept {}
    /// Adds n elements, or overwrites the sum if `first`. If it throws, the sum is unchanged.
    void add(T const* gradient, std::int64_t n, bool first) {
        if (!first) return add_elements(values.data(), gradient, n);
        values.grow_to(static_cast<std::size_t>(n));
        if (n > 0) std::memcpy(values.data(), gradient, static_cast<std::size_t>(n) * sizeof(T));
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
