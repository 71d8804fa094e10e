// SPDX-License-Identifier: MIT
// What the outputs of steps over bodies depend on, found in the bodies, so that a gradient is known to be linear or not.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/op_slip.hpp>
#include <xgrad/core/shape_names.hpp>
#include <xgrad/grad/region.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Marks of nodes or outputs: `width` words of bits for each.
struct node_marks {
    int width;
    sequence<std::uint64_t> words;

    constexpr node_marks(int count, int width_) : width(width_), words(count * width_, zero_elements) {}
    constexpr std::uint64_t* of(int i) const { return words.at + i * width; }
    constexpr bool any(int i) const {
        std::uint64_t found = 0;
        for (int w = 0; w < width; ++w) found |= of(i)[w];
        return found != 0;
    }
    constexpr bool has(int i, int bit) const { return (of(i)[bit / 64] >> bit % 64 & 1) != 0; }
    constexpr void mark(int i, int bit) { of(i)[bit / 64] |= std::uint64_t{1} << bit % 64; }
    constexpr void add(int i, std::uint64_t const* bits) {
        std::uint64_t* const to = of(i);
        for (int w = 0; w < width; ++w) to[w] |= bits[w];
    }
};
/// The operands that each output of a step over bodies depends on.
struct output_reads : node_marks {
    constexpr explicit output_reads(region_form const& f) : node_marks(f.outputs(), (f.operands() + 63) / 64) {}
};
/// Passes marks from the nodes of a table to those that depend on them, through the bodies of steps.
class mark_flow {
    struct output_marks {
        int step, output;
        int marks;   // the first word in words_
    };
    table_view t_;
    node_marks marks_;
    sequence<output_marks> outputs_;
    sequence<std::uint64_t> words_;

public:
    constexpr explicit mark_flow(table_view const& t, int width = 1) : t_(t), marks_(t.count, width) {}
    constexpr void mark(int node, int bit) { marks_.mark(node, bit); }
    constexpr std::uint64_t const* of(int node) const { return marks_.of(node); }
    constexpr bool is_marked(int node) const { return marks_.any(node); }
    constexpr void run(int end) {
        for (int i = 0; i < end; ++i) {
            table_node const& n = t_[i];
            // The last operand of a composite is its value.
            int const first = n.op->kind == op_kind::composite ? n.count - 1 : 0;
            bool any = false;
            for (int k = first; k < n.count; ++k) any = any || marks_.any(t_.operand(i, k));
            if (!any) continue;
            if (n.op->kind == op_kind::region) run_step(i);
            else if (n.op->kind == op_kind::part) {
                for (output_marks const& o : outputs_)
                    if (o.step == t_.operand(i, 0) && o.output == t_.attrs(i).as<part_attributes>().output)
                        marks_.add(i, words_.at + o.marks);
            } else
                for (int k = first; k < n.count; ++k) marks_.add(i, marks_.of(t_.operand(i, k)));
        }
    }

private:
    constexpr void run_step(int i);
};
/// The outputs of a body in its table. A carry of a loop depends on what the other carries depend on, in earlier iterations.
constexpr void add_reads_of_body(table_builder const& b, region_form const& f, region_nodes const& nodes, output_reads& r) {
    mark_flow flow(b.view(), r.width);
    for (int k = 0; k < f.inputs(); ++k) flow.mark(nodes.operand[k].index, k);
    flow.run(b.node_count);
    node_marks carries(f.carries, r.width);
    for (int i = 0; i < f.carries; ++i) {
        carries.add(i, flow.of(nodes.next[i].index));
        carries.mark(i, i);
    }
    auto in_all_turns = [&](node_marks& m, int k) {
        for (int i = 0; i < f.carries; ++i)
            if (m.has(k, i)) m.add(k, carries.of(i));
    };
    for (int turn = 0; turn < f.carries; ++turn)
        for (int i = 0; i < f.carries; ++i) in_all_turns(carries, i);
    for (int i = 0; i < f.carries; ++i) r.add(i, carries.of(i));
    node_marks results(f.stacked + f.summed, r.width);
    for (int k = 0; k < f.stacked + f.summed; ++k) {
        results.add(k, flow.of(nodes.result[k].index));
        in_all_turns(results, k);
        r.add(f.carries + k, results.of(k));
    }
}
/// What the outputs of a step read, which is differentiated as `a` says.
constexpr output_reads reads_of(region_info const& r, attributes const& a) {
    region_form const last = form_of(r, a);
    bool const until = r.policy == region_policy::until && a.word_count == 0;
    output_reads all(last);
    node_marks by_all(1, all.width);
    if (last.control > 0) by_all.mark(0, last.inputs());
    for (int body = 0; body < (until ? 2 : last.body_count); ++body) {
        table_storage<256> storage{};
        table_builder b(storage);
        region_nodes nodes{};
        build_body(b, r, body, nodes);
        if (until && body == 1) {   // whether another iteration runs
            region_form const asks = condition_form(r);
            output_reads of_condition(last);
            add_reads_of_body(b, asks, nodes, of_condition);
            for (int k = 0; k < asks.outputs(); ++k) by_all.add(0, of_condition.of(k));
            continue;
        }
        region_form f = first_form(r);
        for (int i = 0, words = 0; i < a.word_count; i += words) {
            region_nodes gradient{};
            words = f.gradient_words();
            build_gradient(b, f, f.bits_in(a.words + i), nodes, gradient);
            f = next_form(f, f.bits_in(a.words + i));
            nodes = gradient;
        }
        add_reads_of_body(b, f, nodes, all);
    }
    for (int i = 0; until && i < last.carries; ++i)
        if (by_all.has(0, i)) by_all.add(0, all.of(i));
    for (int k = 0; k < last.outputs(); ++k) all.add(k, by_all.of(0));
    return all;
}
constexpr void mark_flow::run_step(int i) {
    table_node const& n = t_[i];
    output_reads const reads = reads_of(*n.op->region, t_.attrs(i));
    int const outputs = reads.words.count / reads.width;
    for (int k = 0; k < outputs; ++k) {
        node_marks of_output(1, marks_.width);
        for (int o = 0; o < n.count; ++o)
            if (reads.has(k, o)) of_output.add(0, marks_.of(t_.operand(i, o)));
        outputs_.push({i, k, words_.count});
        for (int w = 0; w < marks_.width; ++w) words_.push(of_output.of(0)[w]);
        marks_.add(i, of_output.of(0));
    }
}
constexpr operand_set operands_read(region_info const& r, attributes const& a);
/// The name of a gradient that a user has written in this region, or in a body of it, and that is not linear; empty if it is linear.
constexpr std::string_view nonlinear_gradient_in(region_info const& r) {
    region_info const* const g = r.gradients_from >= 0 ? &r : r.by_gradients != nullptr ? r.by_gradients->region : nullptr;
    if (g != nullptr) {
        region_form const f = first_form(*g);
        bit_set<max_region_operands + max_region_outputs> bits{};
        bits.add(g->gradients_from, g->arguments);
        bits.add(f.first_output_bit(), f.first_output_bit() + g->emitted);
        operand_set const read = operands_read(*g, {.words = bits.words, .word_count = f.gradient_words()});
        for (int k = g->gradients_from; k < g->arguments; ++k)
            if (read.has(k)) return g->name;
        return {};
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
constexpr operand_set operands_read(region_info const& r, attributes const& a) {
    output_reads const reads = reads_of(r, a);
    operand_set found{};
    for (int i = 0; i < reads.words.count; ++i) found.words[i % reads.width] |= reads.words.at[i];
    return found;
}

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
