// SPDX-License-Identifier: MIT
// Graphs that were planned wrong once, as small as they could be made.
#pragma once

#include "node_maker.hpp"

namespace random_graphs {

/// Writes a recipe manually.
struct sketch {
    recipe r{};

    int add(xg::op_info const* op, std::vector<int> in, node_attributes const& a = {}) {
        node n{op, std::move(in)};
        n.attrs = a;
        r.nodes.push_back(n);
        return static_cast<int>(r.nodes.size()) - 1;
    }
    int leaf(xg::op_info const* op, std::string_view name, dtype type, xg::shape const& s) {
        node_attributes a = given_name(name);
        if (op == op_of<xg::op::variable>) a.words = given(xg::variable_attributes{true}).words;
        int const k = add(op, {}, a);
        r.nodes.back().value = {type, s, xg::fault::none};
        return k;
    }
    int input(std::string_view name, dtype type, xg::shape const& s) { return leaf(op_of<xg::op::input>, name, type, s); }
    int variable(std::string_view name, dtype type, xg::shape const& s) { return leaf(op_of<xg::op::variable>, name, type, s); }
    int ids(std::string_view name, xg::shape const& s, xg::extent const& limit) {
        int const k = input(name, dtype::int32, s);
        r.nodes.back().is_id = true;
        r.nodes.back().limit = limit;
        return k;
    }
    int constant(double value, dtype type) {
        int const k = add(op_of<xg::op::constant>, {});
        r.nodes.back().attrs = given(xg::constant_attributes{value});
        r.nodes.back().value.type = type;
        return k;
    }
    int expand(int x, int axis) { return add(op_of<xg::op::expand_dims>, {x}, along_axis(axis)); }
    int transpose(int x) { return add(op_of<xg::op::transpose>, {x}, given(xg::permutation_attributes{{2, {1, 0}}})); }
};
inline xg::extent const b_extent = xg::named_extent(&dims[0]), n_extent = xg::named_extent(&dims[2]);
inline xg::extent e(std::int64_t n) { return xg::static_extent(n); }

struct kept_graph {
    char const* what;
    recipe graph;
    bool too_large = false;
    std::int64_t smallest = 0;   // a call with smaller sizes is refused
};
inline std::vector<kept_graph> kept_graphs() {
    std::vector<kept_graph> all;
    constexpr dtype f = dtype::float32, d = dtype::float64;
    auto keep = [&](char const* what, sketch const& s, std::vector<int> outputs) {
        all.push_back({what, s.r});
        all.back().graph.outputs = std::move(outputs);
    };
    {
        sketch s;
        int const x = s.input("x", f, {2, {e(1), b_extent}}), y = s.input("y", f, {1, {b_extent}});
        keep("a copied view of what is computed in each loop", s, {s.transpose(s.add(op_of<xg::op::not_equal>, {x, y}))});
    }
    {
        sketch s;
        int const half = s.add(op_of<xg::op::sin>, {s.constant(0.5, f)});
        keep("a fraction in a loop over integers", s, {s.add(op_of<xg::op::cast<std::int64_t>>, {half})});
    }
    {
        sketch s;
        keep("more elements than polynomials hold", s, {s.input("x", d, {4, {n_extent, n_extent, n_extent, n_extent}})});
        all.back().too_large = true;
    }
    {
        sketch s;
        int const hot = s.add(op_of<xg::op::one_hot<double>>, {s.ids("i", {1, {b_extent}}, e(4))}, given(xg::op::one_hot_attributes{4}));
        keep("positions in lanes", s, {s.add(op_of<xg::op::sparse_softmax_cross_entropy>, {hot, s.ids("k", {1, {b_extent}}, e(4))})});
    }
    {
        sketch s;
        int const x = s.input("x", d, {2, {b_extent, e(2)}}), w = s.variable("w", d, {2, {e(2), e(2)}}),
                  v = s.variable("v", d, {2, {e(2), e(2)}});
        s.r.loss = s.add(op_of<xg::op::matmul>, {x, s.add(op_of<xg::op::add>, {w, v})});
        s.r.updates = {{w}, {v}};
        keep("one gradient of two variables", s, {s.r.loss});
    }
    {
        sketch s;
        int const table = s.input("t", d, {3, {e(2), e(2), e(2)}}), x = s.input("x", d, {2, {e(2), e(2)}});
        int const bag = s.add(op_of<xg::op::embedding_bag>, {table, s.ids("i", {1, {b_extent}}, e(2))});
        int const pairs = s.add(op_of<xg::op::gather>, {s.input("v", d, {1, {e(2)}}), s.ids("k", {2, {e(2), e(3)}}, e(2))});
        keep("lookups in a concatenation", s,
            {s.add(op_of<xg::op::concat>, {bag, x}, along_axis(1)), s.add(op_of<xg::op::concat>, {x, pairs}, along_axis(1))});
    }
    {
        sketch s;
        int const w = s.variable("w", f, {1, {b_extent}}), x = s.input("x", f, {1, {b_extent}}), g = s.input("g", f, {1, {b_extent}});
        int const larger = s.add(op_of<xg::op::greater>, {x, w});
        s.r.updates = {{w, g}};
        keep("a concatenation that compares the old value", s, {s.add(op_of<xg::op::concat>, {larger, larger}, along_axis(0))});
    }
    {
        sketch s;
        int const x = s.input("x", f, {2, {b_extent, e(2)}}), w = s.input("w", f, {2, {e(2), e(3)}});
        int const hot = s.add(op_of<xg::op::one_hot<float>>, {s.ids("i", {1, {b_extent}}, e(3))}, given(xg::op::one_hot_attributes{3}));
        keep("positions in the tiles of a product", s, {s.add(op_of<xg::op::mul>, {s.add(op_of<xg::op::matmul>, {x, w}), hot})});
    }
    {
        sketch s;
        int const w = s.variable("w", d, {2, {b_extent, e(2)}}), x = s.input("x", d, {3, {e(4), e(1), e(2)}});
        s.r.updates = {{w, w}};
        keep("a variable that is its own gradient, copied for lanes", s,
            {s.add(op_of<xg::op::max>, {s.add(op_of<xg::op::sub>, {w, x})}, reduction(6))});
    }
    {
        sketch s;
        int const w = s.variable("w", f, {2, {e(3), e(2)}}), i = s.variable("i", dtype::int32, {1, {e(2)}}),
                  k = s.ids("k", {1, {e(2)}}, e(3));
        s.r.loss = s.add(op_of<xg::op::gather>, {w, i});
        s.r.updates = {{w}, {i, k}};   // the second is assigned
        keep("rows named by a variable that is updated", s, {});
    }
    {
        sketch s;
        int const x = s.input("x", f, {1, {e(4)}}), a = s.add(op_of<xg::op::exp>, {x}), b = s.add(op_of<xg::op::tanh>, {a});
        auto const from = slice_of(0, e(2), e(4));   // four elements along axis 0 from element 2 on
        int const c = s.add(op_of<xg::op::concat>, {a, b}, along_axis(0)), middle = s.add(op_of<xg::op::slice>, {c}, from);
        keep("a part of a concatenation beside what is computed in it", s, {s.add(op_of<xg::op::mul>, {middle, a})});
    }
    {
        sketch s;
        int const v = s.variable("v", f, {2, {e(3), e(2)}}), m = s.variable("m", f, {2, {e(2), e(2)}}), k = s.ids("k", {1, {e(4)}}, e(3));
        int const fresh = s.add(op_of<xg::op::softplus>, {s.add(op_of<xg::op::updated>, {v})});
        int const some = s.add(op_of<xg::op::slice>, {k}, slice_of(0, e(0), e(4), 2));
        s.r.updates = {{v, v}, {m, s.add(op_of<xg::op::gather>, {fresh, some})}};
        keep("indices of a lookup behind updates, copied there", s, {});
    }
    {
        sketch s;
        int const w = s.variable("w", f, {1, {e(3)}}), v = s.variable("v", f, {1, {e(3)}}), m = s.variable("m", f, {1, {e(3)}}),
                  x = s.input("x", f, {1, {e(3)}}), y = s.input("y", f, {1, {e(3)}});
        int const late = s.add(op_of<xg::op::mul>, {w, s.add(op_of<xg::op::updated>, {v})});
        s.r.updates = {{v, x}, {w, x}, {s.add(op_of<xg::op::updated>, {w}), y}, {m, late}};
        keep("a value that is replaced unread, the one before it read late", s, {});
    }
    {
        sketch s;
        keep("terms that cancel out", s, {s.input("x", d, {3, {n_extent, n_extent + e(3), n_extent - e(3)}})});
        all.back().smallest = 3;
    }
    {
        sketch s;
        xg::extent sum = b_extent + n_extent;
        keep("terms that are multiplied by 0", s, {s.input("x", d, {4, {b_extent, sum + e(1), e(0), e(1)}})});
    }
    {
        sketch s;
        xg::shape const less{1, {n_extent - e(1)}};
        int const both = s.add(op_of<xg::op::not_equal>, {s.input("x", d, less), s.input("y", d, less)}),
                  same = s.add(op_of<xg::op::logical_and>, {both, both});
        keep("parts that begin behind a difference", s, {s.add(op_of<xg::op::concat>, {same, both, same}, along_axis(0))});
        all.back().smallest = 1;
    }
    {
        sketch s;
        int const x = s.input("x", d, {2, {b_extent, n_extent + e(1)}});
        auto const behind = slice_of(0, e(1), b_extent - e(1), 1, true);   // all rows but the first
        int const rest = s.add(op_of<xg::op::slice>, {x}, behind);
        keep("a table whose size is no polynomial", s,
            {s.add(op_of<xg::op::embedding_bag>, {rest, s.ids("i", {2, {e(0), e(2)}}, b_extent - e(1))})});
        all.back().smallest = 1;
    }
    {
        sketch s;
        int const none = s.add(op_of<xg::op::exp>, {s.input("x", f, {1, {e(0)}})}), w = s.variable("w", f, {1, {e(1)}});
        int const nothing = s.add(op_of<xg::op::sigmoid_cross_entropy>, {w, none});
        keep("nothing beside one element", s,
            {s.add(op_of<xg::op::concat>, {s.input("y", f, {1, {e(1)}}), nothing, none}, along_axis(0)), w});
    }
    {
        sketch s;
        int const w = s.variable("w", d, {2, {e(3), e(2)}}), turned = s.transpose(w);
        int const part = s.add(op_of<xg::op::slice>, {turned}, slice_of(1, e(0), e(3), 2));
        keep("a view whose base is copied for another reader", s,
            {s.add(op_of<xg::op::matmul>, {part, part}, given(xg::product_attributes{false, true})), turned});
    }
    {
        sketch s;
        int const x = s.input("x", f, {3, {n_extent, e(1), e(1)}}), w = s.variable("w", f, {3, {e(1), e(2), e(1)}});
        int const largest = s.add(op_of<xg::op::max>, {s.variable("v", f, {2, {n_extent, e(1)}})}, reduction(3));
        s.r.loss = s.add(op_of<xg::op::mul>, {s.add(op_of<xg::op::mul>, {x, w}), largest});
        s.r.updates = {{w}};
        keep("an infinite factor of a sum of nothing", s, {});
    }
    {
        sketch s;
        int const w = s.variable("w", d, {3, {b_extent, b_extent, e(1)}}), x = s.input("x", d, {3, {b_extent, b_extent, e(1)}}),
                  y = s.input("y", d, {3, {b_extent, b_extent, b_extent}});
        auto const second = slice_of(0, e(1), e(1), 1, true);
        s.r.loss = s.add(op_of<xg::op::slice>, {s.add(op_of<xg::op::concat>, {y, w, x}, along_axis(2))}, second);
        s.r.updates = {{w}};
        keep("sizes of more than two terms on the way", s, {});
        all.back().smallest = 2;
    }
    {
        sketch s;
        int const w = s.variable("w", f, {2, {e(3), e(2)}}), v = s.variable("v", f, {2, {e(3), e(2)}});
        int const k = s.ids("k", {1, {e(3)}}, e(3)), left = s.input("l", f, {2, {e(3), b_extent}}),
                  right = s.input("r", f, {2, {b_extent, e(2)}});
        int const product = s.add(op_of<xg::op::matmul>, {left, right}), x = s.input("x", f, {2, {e(3), e(2)}});
        int const rows = s.add(op_of<xg::op::updated>, {w});   // of a later stage than the product
        s.r.updates = {{w, x}, {v, -1, rows, k}, {s.add(op_of<xg::op::updated>, {v}), product}};
        keep("a product that is assigned after rows of a new value are subtracted", s, {});
    }
    {
        sketch s;
        int const w = s.variable("w", f, {2, {b_extent, e(1)}});
        int const largest = s.add(op_of<xg::op::top_k>, {w}, given(xg::op::top_k::attributes{1}));
        s.r.nodes.back().part = 0;
        s.r.loss = s.add(op_of<xg::op::mul>, {largest, w});
        s.r.updates = {{w}};
        keep("a kernel that is moved behind a reader of its other output", s, {});
    }
    {
        sketch s;
        int const v = s.variable("v", d, {2, {e(1), e(4)}}), w = s.variable("w", d, {2, {e(1), e(1)}}), k = s.ids("k", {1, {e(4)}}, e(1));
        int const none = s.add(op_of<xg::op::slice>, {k}, slice_of(0, e(4), e(0))), copy = s.add(op_of<xg::op::stop_gradient>, {none});
        s.r.updates = {{v, -1, s.input("x", d, {2, {e(0), e(4)}}), none}, {w, -1, s.input("y", d, {2, {e(0), e(1)}}), copy}};
        keep("a copy of indices that another update has checked", s, {copy});
    }
    {
        sketch s;
        int const x = s.add(op_of<xg::op::add>, {s.input("x", f, {3, {e(1), e(64), e(2)}}), s.input("y", f, {3, {b_extent, e(1), e(2)}})});
        int const row = s.input("z", f, {3, {n_extent, e(1), e(1)}}), sums = s.add(op_of<xg::op::sum>, {x}, reduction(4));
        keep("sums in lanes, read by a loop that leaves its lanes", s,
            {s.add(op_of<xg::op::sum>, {s.add(op_of<xg::op::maximum>, {row, sums})}, reduction(3))});
    }
    {
        sketch s;
        xg::extent const t_extent = xg::named_extent(&dims[1]);
        int const x = s.variable("x", dtype::bfloat16, {2, {b_extent, b_extent}}),
                  w = s.variable("w", dtype::bfloat16, {2, {b_extent, e(1)}});
        s.r.loss = s.add(op_of<xg::op::maximum>,
            {s.add(op_of<xg::op::matmul>, {x, w}, given(xg::product_attributes{})), s.input("least", dtype::bfloat16, {})});
        s.r.updates = {{w}};
        int const zero =
            s.add(op_of<xg::op::gradient>, {s.input("y", dtype::bfloat16, {3, {e(1), e(1), e(1)}}), s.r.nodes[s.r.loss].in[1]});
        s.r.nodes.back().ys = s.r.nodes.back().xs = 1;
        int const call = s.add(bodies::others[6]->op,
            {s.variable("h", f, {1, {b_extent}}), s.variable("rows", f, {2, {t_extent, b_extent}}), s.variable("c", f, {})});
        s.r.nodes.back().part = 0;
        int const branch = s.add(bodies::others[2]->op, {s.variable("g", f, {1, {t_extent}}), zero, s.variable("index", dtype::int32, {})});
        s.r.nodes.back().part = 0;
        keep("bodies that change places, because a pass over a matrix is formed between them", s, {call, branch});
    }
    return all;
}

}   // namespace random_graphs
