// SPDX-License-Identifier: MIT
// The planner: from a table, its outputs and updates to a plan, in several constant evaluations: what becomes of each node, which steps there are,
// their instructions, range by range, and memory. Everything here is constexpr work on tables.
#pragma once

#include <xgrad/plan/assembly.hpp>
#include <xgrad/plan/fusion.hpp>
#include <xgrad/plan/placement.hpp>
#include <xgrad/plan/step_writer.hpp>
#include <xgrad/plan/streams.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// The passes in the order in which they run. `D::table` is a table_view, `D::outputs` and `D::updates` are arrays.
template<class D, gating Gate, bool Fuse>
struct passes {
    static constexpr int node_count = D::table.count, operand_count = D::operand_count;
    static constexpr plan_request asked{D::outputs, D::output_count, D::updates, D::update_count, Gate};

    static constexpr auto place() {
        placed_nodes<node_count> r{};
        extent_pool extents;
        draft plan(D::table, extents, asked, Fuse);
        planner::place(plan, r);
        return r;
    }
    static constexpr auto placed = place();

    static constexpr auto form() {
        fused_plan<node_count, operand_count, D::update_count> r{};
        extent_pool extents(placed.polynomials, placed.polynomial_count);
        forming plan(D::table, extents, asked, Fuse, placed.nodes, operand_count);
        planner::form(plan, r);
        return r;
    }
    static constexpr auto fused = form();

    template<int Range>
    static constexpr auto write() {
        step_storage<node_count, operand_count, D::update_count> r{};
        auto make = [&](extent const* known, int count) {
            extent_pool extents(known, count);
            writing plan(D::table, extents, asked, Fuse, fused.nodes, fused.steps, fused.members);
            planner::write(plan, fused, Range == 0 ? 0 : fused.range_end[Range > 0 ? Range - 1 : 0], fused.range_end[Range], r);
        };
        if constexpr (Range == 0) make(fused.polynomials, fused.polynomial_count);
        else make(steps<Range - 1>.polynomials, steps<Range - 1>.polynomial_count);
        return r;
    }
    template<int Range>
    static constexpr auto steps = write<Range>();

    template<int... Range>
    static constexpr auto assemble(std::integer_sequence<int, Range...>) {
        constexpr auto const& last = steps<static_cast<int>(sizeof...(Range)) - 1>;
        plan_storage<node_count, (steps<Range>.step_count + ...), (steps<Range>.ins_count + ...), (steps<Range>.operand_count + ...),
            (steps<Range>.param_count + ...), last.polynomial_count + 2 * node_count, D::output_count>
            r{};
        extent_pool extents(last.polynomials, last.polynomial_count);
        assembling plan(D::table, extents, asked, Fuse, fused.nodes);
        (append(plan, steps<Range>, r), ...);
        if (Fuse) stream(r);
        lay_out(plan, r);
        return r;
    }
    static constexpr auto make() { return assemble(std::make_integer_sequence<int, fused.range_count>{}); }
};

}   // namespace planner
XGRAD_NAMESPACE_END
