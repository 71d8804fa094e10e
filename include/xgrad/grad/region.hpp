// SPDX-License-Identifier: MIT
// The nodes of a region: of its body as written, and of its gradients.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/region.hpp>
#include <xgrad/grad/reverse.hpp>

XGRAD_NAMESPACE_BEGIN

/// The parameters and results of a region in its table, in the order of its form.
struct region_nodes {
    symbol operand[max_region_operands];
    symbol next[max_region_operands];   // of carries
    symbol result[max_region_outputs];
    // The values that are kept, as the body computes them, and as its gradient reads them.
    symbol kept[kept_values::most], kept_leaf[kept_values::most];
    symbol late[kept_values::most_late], late_left[kept_values::most_late];   // products, and their left factors
    int first;                                                                // the first node after the leaves
};

namespace detail {
constexpr symbol add_parameter(table_builder& b, value_info const& v, std::string_view name, std::uint64_t key) {
    node_info const leaf{op_register<op::input>::info, v, name_attributes(name, hash_mix(hash_text(name), key)), 0, nullptr, 0};
    return b.leaf(leaf);
}
/// "gradient.0" and so on. Names must live as long as the program. Values beyond `count` share the last name: names are for reports.
struct numbered_names {
    static constexpr int count = 64, longest = 12;
    char text[count][longest]{};
    std::size_t stem_size;
    constexpr explicit numbered_names(std::string_view stem) : stem_size(stem.size()) {
        static_assert(count <= 100);
        for (int k = 0; k < count; ++k) {
            char* p = text[k];
            for (char const c : stem) *p++ = c;
            if (k >= 10) *p++ = static_cast<char>('0' + k / 10);
            *p = static_cast<char>('0' + k % 10);
        }
    }
    constexpr std::string_view operator[](int k) const { return {text[k < count ? k : count - 1], stem_size + (k >= 10 ? 2 : 1)}; }
};
inline constexpr numbered_names gradient_name{"gradient."}, kept_name{"kept."};
constexpr node_info const* leaf_below(node_info const* n) {
    while (n->count == 1 && n->op->kind == op_kind::alias) n = n->operands[0];
    return n;
}
constexpr void find_late(table_builder& b, late_product const& p, region_nodes& out, int k) {
    out.late[k] = b.at(out.first + p.node);
    out.late_left[k] = p.left >= 0 ? out.operand[p.left] : b.at(out.first + p.left_node);
}
constexpr void build_body(table_builder& b, region_info const& r, int body, region_nodes& out) {
    node_map seen;
    node_info const* const* const results = r.bodies[body].results;
    int const carries = r.bodies[body].carries, emitted = r.bodies[body].emitted;
    for (int i = 0; i < carries + emitted; ++i) watch(seen, results[i]);
    int operand = 0;
    for (int i = 0; i < r.carries + r.slices + r.arguments; ++i) {
        out.operand[operand] = b.leaf(*r.parameters[i]);
        seen.insert(r.parameters[i], out.operand[operand++].index);
    }
    for (int i = 0; i < r.captures; ++i) {
        node_info const* leaf = leaf_below(r.captured[i]);
        bool const named = leaf->op->kind == op_kind::variable || leaf->op->kind == op_kind::input;
        out.operand[operand] =
            add_parameter(b, r.captured[i]->value, named ? leaf->attrs.name : leaf->op->name, static_cast<std::uint64_t>(i) + 1);
        seen.insert(r.captured[i], out.operand[operand++].index);
    }
    // Leaves come before all nodes that may read them.
    int const kept = body == 0 ? r.kept_count() : 0;
    for (int k = 0; k < kept; ++k)
        out.kept_leaf[k] = add_parameter(b, r.kept->at[k].value, kept_name[k], static_cast<std::uint64_t>(k) + 1);
    out.first = b.node_count;
    for (int i = 0; i < carries; ++i) out.next[i] = flatten(b, seen, results[i]);
    for (int i = 0; i < emitted; ++i) out.result[i] = flatten(b, seen, results[carries + i]);
    int n = emitted;
    for (int k = 0; k < kept; ++k) {
        kept_value const& v = r.kept->at[k];
        out.kept[k] = b.at(out.first + v.node);
        if (v.part >= 0) {
            auto const w = to_words(part_attributes{v.part});
            out.kept[k] = b.add(op_register<op::part>::info, &out.kept[k], 1, w.view());
        }
        if (v.extra) out.result[n++] = out.kept[k];
    }
    for (int i = 0; i < carries; ++i) out.result[n++] = out.operand[i];
    for (int k = 0; body == 0 && r.kept != nullptr && k < r.kept->late_count; ++k) find_late(b, r.kept->late[k], out, k);
}
/// Lets the nodes from `first` on, and all that they compute again, read the kept values from memory.
constexpr void read_kept(table_builder& b, region_form const& f, region_nodes const& base, region_nodes& out) {
    for (int k = 0; k < f.kept_count(); ++k) {
        int const computed = base.kept[k].index, read = base.kept_leaf[k].index;
        for (int i = 0; i < b.operand_count; ++i)
            if (b.operands[i] == computed) b.operands[i] = read;
        auto replace = [&](symbol& s) {
            if (s.exists() && s.index == computed) s = base.kept_leaf[k];
        };
        for (symbol& s : out.next) replace(s);
        for (symbol& s : out.result) replace(s);
    }
}
constexpr int count_region_nodes(region_info const& r, int body) {
    node_map seen;
    int const parameters = r.carries + r.slices + r.arguments;
    int n = parameters + r.captures;
    for (int i = 0; i < parameters; ++i) seen.insert(r.parameters[i], 0);
    for (int i = 0; i < r.captures; ++i) seen.insert(r.captured[i], 0);
    for (int i = 0; i < r.bodies[body].count(); ++i)
        walk(seen, r.bodies[body].results[i], [&](node_info const*, int const*) { return n++; });
    return n;
}
/// Appends the gradient of the region of form `f`, whose nodes are `base`.
constexpr void build_gradient(table_builder& b, region_form const& f, gradient_bits bits, region_nodes const& base, region_nodes& out) {
    region_form const g = next_form(f, bits);
    symbol ys[2 * max_region_operands]{}, seeds[2 * max_region_operands]{}, xs[2 * max_region_operands]{};
    int n = 0, y_count = 0, x_count = 0;
    auto seed = [&](symbol y, value_info const& v) {
        ys[y_count] = y;
        seeds[y_count] = out.operand[n] = add_parameter(b, v, gradient_name[y_count], static_cast<std::uint64_t>(b.node_count));
        ++y_count;
        ++n;
    };
    for (int i = 0; i < f.carries; ++i)
        if (is_floating(f.operand[i]->type)) {
            seed(base.next[i], *f.operand[i]);
            xs[x_count++] = base.operand[i];
        }
    for (int i = 0; i < f.slices; ++i) out.operand[n++] = base.operand[f.carries + i];
    for (int i = 0; i < f.carries; ++i)
        if (!f.drops_history(i, bits)) out.operand[n++] = base.operand[i];
    for (int k = 0; f.loops() && k < f.kept_count(); ++k) out.operand[n++] = base.kept_leaf[k];
    for (int k = 0; k < f.stacked; ++k)
        if (bits.given(f.carries + k)) seed(base.result[k], *f.result[k]);
    for (int i = 0; i < f.captures; ++i) out.operand[n++] = base.operand[f.carries + f.slices + i];
    for (int k = 0; !f.loops() && k < f.kept_count(); ++k) out.operand[n++] = base.kept_leaf[k];
    for (int k = f.stacked; k < f.stacked + f.summed; ++k)
        if (bits.given(f.carries + k)) seed(base.result[k], *f.result[k]);
    auto wanted = [&](int k) { return bits.wanted(k); };
    for (int k = f.carries; k < f.carries + f.slices; ++k)
        if (wanted(k)) xs[x_count++] = base.operand[k];
    int const before_late = x_count;
    for (int i = 0; i < f.late_count(); ++i)
        if (f.stacks_late(i, bits)) xs[x_count++] = base.late[i];
    for (int k = f.carries + f.slices; k < f.inputs(); ++k)
        if (wanted(k) && !f.is_late(k)) xs[x_count++] = base.operand[k];
    adjoint found[2 * max_region_operands]{};
    reverse_sweep(b).run(ys, seeds, y_count, xs, x_count, nullptr, 0, found);
    auto dense = [&](int k) {
        adjoint const& a = found[k];
        value_info const v = b.info(xs[k]);
        if (a.sparse()) return op::densify(a.values, a.indices, v.dims);
        return a.exists() ? a.dense : op::broadcast_symbol(b.constant(0, v.type), v.dims);
    };
    int k = 0, stacked = 0;
    for (; k < g.carries; ++k) out.next[k] = dense(k);
    for (; k < before_late; ++k) out.result[stacked++] = dense(k);
    for (int i = 0; i < f.late_count(); ++i) {
        late_product const& p = f.kept->late[i];
        if (f.stacks_late(i, bits)) out.result[stacked++] = dense(k++);
        if (wanted(p.matrix) && p.emits_left) out.result[stacked++] = base.late_left[i];
    }
    for (int i = 0; i < g.carries; ++i) out.result[stacked++] = out.operand[i];
    for (; k < x_count; ++k) out.result[stacked++] = dense(k);
    read_kept(b, f, base, out);
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
