// SPDX-License-Identifier: MIT
// A kernel of an operation's own and the loop that takes what it leaves: some turns of the one, then of the other, while the elements between
// them are in the first cache.
#pragma once

#include <xgrad/kernels/nest.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

/// The loop is one step behind the kernel. Output and Input: operands of the kernel and of the loop that are the block of memory between them;
/// Operands, LoopOperands: how many each has. T: elements of that block.
template<class T, class Kernel, int Operands, int Output, class Nest, int LoopRank, int LoopOperands, int Input>
struct handing_on {
    using touched = typename Nest::loop::operands;

    /// Moves the operands of the loop, but for the block, by `turns` turns.
    static void advance(operand_argument* o, std::int64_t turns) {
        for (int k = 0; k < touched::count; ++k)
            if (std::int64_t const bytes = touched::bytes[static_cast<std::size_t>(k)];
                k != Input)   // 0 of a position, which counts elements
                o[k].data += turns * (LoopRank > 0 ? o[k].stride[0] : o[k].inner) * (bytes > 0 ? bytes : 1);
    }
    XGRAD_NOINLINE static void run(step_arguments const& a) {
        step_arguments const& loop = (&a)[1];
        if (a.first == 0 && a.extent[0] <= a.extent[1]) {
            Kernel::run(a);
            if (!*a.bad_index) Nest::run(loop);
            return;
        }
        operand_argument made[Operands], taken[LoopOperands];
        std::copy_n(a.operands, Operands, made);
        std::copy_n(loop.operands, LoopOperands, taken);
        step_arguments k = a, n = loop;
        k.operands = made;
        n.operands = taken;
        std::int64_t& turns_left = LoopRank > 0 ? n.extent[0] : n.inner;
        std::int64_t left = turns_left;
        for (std::int64_t const end = a.first + a.extent[0]; k.first < end; k.first += a.extent[1]) {
            k.extent[0] = std::min(a.extent[1], end - k.first);
            // turns count from where the first one of all would leave its elements: an address that nothing is read from
            made[Output].data = reinterpret_cast<std::byte*>(
                reinterpret_cast<std::uintptr_t>(a.operands[Output].data) - static_cast<std::uintptr_t>(k.first * a.extent[3]) * sizeof(T));
            Kernel::run(k);
            if (*a.bad_index) return;
            turns_left = std::min(a.extent[2], left);
            left -= turns_left;
            Nest::run(n);
            advance(taken, turns_left);
        }
    }
};

}   // namespace kernels
XGRAD_NAMESPACE_END
