// SPDX-License-Identifier: MIT
// A plan with names instead of operations. describe, summarize and to_dot read it at run time. The constexpr plan is converted where one
// of them is called, so the records of operations, and everything they refer to, stay out of the binary.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/region.hpp>
#include <xgrad/inspect/cost.hpp>

#include <string>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// An input, a variable, an intermediate or a result.
struct named_value {
    std::string_view name;   // of intermediates: the operation that makes them
    dtype type;
    shape dims;
    bool trained;
};

struct plan_text;

/// A body of a step: the numbers of operands and outputs of each kind, and the text of its plan.
struct body_text {
    plan_text (*plan)();
    region_shape const& of;
    bool in_registers;
};

/// The name of an operation with its own kernel, and its texts.
struct kernel_name {
    std::string_view name;
    kernel_text text;
    int scratch_operands;   // scratch memory that it requests, after the outputs
};

/// Pointers into the arrays of a plan_text_storage.
struct plan_text {
    planner::plan_step const* steps;   // without operations
    kernel_name const* kernels;        // of each step
    planner::instruction const* ins;   // without operations
    std::string_view const* ops;       // names of the operations, of each instruction
    planner::step_operand const* operands;
    std::string_view const* streams;   // of random numbers, of each operand
    planner::parameter const* params;
    planner::plan_buffer const* buffers;
    planner::arena_block const* blocks;
    extent const* pool;
    named_value const *inputs, *variables, *values, *outputs;   // values: of each buffer
    planner::step_operand const* output_operands;
    rule_facts const* rules;
    cost_counts const* cost;
    cost_polynomial const* arena;   // including the bodies of loops, like all_blocks
    extent const* all_blocks;
    body_text const* bodies;   // in the order of their steps
    int step_count, operand_count, buffer_count, block_count, input_count, variable_count, output_count, rule_count, all_block_count;
    bool fits;

    body_text const& body_of(int step, int n = 0) const { return bodies[steps[step].first_body + n]; }
};

/// The arrays of a plan_text.
template<int Steps, int Ins, int Operands, int Params, int Buffers, int Blocks, int Pool, int Inputs, int Variables, int Outputs>
struct plan_text_storage {
    planner::plan_step steps[Steps + 1];
    kernel_name kernels[Steps + 1];
    planner::instruction ins[Ins + 1];
    std::string_view ops[Ins + 1];
    planner::step_operand operands[Operands + 1];
    std::string_view streams[Operands + 1];
    planner::parameter params[Params + 1];
    planner::plan_buffer buffers[Buffers + 1];
    planner::arena_block blocks[Blocks + 1];
    extent pool[Pool + 1];
    named_value inputs[Inputs + 1], variables[Variables + 1], values[Buffers + 1], outputs[Outputs + 1];
    planner::step_operand output_operands[Outputs + 1];
};

constexpr kernel_text text_of_policy(region_policy p) {
    switch (p) {
    case region_policy::loop: return {"scan", "loop over a body", "loops over a body", {}, {}};
    case region_policy::until: return {"while", "loop with a condition", "loops with a condition", {}, {}};
    case region_policy::call: return {"call", "call of a body", "calls of bodies", {}, {}};
    case region_policy::branch: return {"branch", "branch", "branches", {}, {}};
    }
    return {};
}

template<class P>
constexpr auto make_plan_text() {
    constexpr auto const& p = P::plan;
    constexpr table_view t = P::table.view();
    plan_text_storage<p.step_count, p.ins_count, p.operand_count, p.param_count, p.buffer_count, p.block_count, p.polynomial_count,
        p.input_count, p.variable_count, p.output_count>
        r{};
    auto named = [&](int node) {
        if (t.kind(node) == op_kind::part) return named_value{t[t.operand(node, 0)].op->name, t.type(node), t.dims(node), false};
        bool const leaf = t.kind(node) == op_kind::input || t.kind(node) == op_kind::variable;
        return named_value{leaf ? t.attrs(node).name : t[node].op->name, t.type(node), t.dims(node), false};
    };
    for (int i = 0; i < p.step_count; ++i) {
        r.steps[i] = p.steps[i];
        r.steps[i].op = nullptr;
        if (planner::facts_of(p.steps[i].kind).has_own_kernel)
            r.kernels[i] = {p.steps[i].op->name, p.steps[i].op->kernel->text, p.steps[i].op->kernel->scratch_of != nullptr};
        if (planner::facts_of(p.steps[i].kind).runs_bodies)
            r.kernels[i] = {p.steps[i].op->name, text_of_policy(p.steps[i].op->region->policy), 0};
    }
    for (int i = 0; i < p.ins_count; ++i) {
        r.ins[i] = p.ins[i];
        r.ins[i].op = nullptr;
        if (p.ins[i].op != nullptr) r.ops[i] = p.ins[i].op->name;
    }
    for (int i = 0; i < p.operand_count; ++i) {
        r.operands[i] = p.operands[i];
        if (p.operands[i].base == planner::step_operand::where::position) r.streams[i] = t.attrs(p.operands[i].node).name;
    }
    for (int i = 0; i < p.param_count; ++i) r.params[i] = p.params[i];
    for (int i = 0; i < p.buffer_count; ++i) {
        r.buffers[i] = p.buffers[i];
        r.values[i] = named(p.buffers[i].node);
    }
    for (int i = 0; i < p.block_count; ++i) r.blocks[i] = p.blocks[i];
    for (int i = 0; i < p.polynomial_count; ++i) r.pool[i] = p.polynomials[i];
    for (int i = 0; i < p.input_count; ++i) r.inputs[i] = named(p.inputs[i]);
    for (int i = 0; i < p.variable_count; ++i) {
        r.variables[i] = named(p.variables[i]);
        for (int s = 0; s < p.step_count; ++s)
            if (planner::facts_of(p.steps[s].kind).updates_variable && p.steps[s].variable == i) r.variables[i].trained = true;
    }
    for (int i = 0; i < p.output_count; ++i) {
        r.outputs[i] = named(p.outputs[i].node);
        r.output_operands[i] = p.outputs[i];
    }
    return r;
}
template<class P>
inline constexpr auto plan_text_of = make_plan_text<P>();

