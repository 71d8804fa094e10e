// SPDX-License-Identifier: MIT
// What the outputs of steps over bodies depend on, found in the bodies, so that a gradient is known to be linear or not.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/op_slip.hpp>
#include <xgrad/core/shape_names.hpp>
#include <xgrad/grad/region.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The operands that each output of a step over bodies depends on, as bits.
struct output_reads {
    std::uint64_t of[max_outputs];

    constexpr std::uint64_t any() const {
        std::uint64_t r = 0;
        for (std::uint64_t const bits : of) r |= bits;
        return r;
    }
};
/// Passes marks, as bits, from the nodes of a table to those that depend on them, through the bodies of steps.
class mark_flow {
    struct step {
        int node;
        output_reads marks;
    };
    table_view t_;
    sequence<std::uint64_t> bits_;
    sequence<step> steps_;

public:
    constexpr explicit mark_flow(table_view const& t) : t_(t), bits_(t.count, std::uint64_t{0}) {}
    constexpr void mark(int node, std::uint64_t bits) { bits_.at[node] |= bits; }
    constexpr std::uint64_t operator[](int node) const { return bits_.at[node]; }
    constexpr void run(int end) {
        for (int i = 0; i < end; ++i) {
            table_node const& n = t_[i];
            std::uint64_t of_operands = 0;
            // The last operand of a composite is its value.
            for (int k = n.op->kind == op_kind::composite ? n.count - 1 : 0; k < n.count; ++k) of_operands |= bits_.at[t_.operand(i, k)];
            if (of_operands == 0) continue;
            if (n.op->kind == op_kind::region) of_operands = run_step(i);
            else if (n.op->kind == op_kind::part)
                for (step const& s : steps_)
                    if (s.node == t_.operand(i, 0)) of_operands = s.marks.of[t_.attrs(i).as<part_attributes>().output];
            bits_.at[i] |= of_operands;
        }
    }

private:
    constexpr std::uint64_t run_step(int i);
};
/// The outputs of a body in its table. A carry of a loop depends on what the other carries depend on, in earlier iterations.
constexpr output_reads reads_of_body(table_builder const& b, region_form const& f, region_nodes const& nodes) {
    mark_flow flow(b.view());
    for (int k = 0; k < f.inputs(); ++k) flow.mark(nodes.operand[k].index, std::uint64_t{1} << k);
    flow.run(b.node_count);
    std::uint64_t carries[max_operands]{};
    for (int i = 0; i < f.carries; ++i) carries[i] = flow[nodes.next[i].index] | std::uint64_t{1} << i;
    auto in_all_turns = [&](std::uint64_t bits) {
        for (int i = 0; i < f.carries; ++i)
            if ((bits >> i & 1) != 0) bits |= carries[i];
        return bits;
    };
    for (int turn = 0; turn < f.carries; ++turn)
        for (int i = 0; i < f.carries; ++i) carries[i] = in_all_turns(carries[i]);
    output_reads r{};
    for (int i = 0; i < f.carries; ++i) r.of[i] = carries[i];
    for (int k = 0; k < f.stacked + f.summed; ++k) r.of[f.carries + k] = in_all_turns(flow[nodes.result[k].index]);
    return r;
}
/// What the outputs of a step read, which is differentiated as `a` says.
constexpr output_reads reads_of(region_info const& r, attributes const& a) {
    region_form const last = form_of(r, a);
    bool const until = r.policy == region_policy::until && a.word_count == 0;
    output_reads all{};
    std::uint64_t by_all = last.control > 0 ? std::uint64_t{1} << last.inputs() : 0;
    for (int body = 0; body < (until ? 2 : last.body_count); ++body) {
        table_storage<256> storage{};
        table_builder b(storage);
        region_nodes nodes{};
        build_body(b, r, body, nodes);
        region_form f = until && body == 1 ? condition_form(r) : first_form(r);
        for (int i = 0; i < a.word_count; ++i) {
            region_nodes gradient{};
            build_gradient(b, f, a.words[i], nodes, gradient);
            f = next_form(f, a.words[i]);
            nodes = gradient;
        }
        output_reads const of_body = reads_of_body(b, f, nodes);
        if (until && body == 1) by_all |= of_body.any();   // whether another iteration runs
        else
            for (int k = 0; k < max_outputs; ++k) all.of[k] |= of_body.of[k];
    }
    for (int i = 0; until && i < last.carries; ++i)
        if ((by_all >> i & 1) != 0) by_all |= all.of[i];
    for (int k = 0; k < last.outputs(); ++k) all.of[k] |= by_all;
    return all;
}
constexpr std::uint64_t mark_flow::run_step(int i) {
    table_node const& n = t_[i];
    output_reads const reads = reads_of(*n.op->region, t_.attrs(i));
    step s{i, {}};
    for (int k = 0; k < max_outputs; ++k)
        for (int o = 0; o < n.count; ++o)
            if ((reads.of[k] >> o & 1) != 0) s.marks.of[k] |= bits_.at[t_.operand(i, o)];
    steps_.push(s);
    return s.marks.any();
}
constexpr std::uint64_t operands_read(region_info const& r, attributes const& a);
/// The name of a gradient that a user has written in this region, or in a body of it, and that is not linear; empty if it is linear.
constexpr std::string_view nonlinear_gradient_in(region_info const& r) {
    region_info const* const g = r.gradients_from >= 0 ? &r : r.by_gradients != nullptr ? r.by_gradients->region : nullptr;
    if (g != nullptr) {
        std::uint64_t const seeds = bits_between(g->gradients_from, g->arguments);
        std::uint64_t const bits = seeds | bits_between(32, 32 + g->emitted);
        return (operands_read(*g, {.words = &bits, .word_count = 1}) & seeds) != 0 ? g->name : std::string_view{};
    }
    std::string_view found{};
    node_map seen;
    for (int b = 0; b < r.body_count; ++b)
        for (int i = 0; i < r.bodies[b].count(); ++i)
            walk(seen, r.bodies[b].results[i], [&](node_info const* n, int const*) {
                if (found.empty() && n->op->region != nullptr) found = nonlinear_gradient_in(*n->op->region);
                return 0;
            });
    return found;
}
constexpr std::uint64_t operands_read(region_info const& r, attributes const& a) { return reads_of(r, a).any(); }

/// Refuses what a jvp cannot pass, in the table of Place.
template<class Place>
struct nonlinear_gradient_of : gradient_that_is_linear<make_text([] { return Place::draft.table.nonlinear_gradient; })> {};
template<class Place>
struct linear_derivatives {
    static constexpr bool named = !Place::draft.table.nonlinear_gradient.empty();
    static_assert(sizeof(typename said<!named>::template by<nonlinear_gradient_of<Place>>) > 0);
    static_assert(sizeof(derivative_that_is_linear < named || !Place::draft.table.nonlinear_derivative >) > 0);
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
