// SPDX-License-Identifier: MIT
// SIMD loops over the elements of several contiguous arrays.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/simd_convert.hpp>

#include <cstddef>
#include <cstdint>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// A full batch of elements from index i on, in any array. The elements may be stored in another type than T, the type of the computation.
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
/// The last n elements, fewer than a batch.
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
/// Calls `f(at)` for all batches of n elements: `at.store(c, at.load(a) + at.load(b))`.
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
