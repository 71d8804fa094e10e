// SPDX-License-Identifier: MIT
// Intercepts and counts every way to allocate memory; where XGRAD_INTERCEPT is 0 there is nothing.
// Several sources of a program may include it, because the interceptors are weak.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#    define XGRAD_INTERCEPT 0   // the sanitizer takes the interceptor's place
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#        define XGRAD_INTERCEPT 0
#    endif
#endif
#if !defined(XGRAD_INTERCEPT)
#    if defined(__GLIBC__) && defined(__x86_64__)
#        define XGRAD_INTERCEPT 1
#    else
#        define XGRAD_INTERCEPT 0
#    endif
#endif

#if XGRAD_INTERCEPT
#    include <mm_malloc.h>   // which declares some of them, before they are defined
#    include <sys/syscall.h>
#    include <unistd.h>

namespace test {
inline std::atomic<long> allocations{0};
inline thread_local bool counting = false;   // those of this thread
inline void note() noexcept {
    if (counting) allocations.fetch_add(1, std::memory_order_relaxed);
}
}   // namespace test

// glibc's functions do the work, so that memory from before and after is alike. operator new is counted by itself and once more by malloc.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

[[gnu::weak]] void* malloc(std::size_t n) {
    test::note();
    return __libc_malloc(n);
}
[[gnu::weak]] void* calloc(std::size_t n, std::size_t size) {
    test::note();
    return __libc_calloc(n, size);
}
[[gnu::weak]] void* realloc(void* p, std::size_t n) {
    test::note();
    return __libc_realloc(p, n);
}
[[gnu::weak]] void* aligned_alloc(std::size_t alignment, std::size_t n) {
    test::note();
    return __libc_memalign(alignment, n);
}
[[gnu::weak]] void* memalign(std::size_t alignment, std::size_t n) {
    test::note();
    return __libc_memalign(alignment, n);
}
[[gnu::weak]] int posix_memalign(void** p, std::size_t alignment, std::size_t n) {
    test::note();
    *p = __libc_memalign(alignment, n);
    return *p != nullptr ? 0 : 12;
}
[[gnu::weak]] void* mmap(void* at, std::size_t n, int protection, int flags, int file, off_t offset) noexcept {
    test::note();
    return reinterpret_cast<void*>(::syscall(SYS_mmap, at, n, protection, flags, file, offset));
}
}

namespace test {
inline void* count_new(std::size_t n, std::size_t alignment) noexcept {
    test::note();
    return alignment != 0 ? __libc_memalign(alignment, n) : __libc_malloc(n != 0 ? n : 1);
}
inline std::atomic<long> until_failure{-1};   // how many calls of operator new succeed before one fails; -1: all
inline void* need_new(std::size_t n, std::size_t alignment) {
    if (until_failure >= 0 && until_failure-- == 0) throw std::bad_alloc();
    void* const p = count_new(n, alignment);
    if (p == nullptr) throw std::bad_alloc();
    return p;
}
/// Of the calling thread while `body` runs.
template<class Body>
long count_allocations(Body&& body) {
    allocations = 0;
    counting = true;
    body();
    counting = false;
    return allocations;
}
}   // namespace test
[[gnu::weak]] void* operator new(std::size_t n) { return test::need_new(n, 0); }
[[gnu::weak]] void* operator new[](std::size_t n) { return test::need_new(n, 0); }
[[gnu::weak]] void* operator new(std::size_t n, std::nothrow_t const&) noexcept { return test::count_new(n, 0); }
[[gnu::weak]] void* operator new[](std::size_t n, std::nothrow_t const&) noexcept { return test::count_new(n, 0); }
[[gnu::weak]] void* operator new(std::size_t n, std::align_val_t a) { return test::need_new(n, static_cast<std::size_t>(a)); }
[[gnu::weak]] void* operator new[](std::size_t n, std::align_val_t a) { return test::need_new(n, static_cast<std::size_t>(a)); }
[[gnu::weak]] void* operator new(std::size_t n, std::align_val_t a, std::nothrow_t const&) noexcept {
    return test::count_new(n, static_cast<std::size_t>(a));
}
[[gnu::weak]] void* operator new[](std::size_t n, std::align_val_t a, std::nothrow_t const&) noexcept {
    return test::count_new(n, static_cast<std::size_t>(a));
}
[[gnu::weak]] void operator delete(void* p) noexcept { __libc_free(p); }
[[gnu::weak]] void operator delete[](void* p) noexcept { __libc_free(p); }
[[gnu::weak]] void operator delete(void* p, std::size_t) noexcept { __libc_free(p); }
[[gnu::weak]] void operator delete[](void* p, std::size_t) noexcept { __libc_free(p); }
[[gnu::weak]] void operator delete(void* p, std::nothrow_t const&) noexcept { __libc_free(p); }
[[gnu::weak]] void operator delete[](void* p, std::nothrow_t const&) noexcept { __libc_free(p); }
[[gnu::weak]] void operator delete(void* p, std::align_val_t) noexcept { __libc_free(p); }
[[gnu::weak]] void operator delete[](void* p, std::align_val_t) noexcept { __libc_free(p); }
[[gnu::weak]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept { __libc_free(p); }
[[gnu::weak]] void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { __libc_free(p); }
[[gnu::weak]] void operator delete(void* p, std::align_val_t, std::nothrow_t const&) noexcept { __libc_free(p); }
[[gnu::weak]] void operator delete[](void* p, std::align_val_t, std::nothrow_t const&) noexcept { __libc_free(p); }
#endif
