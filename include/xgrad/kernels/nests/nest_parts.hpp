// SPDX-License-Identifier: MIT
// A loop nest with a single row that runs part by part, interleaved with other work on the same elements.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/nests/nest.hpp>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

template<class Nest>
struct nest_parts;
/// The first pass visits all elements. Everything after it runs once, at the end.
template<class T, long long Inner, int Phases, int BlockRows, class... I>
struct nest_parts<nest<T, Inner, 0, Phases, BlockRows, I...>> {
    using whole = nest<T, -1, 0, Phases, BlockRows, I...>;   // a part has no static length
    typename whole::state s;
    typename whole::sums q;
    typename whole::reg r[sizeof...(I)];
    typename whole::total_type kept[whole::sum_count > 0 ? whole::sum_count : 1];

    XGRAD_KERNEL explicit nest_parts(step_arguments const& a) : s(a) {
        for (int k = 0; k < whole::count; ++k) q.total[k] = q.row[k] = 0;   // g++ warns of rows without it
        s.place_all(whole::operands::bytes.of);
        whole::singles(r, q, s, typename whole::template at_level<0, 0>{});
    }
    /// Elements [first, end). Parts come in order. The first part is run even if it has no elements.
    XGRAD_KERNEL void run(std::int64_t first, std::int64_t end) {
        whole::template pass<0>(r, q, s, first, end);
        whole::add_blocks(r, kept, first == 0, typename whole::reductions{});
    }
    XGRAD_KERNEL void finish() { other_passes(std::make_integer_sequence<int, Phases - 1>{}); }

private:
    template<int... P>
    XGRAD_KERNEL void other_passes(std::integer_sequence<int, P...>) {
        (whole::template pass<P + 1>(r, q, s, 0, 0), ...);
    }
};

}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
