// SPDX-License-Identifier: MIT
// Walks over the records of expression types. Each is visited once, operands first. An explicit stack replaces
// recursion.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/node.hpp>
#include <xgrad/meta/sequence.hpp>

XGRAD_NAMESPACE_BEGIN

/// A record and the table node that it became.
struct known_node {
    node_info const* node;
    int index;
};

/// Maps each record to its table node: lists by structural hash, equality by address.
class node_map {
    struct entry : known_node {
        int next;   // next entry of the same list, + 1
    };
    sequence<int> heads{64, zero_elements};   // + 1, because 0 is the empty list
    sequence<entry> entries{64};

    constexpr int& head_of(node_info const* n) { return heads.at[(n->hash ^ n->hash >> 31) & static_cast<std::uint64_t>(heads.count - 1)]; }

public:
    constexpr int* lookup(node_info const* n) {
        for (int i = head_of(n); i != 0; i = entries.at[i - 1].next)
            if (entries.at[i - 1].node == n) return &entries.at[i - 1].index;
        return nullptr;
    }
    constexpr void insert(node_info const* n, int index) {
        if (int* const known = lookup(n); known != nullptr) {
            *known = index;
            return;
        }
        if (entries.count == 2 * heads.count) {
            sequence<int> wider(4 * heads.count, zero_elements);
            wider.swap(heads);
            for (int i = 0; i < entries.count; ++i) {
                int& head = head_of(entries.at[i].node);
                entries.at[i].next = head;
                head = i + 1;
            }
        }
        int& head = head_of(n);
        entries.push({{n, index}, head});
        head = entries.count;
    }
    constexpr int save(known_node* to) const {
        int n = 0;
        for (entry *e = entries.at, *end = e + entries.count; e != end; ++e)
            if (e->index >= 0) to[n++] = *e;
        return n;
    }
    /// Requests a separate node for the record, if it has no node yet.
    constexpr void watch(node_info const* n) {
        if (n->count == 0) return;   // a leaf always has a separate node
        if (lookup(n) == nullptr) insert(n, watched);
        any_watched = true;
    }
    constexpr bool is_watched(node_info const* n) {
        int const* index = any_watched ? lookup(n) : nullptr;
        return index != nullptr && *index == watched;
    }

private:
    static constexpr int watched = -2;
    bool any_watched = false;
};

namespace detail {
// Calls visit(node, results of its operands) once for every node below `root`, operands first. Returns the result for
// the root.
template<class Visit>
constexpr int walk(node_map& seen, node_info const* root, Visit&& visit) {
    struct visited {
        node_info const* node;
        bool ready;   // its operands were visited
    };
    sequence<visited> stack(64);
    sequence<int> results(64);   // results of nodes that are operands of a node on the stack
    stack.push({root, false});
    while (stack.count > 0) {
        visited& top = stack.at[stack.count - 1];
        node_info const* const n = top.node;
        if (top.ready) {
            results.count -= n->count;
            --stack.count;
        } else {
            if (int const* index = seen.lookup(n); index != nullptr && *index >= 0) {
                results.push(*index);
                --stack.count;
                continue;
            }
            if (n->count > 0) {
                top.ready = true;
                for (int i = n->count; i-- > 0;) stack.push({n->operands[i], false});
                continue;
            }
            --stack.count;
        }
        int const result = visit(n, results.at + results.count);
        seen.insert(n, result);
        results.push(result);
    }
    return results.at[0];
}
}

/// The number of distinct nodes below `roots`.
constexpr int count_nodes(node_info const* const* roots, int count) {
    node_map seen;
    int n = 0;
    for (int i = 0; i < count; ++i) detail::walk(seen, roots[i], [&](node_info const*, int const*) { return n++; });
    return n;
}

/// Marks inner expressions below `root` with respect to which a gradient is taken or at which one stops. Nothing may be
/// simplified across them. It is called for all roots before the first one is flattened.
constexpr void watch(node_map& seen, node_info const* root) {
    if (!root->watches) return;
    node_map done;
    sequence<node_info const*> stack(64);
    stack.push(root);
    while (stack.count > 0) {
        node_info const* n = stack.last();
        --stack.count;
        if (done.lookup(n) != nullptr) continue;
        done.insert(n, 0);
        for (int i = 0; i < n->count; ++i) {
            node_info const* o = n->operands[i];
            if (o->watches) stack.push(o);
            if (n->op->kind == op_kind::gradient && i >= n->attrs.as<gradient_attributes>().y_count) seen.watch(o);
        }
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
