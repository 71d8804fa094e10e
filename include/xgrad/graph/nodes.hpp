// SPDX-License-Identifier: MIT
// The nodes of a graph's table: storage for them, and the view of a finished table.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/leaves.hpp>
#include <xgrad/core/region.hpp>

XGRAD_NAMESPACE_BEGIN

/// A node: an operation on earlier nodes.
struct table_node {
    op_info const* op;
    value_info value;
    int first_operand;   // index in operands
    int count;
    int attrs;   // index in attribute_entries; 0 is the empty entry
    std::uint64_t hash;
};
/// The attributes of a node: their positions among the words and extents of the table.
struct attribute_entry {
    int word, word_count, extent, extent_count;
    std::uint64_t name_hash;
    std::string_view name;
};
/// The attributes of all nodes of a table.
struct attribute_list {
    attribute_entry const* entries;
    std::uint64_t const* words;
    extent const* extents;
    constexpr attributes operator[](int i) const {
        attribute_entry const& r = entries[i];
        return {words + r.word, extents + r.extent, r.word_count, r.extent_count, r.name_hash, r.name};
    }
};

/// Storage for a table of up to `Capacity` nodes.
template<int Capacity>
struct table_storage {
    static constexpr int capacity = Capacity;
    static constexpr int slots = [] {
        int n = 64;
        while (n < 2 * Capacity) n *= 2;
        return n;
    }();
    table_node nodes[Capacity];
    int operands[3 * Capacity];
    attribute_entry attrs[Capacity + 1];
    std::uint64_t words[2 * Capacity];
    extent extents[2 * Capacity];
    int buckets[slots];   // node + 1; 0: free
    int node_count, operand_count, attr_count, word_count, extent_count;
    int needed;                        // if the table did not fit: a capacity that is sufficient
    std::string_view wrong_gradient;   // of an operation whose derivative does not fit its operand; empty: no error
    std::string_view shared_layer, shared_stream, lost_gradient;   // names for an error message; empty: no error
    bool nonlinear_derivative;                                     // see node_store
    std::string_view nonlinear_gradient;
};
/// Copies the nodes, but not the hash table.
template<class From, class To>
constexpr void copy_nodes(From const& from, To& to) {
    for (int i = 0; i < from.node_count; ++i) to.nodes[i] = from.nodes[i];
    for (int i = 0; i < from.operand_count; ++i) to.operands[i] = from.operands[i];
    for (int i = 0; i < from.attr_count; ++i) to.attrs[i] = from.attrs[i];
    for (int i = 0; i < from.word_count; ++i) to.words[i] = from.words[i];
    for (int i = 0; i < from.extent_count; ++i) to.extents[i] = from.extents[i];
    to.node_count = from.node_count;
    to.operand_count = from.operand_count;
    to.attr_count = from.attr_count;
    to.word_count = from.word_count;
    to.extent_count = from.extent_count;
}

/// A node seen with another shape. Every alias in a table becomes this operation.
namespace op {
struct reshaped {
    static constexpr value_info infer(value_info const* v, int, attributes const& a) { return {v[0].type, a.target(), fault::none}; }
    static constexpr void derive(derivation& d);
    static constexpr op_info describe() { return make_op("reshape", op_kind::alias, infer, derive); }
};
constexpr void reshaped::derive(derivation& d) {
    shape const before = d.info(0).dims;
    d.out[0] = d.table->add(op_register<reshaped>::info, &d.gradient, 1, shape_attributes(before));
}
}

/// An expression with respect to which a gradient is taken. It is a separate node, and nothing is simplified or shared across it.
namespace op {
struct watched {
    struct attributes {
        std::int64_t node;   // makes the node unique
    };
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const&) { return v[0]; }
    static constexpr symbol expand(symbol_table&, symbol const* x, int, xgrad::attributes const&) { return x[0]; }
    static constexpr void derive(derivation& d) { d.out[0] = d.gradient; }
    static constexpr op_info describe() {
        op_info r = make_op("watched", op_kind::composite, infer, derive);
        r.expand = expand;
        r.half_operands = true;
        return r;
    }
};
}

/// Read access to a finished table.
struct table_view {
    table_node const* nodes;
    int const* operand_list;
    attribute_list attr_list;
    int count;

    constexpr table_node const& operator[](int i) const { return nodes[i]; }
    constexpr int operand(int i, int k) const { return operand_list[nodes[i].first_operand + k]; }
    constexpr attributes attrs(int i) const { return attr_list[nodes[i].attrs]; }
    constexpr shape const& dims(int i) const { return nodes[i].value.dims; }
    constexpr dtype type(int i) const { return nodes[i].value.type; }
    constexpr op_kind kind(int i) const { return nodes[i].op->kind; }
    constexpr int output_count(int i) const {
        op_info const& op = *nodes[i].op;
        return op.infer_output == nullptr ? 1 : op.region != nullptr ? form_of(*op.region, attrs(i)).outputs() : op.outputs;
    }
    /// Element type and shape of output `k` of node `i`. No part needs to refer to this output.
    constexpr value_info output(int i, int k) const {
        if (nodes[i].op->infer_output == nullptr) return nodes[i].value;
        value_info v[max_operands]{};
        for (int n = 0; nodes[i].op->region == nullptr && n < nodes[i].count; ++n) v[n] = nodes[operand(i, n)].value;
        return nodes[i].op->infer_output(v, nodes[i].count, attrs(i), k);
    }
    /// The node that is output `k` of node `i`, or -1.
    constexpr int part_of(int i, int k) const {
        if (nodes[i].op->infer_output == nullptr) return k == 0 ? i : -1;
        for (int n = i + 1; n < count; ++n)
            if (kind(n) == op_kind::part && operand(n, 0) == i && attrs(n).as<part_attributes>().output == k) return n;
        return -1;
    }
};

/// Whether a size is known before a call: it is an integer, or consists of dimensions of variables, whose sizes their owner knows.
constexpr bool is_known_size(table_view const& t, extent const& e) {
    for (int k = 0; k < e.count; ++k)
        for (auto const* d : e.terms[k].dims) {
            bool found = d == nullptr;
            for (int i = 0; i < t.count && !found; ++i)
                for (int a = 0; t.kind(i) == op_kind::variable && a < t.dims(i).rank; ++a)
                    found = found || t.dims(i).extents[a].has_dimension(*d);
            if (!found) return false;
        }
    return true;
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
