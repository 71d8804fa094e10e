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
    static_assert(any, "xgrad: this is not an update rule: it needs static members `name`, `slots` (std::array of "
                       "names) and `sparse`; a constraint is an assignment: assign(w, maximum(updated(w), 0_c))");
    static_assert(
        !any || detail::RuleSaysName<R>, "xgrad: an update rule has a name; write static constexpr std::string_view name = \"my_rule\";");
    static_assert(!any || detail::RuleSaysSlots<R>,
        "xgrad: an update rule needs the names of its slots; write static constexpr std::array<std::string_view, 1> "
        "slots{\"m\"}; or, without slots, std::array<std::string_view, 0> slots{};");
    static_assert(!any || detail::RuleSaysSparse<R>,
        "xgrad: an update rule needs `sparse`: what it does to rows that are not in a sparse gradient; write static constexpr "
        "auto sparse = xgrad::sparse_semantics::lazy; or exact");
    static_assert(!any || detail::RuleSaysReductions<R>,
        "xgrad: reductions of an update rule are a constant list; write static constexpr std::array reductions{xgrad::reduction_info(xgrad::per::row)};");
    static_assert(
        !any || std::is_copy_constructible_v<R>, "xgrad: an update rule is copied, and this one cannot be; let its members be copyable");
    if constexpr (detail::RuleHasShape<R>) {
        constexpr bool sound = detail::slots_are_sound<R>(), reduces = rule_reductions<R>.count > 0, staged = detail::stages_are_sound<R>(),
                       alone = detail::optimizer_reductions_are_sound<R>(), bodies = detail::RuleHasBodies<R>,
                       all = optimizer_reductions<R> > 0;
        static_assert(detail::RuleIsNamed<R>,
            "xgrad: an update rule needs a constant name that is not empty, for errors and checkpoints; write `static "
            "constexpr std::string_view name = \"my_rule\"`");
        static_assert(detail::slots_are_named<R>(), "xgrad: two slots of an update rule have one name, or a slot has an empty name; "
                                                    "checkpoints and train.slot(w, name) need a name for each");
        static_assert(slot_count<R> <= max_rule_slots, "xgrad: an update rule has at most eight slots");
        static_assert(std::is_nothrow_copy_constructible_v<R>,
            "xgrad: an update rule is copied in each step, which must not allocate, but a member owns memory, like std::string "
            "or std::function. Keep it elsewhere and store a pointer to it");
        static_assert(!detail::CountsPowers<R>,
            "xgrad: scalars of the optimizer are slots of its rule: write slot_info(name, per::optimizer) after the other "
            "slots, and start values by slot_init. `powers`, `power_names` and `init_powers` are not read");
        static_assert(sound,
            "xgrad: slots of an update rule are float, double, bfloat16 or float16 in memory; those per::optimizer are double "
            "and follow the others");
        static_assert(detail::reductions_are_sound<R>(),
            "xgrad: reductions of an update rule are per::row, per::column, per::variable or per::optimizer, the last a sum or a mean");
        static_assert(staged,
            "xgrad: the stages of the reductions of an update rule must begin with 0 or 1 and increase by one in the list. "
            "With slots_move_behind there can be only one stage");
        detail::explain_bodies<R, bodies>();
        static_assert(alone,
            "xgrad: reductions per::optimizer of an update rule must follow its others, and have no stages, because they are "
            "known before the first update");
        static_assert(bodies || !all || !alone || !detail::RulePreparesAll<R>,
            "xgrad: this update rule has reductions per::optimizer, but lacks a function for them. For float and double write "
            "`scalars<T>`, `prepare<T>(step, powers) const`, `optimizer_terms(scalars<T> const&, V param, V grad, V const* "
            "slot, V* term)`, `prepare<T>(step, powers, double const* reduced) const` and `update(scalars<T> const&, V& param, "
            "V grad, V* slot)`; see optim/rule.hpp");
        static_assert(bodies || !reduces || !staged || all || !detail::RulePreparesAll<R>,
            "xgrad: this update rule has reductions, but lacks a function for them. For float and double write `scalars<T>`, "
            "`prepare<T>(step, powers) const`, `terms(scalars<T> const&, V param, V grad, V const* slot, V* term)` and "
            "`update(scalars<T> const&, V& param, V grad, V* slot, V const* reduced)`. With stages, terms takes `V const* "
            "reduced` before `term`; see optim/rule.hpp");
        static_assert(!bodies || detail::matrix_rule_is_sound<R>(),
            "xgrad: this update rule moves matrices, but lacks a function for that. Write `matrix_of(scalars<T> const&, V "
            "param, V grad, V* slot)`, `workspace<T>(rows, columns)` and `transform(scalars<T> const&, work const&)`. Its "
            "slots are per::element, per::optimizer or of pairs, without reductions; see optim/matrix_rule.hpp");
        if constexpr (bodies) {
            static_assert(detail::slots_are_moved<R>(),
                "xgrad: no function moves a slot of this update rule. Slots per::row, per::column and per::variable need "
                "`advance_row`, `advance_column` and `advance_variable(scalars<T> const&, T* slot, T const* reduced)`. Slots "
                "per::optimizer need `advance_powers(double* p, std::int64_t step) const`, with reductions per::optimizer also "
                "`double const* reduced`. Slots per::row_pair and per::column_pair need `moves_matrices`");
            if constexpr (detail::slots_are_moved<R>()) detail::refuse_rule_slip<detail::rule_slip_of<R>, R>();
        }
        static_assert(
            detail::SaysSlotInit<R> || !requires { &R::slot_init; },
            "xgrad: slot_init(...) of an update rule must be `double slot_init(int slot) const`");
        static_assert(
            detail::SaysHypers<R> || !requires { &R::hypers; },
            "xgrad: hypers() of an update rule must be `auto hypers() const` and give a std::array of hyper_info(name, value, range)");
        static_assert(
            detail::SaysCheck<R> || !requires { &R::check; }, "xgrad: check() of an update rule must be `std::string check() const`");
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
