// SPDX-License-Identifier: MIT
// One random graph: planned, run, compared.
#pragma once

#include "build.hpp"
#include "machine.hpp"

#include <xgrad/compile/runtime_program.hpp>
#include <xgrad/plan/verify.hpp>
#include <xgrad/plan/verify/text.hpp>

#include <cmath>

namespace random_graphs {

enum class outcome { equal, refused, wrong };
struct verdict {
    outcome result = outcome::equal;
    std::string why;
    bool by_number = false;   // a value differs, which rounding might explain
};

/// Other checks of a finished plan, in addition to its results: empty if the plan is right, else a sentence.
inline std::string look_at(xg::table_view const& t, plan const& p, xg::planner::plan_request const& asked) {
    xg::planner::plan_view const v = xg::planner::view_of(p);
    xg::planner::plan_finding const f = xg::planner::verify_plan(t, v, asked);
    return f ? "the verifier: " + xg::planner::text_of(f, t, v) : std::string();
}

class trial {
    recipe const& r_;
    built_graph g_;
    plan p_;

    node const* leaf_of(int index) const {
        for (node const& n : r_.nodes)
            if (is_leaf(n) && n.attrs.name_hash == g_.d.table.attrs(index).name_hash) return &n;
        return nullptr;
    }
    tensor data_of(int index, std::int64_t const* sizes, std::uint64_t seed) const {
        xg::table_view const& t = g_.d.table;
        node const* n = leaf_of(index);
        tensor x;
        x.known = true;
        for (int a = 0; a < t.dims(index).rank; ++a) x.dims.push_back(evaluate(t.dims(index).extents[a], sizes));
        std::uint64_t const key = mix(seed, t.attrs(index).name_hash), style = key % 5;
        auto const count = static_cast<std::uint64_t>(count_of(x.dims));
        auto const limit = n != nullptr && n->is_id ? static_cast<std::uint64_t>(std::max<std::int64_t>(evaluate(n->limit, sizes), 1)) : 1;
        for (std::uint64_t e = 0; e < count; ++e) {
            std::uint64_t const h = mix(key, e);
            static constexpr double few[]{-1, 0, 0.5, 1, 2};
            double v = style == 0 ? few[h % 5] : 4 * unit(h) - 2;
            if (xg::is_integer(t.type(index))) v = static_cast<double>(static_cast<int>(h % 13) - 4) + (style == 1 ? 16777216 : 0);
            if (t.type(index) == dtype::boolean) v = static_cast<double>(h & 1);
            if (xg::is_half(t.type(index))) v = rounded(t.type(index), v);
            if (n != nullptr && n->is_id) v = n->odd && h % 5 == 0 ? static_cast<double>(limit) : static_cast<double>(h % limit);
            x.v.push_back(v);
        }
        return x;
    }
    // What a call compares before it runs: extents, and the indices of inputs.
    bool may_be_called(std::int64_t const* sizes) const {
        xg::table_view const& t = g_.d.table;
        for (int i = 0; i < t.count; ++i) {
            for (int a = 0; a < t.dims(i).rank; ++a)
                if (evaluate(t.dims(i).extents[a], sizes) < 0) return false;
            if (t.kind(i) != xg::op_kind::slice) continue;
            std::int64_t const begin = evaluate(slice_begin(t.attrs(i)), sizes), span = evaluate(slice_span(t.attrs(i)), sizes);
            if (begin < 0 || span < 0 ||
                begin + span > evaluate(t.dims(t.operand(i, 0)).extents[t.attrs(i).as<xg::slice_attributes>().axis], sizes))
                return false;
        }
        return true;
    }
    bool indices_fit(int input, tensor const& x, std::int64_t const* sizes) const {
        std::int64_t limit = -1;
        xg::table_view const& t = g_.d.table;
        xg::detail::bound_indices(t, g_.d.updates.data(), static_cast<int>(g_.d.updates.size()), input, [&](xg::extent const& e) {
            if (!xg::is_known_size(t, e)) return;
            std::int64_t const rows = evaluate(e, sizes);
            limit = limit < 0 || rows < limit ? rows : limit;
        });
        for (double v : x.v)
            if (limit >= 0 && !(v >= 0 && v < static_cast<double>(limit))) return false;
        return true;
    }
    static bool close(double a, double b, double largest) {
        return a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-10 * largest;
    }
    static std::string compare(std::vector<double> const& found, std::vector<double> const& wanted, double largest) {
        if (found.size() != wanted.size()) return std::to_string(found.size()) + " elements for " + std::to_string(wanted.size());
        for (std::size_t e = 0; e < found.size(); ++e)
            if (!close(found[e], wanted[e], largest))
                return "element " + std::to_string(e) + " is " + std::to_string(found[e]) + " and not " + std::to_string(wanted[e]);
        return {};
    }
    // The variables as they must be afterwards.
    void update_expected(evaluation& e, std::vector<tensor>& variables) const {
        xg::planner::node_stages const stages =
            xg::planner::stages_of(g_.d.table, {g_.d.outputs.data(), static_cast<int>(g_.d.outputs.size()), g_.d.updates.data(),
                                                   static_cast<int>(g_.d.updates.size()), r_.gate});
        for (int stage = 0; stage < stages.count; ++stage) {
            update_stage(e, variables, stages, stage);
            for (int i = 0; i < g_.d.table.count; ++i)
                for (std::size_t k = 0; k < variables.size() && stages.at(i) == stage + 1; ++k)
                    if (g_.d.table.kind(i) == xg::op_kind::updated &&
                        xg::planner::value_of_variable(g_.d.table, i).variable == p_.variables[static_cast<int>(k)])
                        e.set(i, variables[k]);
        }
    }
    void update_stage(evaluation& e, std::vector<tensor>& variables, xg::planner::node_stages const& stages, int stage) const {
        std::vector<tensor> const old = variables;
        for (xg::planner::plan_update const& u : g_.d.updates) {
            if (stages.at(u) != stage) continue;
            std::size_t at = 0;
            while (p_.variables[static_cast<int>(at)] != xg::planner::value_of_variable(g_.d.table, u.variable).variable) ++at;
            tensor& v = variables[at];
            dtype const type = g_.d.table.type(u.variable);
            if (u.dense >= 0) {
                tensor const& g = e.of(u.dense);
                for (std::size_t k = 0; k < v.v.size(); ++k) v.v[k] = stored(type, updated(u.group, old[at].v[k], g.v[k]));
                continue;
            }
            tensor const &g = e.of(u.values), &ids = e.of(u.indices);
            std::size_t const row = ids.v.empty() ? 0 : g.v.size() / ids.v.size();
            std::vector<double> sum(v.v.size());
            for (std::size_t p = 0; p < ids.v.size(); ++p) {
                if (!(ids.v[p] >= 0 && ids.v[p] < static_cast<double>(v.dims[0]))) {
                    e.bad_index = true;
                    continue;
                }
                for (std::size_t j = 0; j < row; ++j) sum[static_cast<std::size_t>(ids.v[p]) * row + j] += g.v[p * row + j];
            }
            for (std::size_t k = 0; k < v.v.size(); ++k)
                if (sum[k] != 0) v.v[k] = stored(type, updated(u.group, v.v[k], sum[k]));
        }
    }
    verdict run(std::int64_t const* sizes, std::uint64_t seed) const {
        xg::table_view const& t = g_.d.table;
        if (!may_be_called(sizes)) return {outcome::refused, {}};
        evaluation e(t, sizes, 3);
        std::vector<tensor> inputs, variables;
        for (int k = 0; k < p_.input_count; ++k) {
            inputs.push_back(data_of(p_.inputs[k], sizes, seed));
            if (!indices_fit(p_.inputs[k], inputs.back(), sizes)) return {outcome::refused, {}};
            e.set(p_.inputs[k], inputs.back());
        }
        for (int k = 0; k < p_.variable_count; ++k) {
            variables.push_back(data_of(p_.variables[k], sizes, seed));
            e.set(p_.variables[k], variables.back());
        }
        std::vector<tensor> expected = variables;
        update_expected(e, expected);
        for (int o : g_.d.outputs) e.of(o);
        machine m(t, p_, sizes, r_.fuse, 3, 1 + static_cast<std::int64_t>(seed % 3));
        for (tensor const& x : inputs) m.m.inputs.push_back(&x);
        for (tensor& x : variables) m.m.variables.push_back(&x);
        bool const good = m.run();
        if (good == e.bad_index)
            return {outcome::wrong, good ? "an index out of range is not found" : "an index is found out of range that is not"};
        if (!good) return {};
        for (std::size_t k = 0; k < g_.d.outputs.size(); ++k) {
            tensor const& wanted = e.of(g_.d.outputs[k]);
            std::string const why = compare(m.m.output(static_cast<int>(k), count_of(wanted.dims)), wanted.v, e.largest);
            if (!why.empty()) return {outcome::wrong, "output " + std::to_string(k) + ": " + why, true};
        }
        for (std::size_t k = 0; k < expected.size(); ++k) {
            std::string const why = compare(variables[k].v, expected[k].v, e.largest);
            if (!why.empty())
                return {outcome::wrong, "variable " + std::string(t.attrs(p_.variables[static_cast<int>(k)]).name) + ": " + why, true};
        }
        return {};
    }
    verdict run_safely(std::int64_t const* sizes, std::uint64_t seed) const {
        try {
            return run(sizes, seed);
        } catch (evaluation::too_much) { return {outcome::refused, {}}; } catch (std::exception const& e) {
            return {outcome::wrong, e.what()};
        }
    }

public:
    bool planned = false;
    verdict first;   // of planning

