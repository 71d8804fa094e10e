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
template<class T>
inline constexpr bool is_known_state = says_state<T> || std::is_same_v<T, refused_group>;
}

/// A trainer that minimizes the sum of the elements of `loss`.
///
/// | call | meaning |
/// |---|---|
/// | `minimize(loss, adam{})` | One rule moves all trainable variables. |
/// | `minimize(loss, param_group(ftrl{}, wide), adam{})` | Groups of variables have different rules. |
/// | `minimize(outputs(loss, accuracy), adam{})` | A call returns more results of the same forward pass. |
/// | `minimize(loss, adam{}, features = 300)` | The sizes of named dimensions of its variables come after the rules. |
/// | `minimize(loss, adam{}, vars)` | It shares the variables of an owner: xg::variables or another trainer. |
/// | `minimize(other_loss, same_optimizer(train))` | It shares the optimizer of another trainer. |
///
/// `Gate` says when updates run. The results are the same for all values.
///
/// * none: each update as soon as its gradient is complete and the old value was read for the last time. If possible it runs
///   inside the loop that makes the gradient, which is then not stored.
/// * op: at the same time, but as a separate step.
/// * graph: all updates after all gradients. A rule with reductions over all variables, such as prodigy, always has this order.
///
/// A loss with nn::batch_norm or another layer with state needs nn::updates(loss) among the arguments, or nn::no_updates(loss).
template<gating Gate = gating::none, bool Fuse = true, class Loss, class... Rules>
auto minimize(Loss const& loss, Rules&&... rules) {
    constexpr int where = (0 + ... + static_cast<int>(detail::says_where<Rules>));
    constexpr bool swapped = !Expr<Loss> && (Expr<Rules> || ...);
    constexpr bool state =
        !detail::has_state<typename detail::step_outputs<Loss>::loss> || (detail::is_known_state<std::remove_cvref_t<Rules>> || ...);
    static_assert(!swapped, "xgrad::minimize(loss, rule): the loss is not the first argument; write the loss first, then the rules");
    static_assert(sizeof...(Rules) > where,
        "xgrad::minimize(loss, rule): there is no update rule; give one, such as xgrad::adam{.learning_rate = 1e-3}");
    static_assert(state, "xgrad::minimize(loss, rule): a layer of the loss has state, such as the moving averages of nn::batch_norm; write "
                         "xgrad::nn::updates(loss) after the rule, or xgrad::nn::no_updates(loss) if they stay");
    constexpr bool moved = !state || detail::moves_all_state<typename detail::step_outputs<Loss>::loss, std::remove_cvref_t<Rules>...>;
    static_assert(moved,
        "xgrad::minimize(loss, rule, nn::updates(y)): a layer of the loss has state that y does not have; write nn::updates of "
        "the loss that is minimized");
    if constexpr (swapped || !state || !moved) return trainer<refused_program<Loss>>(std::tuple<>());
    else if constexpr ((detail::is_same_optimizer<std::remove_cvref_t<Rules>> || ...)) {
        constexpr int kept = (0 + ... + static_cast<int>(detail::keeps_state<std::remove_cvref_t<Rules>>));
        static_assert(sizeof...(Rules) == 1 + kept,
            "xgrad::minimize(loss, same_optimizer(train)): there are other arguments, but the rule and the variables are those of "
            "train; remove them");
        if constexpr (sizeof...(Rules) == 1 + kept)
            return detail::unpack([&](auto const& rule) { return detail::minimize_by<Gate, Fuse>(loss, rule); },
                std::tuple_cat(detail::unless_kept(rules)...));
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
