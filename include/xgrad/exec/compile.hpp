// SPDX-License-Identifier: MIT
// From the constexpr plan of a program to the kernels that run it. A program is a tag type P with P::plan; a kernel's type holds only what the
// step does, so steps that do the same are one function.
#pragma once

#include <xgrad/kernels/nest.hpp>
#include <xgrad/kernels/product.hpp>
#include <xgrad/kernels/rows.hpp>
#include <xgrad/sparse/update_step.hpp>
#include <xgrad/plan/planner.hpp>

#include <tuple>

XGRAD_NAMESPACE_BEGIN
namespace detail {

template<class P, int S, int K>
constexpr auto instruction_type() {
    using namespace kernels;
    constexpr instruction i = P::plan.ins[P::plan.steps[S].first_ins + K];
    if constexpr (i.kind == ins_kind::load) return ld<i.slot, cpp_type_t<i.memory>, i.level, i.phase, i.inner>{};
    else if constexpr (i.kind == ins_kind::accumulator) return ac{};
    else if constexpr (i.kind == ins_kind::parameter) return pa<i.slot>{};
    else if constexpr (i.kind == ins_kind::index) return ix<i.slot, i.level, i.phase>{};
    else if constexpr (i.kind == ins_kind::random) return rn<i.slot, i.level, i.phase>{};
    else if constexpr (i.kind == ins_kind::reduce) return rd<i.combine, i.a, i.level, i.phase, i.inner != 0, i.outer, i.slot, cpp_type_t<i.memory>>{};
    else if constexpr (i.kind == ins_kind::store) return st<i.a, i.slot, cpp_type_t<i.memory>, i.level, i.phase, i.inner>{};
    else if constexpr (i.operands == 1) return ap<op_at<i.op>, i.level, i.phase, i.a>{};
    else if constexpr (i.operands == 2) return ap<op_at<i.op>, i.level, i.phase, i.a, i.b>{};
    else return ap<op_at<i.op>, i.level, i.phase, i.a, i.b, i.c>{};
}

template<class P, int S, class T, std::size_t... K>
constexpr auto nest_type(std::index_sequence<K...>) {
    constexpr plan_step s = P::plan.steps[S];
    return kernels::nest<T, s.static_inner, s.outer_rank, s.phases, decltype(instruction_type<P, S, static_cast<int>(K)>())...>{};
}
template<class P, int S, class T, std::size_t... K>
constexpr auto product_type(std::index_sequence<K...>) {
    constexpr plan_step s = P::plan.steps[S];
    return kernels::product<T, s.transpose_a, s.transpose_b, s.static_m, s.static_n, s.static_k, s.operand_slots, decltype(instruction_type<P, S, static_cast<int>(K)>())...>{};
}
struct nothing_to_run {
    static void run(step_arguments const&) {}
};

/// The rule of step S: rules are the types of the program's groups.
template<class P, int S>
using rule_of = std::tuple_element_t<static_cast<std::size_t>(P::plan.steps[S].group), typename P::rules>;

template<class P, int S>
constexpr auto step_kernel() {
    using namespace kernels;
    constexpr plan_step s = P::plan.steps[S];
    using T = cpp_type_t<s.type>;
    if constexpr (s.kind == step_kind::nest) return nest_type<P, S, T>(std::make_index_sequence<s.ins_count>{});
    else if constexpr (s.kind == step_kind::matmul) {
        constexpr int next = S + 1 < P::plan.step_count ? S + 1 : S;
        if constexpr (P::plan.steps[next].fused && next != S)
            return product_update<rule_of<P, next>, T, s.transpose_a, s.transpose_b, s.static_m, s.static_n, s.static_k, s.operand_slots>{};
        else return product_type<P, S, T>(std::make_index_sequence<s.ins_count>{});
    } else if constexpr (s.kind == step_kind::gather) return gather_rows<T, cpp_type_t<s.index_type>, s.static_inner>{};
    else if constexpr (s.kind == step_kind::bag) return sum_bags<T, cpp_type_t<s.index_type>, s.static_inner>{};
    else if constexpr (s.kind == step_kind::scatter) return scatter_rows<T, cpp_type_t<s.index_type>, s.static_inner>{};
    else if constexpr (s.fused) return nothing_to_run{};
    else if constexpr (s.sparse) return update_sparse<rule_of<P, S>, T, cpp_type_t<s.index_type>, s.static_inner>{};
    else return update_whole<rule_of<P, S>, T>{};
}

constexpr bool reads_indices(step_kind k) { return k == step_kind::gather || k == step_kind::bag || k == step_kind::scatter; }

template<class P, int S>
XGRAD_INLINE bool run_step(step_arguments const* a) {
    decltype(step_kernel<P, S>())::run(a[S]);
    if constexpr (reads_indices(P::plan.steps[S].kind)) return !*a[S].bad_index;
    else return true;
}
template<class P, int First, std::size_t... S>
XGRAD_NOINLINE bool run_chunk(step_arguments const* a, std::index_sequence<S...>) {
    return (run_step<P, First + static_cast<int>(S)>(a) && ...);
}
/// Runs all steps in order; false where an index was out of range (nothing has been updated then: updates come after the gathers).
template<class P, int First = 0>
bool run_steps(step_arguments const* a) {
    constexpr int count = P::plan.step_count, chunk = 64;
    if constexpr (First >= count) return true;
    else {
        constexpr int n = count - First < chunk ? count - First : chunk;
        return run_chunk<P, First>(a, std::make_index_sequence<static_cast<std::size_t>(n)>{}) && run_steps<P, First + chunk>(a);
    }
}

}
XGRAD_NAMESPACE_END
