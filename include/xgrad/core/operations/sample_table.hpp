// SPDX-License-Identifier: MIT
// A table of nodes that only records what a body makes of symbols. With it the body can be checked at the call of the
// operation.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/constants.hpp>
#include <xgrad/core/leaves.hpp>
#include <xgrad/meta/sequence.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Nothing is simplified or shared. Each node records whether it depends on the gradient of the result.
struct sample_table final : symbol_table {
    struct row {
        op_info const* made_by;
        value_info value;
        bool sees_gradient;
        double number;   // value of a constant
        int count;
        int operands[max_operands];
        value_info* parts;   // outputs of an operation that has several
    };
    static constexpr int most = 1024;   // a body that never ends is not a constant expression
    sequence<row*> rows;

    constexpr sample_table() = default;
    sample_table(sample_table const&) = delete;
    constexpr ~sample_table() {
        for (row* r : rows) {
            delete[] r->parts;
            delete r;
        }
    }
    constexpr symbol push(row* r) {
        rows.push(r);
        return {this, rows.count - 1};
    }
    /// Adds an operand or a gradient.
    constexpr symbol leaf(value_info const& v, bool is_gradient) {
        row* const r = new row{};
        r->made_by = op_register<xgrad::op::input>::info;
        r->value = v;
        r->sees_gradient = is_gradient;
        return push(r);
    }
    constexpr symbol add(op_info const* op, symbol const* operands, int count, attributes const& a) override {
        value_info const* v[max_operands]{};
        for (int i = 0; i < count; ++i) {
            if (operands[i].table != this) return {};   // was refused already
            v[i] = &rows.at[operands[i].index]->value;
        }
        if (rows.count == most) return {nullptr, 1 / (most - rows.count)};
        row* const r = new row{};
        r->made_by = op;
        r->count = count;
        for (int i = 0; i < count; ++i) {
            r->operands[i] = operands[i].index;
            r->sees_gradient = r->sees_gradient || rows.at[operands[i].index]->sees_gradient;
        }
        if (op == op_register<xgrad::op::part>::info) r->value = rows.at[operands[0].index]->parts[a.as<part_attributes>().output];
        else r->value = infer(*op, v, count, a);
        if (op->infer_output != nullptr && r->value.wrong == fault::none) {
            r->parts = new value_info[static_cast<unsigned>(op->outputs)]{};
            value_info seen[max_operands]{};
            for (int i = 0; i < count; ++i) seen[i] = takes_half(*op) ? *v[i] : as_computed(*v[i]);
            for (int k = 0; k < op->outputs; ++k) r->parts[k] = op->infer_output(seen, count, a, k);
        }
        return push(r);
    }
    constexpr symbol constant(double number, dtype type) override {
        row* const r = new row{};
        r->made_by = op_register<xgrad::op::constant>::info;
        r->value.type = type;
        r->number = number;
        return push(r);
    }
    constexpr value_info const& info(symbol s) const override { return rows.at[s.index]->value; }
    constexpr op_info const* op(symbol s) const override { return rows.at[s.index]->made_by; }
    constexpr symbol operand(symbol s, int k) override { return {this, rows.at[s.index]->operands[k]}; }
    constexpr int arity(symbol s) const override { return rows.at[s.index]->count; }
    constexpr bool is_constant(symbol s, double& value) const override {
        row const& r = *rows.at[s.index];
        if (r.made_by->kind == op_kind::broadcast) return is_constant({s.table, r.operands[0]}, value);
        if (r.made_by->kind == op_kind::constant) value = r.number;
        return r.made_by->kind == op_kind::constant;
    }
    /// Whether a result of the body exists, does not depend on the gradient, and is not a constant such as zeros.
    constexpr bool ignores_gradient(symbol s) const {
        return s.table == this && !rows.at[s.index]->sees_gradient && rows.at[s.index]->made_by->kind != op_kind::constant;
    }
};

/// What was found in the body that gives the gradients of an operation.
struct derivative_sample {
    int returned = -1;      // number of symbols, if counted
    bool ignores = false;   // one of them does not depend on the gradient of the result
    bool beyond = false;    // one belongs to an operand that does not exist
};
template<class Op, class... A>
inline constexpr value_info sample_operands[]{
    takes_half(*op_register<typename op_traits<Op>::op>::info) ? value_of<A> : as_computed(value_of<A>)...};

/// Runs derivative(...) of an elementwise_op or a composite_op.
template<class Op, class... A>
constexpr derivative_sample try_derivative() {
    using own = typename op_traits<Op>::op;
    constexpr int count = sizeof...(A);
    sample_table t;
    symbol x[count]{};
    for (int i = 0; i < count; ++i) x[i] = t.leaf(sample_operands<Op, A...>[i], false);
    symbol const y = t.add(op_register<own>::info, x, count, op_traits<Op>::attrs), g = t.leaf(t.info(y), true);
    derivative_sample r{};
    auto const look = [&](symbol const* s, int n) {
        for (int i = 0; i < n; ++i) r.ignores = r.ignores || t.ignores_gradient(s[i]);
    };
    [&]<std::size_t... K>(std::index_sequence<K...>) {
        auto const s = own::derivative(x[K]..., y, g);
        if constexpr (std::is_same_v<decltype(s), symbol const>) {
            r.returned = 1;
            look(&s, 1);
        } else {
            r.returned = s.given;
            look(s.at, 4);
        }
    }(std::make_index_sequence<sizeof...(A)>{});
    return r;
}
/// Runs derive(derivation&) of a row_op or a kernel_op.
template<class Op, class... A>
constexpr derivative_sample try_derive() {
    using own = typename op_traits<Op>::op;
    attributes const a = op_traits<Op>::attrs;
    sample_table t;
    derivation d{};
    d.table = &t;
    d.count = sizeof...(A);
    d.attrs = &a;
    for (int i = 0; i < d.count; ++i) {
        d.operands[i] = t.leaf(sample_operands<Op, A...>[i], false);
        d.wanted[i] = true;
    }
    d.result = t.add(op_register<own>::info, d.operands, d.count, a);
    if constexpr (own::outputs > 1)
        for (int k = 0; k < own::outputs; ++k) d.gradients[k] = t.leaf(t.rows.at[d.result.index]->parts[k], true);
    else d.gradients[0] = t.leaf(t.info(d.result), true);
    d.gradient = d.gradients[0];
    own::derive(d);
    derivative_sample r{};
    for (int i = 0; i < max_operands; ++i) {
        r.ignores = r.ignores || t.ignores_gradient(d.out[i]) || t.ignores_gradient(d.values[i]);
        r.beyond = r.beyond || (i >= d.count && (d.out[i].exists() || d.values[i].exists()));
    }
    return r;
}
/// Whether the result of a composite's expand(...) has the type and shape that infer(...) gives.
template<class Op, class... A>
constexpr bool try_expand() {
    using own = typename op_traits<Op>::op;
    constexpr int count = sizeof...(A);
    sample_table t;
    symbol x[count]{};
    for (int i = 0; i < count; ++i) x[i] = t.leaf(sample_operands<Op, A...>[i], false);
    symbol const y = own::expand(t, x, count, op_traits<Op>::attrs);
    if (y.table != &t) return true;   // was refused already
    value_info const& made = t.info(y);
    value_info const said = own::infer(sample_operands<Op, A...>, count, op_traits<Op>::attrs);
    return made.wrong != fault::none || (made.dims == said.dims && (made.type == said.type || made.type == dtype::literal));
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
