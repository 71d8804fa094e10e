// SPDX-License-Identifier: MIT
// One sentence for each member that a rule or a transform lacks.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/arguments.hpp>
#include <xgrad/optim/rule_concepts.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
struct refused_rule {};   // already reported, so that no second error follows
/// Explains at compile time what a rule or a transform lacks.
template<class R>
consteval bool explain_body() {
    constexpr bool any = detail::RuleSaysName<R> || detail::RuleSaysSlots<R> || detail::RuleSaysSparse<R>;
    static_assert(any,
        "xgrad: this is not an update rule, because it has no static members `name`, `slots` and `sparse`; write a constraint "
        "as an assignment: assign(w, maximum(updated(w), 0_c))");
    static_assert(!any || detail::RuleSaysName<R>,
        "xgrad: this update rule has no name; write static constexpr std::string_view name = \"my_rule\";");
    static_assert(!any || detail::RuleSaysSlots<R>,
        "xgrad: this update rule has no names of slots; write static constexpr std::array<std::string_view, 1> slots{\"m\"}; "
        "or, without slots, std::array<std::string_view, 0> slots{};");
    static_assert(!any || detail::RuleSaysSparse<R>,
        "xgrad: this update rule has no `sparse`, for rows that are not in a sparse gradient; write static constexpr auto "
        "sparse = xgrad::sparse_semantics::lazy; or exact");
    static_assert(!any || detail::RuleSaysReductions<R>,
        "xgrad: `reductions` of this update rule is not a constant list; write static constexpr std::array "
        "reductions{xgrad::reduction_info(xgrad::per::row)};");
    static_assert(!any || std::is_copy_constructible_v<R>, "xgrad: this update rule cannot be copied; give it members that can be copied");
    if constexpr (detail::RuleHasShape<R>) {
        constexpr bool sound = detail::slots_are_sound<R>(), reduces = rule_reductions<R>.count > 0, staged = detail::stages_are_sound<R>(),
                       alone = detail::optimizer_reductions_are_sound<R>(), bodies = detail::RuleHasBodies<R>,
                       all = optimizer_reductions<R> > 0;
        static_assert(detail::RuleIsNamed<R>,
            "xgrad: this update rule has no constant name, or an empty one, which errors and checkpoints need; write `static "
            "constexpr std::string_view name = \"my_rule\"`");
        static_assert(detail::slots_are_named<R>(),
            "xgrad: two slots of this update rule have one name, or a slot has an empty name; give each a different name, for "
            "checkpoints and train.slot(w, name)");
        static_assert(slot_count<R> <= max_rule_slots, "xgrad: this update rule has more than eight slots; write at most eight");
        static_assert(std::is_nothrow_copy_constructible_v<R>,
            "xgrad: a member of this update rule owns memory, like std::string, but a rule is copied in each step, which must not "
            "allocate; store a pointer to such a member");
        static_assert(!detail::CountsPowers<R>,
            "xgrad: this update rule has `powers`, `power_names` or `init_powers`, which are not read; write slot_info(name, "
            "per::optimizer) after the other slots, and start values in slot_init");
        static_assert(sound,
            "xgrad: a slot of this update rule is no floating type, or one per::optimizer is not double or not after the others; "
            "write double slots per::optimizer last");
        static_assert(detail::reductions_are_sound<R>(),
            "xgrad: a reduction of this update rule is per::element, or per::optimizer without being a sum or a mean; write "
            "per::row, per::column or per::variable");
        static_assert(staged,
            "xgrad: the stages of this rule's reductions do not begin with 0 or 1, or do not increase by one; renumber them, and "
            "with slots_move_behind write one stage");
        detail::explain_bodies<R, bodies>();
        static_assert(alone,
            "xgrad: a reduction per::optimizer of this update rule precedes others, or has a stage; write it after the others, "
            "without a stage");
        static_assert(bodies || !all || !alone || !detail::RulePreparesAll<R>,
            "xgrad: this update rule has reductions per::optimizer, but lacks a function for them; write optimizer_terms(...), "
            "prepare<T>(step, powers), prepare<T>(step, powers, reduced) and update(...), as in optim/rule.hpp");
        static_assert(bodies || !reduces || !staged || all || !detail::RulePreparesAll<R>,
            "xgrad: this update rule has reductions, but lacks a function for them; write prepare<T>(step, powers), terms(scalars, "
            "param, grad, slot, term) and update(scalars, param, grad, slot, reduced), as in optim/rule.hpp");
        static_assert(!bodies || detail::matrix_rule_is_sound<R>(),
            "xgrad: this update rule moves matrices, but lacks a function for that, or has reductions; write matrix_of(...), "
            "workspace<T>(rows, columns) and transform(...), as in optim/matrix_rule.hpp");
        if constexpr (bodies) {
            static_assert(detail::slots_are_moved<R>(),
                "xgrad: no function moves a slot of this update rule; write advance_row, advance_column, advance_variable, "
                "advance_powers for per::optimizer, or moves_matrices for pairs, as in optim/rule.hpp");
            if constexpr (detail::slots_are_moved<R>()) detail::refuse_rule_slip<detail::rule_slip_of<R>, R>();
        }
        static_assert(
            detail::SaysSlotInit<R> || !requires { &R::slot_init; },
            "xgrad: slot_init(...) of this update rule has another form; write `double slot_init(int slot) const`");
        static_assert(
            detail::SaysHypers<R> || !requires { &R::hypers; },
            "xgrad: hypers() of this update rule has another form; write `auto hypers() const`, which returns a std::array of "
            "hyper_info(name, value, range)");
        static_assert(
            detail::SaysCheck<R> || !requires { &R::check; },
            "xgrad: check() of this update rule has another form; write `std::string check() const`");
    }
    return true;
}
}   // namespace detail

/// For public functions that take a rule: `static_assert(explain_rule<R>())` reports what is wrong.
template<class R>
consteval bool explain_rule() {
    if constexpr (std::is_same_v<R, detail::refused_rule>) return true;
    else {
        static_assert(!detail::is_transform<R>,
            "xgrad: this is a link, which changes gradients or values but moves no variable; combine it with a rule: "
            "chain(clip_by_value(-1, 1), adam{})");
        return detail::explain_body<R>();
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
