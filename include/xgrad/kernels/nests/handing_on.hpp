// SPDX-License-Identifier: MIT
// Runs a kernel of an operation together with the loop that reads its output: a few iterations of one, then of the other.
// The elements between them stay in the first-level cache.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/nests/nest.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

/// The loop is the step directly after the kernel.
/// - T: element type of the block between them;
/// - Output, Input: the operand of the kernel, and of the loop, that is this block;
/// - Operands, LoopOperands: numbers of operands.
template<class T, class Kernel, int Operands, int Output, class Nest, int LoopRank, int LoopOperands, int Input>
struct handing_on {
    using touched = typename Nest::loop::operands;

    /// Moves the operands of the loop forward by `turns` iterations, except the block.
    static void advance(operand_argument* o, std::int64_t turns) {
        for (int k = 0; k < touched::count; ++k)
            if (std::int64_t const bytes = touched::bytes.of[k]; k != Input)   // 0 bytes: a position, which counts elements
                o[k].data += turns * (LoopRank > 0 ? o[k].stride[0] : o[k].inner) * (bytes > 0 ? bytes : 1);
    }
    /// The arguments for the iterations of one block.
    struct block {
        operand_argument made[Operands], taken[LoopOperands];
        step_arguments kernel, loop;
        std::int64_t end, left;

        block(step_arguments const& a, step_arguments const& n)
            : kernel(a), loop(n), end(a.first + a.extent[0]), left(LoopRank > 0 ? n.extent[0] : n.inner) {
            std::copy_n(a.operands, Operands, made);
            std::copy_n(n.operands, LoopOperands, taken);
            kernel.operands = made;
            loop.operands = taken;
            place(a);
        }
        void place(step_arguments const& a) {
            std::int64_t const turns = std::min(a.extent[2], left);
            left -= turns;
            (LoopRank > 0 ? loop.extent[0] : loop.inner) = turns;
            kernel.extent[0] = std::min(a.extent[1], end - kernel.first);
            // The kernel adds the offset of its first iteration to the address, so the address starts that much before the block.
            // Nothing is read from there.
            made[Output].data = reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(a.operands[Output].data) -
                                                             static_cast<std::uintptr_t>(kernel.first * a.extent[3]) * sizeof(T));
        }
        /// Returns false after the last block.
        bool next(step_arguments const& a) {
            kernel.first += a.extent[1];
            if (kernel.first >= end) return false;
            advance(taken, a.extent[2]);
            place(a);
            return true;
        }
    };
    XGRAD_NOINLINE static void run_blocks(step_arguments const& a, step_arguments const& loop) {
        block b(a, loop);
        do {
            run_turns(b.kernel, b.loop);
            if (*a.bad_index) return;
        } while (b.next(a));
    }
    XGRAD_NOINLINE static void run_turns(step_arguments const& kernel, step_arguments const& loop) {
        Kernel::run(kernel);
        if (!*kernel.bad_index) Nest::run(loop);
    }
    static void run(step_arguments const& a) {
        if (a.first == 0 && a.extent[0] <= a.extent[1]) run_turns(a, (&a)[1]);
        else run_blocks(a, (&a)[1]);
    }
};

}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
