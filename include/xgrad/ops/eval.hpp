// SPDX-License-Identifier: MIT
// A model for inference: without its dropouts.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/region.hpp>
#include <xgrad/core/walk.hpp>
#include <xgrad/ops/random.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The same expression, with each dropout replaced by its operand. Leaves and expressions that cannot be taken apart
/// stay as they are.
template<class E>
struct without_dropout {
    using type = E;
};
template<class Op, class... A>
struct without_dropout<node<Op, A...>> {
    using type = node<Op, typename without_dropout<A>::type...>;
};
// The layer in training owns its variables, and this is another call of it.
template<class Op, class... A>
    requires requires { Op::owned; }
struct without_dropout<node<Op, A...>> {
    using type = typename Op::template shared<typename without_dropout<A>::type...>;
};
template<int Output, class Node>
struct without_dropout<part<Output, Node>> {
    using type = part<Output, typename without_dropout<Node>::type>;
};
// the form in which dropout() writes it
template<class X, auto Name, class Rate, class Kept, class Zero>
struct without_dropout<node<op::select, node<op::is_kept, node<with<op::uniform_like, Name>, X>, Rate>, node<op::div, X, Kept>, Zero>>
    : without_dropout<X> {};
template<class X, auto Name, class Rate, class Kept, class Zero>
struct without_dropout<
    node<op::select, node<op::is_kept, node<with<op::shared_uniform_like, Name>, X>, Rate>, node<op::div, X, Kept>, Zero>>
    : without_dropout<X> {};
/// A block stays a block, so its type is printed only once.
template<class Block>
struct block_without_dropout : let<block_without_dropout<Block>> {
    static constexpr auto value() { return typename without_dropout<std::remove_cvref_t<decltype(Block::value())>>::type{}; }
};
template<class Block>
    requires(__is_base_of(let<Block>, Block))
struct without_dropout<Block> {
    using type = block_without_dropout<Block>;
};

constexpr bool is_dropout(node_info const& n) {
    return n.op == op_register<op::select>::info && n.operands[0]->op == op_register<op::is_kept>::info;
}
/// Searches the bodies of loops too.
constexpr bool has_dropout(node_info const& root) {
    node_map seen;
    sequence<node_info const*> open;
    open.push(&root);
    bool found = false;
    while (open.count > 0) {
        node_info const* const from = open.last();
        --open.count;
        walk(seen, from, [&](node_info const* n, int const*) {
            found = found || is_dropout(*n);
            if (n->op->kind == op_kind::scan)
                for (int i = 0; i < n->op->region->carries + n->op->region->emitted; ++i) open.push(n->op->region->results[i]);
            return 0;
        });
    }
    return found;
}
}   // namespace detail

/// `y` for inference: each dropout passes its operand on. `xg::function predict{xg::eval(logits), train}` reads the
/// variables that `logits` trains. Everything that is not below a dropout is the same node as in `y`.
/// Gradient: that of the expression without its dropouts.
template<class E>
constexpr auto eval(E const&) {
    constexpr bool expression = Expr<E>;
    static_assert(expression, "xgrad::eval(y): y is not an expression; give one, such as the logits of a model");
    if constexpr (!expression) return detail::refused{};
    else {
        using result = typename detail::without_dropout<E>::type;
        constexpr bool complete = !detail::has_dropout(result::info);
        static_assert(complete,
            "xgrad::eval(y): a dropout is in the body of a scan, or part of a gradient; write the loop without it, or take the "
            "gradient of eval(y)");
        if constexpr (complete) return result{};
        else return detail::refused{};
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
