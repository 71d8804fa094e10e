// SPDX-License-Identifier: MIT
// What a trainer asks of a rule: names, initial slots, its scalars per optimizer, and its hyper-parameters in one step.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/arguments.hpp>
#include <xgrad/optim/rule_concepts.hpp>
#include <xgrad/optim/slot_bounds.hpp>

#include <cstdint>
#include <new>
#include <string>
#include <string_view>

XGRAD_NAMESPACE_BEGIN

/// Bytes that one pass of an update reads and writes per element of a variable of T: parameter and slots twice, the gradient once.
/// Reductions read their operands once more; this is not counted.
template<class Rule, class T>
inline constexpr int bytes_per_parameter = [] {
    std::size_t bytes = 2 * sizeof(T) + size_of(computed_type(dtype_of<T>));
    for (slot_info const& s : rule_slots<Rule>)
        if (s.scope == per::element) bytes += 2 * size_of(s.type_for(dtype_of<T>));
    return static_cast<int>(bytes);
}();

/// The name of a rule in TensorFlow, which names slots by it (`v/Adam`, `v/Adam_1`).
template<class R>
constexpr std::string_view tf_name_of() {
    if constexpr (requires { R::tf_name; }) return R::tf_name;
    else return R::name;
}

/// The name of a variable's slot in TensorFlow: `v/Adam` for the first slot of an optimizer, `v/Adam_1` for the second.
template<class R>
std::string tf_slot_name(std::string_view variable, int slot) {
    std::string const name = std::string(variable) + "/" + std::string(tf_name_of<R>());
    return slot == 0 ? name : name + "_" + std::to_string(slot);
}

/// The initial value of a slot. Slots of the optimizer are counted after those of a variable.
template<class R>
double slot_init_of(R const& rule, int slot) {
    if constexpr (detail::SaysSlotInit<R>) return rule.slot_init(slot);
    else return 0.0;
}

/// Sets the slots of the optimizer before the first apply.
template<class R>
void init_powers_of(R const& rule, double* powers) {
    for (int k = 0; k < power_count<R>; ++k) powers[k] = slot_init_of(rule, slot_count<R> + k);
}

/// Advances them, once per apply and after all variables. `step` is the one that `prepare` got; `reduced` has the reductions over all
/// variables.
template<class R>
void advance_powers_of(R const& rule, double* powers, std::int64_t step, [[maybe_unused]] double const* reduced = nullptr) {
    if constexpr (power_count<R> > 0 && optimizer_reductions<R> > 0) rule.advance_powers(powers, step, reduced);
    else if constexpr (power_count<R> > 0) rule.advance_powers(powers, step);
}

/// Empty, or a message about the hyper-parameter that is wrong. Functions of a rule with hypers() are not called.
/// With XGRAD_CHECKS also a message about a body that uses a slot, reduction or term which the rule does not declare.
template<class R>
hyper_complaint check_of([[maybe_unused]] R const& rule) {
    if constexpr (detail::SaysHypers<R>) {
        auto const list = rule.hypers();
        if (hyper_complaint const wrong = detail::check_hypers(R::name, list.data(), list.size()); !wrong.empty()) return wrong;
    }
    if constexpr (requires { rule.complaint(); }) return rule.complaint();
    else {
        if constexpr (detail::SaysCheck<R>)
            if (hyper_complaint const wrong(rule.check()); !wrong.empty()) return wrong;
        if constexpr (XGRAD_CHECKS != 0 && !detail::is_library_rule<R>()) return detail::check_bounds_of(rule);
        else return {};
    }
}
/// Turns a rule into its form in one step: calls each function among the hyper-parameters once and stores the number.
/// Returns a message about a wrong value, as check_of does. `powers` are the optimizer scalars.
template<class R>
hyper_complaint settle(R& now, [[maybe_unused]] std::int64_t step, [[maybe_unused]] double const* powers) {
    if constexpr (requires { now.settle_links(step, powers); }) return now.settle_links(step, powers);
    if constexpr (detail::SaysHypers<R>) {
        auto list = now.hypers();
        for (hyper_info& h : list) h.settle(step);
        if (hyper_complaint const wrong = detail::check_hypers(R::name, list.data(), list.size(), step); !wrong.empty()) return wrong;
    }
    if constexpr (detail::SaysCheck<R>) return hyper_complaint(now.check());
    else return {};
}
/// Does the same with a copy of `rule`, which replaces `now`.
template<class R>
hyper_complaint settle(R& now, R const& rule, std::int64_t step, double const* powers) {
    now.~R();
    ::new (static_cast<void*>(&now)) R(rule);
    return settle(now, step, powers);
}
/// Whether one of the hyper-parameters is a function of the step.
template<class R>
bool has_functions([[maybe_unused]] R const& rule) {
    bool any = false;
    if constexpr (requires { rule.has_functions(); }) return rule.has_functions();
    if constexpr (detail::SaysHypers<R>)
        for (hyper_info const& h : rule.hypers()) any = any || h.is_function();
    return any;
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
