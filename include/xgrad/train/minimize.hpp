// SPDX-License-Identifier: MIT
// minimize: the trainer of a loss.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/train/make_trainer.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {
template<gating Gate, bool Fuse, class Loss, class R, class... V>
auto minimize_by(Loss const& loss, same_optimizer_type<R, V...> const& o) {
    return make_trainer<Gate, Fuse, -1>(loss, {{}, o.owner, &o.slots}, param_group_type<R, V...>{o.rule});
}
template<gating, bool, class Loss>
auto minimize_by(Loss const&, refused_optimizer) {
    return trainer<refused_program<Loss>>(std::tuple<>());
}
}

/// The trainer that minimises the sum of the elements of `loss`. What else is to be seen of the same forward pass stands behind it,
/// `minimize(outputs(loss, accuracy), adam{})`: a call then returns all of them. Rules come alone (`minimize(loss, adam{})`, all trainable variables) or as
/// param_group(rule, variables...). `Gate` says when updates run: none: each as soon as its gradient is there and the old value is read for the
/// last time (if possible inside the loop that makes the gradient, which is then never stored); op: as a step of its own there; graph: all updates
/// after all gradients, which is so with each of them where a rule has reductions over all variables, as prodigy. The results are the same. Behind the
/// rules stand either the sizes of the named dimensions of its variables,
/// `minimize(loss, adam{}, features = 300)`, or an owner (xg::variables, another trainer) whose variables it shares: `minimize(loss, adam{}, vars)`.
/// `minimize(other_loss, same_optimizer(train))` shares the optimizer as well.
template<gating Gate = gating::none, bool Fuse = true, class Loss, class... Rules>
auto minimize(Loss const& loss, Rules&&... rules) {
    constexpr int where = (0 + ... + static_cast<int>(detail::says_where<Rules>));
    constexpr bool swapped = !Expr<Loss> && (Expr<Rules> || ...);
    static_assert(!swapped, "xgrad::minimize(loss, rule): the loss comes first, then the rules");
    static_assert(sizeof...(Rules) > where, "xgrad::minimize(loss, rule): give an update rule such as xgrad::adam{.learning_rate = 1e-3}");
    if constexpr (swapped) return trainer<refused_program<Loss>>(std::tuple<>());
    else if constexpr ((detail::is_same_optimizer<std::remove_cvref_t<Rules>> || ...)) {
        static_assert(sizeof...(Rules) == 1,
            "xgrad::minimize(loss, same_optimizer(train)): it is the only rule, on the variables of train; remove the other arguments");
        if constexpr (sizeof...(Rules) == 1) return detail::minimize_by<Gate, Fuse>(loss, rules...);
        else return trainer<refused_program<Loss>>(std::tuple<>());
    } else if constexpr (where == 0) return detail::make_trainer<Gate, Fuse, 0>(loss, {}, detail::as_group(rules)...);
    else
        return detail::unpack(
            [&](auto const&... rule) {
                return detail::make_trainer<Gate, Fuse, detail::given_by<Rules...>>(
                    loss, detail::place_among<std::remove_reference_t<Rules>...>(rules...), detail::as_group(rule)...);
            },
            std::tuple_cat(detail::unless_where(rules)...));
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
