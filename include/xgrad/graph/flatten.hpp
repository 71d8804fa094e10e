// SPDX-License-Identifier: MIT
// Flattening: converts the records of expression types to nodes of a table.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/walk.hpp>
#include <xgrad/graph/table.hpp>

XGRAD_NAMESPACE_BEGIN

/// Adds the nodes of `root` and returns its symbol.
constexpr symbol flatten(table_builder& b, node_map& seen, node_info const* root) {
    symbol in[max_region_operands];
    return b.at(detail::walk(seen, root, [&](node_info const* n, int const* of_operands) {
        if (n->count == 0 && n->op->infer == op::no_rule) return b.leaf(*n).index;
        for (int i = 0; i < n->count; ++i) in[i] = b.at(of_operands[i]);
        if (n->op->kind == op_kind::random) b.own(n->attrs.name_hash, in[0].index, n->attrs.name, b.shared_stream);
        symbol const s = b.add(n->op, in, n->count, n->attrs);
        return (seen.is_watched(n) ? b.set_apart(s) : s).index;
    }));
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
