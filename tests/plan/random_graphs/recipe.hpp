// SPDX-License-Identifier: MIT
// A random graph as data that can be printed, shrunk and built again: nodes in order, what is read in the end, what is updated.
#pragma once

#include "numbers.hpp"

#include <xgrad/core/region.hpp>
#include <xgrad/plan/plan.hpp>

#include <string>
#include <vector>

namespace random_graphs {

/// The attributes of a node, which holds them.
struct node_attributes {
    std::vector<std::uint64_t> words;
    std::vector<xg::extent> extents;
    std::uint64_t name_hash = 0;
    std::string_view name{};

    xg::attributes view() const {
        return {words.data(), extents.data(), static_cast<int>(words.size()), static_cast<int>(extents.size()), name_hash, name};
    }
    template<class A>
    A as() const {
        return view().as<A>();
    }
};
template<class A>
node_attributes given(A const& a, std::vector<xg::extent> extents = {}) {
    auto const w = xg::to_words(a);
    return {{std::begin(w.at), std::end(w.at)}, std::move(extents)};
}
inline node_attributes given_shape(xg::shape const& s) { return {{}, {s.extents, s.extents + s.rank}}; }
inline node_attributes given_name(std::string_view name) { return {{}, {}, xg::hash_text(name), name}; }
/// Of the axes whose bits are set.
inline node_attributes reduction(int axes, bool keep = false) {
    return given(xg::reduction_attributes{{static_cast<std::uint32_t>(axes)}, keep});
}
inline node_attributes along_axis(int axis) { return given(xg::axis_attributes{axis}); }
inline node_attributes slice_of(int axis, xg::extent const& begin, xg::extent const& span, std::int64_t step = 1, bool checked = false) {
    return given(xg::slice_attributes{axis, checked, step}, {begin, (span + xg::static_extent(step - 1)) / step, span});
}

/// An operation with its attributes; the operations that begin with % are made of several nodes.
struct node {
    xg::op_info const* op;
    std::vector<int> in;
    node_attributes attrs{};
    xg::value_info value{};   // leaves and constants; of others as found while the graph was made
    xg::extent limit{};       // of ids: they are below
    bool is_id = false;
    int part = -1;        // output of an operation with several
    int ys = 0, xs = 0;   // gradient: its first operands
    int x = 0;            // and which of the xs
    bool odd = false;     // ids that may be out of range
};
struct update {
    int variable;
    int value = -1;                  // assigned, or
    int values = -1, indices = -1;   // slices that the recipe makes, or neither: the gradient of the loss
};
struct recipe {
    std::uint64_t seed = 0;
    std::vector<node> nodes;
    std::vector<int> outputs;
    int loss = -1;
    std::vector<update> updates;
    xg::gating gate = xg::gating::none;
    bool fuse = true;
    std::int64_t sizes[3]{2, 3, 1};   // of the named dimensions
};

inline constexpr xg::dim_info dims[3]{{"b", xg::hash_text("b")}, {"t", xg::hash_text("t")}, {"n", xg::hash_text("n")}};
inline bool is_leaf(node const& n) { return n.op->kind == xg::op_kind::input || n.op->kind == xg::op_kind::variable; }

struct size_of_dim {
    std::int64_t const* sizes;
    std::int64_t operator()(xg::dim_info const& d) const {
        for (int i = 0; i < 3; ++i)
            if (d.hash == dims[i].hash) return sizes[i];
        return 0;
    }
};
inline std::int64_t evaluate(xg::extent const& e, std::int64_t const* sizes) { return e.evaluate(size_of_dim{sizes}); }

// ---- as text
inline std::string text(xg::extent const& e) {
    std::string s;
    for (int i = 0; i < e.count; ++i) {
        auto const& t = e.terms[i];
        s += s.empty() ? "" : "+";
        if (t.coefficient != 1) s += std::to_string(t.coefficient) + "*";
        for (int f = 0; f < 3 && t.dims[f] != nullptr; ++f) {
            std::int64_t const q = t.floors.of(f);
            s += f > 0 ? "*" : "";
            if (q == 0) s += t.dims[f]->name;
            else
                s += "((" + std::string(t.dims[f]->name) + "+" + std::to_string(xg::floor_quotients::plus(q)) + ")/" +
                     std::to_string(xg::floor_quotients::by(q)) + ")";
        }
    }
    if (e.constant != 0 || s.empty()) s += (s.empty() ? "" : "+") + std::to_string(e.constant);
    return s;
}
inline std::string text(xg::shape const& d) {
    std::string s = "[";
    for (int i = 0; i < d.rank; ++i) s += (i > 0 ? ", " : "") + text(d.extents[i]);
    return s + "]";
}
inline std::string text(xg::value_info const& v) { return std::string(to_string(v.type)) + text(v.dims); }
inline std::string attributes_text(node const& n) {
    auto const& a = n.attrs;
    std::string s;
    switch (n.op->kind) {
    case xg::op_kind::reduce:
        for (int k = 0; k < xg::max_rank; ++k)
            if (a.as<xg::reduction_attributes>().axes.has(k)) s += (s.empty() ? "" : ", ") + std::to_string(k);
        return "<" + s + ">" + (a.as<xg::reduction_attributes>().keep_dims ? " keep" : "");
    case xg::op_kind::transpose:
        for (int k = 0; k < n.value.dims.rank; ++k) s += (k > 0 ? ", " : "") + std::to_string(a.as<xg::permutation_attributes>().order[k]);
        return "<" + s + ">";
    case xg::op_kind::slice: {
        auto const how = a.as<xg::slice_attributes>();
        s = std::to_string(how.axis) + ", " + text(slice_begin(a.view())) + ", +" + text(slice_span(a.view()));
        return "<" + s + (how.step > 1 ? ", step " + std::to_string(how.step) : "") + ">";
    }
    case xg::op_kind::constant: return "<" + std::to_string(a.as<xg::constant_attributes>().value) + ">";
    case xg::op_kind::matmul: {
        auto const how = a.as<xg::product_attributes>();
        return std::string(how.transpose_a ? "<T" : "<_") + (how.transpose_b ? "T>" : "_>");
    }
    case xg::op_kind::gradient: return "<" + std::to_string(n.ys) + " y, " + std::to_string(n.xs) + " x, of x " + std::to_string(n.x) + ">";
    case xg::op_kind::elementwise: return "";
    case xg::op_kind::random: return "<" + std::string(a.name) + ">";
    default:
        if (!a.extents.empty()) return "<to " + text(a.view().target()) + ">";
        for (std::uint64_t w : a.words) s += (s.empty() ? "" : ", ") + std::to_string(static_cast<std::int64_t>(w));
        return n.in.empty() ? "" : "<" + s + ">";
    }
}
inline std::string text(recipe const& r) {
    std::string s = "seed " + std::to_string(r.seed) + ": b = " + std::to_string(r.sizes[0]) + ", t = " + std::to_string(r.sizes[1]) +
                    ", n = " + std::to_string(r.sizes[2]) + (r.fuse ? "" : ", fuse off") +
                    (r.gate == xg::gating::none    ? ""
                        : r.gate == xg::gating::op ? ", gating op"
                                                   : ", gating graph") +
                    "\n";
    for (std::size_t k = 0; k < r.nodes.size(); ++k) {
        node const& n = r.nodes[k];
        s += "  %" + std::to_string(k) + " = " + std::string(n.op->name) + attributes_text(n) + "(";
        for (std::size_t i = 0; i < n.in.size(); ++i) s += (i > 0 ? ", %" : "%") + std::to_string(n.in[i]);
        s += ")";
        if (n.part >= 0) s += " output " + std::to_string(n.part);
        s += "   " + text(n.value) + (n.is_id && is_leaf(n) ? " ids below " + text(n.limit) : "") + "\n";
    }
    s += "  outputs";
    for (int o : r.outputs) s += " %" + std::to_string(o);
    if (r.loss >= 0) s += "; loss %" + std::to_string(r.loss);
    for (update const& u : r.updates) {
        s += "; %" + std::to_string(u.variable);
        if (u.value >= 0) s += " := %" + std::to_string(u.value);
        else if (u.values >= 0) s += " -= rows %" + std::to_string(u.values) + " at %" + std::to_string(u.indices);
        else s += " by its gradient";
    }
    return s + "\n";
}

}   // namespace random_graphs
