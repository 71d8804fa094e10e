// SPDX-License-Identifier: MIT
// xg::variables: the variables of expressions without a trainer, and the arguments from which owners are made.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/compile/program.hpp>
#include <xgrad/exec/variable_owner.hpp>

#include <tuple>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN

namespace detail {
// Separates arguments that are sizes of named dimensions from the others.
template<class T>
inline constexpr bool is_size = std::is_same_v<T, dim_size>;
template<class... A>
sequence<dim_size> sizes_among(A const&... arguments) {
    sequence<dim_size> sizes;
    (
        [&] {
            if constexpr (is_size<A>) sizes.push(arguments);
        }(),
        ...);
    return sizes;
}
template<class... A>
constexpr auto expressions_of() {
    return []<class... E>(std::tuple<E...>*) {
        return expression_list<E...>{};
    }(static_cast<decltype(std::tuple_cat(std::declval<std::conditional_t<is_size<A>, std::tuple<>, std::tuple<A>>>()...))*>(nullptr));
}
template<class T>
inline constexpr bool is_owner = __is_base_of(variable_owner, T);
/// The owner among the arguments of a trainer, or null.
template<class... A>
variable_owner* owner_among(A&... arguments) {
    variable_owner* found = nullptr;
    (
        [&] {
            if constexpr (is_owner<A>) found = &arguments;
        }(),
        ...);
    return found;
}
/// Checks that an owner of the variables of P gets all sizes.
template<class P, int Given>
constexpr bool sizes_fit() {
    if constexpr (P::variable_dims != Given) sizes_of<variable_dim_names<P>()>();
    return P::variable_dims == Given;
}
}

/// The variables of expressions without a trainer:
/// `xg::variables vars{logits}; vars.initialize(...); xg::function f{logits, vars};`
/// Sizes of the named dimensions of variables follow the expressions: `xg::variables vars{logits, features = 300};`
template<class... A>
class variables : public variable_owner {
public:
    explicit variables(A const&... arguments) {
        constexpr bool known = ((Expr<A> || detail::is_size<A>)&&...);
        static_assert(known,
            "xgrad::variables{expressions..., sizes...}: an argument is neither an expression nor a size such as features = 300; "
            "write variables{a, b}, take tuples apart, and remove none");
        constexpr bool any = (Expr<A> || ...);
        static_assert(any || !known,
            "xgrad::variables: no expression is given, so there are no variables; name the expressions: variables weights{logits}");
        if constexpr (known && any) {
            using P = program<decltype(detail::expressions_of<A...>())>;
            if constexpr (detail::sizes_fit<P, (0 + ... + static_cast<int>(detail::is_size<A>))>()) {
                sequence<dim_size> const sizes = detail::sizes_among(arguments...);
                make_variables(P::runtime.view(), sizes.at, sizes.count);
            }
        }
    }
};
template<class... A>
variables(A const&...) -> variables<A...>;

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
