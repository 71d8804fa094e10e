// SPDX-License-Identifier: MIT
// Walks over the records of expression types, each once, operands first. Not recursive: with a stack of its own.
#pragma once

#include <xgrad/core/node.hpp>
#include <xgrad/meta/sequence.hpp>

XGRAD_NAMESPACE_BEGIN

/// A record, and which node of the table it became.
struct known_node {
    node_info const* node;
    int index;
};

/// Which node each record became: open addressing by structural hash, equality by address.
class node_map {
    using entry = known_node;
    sequence<entry> entries{256, {nullptr, -1}};
    int used = 0;

    constexpr std::size_t find(node_info const* n) const {
        auto const mask = static_cast<std::size_t>(entries.count) - 1;
        std::size_t i = (n->hash ^ (n->hash >> 31)) & mask;
        while (entries.at[i].node != nullptr && entries.at[i].node != n) i = (i + 1) & mask;
        return i;
    }

public:
    constexpr int* lookup(node_info const* n) {
        std::size_t const i = find(n);
        return entries.at[i].node == nullptr ? nullptr : &entries.at[i].index;
    }
    constexpr void insert(node_info const* n, int index) {
        if (++used * 2 > entries.count) {
            sequence<entry> wider(entries.count * 4, {nullptr, -1});
            wider.swap(entries);
            for (auto const& e : wider)
                if (e.node != nullptr) entries.at[find(e.node)] = e;
        }
        entries.at[find(n)] = {n, index};
    }
    constexpr int save(known_node* to) const {
        int n = 0;
        for (auto const& e : entries)
            if (e.node != nullptr && e.index >= 0) to[n++] = e;
        return n;
    }
    /// Its node is to stay apart, if it has none yet.
    constexpr void watch(node_info const* n) {
        if (n->count == 0) return;   // a leaf: always apart
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
// Calls visit(node) for every node below `root` once, operands first.
template<class Visit>
constexpr void walk(node_map& seen, node_info const* root, Visit&& visit) {
    sequence<node_info const*> stack(64);
    stack.push(root);
    while (stack.count > 0) {
        node_info const* n = stack.last();
        if (int* index = seen.lookup(n); index != nullptr && *index >= 0) {
            --stack.count;
            continue;
        }
        bool ready = true;
        for (int i = n->count; i-- > 0;)
            if (int* index = seen.lookup(n->operands[i]); index == nullptr || *index < 0) {
                stack.push(n->operands[i]);
                ready = false;
            }
        if (!ready) continue;
        --stack.count;
        seen.insert(n, visit(n));
    }
}
}

/// The number of distinct nodes below `roots`.
constexpr int count_nodes(node_info const* const* roots, int count) {
    node_map seen;
    int n = 0;
    for (int i = 0; i < count; ++i) detail::walk(seen, roots[i], [&](node_info const*) { return n++; });
    return n;
}

/// Marks the inner expressions with respect to which gradients below `root` are taken, or where they stop: nothing may be simplified across them.
/// Called for all roots before the first one is flattened.
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
