// SPDX-License-Identifier: MIT
// The concepts of update rules and transforms: what their members must be.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/rule_state.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/matrix_rule.hpp>
#include <xgrad/optim/rule_forms.hpp>
#include <xgrad/optim/sound_declarations.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN

/// How a sparse gradient (indexed slices) treats the rows that do not occur in it. Duplicate rows are summed first.
enum class sparse_semantics : unsigned char {
    exact,   ///< every row and its slots move, as if the gradient were dense with zero rows (TensorFlow's Adam)
    lazy     ///< rows that do not occur keep their values and slots
};

namespace detail {
template<class R>
concept RuleSaysSparse = requires {
    requires !std::is_member_pointer_v<decltype(&R::sparse)> && std::is_same_v<std::remove_cvref_t<decltype(R::sparse)>, sparse_semantics>;
} && requires { typename std::bool_constant<(R::sparse == sparse_semantics::lazy)>; };
template<class R>
concept RuleHasShape = std::is_class_v<R> && std::is_copy_constructible_v<R> && RuleSaysName<R> && RuleSaysSlots<R> && RuleSaysSparse<R> &&
                       RuleSaysReductions<R>;
template<class R>
constexpr bool has_slots(per scope) {
    return rule_slots<R>.count_of(scope) > 0;
}
/// Whether each slot that is not per element has a body that moves it.
template<class R>
constexpr bool slots_are_moved() {
    using scalars = typename R::template scalars<float>;
    constexpr bool row = requires(scalars const& s, float* slot, float const* reduced) { R::advance_row(s, slot, reduced); };
    constexpr bool column = requires(scalars const& s, float* slot, float* reduced) { R::advance_column(s, slot, reduced); };
    constexpr bool variable = requires(scalars const& s, float* slot, float const* reduced) { R::advance_variable(s, slot, reduced); };
    constexpr bool optimizer = optimizer_reductions<R> > 0 ? requires(R const& rule, double* p, std::int64_t step) {
        rule.advance_powers(p, step, p);
    } : requires(R const& rule, double* p, std::int64_t step) { rule.advance_powers(p, step); };
    return (row || !has_slots<R>(per::row)) && (column || !has_slots<R>(per::column)) && (variable || !has_slots<R>(per::variable)) &&
           (optimizer || !has_slots<R>(per::optimizer)) && (moves_matrices<R> || pair_count<R> == 0);
}
template<class R>
concept CountsPowers = requires { R::powers; };
template<class R>
concept SaysSlotInit = requires(R const& rule, int slot) {
    { rule.slot_init(slot) } -> std::convertible_to<double>;
};
template<class R>
concept SaysCheck = requires(R const& rule) {
    { rule.check() } -> std::convertible_to<std::string>;
};
template<class R>
concept SaysHypers = requires(R const& rule) { static_cast<hyper_info const*>(rule.hypers().data()); };

template<class R>
inline constexpr bool is_transform = requires { requires R::is_transform; };
/// Whether the transform can pass on gradients of earlier steps.
template<class R>
inline constexpr bool keeps_gradients = requires { requires R::keeps_gradients; };
template<class R>
inline constexpr bool scales_loss = requires(R const& r, double const* p) { r.loss_scale_at(p); };

template<class R>
concept RuleIsNamed = requires { requires !std::string_view(R::name).empty(); };

template<class R>
concept RuleIsWhole = RuleHasShape<R> && RuleIsNamed<R> && detail::slots_are_named<R>() && std::is_nothrow_copy_constructible_v<R> &&
                      !detail::CountsPowers<R> && detail::slots_are_sound<R>() && detail::reductions_are_sound<R>() &&
                      detail::stages_are_sound<R>() && detail::optimizer_reductions_are_sound<R>() && detail::matrix_rule_is_sound<R>() &&
                      detail::RuleHasBodies<R> && detail::slots_are_moved<R>() && detail::rule_slip_of<R> == detail::rule_slip::none;
}   // namespace detail

/// An update rule: name, slots, sparse semantics, the scalars of one apply and one update body. Rules do not know the graph.
template<class R>
concept UpdateRule = detail::RuleIsWhole<R> && !detail::is_transform<R>;
/// A transform: a link of chain(...) other than the rule. It has the members of a rule, and `static constexpr bool is_transform = true`.
/// Its `update` takes `V& grad` and may change gradient, parameter and slots. Optional members:
///
///     static void begin(scalars<T> const&, V param, V* slot)   sees the parameter before any link moves it
///     static bool stops(scalars<T> const&)                     true: the later links do nothing in this step
///     std::int64_t step_behind(std::int64_t step, double const* p) const   the step that the later links see
///     static constexpr bool keeps_gradients = true             it may pass on gradients of earlier steps, also of rows that do not occur
///     static constexpr bool in_front = true                    only valid before the rule: after it, no link reads the gradient
///     static constexpr bool behind = true                      only valid after the rule: before it, the value is the old one
///     float loss_scale_at(double const* p) const               the initial gradient of the loss; for the first link only
///     static constexpr bool scales_gradients = true            it keeps or scales a gradient, so that later norms may count single slices
///     static constexpr bool bounds_all_rows = true             in an exact chain it runs on all rows, although it is lazy
template<class R>
concept Transform = detail::RuleIsWhole<R> && detail::is_transform<R>;

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
