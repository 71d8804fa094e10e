// SPDX-License-Identifier: MIT
// The planner: turns a table with its outputs and updates into a plan. Each pass is one constant evaluation, but pass 3 is one
// per range of steps:
// 1. place: decide what happens to each node;
// 2. form: group nodes into steps;
// 3. write: emit the instructions of the steps in a range;
// 4. assemble: join the ranges and assign memory.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/assembly.hpp>
#include <xgrad/plan/fusion.hpp>
#include <xgrad/plan/handing_on.hpp>
#include <xgrad/plan/placement.hpp>
#include <xgrad/plan/row_updates.hpp>
#include <xgrad/plan/step_writer.hpp>
#include <xgrad/plan/streams.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// The input of the planner.
struct planned_graph {
    table_view table;
    plan_request asked;
    bool fuse;
};
// The passes, each on the results of the previous ones. They are not members of `passes`:
// there clang would evaluate the initializer of a variable with a destructor a second time for each program.
template<class Placed>
constexpr void place(planned_graph const& of, Placed& out) {
    extent_pool extents;
    draft plan(of.table, extents, of.asked, of.fuse);
    place(plan, out);
}
template<class Placed, class Fused>
constexpr void form(planned_graph const& of, Placed const& placed, int operand_count, Fused& out) {
    extent_pool extents(placed.polynomials, placed.polynomial_count);
    forming plan(of.table, extents, of.asked, of.fuse, placed.nodes, operand_count);
    form(plan, out);
}
/// `before` is the previous range of steps, or the result of `form` for the first range.
template<class Fused, class Before, class Steps>
constexpr void write(planned_graph const& of, Fused const& fused, int range, Before const& before, Steps& out) {
    extent_pool extents(before.polynomials, before.polynomial_count);
    writing plan(of.table, extents, of.asked, of.fuse, fused.nodes, fused.steps, fused.members);
    write(plan, fused, range == 0 ? 0 : fused.range_end[range > 0 ? range - 1 : 0], fused.range_end[range], out);
}
template<class Fused, class Plan, class Last, class... Steps>
constexpr void assemble(planned_graph const& of, Fused const& fused, Plan& out, Last const& last, Steps const&... ranges) {
    extent_pool extents(last.polynomials, last.polynomial_count);
    assembling plan(of.table, extents, of.asked, of.fuse, fused.nodes);
    (append(plan, ranges, out), ...);
    if (of.fuse) {
        stream(out);
        hand_on(plan, out);
        join_row_updates(plan, out);
    }
    lay_out(plan, out);
}

/// The passes in the order in which they run. `D::table` is a table_view, `D::outputs` and `D::updates` are arrays.
template<class D, gating Gate, bool Fuse>
struct passes {
    static constexpr int node_count = D::table.count, operand_count = D::operand_count;
    static constexpr planned_graph graph{D::table, {D::outputs, D::output_count, D::updates, D::update_count, Gate}, Fuse};

    static constexpr auto place() {
        placed_nodes<node_count> r{};
        planner::place(graph, r);
        return r;
    }
    static constexpr auto placed = place();

    static constexpr auto form() {
        fused_plan<node_count, operand_count, D::update_count> r{};
        planner::form(graph, placed, operand_count, r);
        return r;
    }
    static constexpr auto fused = form();

    template<int Range>
    static constexpr auto write() {
        step_storage<node_count, operand_count, D::update_count> r{};
        if constexpr (Range == 0) planner::write(graph, fused, Range, fused, r);
        else planner::write(graph, fused, Range, steps<Range - 1>, r);
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
        planner::assemble(graph, fused, r, last, steps<Range>...);
        return r;
    }
    static constexpr auto make() { return assemble(std::make_integer_sequence<int, fused.range_count>{}); }
};

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
