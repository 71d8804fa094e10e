// SPDX-License-Identifier: MIT
// The kernels of steps that run bodies: loops, calls and branches.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/compile/region_turns.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The body that the index of a branch selects. An index out of range selects the last one, as in tf.switch_case.
inline int selected_body(step_arguments const& a, region_shape const& s, int count) {
    std::byte const* const index = a.operands[s.operands() - 1].data;
    std::int64_t i = 0;
    switch (s.control_type) {
    case dtype::boolean: i = *reinterpret_cast<bool const*>(index); break;
    case dtype::int32: i = *reinterpret_cast<std::int32_t const*>(index); break;
    default: i = *reinterpret_cast<std::int64_t const*>(index); break;
    }
    return i < 0 || i >= count ? count - 1 : static_cast<int>(i);
}
/// Runs a body once. Its results are written where the step has its outputs. Returns false if an index was out of range.
XGRAD_NOINLINE inline bool run_once(step_arguments const& a, runner& body, region_shape const& s) {
    std::byte* from[max_operands];
    std::byte* to[max_outputs];
    for (int i = 0; i < body.plan().input_count; ++i) from[i] = a.operands[s.operand_of_input[i]].data;
    int results = 0;
    for (int k = 0; k < s.summed; ++k)
        if ((s.live >> k & 1) != 0) to[results++] = a.operands[s.operands() + k].data;
    body.random = *a.random;
    body.point_inputs(from);
    body.lend_results(to);
    if (!body.run_all()) return false;
    for (int k = 0, n = 0; k < s.summed; ++k) {
        if ((s.live >> k & 1) == 0) continue;
        void const* const made = body.output(n);
        std::byte* const wanted = to[n++];
        auto const bytes = static_cast<std::size_t>(a.operands[s.operands() + k].inner) * size_of(s.result[k]);
        if (made != wanted && bytes > 0) std::memcpy(wanted, made, bytes);
    }
    return true;
}

/// The kernel of a step over bodies. Body is the program of each.
template<class... Body>
struct region_kernel {
    static constexpr region_shape const* shapes[]{&Body::turn...};
    static std::size_t scratch(step_arguments const& a) {
        return shapes[0]->policy == region_policy::loop ? region_turns::scratch(a, *shapes[0]) : 0;
    }
    static void run(step_arguments const& a) {
        bool good = true;
        if constexpr (shapes[0]->policy == region_policy::loop) good = run_turns(a, *shapes[0]);
        else {
            int const body = sizeof...(Body) == 1 ? 0 : selected_body(a, *shapes[0], sizeof...(Body));
            good = run_once(a, *a.bodies[body], *shapes[body]);
        }
        if (!good) *a.bad_index = true;
    }
};

template<class P, int S, int... Body>
struct kernel_over_bodies<P, S, std::integer_sequence<int, Body...>> {
    using type = region_kernel<body_of_step<P, S, Body>...>;
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
