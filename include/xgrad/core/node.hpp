// SPDX-License-Identifier: MIT
// Expressions: empty objects whose type is the graph, each with one constexpr record that links to those of its operands.
#pragma once

#include <xgrad/core/op.hpp>

#include <concepts>

XGRAD_NAMESPACE_BEGIN

/// Base of every expression. An expression object is empty: the graph lives in its type alone.
struct expression_base {};

template<class T>
concept Expr = std::is_base_of_v<expression_base, std::remove_cvref_t<T>>;

/// The attributes of a gradient begin with the number of its ys; what follows them among its operands are xs and other expressions by which the
/// sweep is told where to go.
constexpr int count_of_ys(attributes const& a) { return static_cast<int>(a.integer[0] & 63); }

/// The record of one expression type; its address is the node's identity, so equal types are one node.
struct node_info {
    op_info const* op;
    value_info value;
    attributes attrs;
    int count;
    node_info const* const* operands;
    std::uint64_t hash;
    bool watches = false;   // here or below a gradient is taken with respect to an inner expression, or stopped at one
};

/// A named block: `struct block : xgrad::let<block> { static constexpr auto value() { return ...; } };`
/// Its printed type is the short name of the struct; the definition is found only where it is needed.
template<class Derived>
struct let : expression_base {
    using cut = Derived;
};

template<class E>
constexpr node_info const* find_info() {
    if constexpr (requires { typename E::cut; }) return find_info<decltype(E::value())>();
    else return &E::info;
}
template<class E>
inline constexpr node_info const* info_of = find_info<E>();

constexpr value_info infer(op_info const& op, value_info const* operands, int count, attributes const& a) {
    for (int i = 0; i < count; ++i)
        if (operands[i].wrong != fault::none) return value_info{dtype::literal, {}, operands[i].wrong};   // reported already
    value_info r = op.infer(operands, count, a);
    for (int i = 0; i < r.dims.rank; ++i)
        if (r.dims.extents[i].overflow) r.wrong = fault::overflow;
    return r;
}

namespace detail {
// What `node` needs of an operation: its record and its attributes.
template<class Op>
struct op_traits {
    using op = Op;
    static constexpr attributes attrs{};
};

constexpr node_info make_info(op_info const* op, attributes const& a, node_info const* const* operands, int count) {
    value_info v[max_operands]{};
    std::uint64_t h = hash_mix(hash_text(op->name), a.hash());
    bool watches = false;
    for (int i = 0; i < count; ++i) {
        v[i] = operands[i]->value;
        h = hash_mix(h, operands[i]->hash);
        watches = watches || operands[i]->watches || (op->kind == op_kind::gradient && i >= count_of_ys(a) && operands[i]->count > 0);
    }
    return node_info{op, infer(*op, v, count, a), a, count, operands, h, watches};
}
}

/// An operation with compile-time integers: axes, permutation, bounds.
template<class Op, std::int64_t... I>
struct with {};
/// An operation with the shape of its result.
template<class Op, auto... D>
struct with_shape {};
/// An operation with a name: random streams.
template<class Op, fixed_string Name>
struct with_name {};

template<class Op, std::int64_t... I>
struct detail::op_traits<with<Op, I...>> {
    using op = Op;
    static constexpr attributes attrs{.integer = {I...}, .number = 0, .name_hash = 0, .name = {}, .target = {}};
};
template<class Op, auto... D>
struct detail::op_traits<with_shape<Op, D...>> {
    using op = Op;
    static constexpr attributes attrs{.integer = {}, .number = 0, .name_hash = 0, .name = {}, .target = make_shape<D...>()};
};
template<class Op, fixed_string Name>
struct detail::op_traits<with_name<Op, Name>> {
    using op = Op;
    static constexpr attributes attrs{.integer = {}, .number = 0, .name_hash = hash_text(Name.view()), .name = Name.view(), .target = {}};
};

/// The one inner node: an operation on expressions.
template<class Op, class... A>
struct node : expression_base {
    static constexpr node_info const* operands[sizeof...(A)] = {info_of<A>...};
    static constexpr node_info info = detail::make_info(
        op_register<typename detail::op_traits<Op>::op>::info, detail::op_traits<Op>::attrs, operands, static_cast<int>(sizeof...(A)));
};

namespace op {
/// One output of an operation with several; integer[0]: which.
struct part {
    static constexpr op_info describe() { return make_op("part", op_kind::part, nullptr, nullptr); }
};
}

namespace detail {
constexpr node_info make_part(node_info const* const* whole, int output) {
    node_info const& n = **whole;
    value_info v[max_operands]{};
    for (int i = 0; i < n.count; ++i) v[i] = n.operands[i]->value;
    attributes a{};
    a.integer[0] = output;
    value_info r = n.value;
    if (r.wrong == fault::none) r = n.op->infer_output(v, n.count, n.attrs, output);
    return node_info{op_register<op::part>::info, r, a, 1, whole, hash_mix(n.hash, static_cast<std::uint64_t>(output) + 1), n.watches};
}
}
/// Output `Output` of a node with several.
template<int Output, class Node>
struct part : expression_base {
    static constexpr node_info const* operands[1] = {&Node::info};
    static constexpr node_info info = detail::make_part(operands, Output);
};

/// Element type and shape of an expression.
template<Expr E>
inline constexpr value_info const& value_of = info_of<std::remove_cvref_t<E>>->value;

XGRAD_NAMESPACE_END
