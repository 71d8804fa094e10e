// SPDX-License-Identifier: MIT
// From a program's plan to its run-time form, and the table of a program in exact size.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/compile/kernels.hpp>
#include <xgrad/run/number_warning.hpp>
#include <xgrad/run/runner_class.hpp>
#include <xgrad/run/runtime_plan.hpp>
#include <xgrad/ops/shape_ops.hpp>
#include <xgrad/plan/planner.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// A finished table in exact size.
template<int Nodes, int Operands, int Attributes, int Words, int Extents>
struct exact_table {
    table_node nodes[Nodes];
    int operands[Operands + 1];
    attribute_entry attrs[Attributes];
    std::uint64_t words[Words + 1];
    extent extents[Extents + 1];
    int node_count, operand_count, attr_count, word_count, extent_count;
    constexpr table_view view() const { return {nodes, operands, {attrs, words, extents}, Nodes}; }
};
template<int Nodes, int Operands, int Attributes, int Words, int Extents, class Storage>
constexpr auto exact_copy(Storage const& d) {
    exact_table<Nodes, Operands, Attributes, Words, Extents> t{};
    copy_nodes(d, t);
    return t;
}

/// If the operation of node `i` declares an operand with indices:
/// whether the operand exists, has integers, and has the axis that bounds them.
constexpr bool index_bound_fits(table_view const& t, int i) {
    index_bound const& b = t.nodes[i].op->indices;
    int const count = t.nodes[i].count;
    if (b.operand < 0) return true;
    if (b.operand >= count || b.of >= count || !is_integer(t.type(t.operand(i, b.operand)))) return false;
    int const rank = t.dims(b.of < 0 ? i : t.operand(i, b.of)).rank;
    return -rank <= b.axis && b.axis < rank;
}
/// The name of the first operation whose bound on indices does not fit its operands; empty if all are right.
constexpr std::string_view first_wrong_bound(table_view const& t) {
    for (int i = 0; i < t.count; ++i)
        if (!index_bound_fits(t, i)) return t.nodes[i].op->name;
    return {};
}
/// Calls hold(extent) for each extent that bounds the indices in an input, as operations declare it. Examples are the ids of a lookup in a
/// table of known size, and the labels of a cross entropy. Slices of ids are checked by the lookup itself, which comes before any update.
template<class Hold>
constexpr void bound_indices(table_view const& t, planner::plan_update const* updates, int update_count, int input, Hold&& hold) {
    auto owner = [&](int i) { return planner::source_of_indices(t, i); };
    for (int i = 0; i < t.count; ++i) {
        index_bound const& b = t.nodes[i].op->indices;
        if (b.operand < 0 || !index_bound_fits(t, i) || owner(t.operand(i, b.operand)) != input) continue;
        shape const& s = t.dims(b.of < 0 ? i : t.operand(i, b.of));
        hold(s.extents[b.axis < 0 ? s.rank + b.axis : b.axis]);
    }
    for (int u = 0; u < update_count; ++u)
        if (updates[u].indices >= 0 && owner(updates[u].indices) == input) hold(t.dims(updates[u].variable).extents[0]);
}

/// Calls hold(bound) for each bound on the numbers in an input, as operations declare it. An example is the rate of a dropout.
template<class Hold>
constexpr void bound_numbers(table_view const& t, int input, Hold&& hold) {
    for (int i = 0; i < t.count; ++i) {
        number_bound const& b = t.nodes[i].op->numbers;
        if (b.operand < 0 || b.operand >= t.nodes[i].count) continue;
        int of = t.operand(i, b.operand);
        while (t.kind(of) == op_kind::alias || t.kind(of) == op_kind::broadcast || t.nodes[of].op->converts) of = t.operand(of, 0);
        if (of == input) hold(b);
    }
}
constexpr bool any_numbers(table_view const& t) {
    for (int i = 0; i < t.count; ++i)
        if (t.nodes[i].op->numbers.operand >= 0) return true;
    return false;
}

/// Whether any operation or update bounds indices.
constexpr bool any_bounds(table_view const& t, planner::plan_update const* updates, int update_count) {
    for (int i = 0; i < t.count; ++i)
        if (t.nodes[i].op->indices.operand >= 0) return true;
    for (int u = 0; u < update_count; ++u)
        if (updates[u].indices >= 0) return true;
    return false;
}

/// The call compares indices with such an extent when it knows the sizes.
constexpr bool is_named_limit(table_view const& t, extent const& e) { return !e.is_static() && is_known_size(t, e); }

/// The number of named dimensions of variables.
template<class Runtime>
constexpr int count_variable_dims(Runtime const& r) {
    return variable_dims_of(r.view()).count;
}

