// SPDX-License-Identifier: MIT
// A guard that makes the processor treat denormal numbers as zero.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>
#if defined(__SSE2__)
#    include <xgrad/backend/x86_instructions.hpp>
#endif

#include <cstdint>

XGRAD_NAMESPACE_BEGIN

/// From construction to destruction, denormal operands and results of this thread count as zero. The destructor restores the previous mode.
/// Moments of Adam decay to denormals if gradients are zero, and each operation on a denormal costs up to a hundred cycles.
/// Sets flush-to-zero and denormals-are-zero on x86, and FPCR.FZ on AArch64. Does nothing on other machines.
class flush_denormals {
public:
    /// If `on` is false, nothing is changed.
    explicit flush_denormals(bool on = true) noexcept : on_(on) {
        if (!on) return;
#if defined(__SSE2__)
        saved_ = simd::detail::x86::floating_point_control();
        simd::detail::x86::set_floating_point_control(saved_ | 0x8040u);   // FTZ is bit 15, DAZ bit 6
#elif defined(__aarch64__)
        asm volatile("mrs %0, fpcr" : "=r"(saved_));
        asm volatile("msr fpcr, %0" ::"r"(saved_ | (std::uint64_t(1) << 24)));
#endif
    }
    ~flush_denormals() {
        if (!on_) return;
#if defined(__SSE2__)
        simd::detail::x86::set_floating_point_control(saved_);
#elif defined(__aarch64__)
        asm volatile("msr fpcr, %0" ::"r"(saved_));
#endif
    }
    flush_denormals(flush_denormals const&) = delete;
    flush_denormals& operator=(flush_denormals const&) = delete;

private:
    bool on_;
#if defined(__SSE2__)
    std::uint32_t saved_ = 0;
#elif defined(__aarch64__)
    std::uint64_t saved_ = 0;
#endif
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
