// SPDX-License-Identifier: MIT
// A program: outputs and updates as a tag type, with its table and plan as constexpr members.
#pragma once

#include <xgrad/exec/compile.hpp>
#include <xgrad/exec/equal_steps.hpp>
#include <xgrad/exec/runtime_plan.hpp>
#include <xgrad/grad/reverse.hpp>

XGRAD_NAMESPACE_BEGIN

/// Expressions that a program computes.
template<class... E>
struct expression_list {
    static constexpr int count = sizeof...(E);
    static constexpr node_info const* infos[sizeof...(E) + 1] = {info_of<E>..., nullptr};
};

/// A program that updates nothing.
struct no_updates {
    using rules = std::tuple<>;
    static constexpr int max_count = 0;
    static constexpr int node_count() { return 0; }
    static constexpr void watch(node_map&) {}
    static constexpr void build(table_builder&, node_map&, std::vector<plan_update>&) {}
};

namespace detail {

template<int Capacity, int Nodes, int Outputs, int Updates>
struct draft_program {
    table_storage<Capacity> table;
    known_node nodes[Nodes + 1];
    int outputs[Outputs + 1];
    plan_update updates[Updates + 1];
    int node_count, update_count;
    bool name_conflict;
};

/// Capacity of the table for a program whose expressions have n distinct nodes; with gradients each brings up to a dozen more rows.
constexpr int table_capacity(int n, bool gradients) { return gradients ? 14 * n + 160 : 6 * n + 96; }

template<class Outputs>
constexpr int output_nodes = count_nodes(Outputs::infos, Outputs::count);
template<class Outputs, class Updates>
constexpr int usual_capacity = table_capacity(output_nodes<Outputs> + Updates::node_count(), true);

// Two constant evaluations, because compilers bound the length of one: the outputs, then the updates with their gradients.
template<class Outputs, class Updates, int Capacity>
constexpr auto draft_outputs() {
    draft_program<Capacity, output_nodes<Outputs>, Outputs::count, Updates::max_count> d{};
    table_builder b(d.table);
    node_map seen;
    for (int i = 0; i < Outputs::count; ++i) watch(seen, Outputs::infos[i]);
    Updates::watch(seen);
    for (int i = 0; i < Outputs::count; ++i) d.outputs[i] = flatten(b, seen, Outputs::infos[i]).index;
    b.save(d.table);
    d.node_count = seen.save(d.nodes);
    d.name_conflict = b.name_conflict;
    return d;
}
template<class Outputs, class Updates, int Capacity>
inline constexpr auto outputs_draft_of = draft_outputs<Outputs, Updates, Capacity>();

template<class Outputs, class Updates, int Capacity>
constexpr auto draft_updates() {
    auto d = outputs_draft_of<Outputs, Updates, Capacity>;
    table_builder b(d.table);
    b.name_conflict = d.name_conflict;
    node_map seen;
    for (int i = 0; i < d.node_count; ++i) seen.insert(d.nodes[i].node, d.nodes[i].row);
    Updates::watch(seen);
    std::vector<plan_update> updates;
    Updates::build(b, seen, updates);
    for (auto const& u : updates) d.updates[d.update_count++] = u;
    b.save(d.table);
    d.name_conflict = b.name_conflict;
    return d;
}
template<class Outputs, class Updates, int Capacity>
inline constexpr auto updates_draft_of = draft_updates<Outputs, Updates, Capacity>();

// Once more with more room, where the usual does not do (derivatives of derivatives).
template<class Outputs, class Updates, int Capacity = usual_capacity<Outputs, Updates>>
constexpr auto const& draft_that_fits() {
    constexpr int outputs_need = outputs_draft_of<Outputs, Updates, Capacity>.table.needed;
    if constexpr (outputs_need > 0) return draft_that_fits<Outputs, Updates, outputs_need>();
    else if constexpr (std::is_same_v<Updates, no_updates>) return outputs_draft_of<Outputs, Updates, Capacity>;
    else if constexpr (constexpr int need = updates_draft_of<Outputs, Updates, Capacity>.table.needed; need > 0)
        return draft_that_fits<Outputs, Updates, need>();
    else return updates_draft_of<Outputs, Updates, Capacity>;
}
template<class Outputs, class Updates>
inline constexpr auto const& draft_of = draft_that_fits<Outputs, Updates>();

template<int Rows, int Operands, int Attributes>
struct exact_table {
    row rows[Rows];
    int operands[Operands + 1];
    attributes attrs[Attributes];
    constexpr table_view view() const { return {rows, operands, attrs, Rows}; }
};
template<class Outputs, class Updates>
inline constexpr auto table_of_program = [] {
    constexpr auto const& d = draft_of<Outputs, Updates>.table;
    exact_table<d.row_count, d.operand_count, d.attr_count> t{};
    for (int i = 0; i < d.row_count; ++i) t.rows[i] = d.rows[i];
    for (int i = 0; i < d.operand_count; ++i) t.operands[i] = d.operands[i];
    for (int i = 0; i < d.attr_count; ++i) t.attrs[i] = d.attrs[i];
    return t;
}();

/// What the planner reads.
template<class Outputs, class Updates>
struct planned {
    static constexpr auto const& draft = draft_of<Outputs, Updates>;
    static constexpr table_view table = table_of_program<Outputs, Updates>.view();
    static constexpr int operand_count = draft.table.operand_count, output_count = Outputs::count, update_count = draft.update_count;
    static constexpr int const* outputs = draft.outputs;
    static constexpr plan_update const* updates = draft.updates;
};
template<class Outputs, class Updates, gating Gate, bool Fuse>
inline constexpr auto plan_of_program = planner<planned<Outputs, Updates>, Gate, Fuse>::make();

/// The largest index that an input may hold plus one, or -1: ids of a lookup into a table of known size, labels of a cross entropy. Slices of ids
/// are checked by the lookup itself, which comes before any update.
constexpr std::int64_t index_limit(table_view const& t, plan_update const* updates, int update_count, int input) {
    auto owner = [&](int i) {
        while (t.kind(i) == op_kind::alias || t.kind(i) == op_kind::transpose || t.kind(i) == op_kind::broadcast) i = t.operand(i, 0);
        return i;
    };
    constexpr std::uint64_t labelled = hash_text("sparse_softmax_cross_entropy");
    std::int64_t limit = -1;
    auto hold = [&](extent const& e) {
        if (e.is_static() && e.constant >= 0 && (limit < 0 || e.constant < limit)) limit = e.constant;
    };
    for (int i = 0; i < t.count; ++i) {
        op_info const& op = *t.rows[i].op;
        bool const scatter = op.kind == op_kind::scatter, lookup = op.kind == op_kind::gather || op.kind == op_kind::bag || scatter;
        if ((!lookup && op.hash != labelled) || owner(t.operand(i, 1)) != input) continue;
        shape const& s = t.dims(scatter ? i : t.operand(i, 0));
        hold(s.extents[lookup ? 0 : s.rank - 1]);
    }
    for (int u = 0; u < update_count; ++u)
        if (updates[u].indices >= 0 && owner(updates[u].indices) == input) hold(t.dims(updates[u].variable).extents[0]);
    return limit;
}

/// True where each named dimension is an extent of its own of some input, from which a call takes its size.
template<class Plan>
constexpr bool dimensions_have_inputs(table_view const& t, Plan const& p) {
    for (int i = 0; i < p.polynomial_count; ++i)
        for (int k = 0; k < p.polynomials[i].count; ++k)
            for (auto const* d : p.polynomials[i].terms[k].dims) {
                bool found = d == nullptr;
                for (int n = 0; n < p.input_count && !found; ++n) {
                    shape const& s = t.dims(p.inputs[n]);
                    for (int a = 0; a < s.rank; ++a) found = found || s.extents[a] == named_extent(d);
                }
                if (!found) return false;
            }
    return true;
}

/// A slice that the user has written with named dimensions.
constexpr bool is_bounded_slice(table_view const& t, int i) {
    return t.kind(i) == op_kind::slice && t.attrs(i).integer[3] != 0 && t.attrs(i).target.rank != 0;
}
constexpr int bounded_slices(table_view const& t) {
    int n = 0;
    for (int i = 0; i < t.count; ++i) n += is_bounded_slice(t, i);
    return n;
}

}   // namespace detail

