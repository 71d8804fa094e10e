// SPDX-License-Identifier: MIT
// Captures of bodies: the parts of the outer graph that they read, and the operands to which their gradients pass.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/kernel.hpp>
#include <xgrad/core/region.hpp>
#include <xgrad/core/walk.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

// Finds the parts of the outer graph that bodies read. They are the largest expressions that depend on no parameter,
// and are computed once, outside. Lazy bodies read leaves, random numbers and updated variables alone; the rest is computed in them.
// Random numbers are drawn outside, also those of a call, because the iterations of a loop would draw others.
// In a body that takes gradients, the nodes between these expressions and the leaves stay in the body. So it can be differentiated there.
struct captured_nodes {
    node_info const* at[max_region_operands];
    int count;   // includes nodes that did not fit into `at`
    bool looks_up;
    bool draws_again;   // a step that draws random numbers stays in a body that takes gradients

    constexpr void push(node_info const* n) {
        if (count < max_region_operands) at[count] = n;
        ++count;
    }
    constexpr void add(node_info const* n) {
        for (int i = 0; i < count && i < max_region_operands; ++i)
            if (at[i] == n) return;
        push(n);
    }
};
// Whether a node draws random numbers, itself or in the bodies of its step.
constexpr bool draws_numbers(node_info const* n) {
    if (n->op->kind == op_kind::part) return draws_numbers(n->operands[0]);
    if (n->op->kind != op_kind::region) return n->op->kind == op_kind::random;
    region_info const& r = *n->op->region;
    bool found = false;
    node_map seen;
    for (int b = 0; b < r.body_count; ++b)
        for (int i = 0; i < r.bodies[b].count(); ++i)
            walk(seen, r.bodies[b].results[i], [&](node_info const* m, int const*) {
                found = found || draws_numbers(m);
                return 0;
            });
    return found;
}
constexpr captured_nodes find_captured(
    node_info const* const* results, int count, node_info const* const* parameters, int parameter_count, bool lazy) {
    captured_nodes found{};
    sequence<node_info const*> dependent;
    bool differentiates = false;
    node_map seen;
    auto is_parameter = [&](node_info const* n) {
        for (int i = 0; i < parameter_count; ++i)
            if (parameters[i] == n) return true;
        return false;
    };
    enum { independent, depends_on_parameter, captured };   // what `seen` says of a node
    auto visit = [&](node_info const* n, int const* of_operands) -> int {
        if (is_parameter(n)) return depends_on_parameter;
        op_kind const k = n->op->kind;
        found.looks_up =
            found.looks_up || (k == op_kind::kernel && n->op->kernel->reports_indices) || (k == op_kind::region && n->op->region->may_fail);
        bool depends = false;
        for (int i = 0; i < n->count; ++i) depends = depends || of_operands[i] == depends_on_parameter;
        if (!depends) return independent;
        dependent.push(n);
        differentiates = differentiates || k == op_kind::gradient;
        return depends_on_parameter;
    };
    for (int i = 0; i < count; ++i) walk(seen, results[i], visit);
    // Captures an outer expression that the body reads, or the parts of it that are captured instead.
    sequence<node_info const*> open;
    auto use = [&](node_info const* n) {
        if (*seen.lookup(n) == depends_on_parameter || n->op->kind == op_kind::constant || n->value.type == dtype::literal) return;
        open.push(n);
        while (open.count > 0) {
            node_info const* m = open.last();
            --open.count;
            bool const draws = (lazy || differentiates) && draws_numbers(m);
            bool const leaf = m->count == 0 || m->op->kind == op_kind::updated || m->op->kind == op_kind::random;
            bool const whole = leaf || (!differentiates && (!lazy || draws));
            found.draws_again = found.draws_again || (draws && !whole);
            if (m->op->kind == op_kind::constant || m->value.type == dtype::literal) continue;
            if (whole) {
                if (*seen.lookup(m) == independent) found.push(m);
                seen.insert(m, captured);
            } else
                for (int i = 0; i < m->count; ++i) open.push(m->operands[i]);
        }
    };
    for (int i = 0; i < count; ++i) use(results[i]);
    for (node_info const* n : dependent)
        for (int i = 0; i < n->count; ++i) use(n->operands[i]);
    return found;
}
// Whether a gradient passes from this node to operands, or should.
constexpr bool passes_gradient(node_info const* n) {
    op_kind const k = n->op->kind;
    bool const written_out = k == op_kind::composite || k == op_kind::gradient || k == op_kind::part;
    if (n->op->derive == nullptr && !written_out && !n->op->lacks_derivative) return false;
    return n->op->infer_output != nullptr || has_gradient(n->value.type);
}
// Whether a gradient of this expression would reach a float or double leaf. It does not if all numbers are made of integers, as labels are.
constexpr bool is_differentiable(node_info const* root) {
    if (!has_gradient(root->value.type)) return false;
    node_map seen;
    return walk(seen, root, [](node_info const* n, int const* of_operands) {
        if (n->count == 0) return has_gradient(n->value.type) && n->op->kind != op_kind::constant && n->op->kind != op_kind::random ? 1 : 0;
        int any = 0;
        for (int k = 0; passes_gradient(n) && k < n->count; ++k) any |= of_operands[k];
        return any;
    }) != 0;
}
template<int N>
struct path_list {
    operand_set at[N > 0 ? N : 1];
};
// Finds to which operands of the body a gradient of each result passes.
template<int N>
constexpr path_list<N> find_paths(
    node_info const* const* results, node_info const* const* parameters, int parameter_count, captured_nodes const& c) {
    int const count = parameter_count + c.count < max_region_operands ? parameter_count + c.count : max_region_operands;
    int const width = (count + 63) / 64;
    sequence<std::uint64_t> sets;   // of operands, `width` words for each set
    auto new_set = [&] {
        for (int w = 0; w < width; ++w) sets.push(0);
        return width > 0 ? sets.count / width - 1 : 0;
    };
    int const empty = new_set();
    node_map seen;
    for (int k = 0; k < count; ++k) {
        node_info const* n = k < parameter_count ? parameters[k] : c.at[k - parameter_count];
        int set = empty;
        if (has_gradient(n->value.type)) {
            set = new_set();
            sets.at[set * width + k / 64] = std::uint64_t{1} << k % 64;
        }
        seen.insert(n, set);
    }
    path_list<N> r{};
    for (int i = 0; i < N; ++i) {
        int const set = walk(seen, results[i], [&](node_info const* n, int const* of_operands) {
            int found = empty;
            bool own = false;
            for (int o = 0; passes_gradient(n) && o < n->count; ++o) {
                int const other = of_operands[o];
                if (other == empty || other == found) continue;
                if (found == empty) {
                    found = other;
                    continue;
                }
                if (!own) {
                    int const first = found;
                    found = new_set();
                    for (int w = 0; w < width; ++w) sets.at[found * width + w] = sets.at[first * width + w];
                    own = true;
                }
                for (int w = 0; w < width; ++w) sets.at[found * width + w] |= sets.at[other * width + w];
            }
            return found;
        });
        for (int w = 0; w < width; ++w) r.at[i].words[w] = sets.at[set * width + w];
    }
    return r;
}
// Whether the bodies compute x themselves, from the leaves below it. Then no gradient passes from them to x.
constexpr bool computes_inside(region_info const& r, node_info const* x) {
    node_map seen;
    bool found = false;
    for (int i = 0; i < r.carries + r.slices + r.arguments; ++i) seen.insert(r.parameters[i], 0);
    for (int i = 0; i < r.captures && i < max_region_operands; ++i) seen.insert(r.captured[i], 0);
    for (int b = 0; b < r.body_count; ++b)
        for (int i = 0; i < r.bodies[b].count(); ++i)
            walk(seen, r.bodies[b].results[i], [&](node_info const* n, int const*) {
                found = found || n == x || (n->op->region != nullptr && computes_inside(*n->op->region, x));
                return 0;
            });
    return found;
}
template<int N>
struct node_list {
    node_info const* at[N > 0 ? N : 1];
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
