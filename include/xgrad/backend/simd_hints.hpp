// SPDX-License-Identifier: MIT
// Hints for the compiler and the processor: order of instructions, registers, prefetching.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/batch.hpp>

XGRAD_NAMESPACE_BEGIN
namespace simd {

/// Computes the value before anything that follows in the source.
/// clang schedules a long block depth first, one batch after the other, and so undoes manual interleaving. g++ keeps the order.
template<class T>
XGRAD_INLINE void keep_place([[maybe_unused]] batch<T>& x) {
#if defined(__clang__) && defined(__x86_64__)
    asm volatile("" : "+v"(x.v));
#elif defined(__clang__) && defined(__aarch64__)
    asm volatile("" : "+w"(x.v));
#endif
}

/// Keeps the value in a register from here on. Otherwise a compiler may read it from memory again at each use.
template<class T>
XGRAD_INLINE void keep_register([[maybe_unused]] batch<T>& x) {
#if defined(__x86_64__)
    asm("" : "+v"(x.v));
#elif defined(__aarch64__)
    asm("" : "+w"(x.v));
#endif
}

/// Hides from g++ how p was made, so that addresses at constant distances from it share one register.
/// Without this, g++ may use a register for each of them in a loop, and spill them.
template<class T>
XGRAD_INLINE T const* base_address(T const* p) {
#if defined(__GNUC__)
    asm("" : "+r"(p));
#endif
    return p;
}

/// Prefetches the cache line at p. Any address is allowed.
XGRAD_INLINE void prefetch(void const* p) { __builtin_prefetch(p, 0, 3); }
/// The same for memory that will be written.
XGRAD_INLINE void prefetch_write(void const* p) { __builtin_prefetch(p, 1, 3); }

}   // namespace simd
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
