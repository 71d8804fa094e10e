// SPDX-License-Identifier: MIT
// The planner at run time: the same passes in the same order as in constant evaluation, on storage of exactly the same sizes.
#pragma once

#include <xgrad/plan/planner.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace random_graphs {
namespace xg = xgrad;

/// An array that says where it is left. Constant evaluation would stop there.
template<class T>
class room {
    std::vector<T> list_;

public:
    explicit room(int n = 0) : list_(static_cast<std::size_t>(n)) {}
    T& operator[](int i) {
        if (i < 0 || i >= static_cast<int>(list_.size()))
            throw std::runtime_error("the planner writes element " + std::to_string(i) + " of " + std::to_string(list_.size()));
        return list_[static_cast<std::size_t>(i)];
    }
    T const& operator[](int i) const { return const_cast<room&>(*this)[i]; }
    operator T const*() const { return list_.data(); }
    int size() const { return static_cast<int>(list_.size()); }
};

/// Polynomials are saved without being counted before: so there is more room than there is said to be.
class polynomial_room {
    std::vector<xg::extent> list_;
    int stated_;

public:
    explicit polynomial_room(int n = 0) : list_(static_cast<std::size_t>(8 * n + 4096)), stated_(n) {}
    operator xg::extent*() { return list_.data(); }
    operator xg::extent const*() const { return list_.data(); }
    void check(int count) const {
        if (count > stated_)
            throw std::runtime_error(
                "the planner saves " + std::to_string(count) + " polynomials in a room for " + std::to_string(stated_));
    }
};

struct placed_nodes {
    room<xg::planner::node_facts> nodes;
    polynomial_room polynomials;
    int polynomial_count = 0;
    explicit placed_nodes(int n) : nodes(n), polynomials(2 * n + 64) {}
};
struct fused_nodes {
    room<xg::planner::node_facts> nodes;
    room<xg::planner::step_draft> steps;
    room<xg::planner::member> members;
    room<xg::planner::due_update> updates;
    room<int> update_at, range_end;
    int check_at = 0;
    polynomial_room polynomials;
    int step_count = 0, range_count = 0, polynomial_count = 0;
    fused_nodes(int n, int table_operands, int update_count)
        : nodes(n), steps(n + table_operands), members(n + table_operands), updates(update_count + 1), update_at(n + table_operands + 1),
          range_end(n + table_operands + 1), polynomials(2 * n + 64) {}
};
struct written_steps {
    room<xg::planner::plan_step> steps;
    room<xg::planner::instruction> ins;
    room<xg::planner::step_operand> operands;
    room<xg::planner::parameter> params;
    polynomial_room polynomials;
    int step_count = 0, ins_count = 0, operand_count = 0, param_count = 0, polynomial_count = 0;
    written_steps(int n, int table_operands, int updates)
        : steps(n + table_operands + 2 * updates), ins(8 * (n + table_operands) + 32),
          operands(8 * (n + table_operands) + 5 * updates + 32), params(4 * (n + table_operands) + 16),
          polynomials(4 * (n + table_operands) + 64) {}
};
/// A plan, as xg::plan_storage.
struct plan {
    room<xg::planner::plan_step> steps;
    room<xg::planner::instruction> ins;
    room<xg::planner::step_operand> operands;
    room<xg::planner::parameter> params;
    room<xg::planner::plan_buffer> buffers;
    room<xg::planner::arena_block> blocks;
    room<xg::extent> polynomials;
    room<int> inputs, variables;
    room<xg::planner::step_operand> outputs;
    int step_count = 0, ins_count = 0, operand_count = 0, param_count = 0, buffer_count = 0, block_count = 0, polynomial_count = 0,
        input_count = 0, variable_count = 0, output_count = 0;
    bool too_large = false;
};

inline plan plan_of(xg::table_view const& t, int table_operands, std::vector<int> const& outputs,
    std::vector<xg::planner::plan_update> const& updates, xg::gating gate, bool fuse) {
    namespace planner = xg::planner;
    auto const output_count = static_cast<int>(outputs.size()), update_count = static_cast<int>(updates.size());
    xg::planner::plan_request const asked{outputs.data(), output_count, updates.data(), update_count, gate};
    placed_nodes placed(t.count);
    {
        xg::planner::extent_pool extents;
        planner::draft draft(t, extents, asked, fuse);
        planner::place(draft, placed);
        placed.polynomials.check(placed.polynomial_count);
    }
    fused_nodes fused(t.count, table_operands, update_count);
    {
        xg::planner::extent_pool extents(std::as_const(placed).polynomials, placed.polynomial_count);
        planner::forming draft(t, extents, asked, fuse, placed.nodes, table_operands);
        planner::form(draft, fused);
        fused.polynomials.check(fused.polynomial_count);
    }
    std::vector<written_steps> ranges;
    ranges.reserve(static_cast<std::size_t>(fused.range_count));
    int steps = 0, ins = 0, operands = 0, params = 0;
    for (int k = 0; k < fused.range_count; ++k) {
        written_steps& r = ranges.emplace_back(t.count, table_operands, update_count);
        auto const* known = k == 0 ? nullptr : &ranges[static_cast<std::size_t>(k - 1)];
        xg::planner::extent_pool extents(
            known == nullptr ? static_cast<xg::extent const*>(std::as_const(fused).polynomials) : known->polynomials,
            known == nullptr ? fused.polynomial_count : known->polynomial_count);
        planner::writing draft(t, extents, asked, fuse, fused.nodes, fused.steps, fused.members);
        planner::write(draft, fused, k == 0 ? 0 : fused.range_end[k - 1], fused.range_end[k], r);
        r.polynomials.check(r.polynomial_count);
        steps += r.step_count;
        ins += r.ins_count;
        operands += r.operand_count;
        params += r.param_count;
    }
    plan p;
    p.steps = room<xg::planner::plan_step>(steps + 1);
    p.ins = room<xg::planner::instruction>(ins + 1);
    p.operands = room<xg::planner::step_operand>(operands + 1);
    p.params = room<xg::planner::parameter>(params + 1);
    p.buffers = room<xg::planner::plan_buffer>(t.count + 1);
    p.blocks = room<xg::planner::arena_block>(t.count + 1);
    p.polynomials = room<xg::extent>(ranges.back().polynomial_count + 2 * t.count + 1);
    p.inputs = room<int>(t.count + 1);
    p.variables = room<int>(t.count + 1);
    p.outputs = room<xg::planner::step_operand>(output_count + 1);
    xg::planner::extent_pool extents(std::as_const(ranges.back()).polynomials, ranges.back().polynomial_count);
    planner::assembling draft(t, extents, asked, fuse, fused.nodes);
    for (auto const& r : ranges) planner::append(draft, r, p);
    if (fuse) {
        planner::stream(p);
        planner::hand_on(draft, p, 1);   // rows of these graphs are short
    }
    planner::lay_out(draft, p);
    return p;
}

}   // namespace random_graphs
