// SPDX-License-Identifier: MIT
// A step in two parts, first all gradients and then all updates: where the second part begins, and which variable a gradient
// belongs to.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/arrays/array.hpp>
#include <xgrad/plan/plan.hpp>
#include <xgrad/run/kept_gradients.hpp>
#include <xgrad/train/updates.hpp>

XGRAD_NAMESPACE_BEGIN

/// A sparse gradient in memory. Row k of `values` belongs to row indices[k] of the variable. A row may occur several times.
template<class T, class Index, int Rank>
struct slices_view {
    tensor_view<T, Rank> values;
    tensor_view<Index, 1> indices;
};

namespace detail {

/// Whether a gradient of the program depends on the scale of the loss.
template<class P>
inline constexpr bool starts_with_scale = [] {
    if constexpr (scales_loss<typename P::rules>)
        return P::input_index(info_of<std::remove_const_t<decltype(loss_scale)>>->attrs.name_hash) >= 0;
    else return false;
}();

template<class P>
struct step_parts {
    static consteval int second() { return planner::first_update(P::plan); }
    // Whether a result is complete only after an update.
    static consteval bool has_late_result() {
        for (int k = 0; k < P::plan.output_count; ++k)
            if (planner::step_operand const& o = P::plan.outputs[k]; o.base == planner::step_operand::where::buffer)
                if (P::plan.buffers[o.index].first >= second()) return true;
        return false;
    }
    // The step that updates a variable before anything reads new values; -1 if no step does.
    static consteval int update_of(std::uint64_t name) {
        for (int i = second(); i < P::plan.step_count && planner::facts_of(P::plan.steps[i].kind).updates_variable; ++i) {
            planner::plan_step const& s = P::plan.steps[i];
            if (planner::reads_new(P::plan, s)) return -1;
            if (P::table.attrs[P::table.nodes[s.node].attrs].name_hash == name) return i;
        }
        return -1;
    }
    /// The gradient that update `Step` takes. `shape` is that of the variable.
    template<int Step, std::size_t Rank>
    static auto gradient(kept_gradients<runner> const& kept, std::array<std::int64_t, Rank> shape) {
        constexpr planner::plan_step s = P::plan.steps[Step];
        constexpr int rank = static_cast<int>(Rank);
        using element = cpp_type_t<s.type>;
        auto* const first = reinterpret_cast<element*>(kept.data(Step, 0));
        if constexpr (!s.sparse) return tensor_view<element, rank>(first, shape);
        else {
            using index = cpp_type_t<s.index_type>;
            shape[0] = kept.arguments()[Step].extent[0];
            return slices_view<element, index, rank>{{first, shape}, {reinterpret_cast<index*>(kept.data(Step, 1)), {shape[0]}}};
        }
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