/// A program. `plan` is constexpr; `runtime` is what remains of it in the binary.
template<class Outputs, class Updates = no_updates, gating Gate = gating::none, bool Fuse = true>
struct program {
    using outputs = Outputs;
    using updates = Updates;
    using rules = typename Updates::rules;
    static constexpr auto const& table = detail::table_of_program<Outputs, Updates>;
    static constexpr auto const& plan = detail::plan_of_program<Outputs, Updates, Gate, Fuse>;
    static constexpr int update_count = detail::draft_of<Outputs, Updates>.update_count;
    static constexpr auto const& update_list = detail::draft_of<Outputs, Updates>.updates;

    static constexpr auto kernel_of = detail::first_equal_steps<plan.step_count>(plan);   // of each step: the first one that does the same

    static constexpr auto make_runtime() {
        constexpr auto const& p = plan;
        constexpr table_view t = table.view();
        // extents of leaves and outputs may need polynomials that no step uses
        constexpr int extra = (p.input_count + p.variable_count + p.output_count) * max_rank + 3 * detail::bounded_slices(t);
        runtime_storage<p.step_count, p.slot_count, p.param_count, p.buffer_count, p.block_count, p.polynomial_count + extra, p.input_count,
            p.variable_count, p.output_count>
            r{};
        for (int i = 0; i < p.step_count; ++i) {
            r.steps[i] = p.steps[i];
            r.steps[i].op = nullptr;   // the kernel knows it
        }
        for (int i = 0; i < p.slot_count; ++i) r.slots[i] = p.slots[i];
        for (int i = 0; i < p.param_count; ++i) r.params[i] = p.params[i];
        for (int i = 0; i < p.buffer_count; ++i) r.buffers[i] = p.buffers[i];
        for (int i = 0; i < p.block_count; ++i) r.blocks[i] = p.blocks[i].bytes;
        extent_pool pool(p.polynomials, p.polynomial_count);   // in the same order
        sequence<int> group_of(t.count, -1);
        for (int u = 0; u < update_count; ++u) group_of.at[update_list[u].variable] = update_list[u].group;
        auto leaf = [&](int row) {
            leaf_info l{t.attrs(row).name, t.attrs(row).name_hash, t.type(row), t.dims(row).rank, {}, -1, -1};
            for (int d = 0; d < l.rank; ++d) l.extents[d] = pool.intern(t.dims(row).extents[d]);
            return l;
        };
        for (int i = 0; i < p.input_count; ++i) {
            r.inputs[i] = leaf(p.inputs[i]);
            r.inputs[i].index_limit = detail::index_limit(t, update_list, update_count, p.inputs[i]);
        }
        for (int i = 0; i < p.variable_count; ++i) {
            r.variables[i] = leaf(p.variables[i]);
            r.variables[i].group = group_of.at[p.variables[i]];
        }
        for (int i = 0; i < p.output_count; ++i) {
            r.outputs[i] = p.outputs[i];
            r.output_shapes[i] = leaf(p.outputs[i].row);
        }
        for (int i = 0; i < t.count; ++i)   // what is left of an axis before, in and behind a slice: no call may make it negative
            if (detail::is_bounded_slice(t, i)) {
                extent const begin = op::slice_begin(t.attrs(i)), span = op::slice_span(t.attrs(i));
                for (extent const& e : {begin, span, t.dims(t.operand(i, 0)).extents[t.attrs(i).integer[0]] - begin - span}) pool.intern(e);
            }
        for (int i = 0; i < p.slot_count; ++i)
            if (p.slots[i].base == operand_slot::where::none) r.names[i] = t.attrs(p.slots[i].row).name_hash;
        pool.save(r.polynomials);
        return r;
    }
    static constexpr auto runtime = make_runtime();