/// The first named dimension of `q` that no input of `p` has as an extent by itself, and no variable of `p` contains. A call cannot
/// get its size; empty if all are right.
template<class Plan, class Other>
constexpr std::string_view first_without_input(table_view const& t, Plan const& p, Other const& q) {
    for (int i = 0; i < q.polynomial_count; ++i)
        for (int k = 0; k < q.polynomials[i].count; ++k)
            for (auto const* d : q.polynomials[i].terms[k].dims) {
                bool found = d == nullptr;
                for (int v = 0; v < p.variable_count && !found; ++v)
                    for (int a = 0; a < t.dims(p.variables[v]).rank; ++a)
                        found = found || t.dims(p.variables[v]).extents[a].has_dimension(*d);
                for (int n = 0; n < p.input_count && !found; ++n) {
                    shape const& s = t.dims(p.inputs[n]);
                    for (int a = 0; a < s.rank; ++a) found = found || s.extents[a] == named_extent(d);
                }
                if (!found) return d->name;
            }
    return {};
}

/// A slice that the user has written with named dimensions.
constexpr bool is_bounded_slice(table_view const& t, int i) {
    return t.kind(i) == op_kind::slice && t.attrs(i).as<slice_attributes>().checked;
}
/// The part of its axis after a slice.
constexpr extent rest_of_slice(table_view const& t, int i) {
    attributes const a = t.attrs(i);
    return t.dims(t.operand(i, 0)).extents[a.as<slice_attributes>().axis] - slice_begin(a) - slice_span(a);
}
template<class C>
runtime_plan view_of_runtime() {
    return C::runtime.view();
}
// A body in registers needs no memory and no steps.
inline runtime_plan plan_without_steps() {
    static constexpr runtime_plan (*none[])() = {nullptr};
    runtime_plan p{};
    p.regions = none;
    return p;
}
// Size: of the body's program. So the sentences about the body come first, with few lines before them.
template<class P, int K, std::size_t Size>
constexpr auto runtime_of_body() {
    if constexpr (runs_in_registers<P, K>::value) return &plan_without_steps;
    else return &view_of_runtime<typename P::template region<K>>;
}
/// The bodies of the loops of P.
template<class P, class Numbers>
struct region_plans;
template<class P, int... K>
struct region_plans<P, std::integer_sequence<int, K...>> {
    static constexpr runtime_plan (*at[])() = {runtime_of_body<P, K, sizeof(typename P::template region<K>)>()..., nullptr};
};
/// The same for the bodies of its loops. A call determines their sizes too. A body in registers has no named dimension.
template<class Top, class P>
constexpr std::string_view first_dimension_without_input() {
    std::string_view first = first_without_input(Top::table.view(), Top::plan, P::plan);
    [&]<int... K>(std::integer_sequence<int, K...>) {
        ((first = first.empty() ? first_dimension_without_input<Top, typename P::template region<K>>() : first), ...);
    }(planned_bodies<P>{});
    return first;
}

