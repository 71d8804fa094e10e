// SPDX-License-Identifier: MIT
// An expression whose gradients have been written out as operations, so that a loop can compute once what does not vary in it.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/grad/gradients.hpp>
#include <xgrad/grad/reads.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The table of one expression.
template<int Capacity, int Nodes>
struct written_draft {
    table_storage<Capacity> table;
    known_node known[Nodes + 1];
    int known_count, root;
};
template<class E, int Capacity>
constexpr auto write_out() {
    node_info const* const root = info_of<E>;
    written_draft<Capacity, count_nodes(&info_of<E>, 1)> d{};
    table_builder b(d.table);
    node_map seen;
    watch(seen, root);
    d.root = flatten(b, seen, root).index;
    b.save(d.table);
    d.known_count = seen.save(d.known);
    return d;
}
template<class E, int Capacity>
inline constexpr auto written_draft_of = write_out<E, Capacity>();
// Builds the table again with a larger capacity if the usual one is too small.
template<class E, int Capacity = 14 * count_nodes(&info_of<E>, 1) + 160>
constexpr auto const& written_that_fits() {
    constexpr int needed = written_draft_of<E, Capacity>.table.needed;
    if constexpr (needed > 0) return written_that_fits<E, needed>();
    else return written_draft_of<E, Capacity>;
}

template<class E>
struct written_place {
    static constexpr auto const& draft = written_that_fits<E>();
};

/// The nodes of a table as records.
template<int Nodes, int Operands>
struct written_records {
    node_info nodes[Nodes];
    node_info const* operands[Operands + 1];
};
/// E as records. An expression below E that does not depend on the leaf Varying stays as it is: gradients with respect to it pass.
template<class E, class Varying>
struct writing_out {
    static constexpr auto const& draft = written_that_fits<E>();
    static constexpr int nodes = draft.table.node_count, operand_count = draft.table.operand_count;
    struct text {   // of exact size
        attribute_entry attrs[draft.table.attr_count + 1];
        std::uint64_t words[draft.table.word_count + 1];
        extent extents[draft.table.extent_count + 1];
    };
    static constexpr text copied = [] {
        text r{};
        for (int i = 0; i < draft.table.attr_count; ++i) r.attrs[i] = draft.table.attrs[i];
        for (int i = 0; i < draft.table.word_count; ++i) r.words[i] = draft.table.words[i];
        for (int i = 0; i < draft.table.extent_count; ++i) r.extents[i] = draft.table.extents[i];
        return r;
    }();
    struct origins {
        node_info const* at[nodes];   // the expression that became this node; null: none that may stay
    };
    static constexpr origins find_origins() {
        origins r{};
        node_map varies;
        walk(varies, info_of<E>, [](node_info const* n, int const* of_operands) {
            bool depends = n == info_of<Varying>;
            for (int k = 0; k < n->count; ++k) depends = depends || of_operands[k] != 0;
            return static_cast<int>(depends);
        });
        for (int i = 0; i < draft.known_count; ++i) {
            known_node const& k = draft.known[i];
            if (k.node == info_of<Varying> || *varies.lookup(k.node) == 0) r.at[k.index] = k.node;
        }
        return r;
    }
    static constexpr written_records<nodes, operand_count> make() {
        written_records<nodes, operand_count> r{};
        origins const from = find_origins();
        attribute_list const attrs{copied.attrs, copied.words, copied.extents};
        for (int i = 0; i < nodes; ++i) {
            table_node const& n = draft.table.nodes[i];
            attributes const a = attrs[n.attrs];
            int const count = n.op->kind == op_kind::composite ? n.count - 1 : n.count;   // without its expansion
            std::uint64_t h = hash_mix(n.op->hash, a.hash());
            bool watches = false, moves = false;
            for (int k = 0; k < count; ++k) {
                int const o = draft.table.operands[n.first_operand + k];
                r.operands[n.first_operand + k] = from.at[o] != nullptr ? from.at[o] : &records.nodes[o];
                h = hash_mix(h, from.at[o] != nullptr ? from.at[o]->hash : r.nodes[o].hash);
                watches = watches || (from.at[o] != nullptr ? from.at[o]->watches : r.nodes[o].watches);
                moves = moves || (from.at[o] != nullptr ? from.at[o]->moves : r.nodes[o].moves);
            }
            r.nodes[i] = {n.op, n.value, a, count, records.operands + n.first_operand, h, watches, moves};
        }
        return r;
    }
    static_assert(sizeof(linear_derivatives<written_place<E>>) > 0);
    static constexpr written_records<nodes, operand_count> records = make();
    static constexpr node_info const* root = [] {
        origins const from = find_origins();
        return from.at[draft.root] != nullptr ? from.at[draft.root] : &records.nodes[draft.root];
    }();
};
/// E, with its gradients written out.
template<class E, class Varying>
struct written_out : expression_base {
    static constexpr node_info const& info = *writing_out<E, Varying>::root;
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
