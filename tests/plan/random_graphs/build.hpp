// SPDX-License-Identifier: MIT
// From a recipe to a table, by the functions that expressions are flattened with, run at run time.
#pragma once

#include "recipe.hpp"

#include <xgrad/grad/gradients.hpp>
#include <xgrad/plan/stages.hpp>

#include <memory>

namespace random_graphs {

using table_room = xg::table_storage<512>;
inline table_room& cleared(table_room& s) {
    s.node_count = s.operand_count = s.attr_count = s.word_count = s.extent_count = s.needed = 0;
    for (int& b : s.buckets) b = 0;
    return s;
}
struct fresh_table {
    std::unique_ptr<table_room> room = std::make_unique<table_room>();
};

/// Adds nodes one by one; a node that an operation refuses is not added.
class graph_builder {
    std::vector<bool> watched_;

    xg::symbol put(xg::op_info const* op, xg::symbol const* x, int count, xg::attributes const& a) {
        xg::value_info const* v[xg::max_operands]{};
        for (int i = 0; i < count; ++i) v[i] = &b.info(x[i]);
        if (op->infer != nullptr && op->kind != xg::op_kind::gradient && infer(*op, v, count, a).wrong != xg::fault::none) return {};
        return b.add(op, x, count, a);
    }

public:
    xg::table_builder b;
    std::vector<xg::symbol> at;
    int random_rows = 0;

    bool is_value_of_variable(int node) const {
        return b.nodes[node].op->kind == xg::op_kind::variable || b.nodes[node].op->kind == xg::op_kind::updated;
    }
    explicit graph_builder(table_room& s, std::vector<bool> watched = {}) : watched_(std::move(watched)), b(cleared(s)) {}

    bool add(node const& n) {
        xg::symbol in[xg::max_operands]{}, s{};
        if (n.in.size() > xg::max_operands) return false;
        for (std::size_t i = 0; i < n.in.size(); ++i) in[i] = at[static_cast<std::size_t>(n.in[i])];
        auto const count = static_cast<int>(n.in.size());
        if (is_leaf(n)) s = b.leaf(xg::node_info{n.op, n.value, n.attrs.view(), 0, nullptr, 0});
        else if (n.op->kind == xg::op_kind::updated && !is_value_of_variable(in[0].index)) return false;
        else if (n.op->kind == xg::op_kind::constant) s = b.constant(n.attrs.as<xg::constant_attributes>().value, n.value.type);
        else if (n.op->kind == xg::op_kind::gradient) {
            int const seeds = count - n.ys - n.xs;
            xg::gradient_attributes a{};
            a.y_count = static_cast<std::int16_t>(n.ys);
            a.x_count = static_cast<std::int16_t>(n.xs);
            a.x = static_cast<std::int16_t>(n.x);
            a.seeds = (1u << seeds) - 1;
            a.zeros = true;
            for (int i = 0; i < n.ys; ++i)
                if (!xg::has_gradient(b.info(in[i]).type)) return false;
            for (int i = 0; i < seeds; ++i)
                if (!(b.info(in[i]).dims == b.info(in[n.ys + n.xs + i]).dims) || b.info(in[i]).type != b.info(in[n.ys + n.xs + i]).type)
                    return false;
            for (int i = 0; i < n.xs; ++i)
                if (b.info(in[n.ys + i]).type == dtype::literal) return false;
            auto const w = xg::to_words(a);
            s = b.add(n.op, in, count, w.view());
        } else if (n.op->kind == xg::op_kind::region) {
            for (int i = 0; i < count; ++i) {
                xg::value_info const want = operand_of_region(n, i), &have = b.info(in[i]);
                if (have.type != want.type || !(have.dims == want.dims)) return false;
            }
            s = b.add(n.op, in, count, n.attrs.view());
        } else s = put(n.op, in, count, n.attrs.view());
        if (!s.exists() || b.info(s).wrong != xg::fault::none) return false;
        if (n.part >= 0) {
            auto const w = xg::to_words(xg::part_attributes{n.part});
            s = b.add(xg::op_register<xg::op::part>::info, &s, 1, w.view());
            if (b.info(s).wrong != xg::fault::none) return false;
        }
        std::size_t const k = at.size();
        if (k < watched_.size() && watched_[k] && !is_leaf(n) && b.info(s).type != dtype::literal) s = b.set_apart(s);
        at.push_back(s);
        return true;
    }
    xg::symbol operator[](int k) const { return at[static_cast<std::size_t>(k)]; }
    xg::value_info const& info(int k) const { return b.info((*this)[k]); }
    /// No tensor too large for polynomials, no rank too high.
    bool sound() const {
        for (int i = 0; i < b.node_count; ++i) {
            if (b.nodes[i].value.wrong != xg::fault::none || b.nodes[i].value.dims.rank > xg::max_rank) return false;
            for (int a = 0; a < b.nodes[i].value.dims.rank; ++a)
                if (b.nodes[i].value.dims.extents[a].overflow) return false;
        }
        return b.name_conflict.empty() && b.lost_gradient.empty();
    }
    /// As the operands of a region are in the expression: carries, sequences, arguments, what is captured, the control.
    static xg::value_info operand_of_region(node const& n, int k) {
        xg::region_form const f = form_of(*n.op->region, n.attrs.view());
        xg::value_info v = *f.operand[k];
        if (k >= f.carries && k < f.carries + f.slices) {
            for (int i = v.dims.rank++; i > 0; --i) v.dims.extents[i] = v.dims.extents[i - 1];
            v.dims.extents[0] = f.length;
        }
        return v;
    }
};

/// What is planned: a table, its outputs, its updates.
struct draft {
    xg::table_view table;
    int operand_count;
    std::vector<int> outputs;
    std::vector<xg::planner::plan_update> updates;
};
inline std::vector<bool> watched_nodes(recipe const& r) {
    std::vector<bool> w(r.nodes.size());
    for (node const& n : r.nodes)
        for (int i = n.ys; i < n.ys + n.xs; ++i) w[static_cast<std::size_t>(n.in[static_cast<std::size_t>(i)])] = true;
    return w;
}

/// The table of a recipe; it holds while the builder lives.
class built_graph {
    graph_builder g_;

