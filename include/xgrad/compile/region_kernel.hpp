// SPDX-License-Identifier: MIT
// The kernels of steps that run bodies: loops, calls and branches.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/compile/number_loop.hpp>
#include <xgrad/compile/region_turns.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The body that the index of a branch selects. An index out of range selects the last one, as in tf.switch_case.
inline int selected_body(step_arguments const& a, region_shape const& s, int count) {
    std::int64_t const i = control_of(a, s);
    return i < 0 || i >= count ? count - 1 : static_cast<int>(i);
}
/// Runs a body once. Its results are written where the step has its outputs. Returns false if an index was out of range.
XGRAD_NOINLINE inline bool run_once(step_arguments const& a, runner& body, region_shape const& s) {
    std::byte* from[max_region_operands];
    std::byte* to[max_region_outputs];
    for (int i = 0; i < body.plan().input_count; ++i)
        from[i] = s.operand_of_input[i] < 0 ? nullptr : a.operands[s.operand_of_input[i]].data;
    int results = 0;
    for (int k = 0; k < s.summed; ++k)
        if (s.live.has(k)) to[results++] = a.operands[s.operands() + k].data;
    body.random = *a.random;
    body.point_inputs(from);
    body.lend_results(to);
    if (!body.run_all()) return false;
    for (int k = 0, n = 0; k < s.summed; ++k) {
        if (!s.live.has(k)) continue;
        void const* const made = body.output(n);
        std::byte* const wanted = to[n++];
        auto const bytes = static_cast<std::size_t>(a.operands[s.operands() + k].inner) * size_of(s.result[k]);
        if (made != wanted && bytes > 0) std::memcpy(wanted, made, bytes);
    }
    return true;
}

/// Runs a body while its condition holds. Returns false if an index was out of range, or if the gradient needs the
/// history of more iterations than there is memory for.
XGRAD_NOINLINE inline bool run_until(step_arguments const& a, region_shape const& s, runner& condition, region_shape const& asks) {
    region_turns turns(a, s);
    condition.each_use_of_inputs([&](int input, std::byte*& at, std::int64_t bytes) {
        int const k = asks.operand_of_input[input];
        at = a.operands[k < s.carries ? s.operands() + k : k].data + bytes;   // carries are in the memory of the final ones
    });
    bool const& holds = *static_cast<bool const*>(condition.output(0));
    condition.random = *a.random;
    bool keeps = false;
    for (int k = 0; k < s.stacked; ++k) keeps = keeps || s.live.has(k);
    std::int64_t n = 0;
    for (;; ++n) {
        condition.random.iteration = iteration_of(a, n);
        if (!condition.run_all()) return false;
        if (!holds) break;
        if (keeps && n == a.extent[0]) {
            *a.fault = {s.name, n + 1, n};
            return false;
        }
        turns.begin(n);
        if (!turns.run()) return false;
        turns.end();
    }
    operand_argument const& count = a.operands[s.operands() + s.carries + s.stacked];
    if (s.live.has(s.stacked)) *reinterpret_cast<std::int32_t*>(count.data) = static_cast<std::int32_t>(n);
    return true;
}

/// The updates that run by rows after each iteration of a loop. Update is the kernel of each; they are the steps after the loop.
template<class... Update>
struct row_updates {
    static void run(step_arguments const& a, [[maybe_unused]] std::int64_t turn) {
        [[maybe_unused]] step_arguments const* u = &a;
        (run_one<Update>(*++u, turn), ...);
    }
    static constexpr after_turn function = sizeof...(Update) > 0 ? &run : nullptr;

private:
    template<class One>
    XGRAD_INLINE static void run_one(step_arguments row, std::int64_t turn) {
        row.inner = row.extent[0];
        row.first = turn * row.inner;
        row.last = row.first + row.inner;
        One::run(row);
    }
};
/// The kernel of a step over bodies. Body is the program of each.
template<class Updates, class... Body>
struct region_kernel {
    static constexpr region_shape const* shapes[sizeof...(Body)]{&Body::turn...};
    static std::size_t scratch(step_arguments const& a) {
        bool const loops = shapes[0]->policy == region_policy::loop || shapes[0]->policy == region_policy::until;
        return loops ? region_turns::scratch(a, *shapes[0]) : 0;
    }
    static void run(step_arguments const& a) {
        bool good = true;
        if constexpr (shapes[0]->policy == region_policy::loop) good = run_turns(a, *shapes[0], Updates::function);
        else if constexpr (shapes[0]->policy == region_policy::until) good = run_until(a, *shapes[0], *a.bodies[1], *shapes[1]);
        else {
            int const body = sizeof...(Body) == 1 ? 0 : selected_body(a, *shapes[0], sizeof...(Body));
            good = run_once(a, *a.bodies[body], *shapes[body]);
        }
        if (good) return;
        *a.bad_index = true;
        for (std::size_t b = 0; b < sizeof...(Body); ++b)
            if (call_fault const inner = a.bodies[b]->take_fault(); !inner.name.empty()) *a.fault = inner;
    }
};

template<class P, int S, int... Update>
row_updates<step_kernel<P, S + 1 + Update>...> updates_after(std::integer_sequence<int, Update...>);
constexpr bool keeps_next_carry(region_form const& f) {
    for (int i = 0; i < f.carries; ++i)
        if (f.keeps_last(i)) return true;
    return false;
}
template<class P, int S, int... Body>
struct kernel_over_bodies<P, S, std::integer_sequence<int, Body...>> {
    static auto choose() {
        if constexpr (step_in_registers<P, S>) {
            static_assert(P::plan.steps[S].update_at == 0 && (!keeps_next_carry(number_body<body_of_step<P, S, Body>>::form) && ...));
            return number_kernel<body_of_step<P, S, Body>...>{};
        } else {
            using updates = decltype(updates_after<P, S>(std::make_integer_sequence<int, P::plan.steps[S].update_at>{}));
            return region_kernel<updates, body_of_step<P, S, Body>...>{};
        }
    }
    using type = decltype(choose());
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
