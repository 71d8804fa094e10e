// SPDX-License-Identifier: MIT
// Counts what operator new is asked for, so that the program can show that its loop asks for nothing.
#include <atomic>
#include <cstdlib>
#include <new>

long allocations_so_far();

namespace {
std::atomic<long> count{0};
}
long allocations_so_far() { return count; }

void* operator new(std::size_t n) {
    ++count;
    if (void* p = std::malloc(n)) return p;
    std::abort();
}
void* operator new(std::size_t n, std::align_val_t a) {
    ++count;
    auto const align = static_cast<std::size_t>(a);
    if (void* p = std::aligned_alloc(align, (n + align - 1) / align * align)) return p;
    std::abort();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
