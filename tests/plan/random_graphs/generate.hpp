// SPDX-License-Identifier: MIT
// Random recipes: one number decides all.
#pragma once

#include "update_maker.hpp"

namespace random_graphs {

/// Graphs of all kinds, including some that the planner handles specially.
class generator : update_maker {
    int theme_ = 0;   // 1: short rows, 2: regression, 3: lookups, 4: updates

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

public:
    generator(std::uint64_t seed, table_room& room) : update_maker(seed, room) {
        static constexpr std::int64_t sizes[]{0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 5, 7};
        for (auto& s : r_.sizes) s = d_.of(sizes);
        for (int k = 2 + d_.below(3); k > 0; --k)
            palette_.push_back(d_.chance(0.4) ? xg::named_extent(&dims[d_.below(3)]) : xg::static_extent(2 + d_.below(4)));
        if (d_.chance(0.2)) palette_.push_back(xg::static_extent(d_.chance(0.5) ? 64 + d_.below(4) : 6 + d_.below(30)));
        double const u = unit(d_.next());
        theme_ = u < 0.42 ? 0 : u < 0.62 ? 1 : u < 0.69 ? 2 : u < 0.77 ? 3 : 4;
        if (theme_ == 1) {
            palette_.clear();
            palette_.push_back(d_.chance(0.8) ? xg::named_extent(&dims[d_.below(3)]) : xg::static_extent(64 + d_.below(4)));
            for (int k = 2 + d_.below(2); k > 0; --k) palette_.push_back(xg::static_extent(2 + d_.below(5)));
            if (d_.chance(0.2)) palette_.push_back(xg::named_extent(&dims[d_.below(3)]));
        }
        static constexpr dtype types[]{dtype::float32, dtype::float32, dtype::float32, dtype::float64, dtype::float64, dtype::float64,
            dtype::bfloat16, dtype::bfloat16, dtype::float16, dtype::float16};
        main_ = d_.of(types);
        r_.gate = d_.chance(0.5) ? xg::gating::none : d_.chance(0.5) ? xg::gating::op : xg::gating::graph;
        r_.fuse = d_.chance(0.85);
    }
    recipe make() {
        if (theme_ == 2) regression();
        if (theme_ == 4) variables();
        for (int k = 1 + d_.below(3); k > 0; --k) leaf(main_, some_shape(d_.below(4)));
        if (theme_ == 1) grid();
        if (theme_ == 3) leaf(main_, some_shape(1 + d_.below(2)), true);
        if (d_.chance(0.2)) leaf(d_.chance(0.5) ? dtype::int32 : dtype::int64, some_shape(d_.below(3)));
        int const wanted = theme_ == 4 ? 1 + d_.below(6) : 2 + d_.below(d_.chance(0.2) ? 24 : 10);
        for (int made = 0, tried = 0; made < wanted && tried < 100; ++tried) made += some_node() >= 0;
        for (int k = d_.below(3) + (theme_ != 4); k > 0; --k) {
            int o = theme_ == 1 ? floating() : any();
            if (theme_ == 1 && o >= 0 && dims_of(o).rank > 0 && d_.chance(0.8)) {
                int const rank = dims_of(o).rank;
                int const axes = d_.chance(0.5) ? (1 << rank) - 1 : d_.chance(0.5) ? ((1 << rank) - 1) / 2 : 1 + d_.below((1 << rank) - 1);
                o = apply(op_lists::reductions[d_.below(5)], {o}, reduction(axes));
            }
            if (o >= 0) r_.outputs.push_back(o);
        }
        if (theme_ == 4) {
            many_updates();
            if (int const o = any(); o >= 0 && r_.outputs.empty() && r_.updates.empty()) r_.outputs.push_back(o);   // -1: no node fitted
            return r_;
        }
        choose_updates();
        if (!r_.updates.empty() && d_.chance(0.5)) read_new_values();
        return r_;
    }
};

}   // namespace random_graphs