    static constexpr int input_index(std::uint64_t hash) {
        for (int i = 0; i < plan.input_count; ++i)
            if (table.attrs[table.rows[plan.inputs[i]].attrs].name_hash == hash) return i;
        return -1;
    }
    // last: clang 16 gives up on the members that follow a failed assertion
    static_assert(detail::dimensions_have_inputs(table.view(), plan),
        "xgrad: a named dimension of this expression is an extent of none of its inputs, so no call can tell its size; declare an input with that dimension");
    static_assert(!plan.too_large,
        "xgrad: a tensor of this expression has more elements than can be planned: their number is a product of more than three named "
        "dimensions, or a sum of more than two such products; give static extents, or flatten some of the dimensions into one");
    static_assert(!detail::draft_of<Outputs, Updates>.name_conflict,
        "xgrad: one name stands for two inputs or variables of different shapes or element types; names are identities, use scope<\"prefix\"> to tell them apart");
};

namespace detail {
template<class Outputs>
constexpr bool has_fault() {
    for (int i = 0; i < Outputs::count; ++i)
        if (Outputs::infos[i]->value.wrong != fault::none) return true;
    return false;
}
using stand_in = program<expression_list<typed_literal<float, 0>>>;
}
/// An expression that its operations have refused: nothing more is said about it.
template<class Outputs, class Updates, gating Gate, bool Fuse>
    requires(detail::has_fault<Outputs>())
struct program<Outputs, Updates, Gate, Fuse> : detail::stand_in {
    using rules = typename Updates::rules;
    static constexpr bool refused = true;
};
using refused_program = program<expression_list<detail::refused>>;

XGRAD_NAMESPACE_END
