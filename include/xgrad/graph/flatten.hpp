// SPDX-License-Identifier: MIT
// Flattening: from the records of expression types to rows of a table. Not recursive: walks with a stack of its own.
#pragma once

#include <xgrad/graph/table.hpp>

#include <vector>

XGRAD_NAMESPACE_BEGIN

/// Which row each record became: open addressing by structural hash, equality by address.
class node_map {
    struct entry {
        node_info const* node = nullptr;
        int row = -1;
    };
    std::vector<entry> entries = std::vector<entry>(256);
    int used = 0;

    constexpr std::size_t find(node_info const* n) const {
        std::size_t const mask = entries.size() - 1;
        std::size_t i = (n->hash ^ (n->hash >> 31)) & mask;
        while (entries[i].node != nullptr && entries[i].node != n) i = (i + 1) & mask;
        return i;
    }

public:
    constexpr int* lookup(node_info const* n) {
        std::size_t const i = find(n);
        return entries[i].node == nullptr ? nullptr : &entries[i].row;
    }
    constexpr void insert(node_info const* n, int row) {
        if (static_cast<std::size_t>(++used) * 2 > entries.size()) {
            auto old = std::vector<entry>(entries.size() * 4);
            old.swap(entries);
            for (auto const& e : old)
                if (e.node != nullptr) entries[find(e.node)] = e;
        }
        entries[find(n)] = {n, row};
    }
};

namespace detail {
    // Calls visit(node) for every node below `root` once, operands first.
    template<class Visit>
    constexpr void walk(node_map& seen, node_info const* root, Visit&& visit) {
        std::vector<node_info const*> stack{root};
        while (!stack.empty()) {
            node_info const* n = stack.back();
            if (int* row = seen.lookup(n); row != nullptr && *row >= 0) {
                stack.pop_back();
                continue;
            }
            bool ready = true;
            for (int i = n->count; i-- > 0;)
                if (int* row = seen.lookup(n->operands[i]); row == nullptr || *row < 0) {
                    stack.push_back(n->operands[i]);
                    ready = false;
                }
            if (!ready) continue;
            stack.pop_back();
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

/// Adds the rows of `root` and returns its symbol.
constexpr symbol flatten(table_builder& b, node_map& seen, node_info const* root) {
    detail::walk(seen, root, [&](node_info const* n) {
        if (n->count == 0 && n->op->infer == op::no_rule) return b.leaf(*n).index;
        symbol in[max_operands]{};
        for (int i = 0; i < n->count; ++i) in[i] = b.at(*seen.lookup(n->operands[i]));
        return b.add(n->op, in, n->count, n->attrs).index;
    });
    return b.at(*seen.lookup(root));
}

XGRAD_NAMESPACE_END
