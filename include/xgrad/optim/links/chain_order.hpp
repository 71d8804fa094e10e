// SPDX-License-Identifier: MIT
// Which links may be in a chain, and in which order: an error sentence for each mistake.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/links/chain_layout.hpp>

#include <algorithm>
#include <iterator>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The reductions of the link do not change a gradient.
template<class Link>
inline constexpr bool only_looks = requires { Link::only_looks; };
/// The link is only valid before the rule.
template<class Link>
inline constexpr bool stands_in_front = requires { Link::in_front; };
/// The link is only valid after the rule.
template<class Link>
inline constexpr bool needs_new_values = requires { Link::behind; };

/// Reports a link in the wrong place.
template<class... L>
consteval bool explain_order() {
    constexpr bool gradients_first = !comes_after({!is_transform<L>...}, {stands_in_front<L>...});
    constexpr bool values_last = !comes_after({needs_new_values<L>...}, {!is_transform<L>...});
    constexpr bool looks_first = !comes_after({(optimizer_reductions<L> > 0 && !only_looks<L>)...}, {only_looks<L>...});
    constexpr bool all_first = !comes_after({(own_reductions<L> > 0)...}, {(optimizer_reductions<L> > 0)...});
    constexpr bool one = (0 + ... + static_cast<int>(optimizer_reductions<L> > 0 && !only_looks<L>)) < 2;
    // Slots that are not per element move after the first stage and after reductions over all variables.
    constexpr bool numbers_first =
        !comes_after({(own_reductions<L> > 0)...}, {keeps_numbers<L>...}) &&
        !comes_after({(own_reductions<L> == 0 && keeps_numbers<L>)...}, {(own_reductions<L> > 0 && keeps_numbers<L>)...});
    constexpr bool alone = !(slots_move_behind<L> || ...) || (0 + ... + static_cast<int>(own_reductions<L> > 0 || keeps_numbers<L>)) == 1;
    constexpr bool sums_first = !comes_after({keeps_numbers<L>...}, {(optimizer_reductions<L> > 0)...});
    constexpr bool scales_first = [] {
        bool const scales[]{scales_loss<L>...};
        return std::find(scales + 1, std::end(scales), true) == std::end(scales);
    }();
    static_assert(scales_first,
        "xgrad::chain(links...): a link that scales the loss, like dynamic_loss_scale, follows another link, which would see "
        "scaled gradients; write it first: chain(dynamic_loss_scale{}, clip_by_global_norm(1), adam{})");
    static_assert(gradients_first,
        "xgrad::chain(links...): a link that changes gradients, like clip_by_value, follows the rule, which has used them "
        "already; write it before the rule: chain(clip_by_value(-1, 1), adam{})");
    static_assert(values_last,
        "xgrad::chain(links...): a link that averages or bounds new values, like ema and box, precedes the rule and would see "
        "the old ones; write it after the rule: chain(adam{}, ema{})");
    static_assert(looks_first,
        "xgrad::chain(links...): skip_nonfinite follows a norm of all gradients, like that of clip_by_global_norm, and would "
        "miss the NaN it makes; write it first: chain(skip_nonfinite{}, clip_by_global_norm(1), adam{})");
    static_assert(all_first, "xgrad::chain(links...): a reduction over all variables, like clip_by_global_norm, follows a reduction of one "
                             "variable, like clip_by_norm, which is known later; write the one over all variables first");
    static_assert(one, "xgrad::chain(links...): two links have reductions over all variables, and the second would need the result of the "
                       "first; remove one of them");
    static_assert(numbers_first,
        "xgrad::chain(links...): a link with numbers per row, column or variable, like adafactor, follows reductions of one "
        "variable, like clip_by_norm; replace the reduction by clip_by_global_norm or clip_by_value");
    static_assert(alone,
        "xgrad::chain(links...): a rule whose slots move after the update, like sm3, cannot follow a link with reductions or "
        "numbers of one row, column or variable; use clip_by_global_norm or clip_by_value");
    static_assert(sums_first,
        "xgrad::chain(links...): a link with numbers per row, column or variable precedes a reduction over all variables, like "
        "clip_by_global_norm, which must be earlier; write that reduction first");
    return scales_first && gradients_first && values_last && looks_first && all_first && one && numbers_first && alone && sums_first;
}
template<class... L>
consteval bool explain_chain() {
    constexpr bool schedules = (StepFunction<L> || ...);
    static_assert(!schedules, "xgrad::chain(links...): a schedule is used as a link, but it is the value of a hyper-parameter; write "
                              "chain(adam{.learning_rate = cosine_decay{...}})");
    if constexpr (schedules) return false;
    else if constexpr (!((explain_body<L>() && RuleIsWhole<L>)&&...)) return false;
    else {
        constexpr int rules = (0 + ... + static_cast<int>(!is_transform<L>));
        static_assert(
            rules > 0, "xgrad::chain(links...): no link moves the variables; put a rule among them: chain(clip_by_value(-1, 1), adam{})");
        static_assert(rules < 2,
            "xgrad::chain(links...): two links are rules, and each would move the variables; remove one, give each a param_group, "
            "or write static constexpr bool is_transform = true in your transform");
        constexpr bool elements = !(moves_matrices<L> || ...);
        static_assert(elements,
            "xgrad::chain(links...): a rule that moves matrices, like muon, is in a chain, whose links see single elements; use "
            "the rule alone, and change gradients between compute_gradients and apply_gradients");
        if constexpr (rules == 1 && elements) return explain_order<L...>();
        else return false;
    }
}
}   // namespace detail

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
