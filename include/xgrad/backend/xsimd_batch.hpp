// SPDX-License-Identifier: MIT
// Batches as batches of xsimd, for the functions of xsimd. Including xsimd takes as long as a third of xgrad.hpp, so only
// headers that need it include this one.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/batch.hpp>

#if XGRAD_USE_XSIMD
#    include <xsimd/xsimd.hpp>
#endif

XGRAD_NAMESPACE_BEGIN
namespace simd {

namespace detail {
template<class T>
constexpr bool fits_xsimd() {
#if XGRAD_USE_XSIMD && !defined(XSIMD_NO_SUPPORTED_ARCHITECTURE)
    if constexpr (std::is_floating_point_v<T>) return sizeof(typename xsimd::batch<T>::register_type) == register_bytes;
#endif
    return false;
}
}   // namespace detail

/// Whether batch<T> can be a batch of xsimd. It is false without xsimd (XGRAD_USE_XSIMD=0), for integers, and where the
/// registers differ: xgrad uses 64 bytes only with AVX-512 F, BW, DQ and CD.
template<class T>
inline constexpr bool has_xsimd = detail::fits_xsimd<T>();

#if XGRAD_USE_XSIMD && !defined(XSIMD_NO_SUPPORTED_ARCHITECTURE)
/// The same lanes as a batch of xsimd's default architecture. Your own operation can so use any function of xsimd:
///
///     template<class T>
///     xgrad::simd::batch<T> tgamma(xgrad::simd::batch<T> x) {
///         return xgrad::simd::from_xsimd(xsimd::tgamma(xgrad::simd::to_xsimd(x)));
///     }
///
/// Its `value` needs a form for one number too: the last elements of an array may come one by one.
template<class T>
    requires has_xsimd<T>
XGRAD_INLINE xsimd::batch<T> to_xsimd(batch<T> x) {
    return xsimd::batch<T>((typename xsimd::batch<T>::register_type)x.v);
}
/// The same lanes as a batch of xgrad.
template<class T>
    requires has_xsimd<T>
XGRAD_INLINE batch<T> from_xsimd(xsimd::batch<T> const& x) {
    return batch<T>((detail::vec<T>)(typename xsimd::batch<T>::register_type)x);
}
#endif

}   // namespace simd
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
