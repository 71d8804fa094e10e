// SPDX-License-Identifier: MIT
// A request for gradients: ys, the gradients of the ys, and expressions that are held constant. Also the kinds of results.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/constants.hpp>
#include <xgrad/core/leaves.hpp>

XGRAD_NAMESPACE_BEGIN

/// Several ys whose gradients are summed: `gradients(ys(a, b), x)`.
template<class... Y>
struct y_list {};
template<Expr... Y>
constexpr y_list<Y...> ys(Y const&...) {
    return {};
}

/// The gradient of an x that y does not depend on.
struct none {
    static constexpr bool is_no_gradient = true;
};

/// The initial gradients of ys.
template<class... G>
struct grad_y_list {};
/// Expressions that are held constant.
template<class... S>
struct stop_list {};
/// ys with all options of a request.
template<class Ys, class Seeds, class Stops, bool Zeros>
struct sweep_request {};

/// The gradient of a table that is only read by index. Row i of the dense gradient is the sum of all `values[k]` with `indices[k]` = i.
/// Duplicate indices are not merged. values: [n, row...], indices: [n]; both are expressions. `dense` is the dense tensor.
template<class Values, class Indices, class Dense>
struct indexed_slices {
    static constexpr bool is_slices = true;
    Values values;
    Indices indices;
    Dense dense;
};
template<class V, class I, class D>
indexed_slices(V, I, D) -> indexed_slices<V, I, D>;

namespace detail {
/// A request as data: the record of each y, of its initial gradient, and of the expressions that are held constant.
/// If one y has an initial gradient, all have: the others ones.
template<class Request>
struct request_nodes;
template<class... Y, class... G, class... S, bool Zeros>
struct request_nodes<sweep_request<y_list<Y...>, grad_y_list<G...>, stop_list<S...>, Zeros>> {
    static constexpr bool zeros = Zeros, any_seed = (!std::is_same_v<G, none> || ...);
    static constexpr int y_count = sizeof...(Y), seed_count = any_seed ? sizeof...(G) : 0, stop_count = sizeof...(S);
    template<class E>
    static constexpr node_info const* node_of() {
        if constexpr (!any_seed) return nullptr;
        else if constexpr (std::is_same_v<E, none>) return &whole_literal<1>.info;
        else return info_of<E>;
    }
    static constexpr node_info const* ys[] = {info_of<Y>..., nullptr};
    static constexpr node_info const* seeds[] = {node_of<G>()..., nullptr};
    static constexpr node_info const* stops[] = {info_of<S>..., nullptr};
};
template<class... Y>
struct request_nodes<y_list<Y...>> : request_nodes<sweep_request<y_list<Y...>, grad_y_list<>, stop_list<>, false>> {};
}

namespace detail {
template<Expr G>
constexpr G seed_of(G g) {
    return g;
}
constexpr none seed_of(none) { return {}; }
template<class V, class I, class D>
constexpr D seed_of(indexed_slices<V, I, D>) {
    return {};
}

enum class y_state : unsigned char { good, silent, no_expression, not_floating };
template<Expr... Y>
constexpr y_state floating_ys() {
    y_state r = y_state::good;
    ((r = value_of<Y>.wrong != fault::none                        ? y_state::silent
          : r == y_state::good && !has_gradient(value_of<Y>.type) ? y_state::not_floating
                                                                  : r),
        ...);
    return r;
}
template<class Y>
constexpr y_state differentiable(Y const*) {
    if constexpr (Expr<Y>) return floating_ys<Y>();
    else return y_state::no_expression;
}
template<class... Y>
constexpr y_state differentiable(y_list<Y...> const*) {
    return floating_ys<Y...>();
}
}

