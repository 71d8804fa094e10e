// SPDX-License-Identifier: MIT
// Checks the exact forms of a rule's bodies.
// Some wrong forms compile, but train nothing or are never called. Each of them is rejected with one message.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/batch.hpp>
#include <xgrad/core/rule_state.hpp>

#include <cstdint>
#include <string_view>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN
namespace detail {

// Checks for a member in any form.
template<class R>
concept RuleSaysName = requires { requires !std::is_member_pointer_v<decltype(&R::name)>; } &&
                       requires { typename std::bool_constant<(std::string_view(R::name).size() > 0 || true)>; };
template<class L>
    requires requires(L const& list) {
        list.size();
        slot_info(*list.begin());
    }
constexpr bool slots_can_be_read(L const& list) {
    std::size_t n = list.size();
    for (auto const& s : list) n += slot_info(s).name.size();
    return n < 10000;
}
template<class L>
    requires requires(L const& list) {
        list.size();
        reduction_info(*list.data());
    }
constexpr bool reductions_can_be_read(L const& list) {
    for (reduction_info const& r : list)
        if (r.stage < 0) return false;
    return list.data() != nullptr || list.size() == 0;
}
template<class R>
concept RuleSaysSlots = requires { requires !std::is_member_pointer_v<decltype(&R::slots)>; } &&
                        requires { typename std::bool_constant<slots_can_be_read(R::slots)>; };
template<class R>
concept RuleSaysReductions =
    !requires { &R::reductions; } || requires { typename std::bool_constant<reductions_can_be_read(R::reductions)>; };

template<class R, class T>
using scalars_of_rule = typename R::template scalars<T>;

/// The slots as the loops pass them to `update`, which may take the array itself.
template<class R, class T>
using slots_of_rule = T (&)[slot_count<R> == 0 ? 1 : slot_count<R>];

// A call of update(...) with a parameter P, a gradient G and slots S. V is T or a batch of T.
template<class R, class T, class V, class P, class G, class S>
concept UpdateIsCalled = (own_reductions<R> == 0 ? requires(scalars_of_rule<R, T> const& s, P&& p, G&& g, S slot) {
    R::update(s, static_cast<P&&>(p), static_cast<G&&>(g), slot);
} : requires(scalars_of_rule<R, T> const& s, P&& p, G&& g, S slot, V const* reduced) {
    R::update(s, static_cast<P&&>(p), static_cast<G&&>(g), slot, reduced);
});
template<class R, class T>
concept UpdateIsVoid = (own_reductions<R> == 0 ? requires(scalars_of_rule<R, T> const& s, T& x, slots_of_rule<R, T> slot) {
    { R::update(s, x, x, slot) } -> std::same_as<void>;
} : requires(scalars_of_rule<R, T> const& s, T& x, slots_of_rule<R, T> slot, T const* reduced) {
    { R::update(s, x, x, slot, reduced) } -> std::same_as<void>;
});
// A generic body accepts any argument, so only its exact form can be checked.
template<class R, class T>
concept UpdateIsExact = (own_reductions<R> == 0 ? requires {
    static_cast<void (*)(scalars_of_rule<R, T> const&, T&, T, T*)>(R::update);
} : requires { static_cast<void (*)(scalars_of_rule<R, T> const&, T&, T, T*, T const*)>(R::update); });
template<class R, class S>
concept TermsAreCalled = (reduction_stages<R> == 1 ? requires(scalars_of_rule<R, float> const& s, float x, float const* slot, S term) {
    { R::terms(s, x, x, slot, term) } -> std::same_as<void>;
} : requires(scalars_of_rule<R, float> const& s, float x, float const* slot, S term) {
    { R::terms(s, x, x, slot, slot, term) } -> std::same_as<void>;
});
template<class R, class S>
concept OptimizerTermsAreCalled = requires(scalars_of_rule<R, float> const& s, float x, float const* slot, S term) {
    { R::optimizer_terms(s, x, x, slot, term) } -> std::same_as<void>;
};
template<class R, class S>
concept RowIsAdvanced = requires(scalars_of_rule<R, float> const& s, S slot, float* reduced) {
    { R::advance_row(s, slot, reduced) } -> std::same_as<void>;
};
template<class R, class S>
concept ColumnIsAdvanced = requires(scalars_of_rule<R, float> const& s, S slot, float* reduced) {
    { R::advance_column(s, slot, reduced) } -> std::same_as<void>;
};
template<class R, class S>
concept VariableIsAdvanced = requires(scalars_of_rule<R, float> const& s, S slot, float* reduced) {
    { R::advance_variable(s, slot, reduced) } -> std::same_as<void>;
};
template<class R, class P>
concept PowersAreAdvanced = (optimizer_reductions<R> > 0 ? requires(R const& rule, P p, std::int64_t step, double const* reduced) {
    { rule.advance_powers(p, step, reduced) } -> std::same_as<void>;
} : requires(R const& rule, P p, std::int64_t step) {
    { rule.advance_powers(p, step) } -> std::same_as<void>;
});

template<class R, class T>
using RuleSlots = T[slot_count<R> == 0 ? 1 : slot_count<R>];
template<class R, class T>
concept RulePrepares = requires(R const& rule, std::int64_t step, double const* powers) {
    typename R::template scalars<T>;
    { rule.template prepare<T>(step, powers) } -> std::same_as<typename R::template scalars<T>>;
};
template<class R, class T>
concept RuleUpdates = RulePrepares<R, T> && requires(typename R::template scalars<T> const& s, T param, T grad, RuleSlots<R, T>& slot) {
    R::update(s, param, grad, slot);
};
template<class R, class T>
concept RuleReduces = RulePrepares<R, T> && requires(typename R::template scalars<T> const& s, T param, T grad, T* slot, T const* reduced) {
    R::update(s, param, grad, slot, reduced);
} && (reduction_stages<R> == 1 ? requires(typename R::template scalars<T> const& s, T param, T const* slot, T* term) {
    R::terms(s, param, param, slot, term);
} : requires(typename R::template scalars<T> const& s, T param, T const* slot, T* term) { R::terms(s, param, param, slot, slot, term); });
template<class R, class T>
concept RuleReducesAll =
    requires(R const& rule, std::int64_t step, double const* p, typename R::template scalars<T> const& s, T param, T const* slot, T* term) {
        { rule.template prepare<T>(step, p, p) } -> std::same_as<typename R::template scalars<T>>;
        R::optimizer_terms(s, param, param, slot, term);
    };
template<class R, class T>
concept RuleHasBodiesFor =
    (own_reductions<R> == 0 ? RuleUpdates<R, T> : RuleReduces<R, T>)&&(optimizer_reductions<R> == 0 || RuleReducesAll<R, T>);
template<class R>
concept RuleHasBodies = RuleHasBodiesFor<R, float> && RuleHasBodiesFor<R, double>;
template<class R>
concept RulePreparesAll = RulePrepares<R, float> && RulePrepares<R, double>;

/// Reports the body that is missing or has another form.
template<class R, bool Whole>
consteval void explain_bodies() {
    constexpr bool scalars = Whole || requires {
        typename scalars_of_rule<R, float>;
        typename scalars_of_rule<R, double>;
    };
    constexpr bool prepares = Whole || !scalars || RulePreparesAll<R>;
    static_assert(scalars, "xgrad: this update rule has no scalars<T>, the numbers that a step computes from its hyper-parameters; write "
                           "template<class T> struct scalars { T rate; };");
    static_assert(prepares,
        "xgrad: prepare(...) of this update rule is missing or has another form; write template<class T> scalars<T> prepare(std::int64_t "
        "step, double const* powers) const");
    static_assert(Whole || !scalars || !prepares || own_reductions<R> > 0 || optimizer_reductions<R> > 0,
        "xgrad: update(...) of this update rule is missing or has another form; write template<class T, class V> static void "
        "update(scalars<T> const& s, V& param, V grad, V* slot)");
}

// Members that a link of a chain or an exact rule may have. A member of another form would be ignored.
struct rule_member_names {
    static int begin, stops, step_behind, loss_scale_at, absent_row, present_row;
};
template<class R>
struct beside_rule_names : R, rule_member_names {};
/// True for rules made of other rules. They have these members only if the inner rules have them.
template<class R>
inline constexpr bool has_conditional_members = requires { requires R::conditional_members; };

enum class rule_slip : unsigned char {
    none,
    param,
    gradient,
    slot,
    batches,
    returns,
    terms,
    optimizer_terms,
    row,
    column,
    variable,
    powers,
    begin,
    stops,
    step_behind,
    loss_scale,
    absent_row,
    present_row
};
/// Finds a member with one of these names that has neither the right form nor is a plain data member of the struct.
template<class R>
consteval rule_slip ignored_member() {
    using names = beside_rule_names<R>;
    using scalars = scalars_of_rule<R, float>;
    constexpr bool exact = static_cast<int>(R::sparse) == 0;   // rows that do not occur move
    if constexpr (std::is_final_v<R> || has_conditional_members<R>) return rule_slip::none;
    else if constexpr (
        exact && !requires { names::absent_row; } &&
        !requires(scalars const& s) {
            { R::absent_row(s) } -> std::same_as<scalars>;
        })
        return rule_slip::absent_row;
    else if constexpr (
        exact && !requires { names::present_row; } &&
        !requires(scalars const& s) {
            { R::present_row(s) } -> std::same_as<scalars>;
        })
        return rule_slip::present_row;
    else if constexpr (!requires { requires R::is_transform; }) return rule_slip::none;
    else if constexpr (
        !requires { names::begin; } && !requires(scalars const& s, float p, float* slot) { R::begin(s, p, slot); } &&
        !requires { requires std::is_member_object_pointer_v<decltype(&R::begin)>; })
        return rule_slip::begin;
    else if constexpr (
        !requires { names::stops; } &&
        !requires(scalars const& s) {
            { R::stops(s) } -> std::convertible_to<bool>;
        })
        return rule_slip::stops;
    else if constexpr (
        !requires { names::step_behind; } &&
        !requires(R const& r, std::int64_t step, double const* p) {
            { r.step_behind(step, p) } -> std::convertible_to<std::int64_t>;
        })
        return rule_slip::step_behind;
    else if constexpr (
        !requires { names::loss_scale_at; } &&
        !requires(R const& r, double const* p) {
            { r.loss_scale_at(p) } -> std::convertible_to<float>;
        })
        return rule_slip::loss_scale;
    else return rule_slip::none;
}
/// Checks a rule that can be called with float and double.
template<class R>
consteval rule_slip body_slip() {
    using T = float;
    using B = simd::batch<T>;
    constexpr bool transform = requires { requires R::is_transform; };
    constexpr bool elements = rule_slots<R>.count_of(per::element) > 0 && !moves_matrices<R>;
    constexpr declared_list<slot_info> const& all = rule_slots<R>;
    if constexpr (UpdateIsCalled<R, T, T, T, T&, slots_of_rule<R, T>> && !transform) return rule_slip::param;
    else if constexpr (transform &&
                       (UpdateIsCalled<R, T, T, T, T&, slots_of_rule<R, T>> || UpdateIsCalled<R, T, T, T&, T, slots_of_rule<R, T>>))
        return rule_slip::gradient;
    else if constexpr (!UpdateIsVoid<R, T>) return rule_slip::returns;
    else if constexpr (elements && UpdateIsCalled<R, T, T, T&, T&, T const*> && !UpdateIsExact<R, T>) return rule_slip::slot;
    else if constexpr (!UpdateIsCalled<R, T, B, B&, B&, slots_of_rule<R, B>>) return rule_slip::batches;
    else if constexpr (own_reductions<R> > 0 && (!TermsAreCalled<R, T*> || TermsAreCalled<R, T const*>)) return rule_slip::terms;
    else if constexpr (optimizer_reductions<R> > 0 && (!OptimizerTermsAreCalled<R, T*> || OptimizerTermsAreCalled<R, T const*>))
        return rule_slip::optimizer_terms;
    else if constexpr (all.count_of(per::row) > 0 && (!RowIsAdvanced<R, T*> || RowIsAdvanced<R, T const*>)) return rule_slip::row;
    else if constexpr (all.count_of(per::column) > 0 && (!ColumnIsAdvanced<R, T*> || ColumnIsAdvanced<R, T const*>))
        return rule_slip::column;
    else if constexpr (all.count_of(per::variable) > 0 && (!VariableIsAdvanced<R, T*> || VariableIsAdvanced<R, T const*>))
        return rule_slip::variable;
    else if constexpr (all.count_of(per::optimizer) > 0 && (!PowersAreAdvanced<R, double*> || PowersAreAdvanced<R, double const*>))
        return rule_slip::powers;
    else return ignored_member<R>();
}
template<class R>
inline constexpr rule_slip rule_slip_of = body_slip<R>();

template<rule_slip S, class Rule>
consteval void refuse_rule_slip() {
    using enum rule_slip;
    static_assert(S != param,
        "xgrad: update(...) of this rule takes the parameter by value, so nothing would be trained; write update(scalars<T> const& s, V& "
        "param, V grad, V* slot)");
    static_assert(S != gradient,
        "xgrad: update(...) of this transform takes the parameter or the gradient by value, so its changes are lost; write "
        "update(scalars<T> const& s, V& param, V& grad, V* slot)");
    static_assert(S != slot,
        "xgrad: update(...) of this rule takes its slots as constants, and they would never move; write update(scalars<T> const& s, V& "
        "param, V grad, V* slot)");
    static_assert(S != batches,
        "xgrad: update(...) of this rule takes single numbers only; write template<class T, class V>, where V is T or a SIMD "
        "batch of it, for param, grad and slot");
    static_assert(S != returns,
        "xgrad: update(...) of this rule returns something that is not read; return void, and assign the new value: param = ...");
    static_assert(S != terms,
        "xgrad: terms(...) of this rule returns something, or takes term as a constant; write static void terms(scalars<T> const&, V "
        "param, V grad, "
        "V const* slot, V* term)");
    static_assert(S != optimizer_terms,
        "xgrad: optimizer_terms(...) of this rule returns something, or takes term as a constant; write static void "
        "optimizer_terms(scalars<T> "
        "const&, V param, V grad, V const* slot, V* term)");
    static_assert(S != row,
        "xgrad: advance_row(...) of this rule does not move slots; write static void advance_row(scalars<T> const&, T* slot, T const* "
        "reduced)");
    static_assert(S != column,
        "xgrad: advance_column(...) of this rule does not move slots; write static void advance_column(scalars<T> const&, T* slot, T "
        "const* reduced)");
    static_assert(S != variable,
        "xgrad: advance_variable(...) of this rule does not move slots; write static void advance_variable(scalars<T> const&, T* slot, T "
        "const* reduced)");
    static_assert(S != powers,
        "xgrad: advance_powers(...) of this rule does not move slots; write void advance_powers(double* p, std::int64_t step) "
        "const, with reductions per::optimizer also double const* reduced");
    static_assert(S != begin,
        "xgrad: begin(...) of this transform has another form and would never be called; write static void begin(scalars<T> const&, V "
        "param, V* slot)");
    static_assert(S != stops,
        "xgrad: stops(...) of this transform has another form and would never be called; write static bool stops(scalars<T> const&)");
    static_assert(S != step_behind,
        "xgrad: step_behind(...) of this transform has another form and would never be called; write std::int64_t "
        "step_behind(std::int64_t step, double "
        "const* p) const");
    static_assert(S != loss_scale,
        "xgrad: loss_scale_at(...) of this transform has another form and would never be called; write float loss_scale_at(double const* "
        "p) const");
    static_assert(S != absent_row,
        "xgrad: absent_row(...) of this rule has another form and would never be called; write static scalars<T> absent_row(scalars<T> s)");
    static_assert(S != present_row,
        "xgrad: present_row(...) of this rule has another form and would never be called; write static scalars<T> present_row(scalars<T> "
        "s)");
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
