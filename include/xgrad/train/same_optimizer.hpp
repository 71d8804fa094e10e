// SPDX-License-Identifier: MIT
// One optimizer that minimizes several losses. Its slots and optimizer scalars move with each of them.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/train/step_driver.hpp>
#include <xgrad/train/trainer.hpp>
#include <xgrad/train/updates.hpp>

XGRAD_NAMESPACE_BEGIN

/// The result of same_optimizer(train, v...).
template<class Rule, class... V>
struct [[nodiscard("same_optimizer(train) is an argument of minimize or apply_gradients; alone it does nothing")]] same_optimizer_type {
    Rule rule;
    variable_owner* owner;
    shared_slots slots;

    template<class P>
    explicit same_optimizer_type(trainer<P>& train)
        : rule(std::get<0>(step_driver::state(train).all)), owner(&train), slots(step_driver::state(train).share) {}
};
namespace detail {
struct refused_optimizer {};   // the error has been reported
template<class T>
inline constexpr bool is_same_optimizer = std::is_same_v<T, refused_optimizer>;
template<class R, class... V>
inline constexpr bool is_same_optimizer<same_optimizer_type<R, V...>> = true;
}

/// An argument in place of a rule: the optimizer of another trainer, like one `tf.train.Optimizer` that minimizes two losses.
///
/// * Variables, slots, optimizer scalars (such as Adam's beta powers), and the global step are those of that trainer.
///   The steps of both trainers advance them.
/// * Only the hyper-parameters are copied.
/// * `minimize(other_loss, same_optimizer(train, w))` moves only the named variables.
/// * A variable that the other trainer does not move has no slots; the call throws binding_error.
template<class P, class... V>
auto same_optimizer(trainer<P>& train, V const&...) {
    constexpr bool one = std::tuple_size_v<typename P::rules> == 1;
    constexpr bool variables = (detail::is_variable<V> && ...);
    static_assert(one,
        "xgrad::same_optimizer(train): train has several rules, or assigns state, and only a single rule can be shared; make it with one rule, "
        "minimize(loss, adam{}), or a chain(...)");
    static_assert(
        (variables || ... || detail::was_refused<V>), "xgrad::same_optimizer(train, v...): a v is not a variable; give variables only");
    if constexpr (one && variables) return same_optimizer_type<std::tuple_element_t<0, typename P::rules>, V...>(train);
    else return detail::refused_optimizer{};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
