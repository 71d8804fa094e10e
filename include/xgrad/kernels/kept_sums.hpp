// SPDX-License-Identifier: MIT
// Reductions that loops keep in memory.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/instructions.hpp>

XGRAD_NAMESPACE_BEGIN
namespace kernels {
namespace detail {

/// Makes all numbers of operand S the identity: n of them at each place of the outer dimensions that are not reduced.
template<monoid M, class Memory, int OuterRank, int Reduced>
inline void begin_kept(step_arguments const& a, operand_argument const& s, std::int64_t n) {
    std::int64_t index[OuterRank > 0 ? OuterRank : 1]{};
    for (int d = 0; d < OuterRank; ++d)
        if ((Reduced >> d & 1) == 0 && a.extent[d] == 0) return;
    while (true) {
        Memory* p = reinterpret_cast<Memory*>(s.data);
        for (int d = 0; d < OuterRank; ++d) p += index[d] * s.stride[d];
        for (std::int64_t j = 0; j < n; ++j) p[j] = identity<M, Memory>();
        int d = OuterRank - 1;
        for (; d >= 0; --d) {
            if ((Reduced >> d & 1) != 0) continue;
            if (++index[d] < a.extent[d]) break;
            index[d] = 0;
        }
        if (d < 0) break;
    }
}

}   // namespace detail
}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