/// Initial gradients of ys, instead of ones: `gradients(ys(a, b), grad_ys(ga, none{}), x)`.
/// One for each y: an expression of y's element type that broadcasts to its shape, a sparse gradient, or none{} for ones.
template<class... G>
constexpr auto grad_ys(G const&...) {
    constexpr bool gradients = ((Expr<G> || SparseGradient<G> || NoGradient<G>)&&...);
    static_assert(gradients, "xgrad::grad_ys(g...): a g is neither an expression, nor indexed_slices, nor none; write none{} for ones");
    if constexpr (gradients) return grad_y_list<decltype(detail::seed_of(G{}))...>{};
    else return grad_y_list<detail::refused>{};
}
/// Expressions that are treated as constants: `gradients(y, stop_gradients(h), x)`.
/// If an x is among them, it gets its partial derivative and no gradient passes through it.
template<class... S>
constexpr auto stop_gradients(S const&...) {
    constexpr bool expressions = (Expr<S> && ...);
    static_assert(expressions, "xgrad::stop_gradients(h...): an h is not an expression; give expressions");
    if constexpr (expressions) return stop_list<S...>{};
    else return stop_list<>{};
}
/// `gradients(y, unconnected_zeros, x)`: zeros instead of none for an x that y does not depend on.
inline constexpr struct unconnected_zeros_type {
} unconnected_zeros{};

namespace detail {
template<class T>
inline constexpr bool is_seeds = false;
template<class... G>
inline constexpr bool is_seeds<grad_y_list<G...>> = true;
template<class T>
inline constexpr bool is_stops = false;
template<class... S>
inline constexpr bool is_stops<stop_list<S...>> = true;
template<class T>
inline constexpr bool is_zeros = std::is_same_v<T, unconnected_zeros_type>;
}
/// The options that may be passed between y and the xs in a call of gradients.
template<class T>
concept GradientOption = detail::is_seeds<T> || detail::is_stops<T> || detail::is_zeros<T>;

namespace detail {
template<class Y>
struct list_of_ys {
    using type = y_list<Y>;
};
template<class... Y>
struct list_of_ys<y_list<Y...>> {
    using type = y_list<Y...>;
};
template<class Request, class... X>
struct question {
    using request = Request;
};
// Collects the arguments after y.
template<class Y, class G, class S, bool Z, class... X, class A>
constexpr auto operator<<(question<sweep_request<Y, G, S, Z>, X...>, A) {
    if constexpr (is_seeds<A>) return question<sweep_request<Y, A, S, Z>, X...>{};
    else if constexpr (is_stops<A>) return question<sweep_request<Y, G, A, Z>, X...>{};
    else if constexpr (is_zeros<A>) return question<sweep_request<Y, G, S, true>, X...>{};
    else return question<sweep_request<Y, G, S, Z>, X..., A>{};
}
template<class Y, class... A>
constexpr auto ask() {
    if constexpr ((Expr<A> && ...)) return question<Y, A...>{};
    else return (question<sweep_request<Y, grad_y_list<>, stop_list<>, false>>{} << ... << A{});
}

enum class seed_state : unsigned char { good, silent, count, type, shapes };
template<class Y, class G>
constexpr seed_state fits() {
    if constexpr (std::is_same_v<G, none>) return seed_state::good;
    else {
        value_info const &y = value_of<Y>, &g = value_of<G>;
        if (g.wrong != fault::none) return seed_state::silent;
        if (computed_type(g.type) != computed_type(y.type) && g.type != dtype::literal) return seed_state::type;
        shape s = y.dims;
        return broadcast_into(s, g.dims) && s == y.dims ? seed_state::good : seed_state::shapes;
    }
}
template<class... Y>
constexpr seed_state seeds_fit(y_list<Y...>) {
    return seed_state::good;
}
template<class... Y, class... G, class... S, bool Z>
constexpr seed_state seeds_fit(sweep_request<y_list<Y...>, grad_y_list<G...>, stop_list<S...>, Z>) {
    if constexpr (sizeof...(G) == 0) return seed_state::good;
    else if constexpr ((was_refused<G> || ...)) return seed_state::silent;
    else if constexpr (sizeof...(G) != sizeof...(Y)) return seed_state::count;
    else {
        seed_state r = seed_state::good;
        ((r = r == seed_state::good ? fits<Y, G>() : r), ...);
        return r;
    }
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
