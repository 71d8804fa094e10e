// SPDX-License-Identifier: MIT
// Loops over elements that lie side by side in several arrays, in batches.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/batch.hpp>

#include <cstddef>
#include <cstdint>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// A whole batch of elements from i on, in any array; in memory they may have another type than T, in which is computed.
template<class T>
struct batch_at {
    std::int64_t i;

    template<class M>
    XGRAD_INLINE simd::batch<T> load(M const* p) const {
        return simd::load_as<T>(p + i);
    }
    template<class M>
    XGRAD_INLINE void store(M* p, simd::batch<T> x) const {
        simd::store_as(p + i, x);
    }
};
/// The last n elements, which are less than a batch.
template<class T>
struct rest_at {
    std::int64_t i;
    std::size_t n;

    template<class M>
    XGRAD_INLINE simd::batch<T> load(M const* p) const {
        return simd::load_partial_as<T>(p + i, n);
    }
    template<class M>
    XGRAD_INLINE void store(M* p, simd::batch<T> x) const {
        simd::store_partial_as(p + i, x, n);
    }
};
/// Calls `f(at)` for all of n elements: `at.store(c, at.load(a) + at.load(b))`.
template<class T, class F>
void each_batch(std::int64_t n, F const& f) {
    constexpr auto width = static_cast<std::int64_t>(simd::width<T>);
    std::int64_t i = 0;
    for (; i + width <= n; i += width) f(batch_at<T>{i});
    if (i < n) f(rest_at<T>{i, static_cast<std::size_t>(n - i)});
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