template<class P>
plan_text text_of();
template<class P, int K>
constexpr body_text make_body_text() {
    using C = typename P::template region<K>;
    return {&text_of<C>, C::turn, runs_in_registers<P, K>::value};
}
template<class P, class Bodies = body_numbers<P>>
struct body_texts {
    static constexpr body_text const* at = nullptr;
};
template<class P, int First, int... K>
struct body_texts<P, std::integer_sequence<int, First, K...>> {
    static constexpr body_text at[] = {make_body_text<P, First>(), make_body_text<P, K>()...};
};
template<class P>
plan_text text_of() {
    using C = program_cost<P>;
    using R = rule_list<typename P::rules>;
    auto const& t = plan_text_of<P>;
    constexpr int steps = P::plan.step_count, operands = P::plan.operand_count, buffers = P::plan.buffer_count,
                  blocks = P::plan.block_count, inputs = P::plan.input_count, variables = P::plan.variable_count,
                  outputs = P::plan.output_count;
    constexpr bool fits = !counts_of<P>.flops.overflow && !counts_of<P>.read.overflow && !counts_of<P>.written.overflow;
    return {t.steps, t.kernels, t.ins, t.ops, t.operands, t.streams, t.params, t.buffers, t.blocks, t.pool, t.inputs, t.variables, t.values,
        t.outputs, t.output_operands, R::facts, &counts_of<P>, &C::arena_polynomial, arena_of<P>.bytes, body_texts<P>::at, steps, operands,
        buffers, blocks, inputs, variables, outputs, R::count, blocks_of(arena_of<P>), fits};
}

/// `1,234,567`, for summaries.
XGRAD_COLD inline std::string grouped(std::int64_t n) {
    std::string const digits = message({n});
    std::string s;
    for (std::size_t k = 0; k < digits.size(); ++k) {
        bool const between = k > (n < 0 ? 1u : 0u) && (digits.size() - k) % 3 == 0;
        append(s, {between ? "," : "", std::string_view(digits).substr(k, 1)});
    }
    return s;
}
/// `batch`, `time/2`, `(time + 1)/2`; in parentheses if there are other factors.
XGRAD_COLD inline std::string factor_text(std::string_view name, std::int64_t quotient, bool among_others) {
    if (quotient == 0) return message({name});
    std::int64_t const plus = floor_quotients::plus(quotient);
    std::string const s = plus == 0 ? message({name}) : message({"(", name, " + ", plus, ")"});
    return message({among_others ? "(" : "", s, "/", floor_quotients::by(quotient), among_others ? ")" : ""});
}
/// `128*batch + 10`.
template<int Terms>
XGRAD_COLD std::string polynomial_text(polynomial<Terms> const& p) {
    std::string s;
    auto sign = [&](std::int64_t c) {
        append(s, {s.empty() ? c < 0 ? "-" : "" : c < 0 ? " - " : " + "});
        return c < 0 ? -c : c;
    };
    for (int i = 0; i < p.count; ++i) {
        auto const& t = p.terms[i];
        std::int64_t const c = sign(t.coefficient);
        if (c != 1) append(s, {c, "*"});
        std::string names[polynomial<Terms>::max_factors];   // in alphabetical order
        int count = 0;
        for (; count < polynomial<Terms>::max_factors && t.dims[count] != nullptr; ++count) {
            names[count] = factor_text(t.dims[count]->name, t.floors.of(count), c != 1 || t.dims[1] != nullptr);
            for (int k = count; k > 0 && names[k] < names[k - 1]; --k) names[k].swap(names[k - 1]);
        }
        for (int f = 0; f < count; ++f) append(s, {f > 0 ? "*" : "", names[f]});
    }
    if (p.constant != 0 || s.empty()) append(s, {sign(p.constant)});
    return s;
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
