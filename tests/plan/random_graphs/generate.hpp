// SPDX-License-Identifier: MIT
// Random recipes: one number decides all.
#pragma once

#include "node_maker.hpp"

namespace random_graphs {

/// Graphs of all kinds, and of some that the planner has ways of its own for.
class generator : node_maker {
    int theme_ = 0;   // 1: short rows, 2: regression, 3: lookups

    // What lanes are for: short rows below a long dimension, mostly loops.
    int short_rows() {
        double const u = unit(d_.next());
        if (u < 0.5) return elementwise();
        if (u < 0.58) {
            int const a = floating();
            int const axis = a < 0 ? 0 : d_.below(dims_of(a).rank + 1);
            return a < 0 ? -1 : apply(op_of<xg::op::expand_dims>, {a}, along_axis(axis));
        }
        if (u < 0.8) {
            int const a = floating(1);
            int const axes = a < 0 ? 0 : d_.chance(0.7) ? 1 << (dims_of(a).rank - 1) : 1 + d_.below((1 << dims_of(a).rank) - 1);
            bool const keep = d_.chance(0.6);
            return a < 0 ? -1 : apply(d_.of(op_lists::reductions), {a}, reduction(axes, keep));
        }
        return general();
    }
    // A grid of short rows, from two smaller arrays.
    void grid() {
        xg::extent const lanes = palette_[0], d = palette_[1], m = d_.chance(0.3) ? some_extent() : xg::static_extent(4 + d_.below(3));
        bool const outer = d_.chance(0.7);   // the lanes come first
        int const x = leaf(main_, xg::shape{2, {lanes, d}}),
                  y = leaf(main_, d_.chance(0.7) ? xg::shape{2, {m, d}} : xg::shape{2, {m, xg::static_extent(1)}});
        auto const one = along_axis(1), zero = along_axis(0);
        if (x < 0 || y < 0) return;
        int const wide = apply(op_of<xg::op::expand_dims>, {x}, outer ? one : zero),
                  other = apply(op_of<xg::op::expand_dims>, {y}, outer ? zero : one);
        int sum = wide >= 0 && other >= 0 ? apply(d_.of(op_lists::binary), {wide, other}) : -1;
        if (sum < 0 || d_.chance(0.5)) return;
        int const axis = outer ? 0 : 1;   // summed along the lanes, with factors that do not vary along them
        for (int more = 1 + d_.below(3); more > 0 && sum >= 0; --more) {
            xg::shape s = dims_of(sum);
            s.extents[axis] = xg::static_extent(1);
            sum = d_.chance(0.3) ? apply(op_of<xg::op::neg>, {sum})
                                 : apply(op_of<xg::op::mul>, {sum, d_.chance(0.7) ? leaf(main_, s) : partner(sum)});
        }
        if (sum >= 0) sum = apply(op_of<xg::op::sum>, {sum}, reduction(1 << axis));
        if (sum >= 0) r_.outputs.push_back(sum);
    }
    // Rows by index of a few tables, the indices by all ways.
    int lookups() {
        double const u = unit(d_.next());
        if (u < 0.3) return look_up();
        if (u < 0.45) {
            int const i = pick([](node const& n) { return n.is_id && n.value.dims.rank > 0; });
            return i < 0 ? -1 : d_.chance(0.5) ? slice(i) : reshape(i);
        }
        if (u < 0.6) return concat();
        return general();
    }
    int first_row(int x) {
        node_attributes const first = slice_of(0, xg::static_extent(0), xg::static_extent(1), 1, true);
        return evaluate(dims_of(x).extents[0], r_.sizes) < 1 ? -1 : apply(op_of<xg::op::slice>, {x}, first);
    }
    // A product with a vector, something element-wise, the gradient.
    void regression() {
        xg::extent const n = some_extent(), k = some_extent(), one = xg::static_extent(1);
        int const x = leaf(main_, xg::shape{2, {n, k}}), w = leaf(main_, xg::shape{2, {k, one}}, true),
                  y = leaf(main_, xg::shape{2, {n, one}});
        if (x < 0 || w < 0 || y < 0) return;
        int e = apply(op_of<xg::op::matmul>, {x, w});
        int const p = e;
        for (int more = 1 + d_.below(4); more > 0 && e >= 0; --more) {
            int other = d_.chance(0.5) ? y : d_.chance(0.5) ? p : d_.chance(0.5) ? constant(main_) : partner(e);
            if (d_.chance(0.1)) other = first_row(p);
            e = d_.chance(0.3) ? apply(d_.of(op_lists::unary), {e}) : apply(d_.of(op_lists::binary), {e, other});
        }
        if (e < 0) return;
        node_attributes const all = reduction((1 << dims_of(e).rank) - 1);
        r_.loss = d_.chance(0.3) || dims_of(e).rank == 0 ? e : apply(d_.chance(0.5) ? op_of<xg::op::sum> : op_of<xg::op::mean>, {e}, all);
        if (r_.loss >= 0) r_.updates.push_back({w});
    }
    int some_node() { return theme_ == 1 ? short_rows() : theme_ == 3 ? lookups() : general(); }
    bool has_update(int variable) const {
        for (update const& u : r_.updates)
            if (u.variable == variable) return true;
        return false;
    }
    void choose_updates() {
        if (d_.chance(0.4)) return;
        if (r_.loss < 0) r_.loss = floating();
        std::vector<int> variables;
        for (int k = 0; k < count(); ++k)
            if (at(k).op == op_of<xg::op::variable>) variables.push_back(k);
        for (int v : variables) {
            if (has_update(v)) continue;
            bool const fp = xg::has_gradient(at(v).value.type);
            double const u = unit(d_.next());
            if (fp && u < 0.7) r_.updates.push_back({v});
            else if (u < 0.85) {
                int const e = pick([&](node const& n) { return n.value.type == at(v).value.type && n.value.dims == dims_of(v); });
                if (e >= 0) r_.updates.push_back({v, e});
            } else if (fp && dims_of(v).rank > 0) {   // slices made by hand
                xg::extent const rows = dims_of(v).extents[0];
                int i = pick([&](node const& n) { return n.is_id && n.limit == rows && n.value.dims.rank == 1; });
                if (i < 0) i = ids(some_shape(1), rows);
                if (i < 0) continue;
                xg::shape s = dims_of(v);
                s.extents[0] = dims_of(i).extents[0];
                if (int const x = like(xg::computed_type(at(v).value.type), s); x >= 0) r_.updates.push_back({v, -1, x, i});
            }
        }
        if (r_.loss < 0) std::erase_if(r_.updates, [](update const& u) { return u.value < 0 && u.values < 0; });
    }

