// SPDX-License-Identifier: MIT
// The last, incomplete block of a loop.
// Its elements are copied to memory with space for a whole block, so that the body for full blocks can run on it.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/nests/instructions.hpp>

XGRAD_NAMESPACE_BEGIN
namespace kernels {
namespace detail {

/// The operands that element-level instructions of a pass read and write, and whether all of these accesses are contiguous.
template<int Operands>
struct touched_operands {
    bool contiguous, reads[Operands + 1], writes[Operands + 1];
};
template<class I>
inline constexpr int access_of = -1;   // of loads and stores; 1 for sums that are kept along the loop
template<int S, class M, int L, int P, int N>
inline constexpr int access_of<ld<S, M, L, P, N>> = N;
template<int A, int S, class M, int L, int P, int N>
inline constexpr int access_of<st<A, S, M, L, P, N>> = N;
template<monoid C, int A, int L, int P, int O, int S, class M>
inline constexpr int access_of<rd<C, A, L, P, false, O, S, M>> = 1;
template<class I>
inline constexpr bool only_reads = false;
template<int S, class M, int L, int P, int N>
inline constexpr bool only_reads<ld<S, M, L, P, N>> = true;
template<int Operands, int Phase, class... I>
inline constexpr auto touched_in = [] {
    touched_operands<Operands> t{};
    t.contiguous = true;
    auto const touch = [&](int level, int phase, int operand, int access, bool only_read, bool reduces) {
        if (level != 2 || phase != Phase || access < 0) return;
        t.contiguous = t.contiguous && access == 1;
        if (only_read || reduces) t.reads[operand] = true;
        if (!only_read) t.writes[operand] = true;
    };
    (touch(about<I>::level, about<I>::phase, about<I>::operand, access_of<I>, only_reads<I>, about<I>::reduces), ...);
    return t;
}();

/// Space for `Elements` elements of each operand that a loop accesses at a `State` (row_position). Elements have at most 8 bytes.
template<class State, class Operands, auto Touched, std::int64_t Elements>
struct padded_block {
    alignas(64) std::byte room[State::room][Elements * 8];

    /// Points `here` to this memory instead of the operands of `s`. Copies their elements from j on, `left` of them.
    XGRAD_KERNEL void enter(State const& s, State& here, std::int64_t j, std::int64_t left) {
        for (int k = 0; k < Operands::count; ++k)
            if (Touched.reads[k] || Touched.writes[k]) {
                auto const bytes = static_cast<std::size_t>(Operands::bytes.of[k]);
                auto const there = static_cast<std::size_t>(left) * bytes;
                if (Touched.reads[k]) __builtin_memcpy(room[k], s.at[k] + j * static_cast<std::int64_t>(bytes), there);
                __builtin_memset(room[k] + there, 0, Elements * bytes - there);
                here.at[k] =
                    reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(room[k]) - static_cast<std::uintptr_t>(j) * bytes);
            }
    }
    /// Copies back what was written.
    XGRAD_KERNEL void leave(State const& s, std::int64_t j, std::int64_t left) const {
        for (int k = 0; k < Operands::count; ++k)
            if (Touched.writes[k]) {
                auto const bytes = Operands::bytes.of[k];
                __builtin_memcpy(s.at[k] + j * bytes, room[k], static_cast<std::size_t>(left * bytes));
            }
    }
};

}   // namespace detail
}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