    // Assigned values and slices that the recipe makes have the variable's shape; shrinking may put others in their place.
    bool fits(update const& u) {
        xg::value_info const& v = g_.info(u.variable);
        if (u.value >= 0) return g_.info(u.value).type == v.type && g_.info(u.value).dims == v.dims;
        if (u.values < 0) return true;
        xg::shape wanted = g_.info(u.indices).dims;
        if (v.dims.rank == 0 || wanted.rank + v.dims.rank - 1 > xg::max_rank) return false;
        for (int a = 1; a < v.dims.rank; ++a) wanted.extents[wanted.rank++] = v.dims.extents[a];
        return g_.info(u.values).type == xg::computed_type(v.type) && g_.info(u.values).dims == wanted;
    }
    bool add_updates(recipe const& r) {
        std::vector<xg::symbol> xs;
        for (update const& u : r.updates)
            if (!fits(u)) return false;
        for (std::size_t k = 0; k < r.updates.size();
             ++k)   // each value is replaced once; the first one by anything, others by an assignment
            for (std::size_t i = 0; i <= k; ++i) {
                int const node = g_[r.updates[k].variable].index;
                if (i < k ? g_[r.updates[i].variable].index == node
                          : !g_.is_value_of_variable(node) || (g_.b.nodes[node].op->kind == xg::op_kind::updated && r.updates[k].value < 0))
                    return false;
            }
        for (update const& u : r.updates)
            if (u.value < 0 && u.values < 0) xs.push_back(g_[u.variable]);
        std::vector<xg::adjoint> found(xs.size());
        if (!xs.empty()) {
            if (r.loss < 0) return false;
            xg::symbol const y = g_[r.loss];
            xg::reverse_sweep(g_.b).run(&y, nullptr, 1, xs.data(), static_cast<int>(xs.size()), nullptr, 0, found.data());
        }
        std::size_t k = 0;
        for (update const& u : r.updates) {
            int const v = g_[u.variable].index;
            if (u.value >= 0) d.updates.push_back({v, g_[u.value].index, -1, -1, 1});
            else if (u.values >= 0) d.updates.push_back({v, -1, g_[u.values].index, g_[u.indices].index, 0});
            else {
                xg::adjoint const& a = found[k++];
                if (!a.exists()) continue;
                d.updates.push_back(
                    {v, a.sparse() ? -1 : a.dense.index, a.sparse() ? a.values.index : -1, a.sparse() ? a.indices.index : -1, 0});
            }
        }
        return true;
    }

public:
    draft d{};
    bool good = true;

    built_graph(recipe const& r, table_room& room) : g_(room, watched_nodes(r)) {
        for (node const& n : r.nodes) good = good && g_.add(n);
        good = good && add_updates(r) && g_.sound();
        if (!good) return;
        for (int o : r.outputs) d.outputs.push_back(g_[o].index);
        good = !d.outputs.empty() || !d.updates.empty();
        d.table = g_.b.view();
        d.operand_count = g_.b.operand_count;
        good = good && xg::planner::stages_of(d.table, {d.outputs.data(), static_cast<int>(d.outputs.size()), d.updates.data(),
                                                           static_cast<int>(d.updates.size()), r.gate})
                               .wrong == xg::planner::new_value_fault::none;
    }
    int index_of(int n) const { return g_[n].index; }
};

}   // namespace random_graphs