    // New values of variables, what is made of them, and where it goes.
    void read_new_values() {
        int const before = count();
        std::vector<bool> reached(r_.nodes.size());   // from the loss: others have no gradient
        if (r_.loss >= 0) reached[static_cast<std::size_t>(r_.loss)] = true;
        for (std::size_t k = reached.size(); k-- > 0;)
            for (int i : r_.nodes[k].in) reached[static_cast<std::size_t>(i)] = reached[static_cast<std::size_t>(i)] || reached[k];
        for (int k = 1 + d_.below(2); k > 0; --k)
            if (update const& u = d_.any(r_.updates); u.value >= 0 || u.values >= 0 || reached[static_cast<std::size_t>(u.variable)])
                apply(op_of<xg::op::updated>, {u.variable});
        if (count() == before) return;
        for (int more = 1 + d_.below(4); more > 0; --more) {
            int const a = before + d_.below(count() - before), b = d_.chance(0.7) ? partner(a) : -1;
            if (at(a).value.type == dtype::boolean || (b < 0 && d_.chance(0.3))) some_node();
            else if (b < 0) apply(d_.of(op_lists::unary), {a});
            else apply(d_.of(op_lists::binary), {a, b});
        }
        auto const last_value = [&] {
            int k = count() - 1;
            while (k > before && (at(k).value.type == dtype::literal || at(k).value.type == dtype::boolean)) --k;
            return k;
        };
        if (d_.chance(0.6)) r_.outputs.push_back(last_value());
        if (d_.chance(0.2)) r_.outputs.push_back(before);
        for (int more = 1 + d_.below(2); more > 0; --more) {
            int value = last_value();
            int const v = leaf(at(value).value.type, dims_of(value), true);
            if (v < 0) return;
            if (d_.chance(0.7)) value = apply(d_.of(op_lists::binary), {d_.chance(0.5) ? value : v, d_.chance(0.5) ? value : v});
            if (value < 0 || !(dims_of(value) == dims_of(v)) || at(value).value.type != at(v).value.type) return;
            xg::shape const s = dims_of(v);
            if (int const i = s.rank > 0 && xg::is_floating(at(v).value.type) && d_.chance(0.3)
                                  ? ids(xg::shape{1, {s.extents[0]}}, s.extents[0])
                                  : -1;
                i >= 0)
                r_.updates.push_back({v, -1, value, i});
            else r_.updates.push_back({v, value});
            if (d_.chance(0.5)) apply(op_of<xg::op::updated>, {v});   // a stage more
        }
        if (d_.chance(0.5)) update_again(before);
    }
    // A second update of what one has left, and a third; what is made of their values.
    void update_again(int before) {
        for (int more = 1 + d_.below(2); more > 0; --more) {
            int const u = before + d_.below(count() - before);
            if (at(u).op != op_of<xg::op::updated> || has_update(u)) continue;
            auto const fits = [&](int e) { return e >= 0 && at(e).value.type == at(u).value.type && dims_of(e) == dims_of(u); };
            int e = d_.chance(0.5) ? apply(d_.of(op_lists::unary), {u}) : apply(d_.of(op_lists::binary), {u, partner(u)});
            if (d_.chance(0.2) && dims_of(u).rank == 2)
                e = apply(op_of<xg::op::matmul>, {u, leaf(at(u).value.type, xg::shape{2, {dims_of(u).extents[1], dims_of(u).extents[1]}})});
            if (d_.chance(0.2)) e = pick([&](node const& n) { return n.value.type == at(u).value.type && n.value.dims == dims_of(u); });
            if (!fits(e)) continue;
            r_.updates.push_back({u, e});
            if (d_.chance(0.3)) continue;
            int const behind = apply(op_of<xg::op::updated>, {u});
            if (behind < 0 || d_.chance(0.3)) continue;
            int const both = apply(d_.of(op_lists::binary), {behind, u});
            if (both >= 0 && at(both).value.type != dtype::boolean && d_.chance(0.7)) r_.outputs.push_back(both);
            else r_.outputs.push_back(behind);
        }
    }

public:
    generator(std::uint64_t seed, table_room& room) : node_maker(seed, room) {
        static constexpr std::int64_t sizes[]{0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 5, 7};
        for (auto& s : r_.sizes) s = d_.of(sizes);
        for (int k = 2 + d_.below(3); k > 0; --k)
            palette_.push_back(d_.chance(0.4) ? xg::named_extent(&dims[d_.below(3)]) : xg::static_extent(2 + d_.below(4)));
        if (d_.chance(0.2)) palette_.push_back(xg::static_extent(d_.chance(0.5) ? 64 + d_.below(4) : 6 + d_.below(30)));
        double const u = unit(d_.next());
        theme_ = u < 0.6 ? 0 : u < 0.8 ? 1 : u < 0.87 ? 2 : 3;
        if (theme_ == 1) {
            palette_.clear();
            palette_.push_back(d_.chance(0.8) ? xg::named_extent(&dims[d_.below(3)]) : xg::static_extent(64 + d_.below(4)));
            for (int k = 2 + d_.below(2); k > 0; --k) palette_.push_back(xg::static_extent(2 + d_.below(5)));
            if (d_.chance(0.2)) palette_.push_back(xg::named_extent(&dims[d_.below(3)]));
        }
        static constexpr dtype types[]{dtype::float32, dtype::float32, dtype::float32, dtype::float64, dtype::float64, dtype::float64,
            dtype::bfloat16, dtype::float16};
        main_ = d_.of(types);
        r_.gate = d_.chance(0.5) ? xg::gating::none : d_.chance(0.5) ? xg::gating::op : xg::gating::graph;
        r_.fuse = d_.chance(0.85);
    }
    recipe make() {
        if (theme_ == 2) regression();
        for (int k = 1 + d_.below(3); k > 0; --k) leaf(main_, some_shape(d_.below(4)));
        if (theme_ == 1) grid();
        if (theme_ == 3) leaf(main_, some_shape(1 + d_.below(2)), true);
        if (d_.chance(0.2)) leaf(d_.chance(0.5) ? dtype::int32 : dtype::int64, some_shape(d_.below(3)));
        int const wanted = 2 + d_.below(d_.chance(0.2) ? 24 : 10);
        for (int made = 0, tried = 0; made < wanted && tried < 100; ++tried) made += some_node() >= 0;
        for (int k = 1 + d_.below(3); k > 0; --k) {
            int o = theme_ == 1 ? floating() : any();
            if (theme_ == 1 && o >= 0 && dims_of(o).rank > 0 && d_.chance(0.8)) {
                int const rank = dims_of(o).rank;
                int const axes = d_.chance(0.5) ? (1 << rank) - 1 : d_.chance(0.5) ? ((1 << rank) - 1) / 2 : 1 + d_.below((1 << rank) - 1);
                o = apply(op_lists::reductions[d_.below(5)], {o}, reduction(axes));
            }
            if (o >= 0) r_.outputs.push_back(o);
        }
        choose_updates();
        if (!r_.updates.empty() && d_.chance(0.4)) read_new_values();
        return r_;
    }
};

}   // namespace random_graphs
