// SPDX-License-Identifier: MIT
// Random updates of variables: by gradients, by rows, by assignments, and what reads the values that they leave.
#pragma once

#include "node_maker.hpp"

#include <algorithm>

namespace random_graphs {

/// Gives the variables of a graph updates, some of them several in a row.
class update_maker : protected node_maker {
    std::vector<int> values_;   // the last value of each variable of many_updates

    bool has_update(int variable) const {
        for (update const& u : r_.updates)
            if (u.variable == variable) return true;
        return false;
    }
    // ---- graphs that are mostly updates
    std::vector<bool> reached_from_loss() {   // others have no gradient
        std::vector<bool> reached(r_.nodes.size());
        if (r_.loss >= 0) reached[static_cast<std::size_t>(r_.loss)] = true;
        for (std::size_t k = reached.size(); k-- > 0;)
            for (int i : r_.nodes[k].in) reached[static_cast<std::size_t>(i)] = reached[static_cast<std::size_t>(i)] || reached[k];
        return reached;
    }
    int cast_to(dtype type, int x) {
        return apply(type == dtype::float32    ? op_of<xg::op::cast<float>>
                     : type == dtype::float64  ? op_of<xg::op::cast<double>>
                     : type == dtype::bfloat16 ? op_of<xg::op::cast<xg::bfloat16>>
                     : type == dtype::float16  ? op_of<xg::op::cast<xg::float16>>
                     : type == dtype::int32    ? op_of<xg::op::cast<std::int32_t>>
                                               : op_of<xg::op::cast<std::int64_t>>,
            {x});
    }
    int product_like(dtype type, xg::shape const& s) {
        xg::extent const inner = d_.chance(0.3) ? xg::static_extent(1) : some_extent();
        bool const ta = d_.chance(0.4), tb = d_.chance(0.4);
        int const a = like(type, xg::shape{2, {ta ? inner : s.extents[0], ta ? s.extents[0] : inner}}),
                  b = like(type, xg::shape{2, {tb ? s.extents[1] : inner, tb ? inner : s.extents[1]}});
        return apply(op_of<xg::op::matmul>, {a, b}, given(xg::product_attributes{ta, tb}));
    }
    int rows_of(dtype type, xg::shape s) {   // of a table, by indices
        if (s.rank == 0) return -1;
        xg::extent const count = s.extents[0];
        s.extents[0] = some_extent();
        int i = pick([&](node const& n) { return n.is_id && n.limit == s.extents[0] && n.value.dims == xg::shape{1, {count}}; });
        if (i < 0) i = ids(xg::shape{1, {count}}, s.extents[0]);
        return apply(op_of<xg::op::gather>, {like(type, s), i});
    }
    // A step over bodies whose floating and bool operands depend on node a, such as the new value of a variable.
    int region_of(int a) {
        xg::shape const s = dims_of(a);
        if (s.rank > 0) a = apply(op_of<xg::op::sum>, {a}, reduction((1 << s.rank) - 1));
        xg::node_info const& info = has_calls_ ? *d_.of(bodies::others) : *d_.of(bodies::loops);
        node n{info.op, {}};
        for (int k = 0; k < info.count && a >= 0; ++k) {
            xg::value_info const& v = info.operands[k]->value;
            bool const is_ids = k == bodies::ids_of(&info), is_turns = k == bodies::turns_of(&info);
            int x = is_ids     ? ids(v.dims, xg::named_extent(&dims[2]))
                    : is_turns ? ids(v.dims, info.op->region->length + xg::static_extent(1))
                               : like(v.type, v.dims);
            if (x < 0 || ((is_ids || is_turns) && at(x).value.type != dtype::int32)) return -1;
            if (v.type == dtype::boolean) x = apply(op_of<xg::op::greater>, {a, constant(at(a).value.type)});
            else if (v.type == dtype::float32 || v.type == dtype::float64) {
                int const number = apply(v.type == dtype::float32 ? op_of<xg::op::cast<float>> : op_of<xg::op::cast<double>>, {a});
                if (d_.chance(0.6)) x = apply(d_.chance(0.5) ? op_of<xg::op::add> : op_of<xg::op::mul>, {x, number});
            }
            if (x < 0) return -1;
            n.in.push_back(x);
        }
        if (a < 0) return -1;
        n.part = d_.below(info.op->region->carries + info.op->region->emitted);
        int const made = add(n);
        return made >= 0 ? gradients_of_region(made) : made;
    }
    // What may be assigned in place of value k: products, parts, rows, casts, what is there already.
    int value_like(int k) {
        dtype const type = at(k).value.type;
        xg::shape const s = dims_of(k);
        double const u = unit(d_.next());
        int e = -1;
        if (u < 0.25) e = pick([&](node const& n) { return n.value.type == type && n.value.dims == s; });
        else if (u < 0.45) e = s.rank == 2 && xg::has_gradient(type) ? product_like(type, s) : -1;
        else if (u < 0.6) e = apply(d_.of(op_lists::binary), {d_.chance(0.6) ? k : like(type, s), like(type, s)});
        else if (u < 0.7) e = apply(d_.of(op_lists::unary), {like(type, s)});
        else if (u < 0.78) {
            static constexpr dtype types[]{dtype::float32, dtype::float64, dtype::bfloat16, dtype::float16, dtype::int32};
            e = cast_to(type, like(d_.of(types), s));
        } else if (u < 0.86) e = rows_of(type, s);
        else if (u < 0.92 && s.rank > 0) {
            node n{op_of<xg::op::sort>, {like(type, s)}};
            n.part = 0;
            e = add(n);
        } else if (s.rank > 0) {   // a slice
            xg::shape wide = s;
            wide.extents[0] = wide.extents[0] + xg::static_extent(1);
            auto const how = slice_of(0, xg::static_extent(d_.below(2)), s.extents[0], 1, !s.extents[0].is_static());
            e = apply(op_of<xg::op::slice>, {like(type, wide)}, how);
        }
        return e >= 0 && at(e).value.type == type && dims_of(e) == s ? e : -1;
    }
    int indices_into(xg::extent const& rows) {
        int i = pick([&](node const& n) { return n.is_id && n.limit == rows && n.value.dims.rank == 1; });
        if (i < 0 || d_.chance(0.2)) i = ids(some_shape(1), rows);
        return i;
    }
    void update_value(int k, std::vector<bool> const& reached) {
        bool const second = at(k).op == op_of<xg::op::updated>, fp = xg::has_gradient(at(k).value.type);
        double const u = second ? 1 : unit(d_.next());
        if (u < 0.4) {
            if (fp && static_cast<std::size_t>(k) < reached.size() && reached[static_cast<std::size_t>(k)]) r_.updates.push_back({k});
        } else if (u < 0.65) {
            if (!fp || dims_of(k).rank == 0) return;
            int const i = indices_into(dims_of(k).extents[0]);
            if (i < 0) return;
            xg::shape s = dims_of(k);
            s.extents[0] = dims_of(i).extents[0];
            if (int const x = like(xg::computed_type(at(k).value.type), s); x >= 0) r_.updates.push_back({k, -1, x, i});
        } else if (int const e = value_like(k); e >= 0) r_.updates.push_back({k, e});
    }
    void choose_loss() {
        int const v = d_.any(values_);
        bool const fp = xg::has_gradient(at(v).value.type);
        if (fp && dims_of(v).rank == 2 && d_.chance(0.4))
            r_.loss = apply(op_of<xg::op::matmul>, {like(at(v).value.type, xg::shape{2, {some_extent(), dims_of(v).extents[0]}}), v},
                given(xg::product_attributes{}));
        else if (fp && dims_of(v).rank > 0 && d_.chance(0.3))
            r_.loss = apply(op_of<xg::op::gather>, {v, indices_into(dims_of(v).extents[0])});
        if (r_.loss < 0) r_.loss = floating();
    }

protected:
    // A few variables of few shapes, so that their values fit each other.
    void variables() {
        xg::shape shapes[2];
        for (xg::shape& s : shapes) s = some_shape(d_.chance(0.6) ? 2 : 1 + d_.below(3));
        static constexpr dtype others[]{dtype::float32, dtype::float64, dtype::bfloat16, dtype::float16, dtype::int32};
        for (int k = 2 + d_.below(3); k > 0; --k)
            if (int const v = leaf(d_.chance(0.8) ? main_ : d_.of(others), shapes[d_.chance(0.7) ? 0 : 1], true); v >= 0)
                values_.push_back(v);
    }
    void many_updates() {
        if (values_.empty()) return;
        int const loss_at = d_.chance(0.8) ? 0 : 1;   // the loss may be made of new values
        for (int round = 0, rounds = 1 + d_.below(4); round < rounds; ++round) {
            if (round == loss_at) choose_loss();
            std::vector<bool> const reached = reached_from_loss();
            for (int k : values_)
                if (!has_update(k) && d_.chance(0.6)) update_value(k, reached);
            for (int& k : values_)
                if (has_update(k) && d_.chance(0.7))
                    if (int const behind = apply(op_of<xg::op::updated>, {k}); behind >= 0) k = behind;
            for (int more = d_.below(3); more > 0; --more) {
                int const k = d_.any(values_);
                int const e = d_.chance(0.4) ? general() : d_.chance(0.5) ? value_like(k) : apply(d_.of(op_lists::unary), {k});
                if (e >= 0 && at(e).value.type != dtype::literal && d_.chance(0.2)) r_.outputs.push_back(e);
            }
            if (d_.chance(0.2)) r_.outputs.push_back(d_.any(values_));
            if (d_.chance(0.2)) region_of(d_.any(values_));
        }
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
            } else if (fp && dims_of(v).rank > 0) {   // slices that the recipe makes
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
        std::vector<bool> const reached = reached_from_loss();
        for (int k = 1 + d_.below(2); k > 0; --k)
            if (update const& u = d_.any(r_.updates); u.value >= 0 || u.values >= 0 || reached[static_cast<std::size_t>(u.variable)])
                apply(op_of<xg::op::updated>, {u.variable});
        if (count() == before) return;
        for (int more = 1 + d_.below(4); more > 0; --more) {
            int const a = before + d_.below(count() - before), b = d_.chance(0.7) ? partner(a) : -1;
            if (at(a).value.type == dtype::boolean || (b < 0 && d_.chance(0.3))) general();
            else if (b < 0 && d_.chance(0.4)) region_of(a);
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

    update_maker(std::uint64_t seed, table_room& room) : node_maker(seed, room) {}
    ~update_maker() = default;
};

}   // namespace random_graphs
