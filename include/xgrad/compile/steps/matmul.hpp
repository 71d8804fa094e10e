// SPDX-License-Identifier: MIT
// Kernels of matrix products.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/compile/steps/kernel_of_kind.hpp>
#include <xgrad/kernels/products/running_sums.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

static_assert(planner::parts_from_rows >= kernels::detail::cut_from_rows);
/// The epilogue of product S: its instructions, or an update.
template<class P, int S, class T>
constexpr auto product_epilogue() {
    constexpr int update = P::plan.steps[S].update_at;
    if constexpr (update > 0)
        return std::type_identity<kernels::tile_update<rule_of<P, S + update>, T, cpp_type_t<P::plan.steps[S + update].memory>>>{};
    else return tile_type<P, S, T>(std::make_index_sequence<P::plan.steps[S].ins_count>{});
}
template<class P, int S, class T>
using epilogue_of = typename decltype(product_epilogue<P, S, T>())::type;

/// Whether products of P may keep copies of their right factors: P is the body of a loop in which one of these is the same in all
/// iterations. Steps of one form have one kernel, so it holds for all of them.
template<class P>
constexpr bool may_keep_panels() {
    if constexpr (requires { P::fixed_factors(); }) return P::fixed_factors() != 0;
    else return false;
}

template<>
struct kernel_of_kind<planner::step_kind::matmul> {
    static constexpr planner::step_kind kind = planner::step_kind::matmul;
    template<class P, int S, class T>
    static constexpr auto kernel() {
        constexpr planner::plan_step s = P::plan.steps[S];
        using M = cpp_type_t<s.memory>;
        if constexpr (!std::is_same_v<M, T>)
            return kernels::product_in_double<M, s.transpose_a, s.transpose_b, s.read_count, epilogue_of<P, S, T>>{};
        else
            return kernels::product<T, s.transpose_a, s.transpose_b, kernels::detail::told_rows(s.static_m, s.static_n, s.transpose_a),
                kernels::detail::told_columns<T>(s.static_n), kernels::detail::told_depth(s.static_k, s.static_m), s.read_count,
                epilogue_of<P, S, T>, may_keep_panels<P>()>{};
    }
    template<class P, int S, class T>
    using type = decltype(kernel<P, S, T>());
    static constexpr scratch_function scratch(planner::plan_step const& s) {
        if (s.memory != s.type) return kernels::sums_in_double_scratch<float>;
        scratch_function r = nullptr;
        visit_floating(s.type, [&]<class T>(std::type_identity<T>) { r = kernels::product_scratch<T>; });
        return r;
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
