// SPDX-License-Identifier: MIT
// The part of the bench frame that is no template: counting of allocations, pinning, the table.
#include "frame.hpp"

#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#if defined(__linux__)
#    include <sched.h>
#    include <sys/mman.h>
#    include <sys/syscall.h>
#    include <unistd.h>
#endif
#if defined(__SSE2__)
#    include <immintrin.h>
#endif

namespace {
std::atomic<std::uint64_t> count{0};
void counted() noexcept { count.fetch_add(1, std::memory_order_relaxed); }
}   // namespace

// glibc lets a program replace malloc and its relatives; each counts and calls it. Sanitizers replace them too, so not with those.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t n) noexcept {
    counted();
    return __libc_malloc(n);
}
void* calloc(std::size_t n, std::size_t m) noexcept {
    counted();
    return __libc_calloc(n, m);
}
void* realloc(void* p, std::size_t n) noexcept {
    counted();
    return __libc_realloc(p, n);
}
void* memalign(std::size_t alignment, std::size_t n) noexcept {
    counted();
    return __libc_memalign(alignment, n);
}
void* aligned_alloc(std::size_t alignment, std::size_t n) noexcept {
    counted();
    return __libc_memalign(alignment, n);
}
int posix_memalign(void** p, std::size_t alignment, std::size_t n) noexcept {
    counted();
    *p = __libc_memalign(alignment, n);
    return *p ? 0 : ENOMEM;
}
void* mmap(void* address, std::size_t length, int protection, int flags, int file, off_t offset) noexcept {
    counted();
    return reinterpret_cast<void*>(syscall(SYS_mmap, address, length, protection, flags, file, offset));
}
}
#else
// Without these functions only operator new is counted.
void* operator new(std::size_t n) {
    counted();
    if (void* p = std::malloc(n ? n : 1)) return p;
    throw std::bad_alloc{};
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
#endif

namespace bench {

std::uint64_t allocations() noexcept { return count.load(std::memory_order_relaxed); }

double side::median() const {
    if (samples.empty()) return 0;
    std::vector<double> s = samples;
    std::nth_element(s.begin(), s.begin() + std::ptrdiff_t(s.size() / 2), s.end());
    return s[s.size() / 2];
}
double side::minimum() const { return samples.empty() ? 0 : *std::min_element(samples.begin(), samples.end()); }

namespace {
void pin(int cpu) {
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return;
    if (cpu < 0)
        for (int i = 0; i < CPU_SETSIZE; ++i) cpu = CPU_ISSET(i, &set) ? i : cpu;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0)
        std::fprintf(stderr, "cannot pin this process to processor %d: %s\n", cpu, std::strerror(errno));
#else
    (void)cpu;
#endif
}

void flush_denormals() {
#if defined(__SSE2__)
    _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
}
}   // namespace

suite::suite(int argc, char** argv, std::string title, bool pinned) : title_(std::move(title)) {
    int cpu = -1;
    for (int i = 1; i < argc; ++i) {
        std::string const option = argv[i];
        if (option == "--list") {
            list_ = true;
            continue;
        }
        if (i + 1 == argc || (option != "--filter" && option != "--seconds" && option != "--cpu" && option != "--json")) {
            std::fprintf(stderr, "usage: %s [--filter TEXT] [--seconds S] [--cpu N] [--json FILE] [--list]\n", argv[0]);
            std::exit(2);
        }
        char const* const value = argv[++i];
        if (option == "--filter") filter_ = value;
        else if (option == "--seconds") seconds_ = std::atof(value);
        else if (option == "--cpu") cpu = std::atoi(value);
        else json_ = value;
    }
    if (pinned) pin(cpu);
    flush_denormals();
}

bool suite::wanted(std::string const& name) const { return filter_.empty() || name.find(filter_) != std::string::npos; }

bool suite::begin(std::string const& name) {
    if (!wanted(name)) return false;
    if (list_) {
        std::printf("%s\n", name.c_str());
        return false;
    }
    return true;
}

bool suite::agree(std::string const& name, std::string const& what, double xgrad, double hand, double tolerance) {
    if (std::abs(xgrad - hand) <= tolerance * std::max(1.0, std::abs(hand))) return true;
    std::fprintf(
        stderr, "%s: %s differs: xgrad %.17g, hand-written %.17g, tolerance %g\n", name.c_str(), what.c_str(), xgrad, hand, tolerance);
    failed_ = true;
    return false;
}

void suite::add(result r) {
    if (!header_) {
        header_ = true;
        std::printf(
            "\n### %s\n\n| row | xgrad µs | hand-written µs | ratio | best | peer µs | allocations |\n|---|---|---|---|---|---|---|\n",
            title_.c_str());
    }
    auto const number = [](double v, char const* format) {
        char text[64];
        std::snprintf(text, sizeof text, format, v);
        return v > 0 ? std::string(text) : std::string("–");
    };
    auto const us = [&](double seconds) { return number(seconds * 1e6, seconds < 1e-5 ? "%.3f" : seconds < 1e-3 ? "%.1f" : "%.0f"); };
    if (!r.xgrad.samples.empty() && !r.hand.samples.empty()) {
        side ratios;
        for (std::size_t i = 0; i < r.hand.samples.size(); ++i) ratios.samples.push_back(r.xgrad.samples[i] / r.hand.samples[i]);
        r.ratio = ratios.median();
        r.best = r.xgrad.minimum() / r.hand.minimum();
    }
    failed_ |= r.xgrad.allocations + r.hand.allocations > 0;
    std::printf("| %s | %s | %s | %s | %s | %s | %llu |\n", r.name.c_str(), us(r.xgrad.median()).c_str(), us(r.hand.median()).c_str(),
        number(r.ratio, "%.2f").c_str(), number(r.best, "%.2f").c_str(), number(r.peer, "%g").c_str(),
        static_cast<unsigned long long>(r.xgrad.samples.empty() ? r.hand.allocations : r.xgrad.allocations));
    std::fflush(stdout);
    results_.push_back(std::move(r));
}

int suite::finish() {
    if (!json_.empty()) {
        std::FILE* const file = std::fopen(json_.c_str(), "w");
        if (!file) {
            std::fprintf(stderr, "cannot write %s: %s\n", json_.c_str(), std::strerror(errno));
            return 1;
        }
        std::fprintf(file, "{\"title\": \"%s\", \"rows\": [", title_.c_str());
        char const* comma = "\n";
        for (result const& r : results_) {
            std::fprintf(file,
                "%s  {\"name\": \"%s\", \"xgrad_us\": %.6g, \"xgrad_min_us\": %.6g, \"hand_us\": %.6g, \"hand_min_us\": %.6g, "
                "\"ratio\": %.6g, "
                "\"best\": %.6g, \"peer_us\": %.6g, \"pairs\": %zu, \"xgrad_allocations\": %llu, \"hand_allocations\": %llu}",
                comma, r.name.c_str(), r.xgrad.median() * 1e6, r.xgrad.minimum() * 1e6, r.hand.median() * 1e6, r.hand.minimum() * 1e6,
                r.ratio, r.best, r.peer, r.hand.samples.size(), static_cast<unsigned long long>(r.xgrad.allocations),
                static_cast<unsigned long long>(r.hand.allocations));
            comma = ",\n";
        }
        std::fprintf(file, "\n]}\n");
        if (std::fclose(file) != 0) {
            std::fprintf(stderr, "cannot write %s: %s\n", json_.c_str(), std::strerror(errno));
            return 1;
        }
    }
    return failed_ ? 1 : 0;
}

}   // namespace bench
