// SPDX-License-Identifier: MIT
// The protocol of an update rule: what a struct needs to be taken as an optimizer.
#pragma once

#include <xgrad/config/config.hpp>
#include <xgrad/kernels/arguments.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN

/// What a sparse gradient (indexed slices, duplicates summed first) does to the rows that do not occur in it.
enum class sparse_semantics : unsigned char {
    exact,   ///< as if the gradient were dense with zero rows, as TensorFlow's Adam: every row and its slots move
    lazy     ///< rows that do not occur keep their values and slots
};

// A user's own rule in ten lines (sign descent with a running mean):
//
//     struct signum {
//         static constexpr std::string_view name = "signum", tf_name = "Signum";
//         xgrad::hyper learning_rate{1e-3}, beta{0.9};
//         static constexpr std::array<std::string_view, 1> slots{"mean"};
//         static constexpr auto sparse = xgrad::sparse_semantics::lazy;
//         template<class T> struct scalars { T rate, beta; };
//         template<class T> scalars<T> prepare(std::int64_t step, double const*) const { return {T(learning_rate(step)), T(beta(step))}; }
//         template<class T, class V> static void update(scalars<T> const& s, V& param, V grad, V* slot) {
//             slot[0] = V(s.beta) * slot[0] + V(T(1) - s.beta) * grad;
//             param = param - V(s.rate) * xgrad::math::sign(slot[0]);
//         }
//     };
//
// `update` is the only body: V is T (float, double) or a SIMD batch of T. It may read and write param and slot[0 … slots.size() − 1] of one
// element and must not look at its neighbours. Literals are written V(T(0.5)), functions xgrad::math::.
// Optional members, with what stands for them where they are missing:
//     tf_name                                       name
//     static constexpr int flops                    0: operations for an element, for xg::cost_of and xg::describe
//     double slot_init(int slot) const              0
//     static constexpr int powers                   0: doubles that belong to the optimizer, not to a variable
//     static constexpr std::array<std::string_view, powers> power_names       their names in checkpoints; <tf_name>_power_<k>
//     void init_powers(double* p) const
//     void advance_powers(double* p, std::int64_t step) const     once per apply, after all variables
//     std::string check() const                     empty: nothing to complain about
//     present_row, every_row                        see update_all_rows in kernels/update_rows.hpp

namespace detail {
template<class R>
concept RuleHasShape = std::is_class_v<R> && std::is_copy_constructible_v<R> && requires {
    { R::name } -> std::convertible_to<std::string_view>;
    std::tuple_size<std::remove_cvref_t<decltype(R::slots)>>::value;
    { R::sparse } -> std::convertible_to<sparse_semantics>;
};
template<class R, class T>
using RuleSlots = T[std::tuple_size<std::remove_cvref_t<decltype(R::slots)>>::value == 0
                        ? 1
                        : std::tuple_size<std::remove_cvref_t<decltype(R::slots)>>::value];
template<class R, class T>
concept RuleUpdates = requires(R const& rule, std::int64_t step, double const* powers, T param, T grad, RuleSlots<R, T>& slot) {
    typename R::template scalars<T>;
    { rule.template prepare<T>(step, powers) } -> std::same_as<typename R::template scalars<T>>;
    R::update(rule.template prepare<T>(step, powers), param, grad, slot);
};
}   // namespace detail

/// An update rule: name, slots, sparse semantics, the scalars of one apply and one update body. Rules know nothing of graphs.
template<class R>
concept UpdateRule = detail::RuleHasShape<R> && detail::RuleUpdates<R, float> && detail::RuleUpdates<R, double>;

/// Number of slots of a rule.
template<class R>
inline constexpr int slot_count = static_cast<int>(std::tuple_size<std::remove_cvref_t<decltype(R::slots)>>::value);

/// Number of optimizer-owned doubles of a rule.
template<class R>
inline constexpr int power_count = [] {
    if constexpr (requires { R::powers; }) {
        return static_cast<int>(R::powers);
    } else {
        return 0;
    }
}();

/// TensorFlow's name of a rule, by which it names slots (`v/Adam`, `v/Adam_1`).
template<class R>
constexpr std::string_view tf_name_of() {
    if constexpr (requires { R::tf_name; }) {
        return R::tf_name;
    } else {
        return R::name;
    }
}

/// TensorFlow's name of a slot of a variable: `v/Adam` for the first slot of an optimizer, `v/Adam_1` for the second.
template<class R>
std::string tf_slot_name(std::string_view variable, int slot) {
    std::string const name = std::string(variable) + "/" + std::string(tf_name_of<R>());
    return slot == 0 ? name : name + "_" + std::to_string(slot);
}

/// What a rule does, for checkpoints: its own name and what becomes of rows that do not occur. Rules that share TensorFlow's name, such as adam
/// and lazy_adam, differ in it.
template<class R>
std::string rule_kind_of() {
    std::string kind(R::name);
    kind += R::sparse == sparse_semantics::lazy ? " (lazy)" : " (exact)";
    return kind;
}

/// Name of an optimizer-owned double in checkpoints.
template<class R>
std::string power_name_of(int k) {
    if constexpr (requires { R::power_names; }) {
        return std::string(R::power_names[static_cast<std::size_t>(k)]);
    } else {
        return std::string(tf_name_of<R>()) + "_power_" + std::to_string(k);
    }
}

/// Initial value of a slot.
template<class R>
double slot_init_of(R const& rule, int slot) {
    if constexpr (requires { rule.slot_init(slot); }) {
        return rule.slot_init(slot);
    } else {
        return 0.0;
    }
}

/// Sets the optimizer-owned doubles before the first apply.
template<class R>
void init_powers_of(R const& rule, double* powers) {
    if constexpr (power_count<R> > 0) { rule.init_powers(powers); }
}

/// Advances them, once per apply and after all variables; `step` is the one that `prepare` got.
template<class R>
void advance_powers_of(R const& rule, double* powers, std::int64_t step) {
    if constexpr (power_count<R> > 0) { rule.advance_powers(powers, step); }
}

/// Empty, or the sentence that says which hyper-parameter is wrong.
template<class R>
std::string check_of(R const& rule) {
    if constexpr (requires { rule.check(); }) {
        return rule.check();
    } else {
        return {};
    }
}

/// Static explanation for a public function that takes a rule: `static_assert(explain_rule<R>())`.
template<class R>
consteval bool explain_rule() {
    static_assert(detail::RuleHasShape<R>, "xgrad: this is not an update rule: it needs static members `name`, `slots` (std::array of "
                                           "names) and `sparse`; see optim/rule.hpp");
    if constexpr (detail::RuleHasShape<R>) {
        static_assert(slot_count<R> <= max_rule_slots, "xgrad: an update rule has at most eight slots");
        static_assert(detail::RuleUpdates<R, float> && detail::RuleUpdates<R, double>,
            "xgrad: this update rule needs `scalars<T>` and `prepare<T>(step, powers) const` and `update(scalars<T> const&, V& param, V "
            "grad, V* slot)` for float and double; see optim/rule.hpp");
    }
    return true;
}

/// Takes any rule lazily: rows that do not occur in a sparse gradient keep values and slots. `lazy{adamw{.weight_decay = 0.01}}`.
template<class Rule>
struct lazy : Rule {
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;
};
template<class Rule>
lazy(Rule) -> lazy<Rule>;

XGRAD_NAMESPACE_END