    trial(recipe const& r, table_room& room) : r_(r), g_(r, room) {
        first.result = outcome::refused;
        if (!g_.good) return;
        try {
            p_ = plan_of(g_.d.table, g_.d.operand_count, g_.d.outputs, g_.d.updates, r.gate, r.fuse);
        } catch (std::exception const& e) {
            first = {outcome::wrong, e.what()};
            return;
        }
        if (p_.too_large) return;
        if (std::string why = look_at(g_.d.table, p_,
                {g_.d.outputs.data(), static_cast<int>(g_.d.outputs.size()), g_.d.updates.data(), static_cast<int>(g_.d.updates.size()),
                    r.gate});
            !why.empty()) {
            first = {outcome::wrong, why};
            return;
        }
        planned = true;
        first.result = outcome::equal;
    }
    plan const& steps() const { return p_; }
    plan& steps() { return p_; }
    built_graph const& graph() const { return g_; }
    /// With these sizes. What differs in numbers alone differs with other data too, or it is rounding.
    verdict at(std::int64_t const* sizes) const {
        if (!planned) return first;
        verdict const v = run_safely(sizes, mix(r_.seed, 17));
        if (v.result != outcome::wrong || !v.by_number) return v;
        int again = 0;
        for (std::uint64_t k = 0; k < 4; ++k) again += run_safely(sizes, mix(r_.seed, 100 + k)).result == outcome::wrong;
        return again >= 1 ? v : verdict{outcome::refused, {}};
    }
};

/// Fills in what a recipe's nodes are; false where it is no graph any more.
inline bool refresh(recipe& r, table_room& room) {
    graph_builder g(room);
    for (std::size_t k = 0; k < r.nodes.size(); ++k) {
        if (!g.add(r.nodes[k])) return false;
        r.nodes[k].value = g.info(static_cast<int>(k));
    }
    return true;
}

}   // namespace random_graphs
