// SPDX-License-Identifier: MIT
// A model for inference: without its dropouts and noise, by its moving averages.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/walk.hpp>
#include <xgrad/ops/call.hpp>
#include <xgrad/ops/random.hpp>
#include <xgrad/ops/while_loop.hpp>

XGRAD_NAMESPACE_BEGIN
namespace op {
/// Its first operand; eval(y) has the second one in its place. Variables follow, each with the value that nn::updates assigns to it.
/// A last operand without a partner is the input of a layer that several calls share. The values depend on the variables through the
/// input no more.
struct in_training : composite_op {
    static constexpr std::string_view name = "in_training";
    static constexpr int moves = 4;
    template<class, class Evaluated, class...>
    using evaluated = Evaluated;
    static constexpr value_info infer(value_info const* v, int, attributes const&) {
        value_info r = v[0];
        if (r.type != v[1].type && v[1].type != dtype::literal) r.wrong = fault::dtypes;
        else if (!(r.dims == v[1].dims)) r.wrong = fault::shapes;
        return r;
    }
    static constexpr symbol expand(symbol_table&, symbol const* x, int, attributes const&) { return x[0]; }
};
}
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
template<class Op, class... A>
    requires requires { typename Op::template evaluated<A...>; }
struct without_dropout<node<Op, A...>> : without_dropout<typename Op::template evaluated<A...>> {};
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

/// What a body returns, without dropouts.
template<class Result>
struct result_without_dropout : without_dropout<Result> {};
template<class... E>
struct result_without_dropout<std::tuple<E...>> {
    using type = std::tuple<typename without_dropout<E>::type...>;
};
template<class... C>
struct result_without_dropout<carry_list<C...>> {
    using type = carry_list<typename without_dropout<C>::type...>;
};
template<class Carries, class... Y>
struct result_without_dropout<turn<Carries, Y...>> {
    using type = turn<typename result_without_dropout<Carries>::type, typename without_dropout<Y>::type...>;
};
template<class R>
struct body_without_dropout : base_like<R> {
    static constexpr auto value(auto... a) { return typename result_without_dropout<decltype(R::value(a...))>::type{}; }
};
template<class R>
struct body_of_user<body_without_dropout<R>> : body_of_user<R> {};
template<class R>
inline constexpr extent turns_before<body_without_dropout<R>> = turns_before<R>;
template<class R>
inline constexpr extent turns_in_all<body_without_dropout<R>> = turns_in_all<R>;
/// A body that has no dropout stays the same, and so do the nodes of its calls.
template<class R, class... P>
using evaluated_body =
    std::conditional_t<std::is_same_v<decltype(run_body<R, P...>()), typename result_without_dropout<decltype(run_body<R, P...>())>::type>,
        R, body_without_dropout<R>>;
/// The data of a step over bodies, with other bodies.
template<class Call>
struct call_without_dropout {
    using type = Call;
};
template<class How, class... P, class... R>
struct call_without_dropout<once_call<How, parameter_list<P...>, R...>> {
    using type = once_call<How, parameter_list<P...>, evaluated_body<R, P...>...>;
};
template<class R, class Turns, class... C, class... S, auto Length>
struct call_without_dropout<scan_call<R, Turns, parameter_list<C...>, parameter_list<S...>, Length>> {
    using type = scan_call<evaluated_body<R, C..., S...>, Turns, parameter_list<C...>, parameter_list<S...>, Length>;
};
template<class Condition, class R, int Capacity, class... C>
struct call_without_dropout<while_call<Condition, R, Capacity, parameter_list<C...>>> {
    using type = while_call<evaluated_body<Condition, C...>, evaluated_body<R, C...>, Capacity, parameter_list<C...>>;
};
template<class Call, class Control, class... Operand>
struct without_dropout<region_node<Call, Control, Operand...>> {
    using type = region_node<typename call_without_dropout<Call>::type, typename without_dropout<Control>::type,
        typename without_dropout<Operand>::type...>;
};

constexpr bool is_dropout(node_info const& n) {
    if (n.op == op_register<op::in_training>::info) return true;
    return n.op == op_register<op::select>::info && n.operands[0]->op == op_register<op::is_kept>::info;
}
/// Searches bodies too.
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
            if (n->op->kind == op_kind::region)
                for (int b = 0; b < n->op->region->body_count; ++b)
                    for (int i = 0; i < n->op->region->bodies[b].count(); ++i) open.push(n->op->region->bodies[b].results[i]);
            return 0;
        });
    }
    return found;
}
}   // namespace detail

/// `y` for inference: each dropout passes its operand on, and layers such as nn::batch_norm use their moving averages.
/// `xg::function predict{xg::eval(logits), train}` reads the
/// variables that `logits` trains. Everything that is not below a dropout is the same node as in `y`.
/// Gradient: that of the expression without its dropouts.
template<class E>
constexpr auto eval(E const&) {
    constexpr bool expression = Expr<E>, list = requires { E::infos; };
    static_assert(!list, "xgrad::eval(outputs(a, b)): eval takes one expression; write outputs(eval(a), eval(b))");
    static_assert(expression || list, "xgrad::eval(y): y is not an expression; give one, such as the logits of a model");
    if constexpr (!expression) return detail::refused{};
    else {
        using result = typename detail::without_dropout<E>::type;
        constexpr bool complete = !detail::has_dropout(result::info);
        static_assert(complete,
            "xgrad::eval(y): a dropout is in a custom_gradient, or part of a gradient; write the body without it, or take the gradient of "
            "eval(y)");
        if constexpr (complete) return result{};
        else return detail::refused{};
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
