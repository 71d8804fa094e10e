// SPDX-License-Identifier: MIT
// Kernels of matrix products.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/compile/steps/kernel_of_kind.hpp>

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

template<>
struct kernel_of_kind<planner::step_kind::matmul> {
    static constexpr planner::step_kind kind = planner::step_kind::matmul;
    template<class P, int S, class T>
    using type = kernels::product<T, P::plan.steps[S].transpose_a, P::plan.steps[S].transpose_b,
        kernels::detail::told_rows(P::plan.steps[S].static_m, P::plan.steps[S].static_n, P::plan.steps[S].transpose_a),
        kernels::detail::told_columns<T>(P::plan.steps[S].static_n),
        kernels::detail::told_depth(P::plan.steps[S].static_k, P::plan.steps[S].static_m), P::plan.steps[S].read_count,
        epilogue_of<P, S, T>>;
    static constexpr scratch_function scratch(planner::plan_step const& s) {
        scratch_function r = nullptr;
        visit_floating(s.type, [&]<class T>(std::type_identity<T>) { r = kernels::product_scratch<T>; });
        return r;
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
