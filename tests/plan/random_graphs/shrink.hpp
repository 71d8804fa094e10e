// SPDX-License-Identifier: MIT
// A graph that fails is made smaller while it fails.
#pragma once

#include "generate.hpp"
#include "trial.hpp"

namespace random_graphs {

class shrinker {
    table_room& room_;
    recipe best_;
    int left_ = 3000;   // trials
    int names_ = 0;

    bool fails(recipe r) {
        if (--left_ < 0 || !refresh(r, room_)) return false;
        if (trial(r, room_).at(r.sizes).result != outcome::wrong) return false;
        best_ = std::move(r);
        return true;
    }
    template<class Change>
    bool attempt(Change change) {
        recipe r = best_;
        if (!change(r)) return false;
        return fails(std::move(r));
    }
    static std::string_view leaf_name(int k) {
        static std::vector<std::string> all;
        if (all.empty())
            for (int i = 0; i < 4000; ++i) all.push_back("y" + std::to_string(i));
        return all[static_cast<std::size_t>(k) % all.size()];
    }
    template<class F>
    static void each_reference(recipe& r, F f) {
        for (node& n : r.nodes)
            for (int& i : n.in) f(i);
        for (int& o : r.outputs) f(o);
        if (r.loss >= 0) f(r.loss);
        for (update& u : r.updates)
            for (int* k : {&u.variable, &u.value, &u.values, &u.indices})
                if (*k >= 0) f(*k);
    }
    static bool drop_unused(recipe& r) {
        std::vector<bool> used(r.nodes.size());
        bool by_gradient = false;
        for (update const& u : r.updates) by_gradient = by_gradient || (u.value < 0 && u.values < 0);
        if (!by_gradient) r.loss = -1;
        for (int o : r.outputs) used[static_cast<std::size_t>(o)] = true;
        if (r.loss >= 0) used[static_cast<std::size_t>(r.loss)] = true;
        for (update const& u : r.updates)
            for (int k : {u.variable, u.value, u.values, u.indices})
                if (k >= 0) used[static_cast<std::size_t>(k)] = true;
        for (std::size_t k = r.nodes.size(); k-- > 0;)
            if (used[k])
                for (int i : r.nodes[k].in) used[static_cast<std::size_t>(i)] = true;
        std::vector<int> place(r.nodes.size(), -1);
        std::vector<node> kept;
        for (std::size_t k = 0; k < r.nodes.size(); ++k)
            if (used[k]) {
                place[k] = static_cast<int>(kept.size());
                kept.push_back(r.nodes[k]);
            }
        if (kept.size() == r.nodes.size()) return false;
        r.nodes = kept;
        each_reference(r, [&](int& i) { i = place[static_cast<std::size_t>(i)]; });
        return true;
    }
    static void replace_extent(xg::shape& s, xg::extent const& from, xg::extent const& to) {
        for (int a = 0; a < s.rank; ++a)
            if (s.extents[a] == from) s.extents[a] = to;
    }
    bool round() {
        bool better = false;
        attempt([](recipe& r) { return drop_unused(r); });
        for (std::size_t k = best_.updates.size(); k-- > 0;)
            better |= attempt([&](recipe& r) {
                r.updates.erase(r.updates.begin() + static_cast<std::ptrdiff_t>(k));
                drop_unused(r);
                return true;
            });
        for (std::size_t k = best_.outputs.size(); k-- > 0;)
            better |= attempt([&](recipe& r) {
                r.outputs.erase(r.outputs.begin() + static_cast<std::ptrdiff_t>(k));
                drop_unused(r);
                return true;
            });
        for (std::size_t k = best_.outputs.size(); k-- > 0;)   // an operand of an output in its place
            for (std::size_t i = 0; i < best_.nodes[static_cast<std::size_t>(best_.outputs[k])].in.size(); ++i)
                if (attempt([&](recipe& r) {
                        r.outputs[k] = r.nodes[static_cast<std::size_t>(r.outputs[k])].in[i];
                        drop_unused(r);
                        return true;
                    })) {
                    better = true;
                    break;
                }
        for (std::size_t k = best_.nodes.size(); k-- > 0;) {
            if (k >= best_.nodes.size() || is_leaf(best_.nodes[k])) continue;
            better |= attempt([&](recipe& r) {   // a leaf in its place
                node& n = r.nodes[k];
                if (n.value.type == dtype::literal) return false;
                node leaf{op_of<xg::op::input>, {}};
                std::string_view const name = leaf_name(names_++);
                leaf.attrs.name = name;
                leaf.attrs.name_hash = xg::hash_text(name);
                leaf.value = n.value;
                leaf.is_id = n.is_id;
                leaf.limit = n.limit;
                n = leaf;
                drop_unused(r);
                return true;
            });
            if (k >= best_.nodes.size()) continue;
            for (std::size_t i = 0; k < best_.nodes.size() && i < best_.nodes[k].in.size(); ++i)
                if (attempt([&](recipe& r) {   // one of its operands in its place
                        int const from = r.nodes[k].in[i];
                        each_reference(r, [&](int& x) { x = x == static_cast<int>(k) ? from : x; });
                        return drop_unused(r);
                    })) {
                    better = true;
                    break;
                }
            for (std::size_t i = 0;
                 k < best_.nodes.size() && best_.nodes[k].op->kind == xg::op_kind::concat && i < best_.nodes[k].in.size(); ++i)
                better |= best_.nodes[k].in.size() > 1 && attempt([&](recipe& r) {
                    r.nodes[k].in.erase(r.nodes[k].in.begin() + static_cast<std::ptrdiff_t>(i));
                    drop_unused(r);
                    return true;
                });
        }
        better |= attempt([](recipe& r) { return r.gate != xg::gating::none && (r.gate = xg::gating::none, true); });
        for (int d = 0; d < 3; ++d)
            for (std::int64_t s : {1, 2, 3})
                if (best_.sizes[d] > s && attempt([&](recipe& r) { return r.sizes[d] = s, true; })) {
                    better = true;
                    break;
                }
        std::vector<xg::extent> seen;
        for (node const& n : best_.nodes)
            for (int a = 0; is_leaf(n) && a < n.value.dims.rank; ++a) {
                xg::extent const& e = n.value.dims.extents[a];
                bool known = is_one(e);
                for (auto const& o : seen) known = known || o == e;
                if (!known) seen.push_back(e);
            }
        for (xg::extent const& e : seen)
            for (std::int64_t s : {1, 2, 3, 4}) {
                if (e.is_static() && e.constant <= s) continue;
                if (attempt([&](recipe& r) {
                        for (node& n : r.nodes) {
                            if (is_leaf(n)) replace_extent(n.value.dims, e, xg::static_extent(s));
                            if (n.op->kind == xg::op_kind::alias || n.op->kind == xg::op_kind::broadcast)
                                std::replace(n.attrs.extents.begin(), n.attrs.extents.end(), e, xg::static_extent(s));
                            if (n.limit == e) n.limit = xg::static_extent(s);
                        }
                        return true;
                    })) {
                    better = true;
                    break;
                }
            }
        return better;
    }

public:
    shrinker(recipe const& r, table_room& room) : room_(room), best_(r) {}
    recipe smallest() {
        while (left_ > 0 && round()) {}
        return best_;
    }
};

}   // namespace random_graphs