/// The input for the run-time form: a program's plan with its table and its updates.
template<class Plan>
struct planned_program {
    Plan const& plan;
    table_view table;
    planner::plan_update const* updates;
    int update_count;
    bool bounds_indices = any_bounds(table, updates, update_count);
};
/// The polynomials of a plan in the same order, then those of leaves, results and slices that no step uses.
template<class Plan>
constexpr void add_extents(planned_program<Plan> const& of, planner::extent_pool& pool) {
    auto const& [p, t, updates, update_count, bounds_indices] = of;
    for (int i = 0; i < p.input_count; ++i) {
        pool.intern(t.dims(p.inputs[i]));
        if (bounds_indices)
            bound_indices(t, updates, update_count, p.inputs[i], [&](extent const& e) {
                if (is_named_limit(of.table, e)) pool.intern(e);
            });
    }
    for (int i = 0; i < p.variable_count; ++i) pool.intern(t.dims(p.variables[i]));
    for (int i = 0; i < p.output_count; ++i) pool.intern(t.dims(p.outputs[i].node));
    // The parts of an axis before, in and after a slice: no call may make them negative.
    for (int i = 0; i < t.count; ++i)
        if (is_bounded_slice(t, i)) {
            attributes const a = t.attrs(i);
            extent const &begin = slice_begin(a), &span = slice_span(a);
            for (extent const& e : {begin, span, rest_of_slice(t, i)}) pool.intern(e);
        }
}
template<class Plan>
constexpr int count_named_limits(planned_program<Plan> const& of) {
    int n = 0;
    for (int i = 0; of.bounds_indices && i < of.plan.input_count; ++i)
        bound_indices(of.table, of.updates, of.update_count, of.plan.inputs[i], [&](extent const& e) { n += is_named_limit(of.table, e); });
    return n;
}
template<class Plan>
constexpr int count_extents(planned_program<Plan> const& of) {
    planner::extent_pool pool(of.plan.polynomials, of.plan.polynomial_count);
    add_extents(of, pool);
    return pool.values.count;
}
// Everything except the kernels.
template<class Plan, class Kernels, class Storage>
constexpr void fill_runtime(planned_program<Plan> const& of, Kernels const& kernels, Storage& r) {
    auto const& [p, t, updates, update_count, bounds_indices] = of;
    for (int i = 0; i < p.step_count; ++i) {
        r.steps[i] = p.steps[i];
        r.steps[i].op = nullptr;   // the kernel knows it
        r.kernel_of[i] = kernels.number[i];
    }
    for (int i = 0; i < p.operand_count; ++i) r.operands[i] = p.operands[i];
    for (int i = 0; i < p.param_count; ++i) r.params[i] = p.params[i];
    for (int i = 0; i < p.buffer_count; ++i) r.buffers[i] = p.buffers[i];
    for (int i = 0; i < p.block_count; ++i) r.blocks[i] = p.blocks[i].bytes;
    planner::extent_pool pool(p.polynomials, p.polynomial_count);
    add_extents(of, pool);
    sequence<int> group_of(t.count, -1);
    for (int u = 0; u < update_count; ++u) group_of.at[updates[u].variable] = updates[u].group;
    auto leaf = [&](int node) {
        table_view const& table = of.table;
        attributes const a = table.attrs(node);
        shape const& dims = table.dims(node);
        xgrad::leaf_info l{a.name, a.name_hash, table.type(node), dims.rank, {}, -1, -1, false};
        for (int d = 0; d < l.rank; ++d) l.extents[d] = pool.intern(dims.extents[d]);
        return l;
    };
    int limit_count = 0;
    bool const bounds_numbers = any_numbers(t);
    for (int i = 0; i < p.input_count; ++i) {
        r.inputs[i] = leaf(p.inputs[i]);
        r.inputs[i].values = t[p.inputs[i]].op->values;
        if (bounds_numbers)
            bound_numbers(t, p.inputs[i], [&](number_bound const& b) {
                xgrad::leaf_info& l = r.inputs[i];
                bool const first = l.from == l.below;
                l.from = first || b.from > l.from ? b.from : l.from;
                l.below = first || b.below < l.below ? b.below : l.below;
                l.warning = first ? b.warning : b.warning == nullptr ? nullptr : l.warning;
            });
        if (!bounds_indices) continue;
        bound_indices(t, updates, update_count, p.inputs[i], [&](extent const& e) {
            xgrad::leaf_info& l = r.inputs[i];
            if (is_named_limit(of.table, e)) r.limits[limit_count++] = {static_cast<short>(i), pool.intern(e)};
            else if (e.is_static() && e.constant >= 0 && (l.index_limit < 0 || e.constant < l.index_limit)) l.index_limit = e.constant;
        });
    }
    for (int i = 0; i < p.variable_count; ++i) {
        r.variables[i] = leaf(p.variables[i]);
        r.variables[i].group = group_of.at[p.variables[i]];
        auto const declared = t.attrs(p.variables[i]).template as<variable_attributes>();
        r.variables[i].trainable = declared.trainable != 0;
        r.variables[i].starts = declared.starts;
        r.variables[i].start = std::bit_cast<float>(declared.start);
    }
    for (int i = 0; i < t.count; ++i)
        if (is_bounded_slice(t, i))
            for (int v = 0; v < p.variable_count; ++v)
                if (p.variables[v] == t.operand(i, 0)) {
                    r.variables[v].rest = pool.intern(rest_of_slice(t, i));
                    r.variables[v].sliced_axis = static_cast<short>(t.attrs(i).template as<slice_attributes>().axis);
                }
    for (int i = 0; i < p.output_count; ++i) {
        r.outputs[i] = p.outputs[i];
        r.output_shapes[i] = leaf(p.outputs[i].node);
    }
    for (int i = 0; i < p.operand_count; ++i)
        if (p.operands[i].base == planner::step_operand::where::position) r.names[i] = t.attrs(p.operands[i].node).name_hash;
    pool.save(r.polynomials);
}

/// Whether an input has a range of numbers whose violation is only a warning.
template<class Storage>
constexpr bool warns_of_numbers(Storage const& r, int inputs) {
    bool any = false;
    for (int i = 0; i < inputs; ++i) any = any || r.inputs[i].warning != nullptr;
    return any;
}
/// Whether several steps update rows by indices.
template<class Plan>
constexpr bool updates_by_rows(Plan const& p) {
    int n = 0;
    for (int i = 0; i < p.step_count; ++i) n += p.steps[i].updates_rows();
    return n > 1;
}

/// The run-time form of a program P.
template<class P>
constexpr auto runtime_of_program() {
    constexpr auto const& p = P::plan;
    constexpr planned_program<std::remove_cvref_t<decltype(P::plan)>> of{p, P::table.view(), P::update_list, P::update_count};
    constexpr int polynomials = count_extents(of);
    constexpr int limits = count_named_limits(of);
    runtime_storage<P::kernel_of.count, p.step_count, p.operand_count, p.param_count, p.buffer_count, p.block_count, polynomials,
        p.input_count, limits, p.variable_count, p.output_count>
        r{};
    fill_runtime(of, P::kernel_of, r);
    save_kernels<P>(r.kernels, std::make_index_sequence<static_cast<std::size_t>(P::kernel_of.count)>{});
    r.regions = region_plans<P, body_numbers<P>>::at;
    if (warns_of_numbers(r, p.input_count)) r.warn_of_numbers = &warn_of_numbers;
    if (updates_by_rows(p)) r.share_groups = &runner::share_groups;
    return r;
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
