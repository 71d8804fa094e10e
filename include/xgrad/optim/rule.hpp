// SPDX-License-Identifier: MIT
// The protocol of an update rule: the members that make a struct an optimizer.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/explain_rule.hpp>
#include <xgrad/optim/rule_calls.hpp>

XGRAD_NAMESPACE_BEGIN

// A complete rule, sign descent with a running mean:
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
// `sparse` says what happens to rows that do not occur in a sparse gradient. lazy: they stay. exact: they move as with gradient 0.
//
// V is T (float or double) or a SIMD batch of T. Write literals as V(T(0.5)) and functions as `xgrad::math::sqrt(x)`.
// `update` may read and write the parameter and slot[0 … slots.size() − 1] of one element. It must not read neighbours.
//
// SLOTS. A list of names declares slots with the shape and dtype of the variable. slot_info (core/rule_state.hpp) declares others:
//
//     static constexpr std::array slots{slot_info("m"), slot_info("v", dtype::bfloat16), slot_info("beta_power", per::optimizer)};
//
//   * The dtype is the one in memory. Values are converted to T when read and rounded when written.
//   * per::optimizer: an optimizer scalar, such as a power of Adam's beta: a double that belongs to the optimizer, not to a variable. These
//     slots come last. `prepare` gets them in this order and makes the step scalars, `scalars<T>`, of them.
//     `void advance_powers(double* p, std::int64_t step) const` computes their values for the next step, once per step. The trainer calls
//     it on a copy, before the updates; with reductions per::optimizer between gradients and updates. This step sees the old values.
//   * per::row, per::column, per::variable: one number for each. `update` reads them like other slots; what it writes there is dropped.
//     Before `update`, `static void advance_row(scalars<T> const&, T* slot, T const* reduced)` moves them once per row; advance_column
//     and advance_variable do the same. Each sees its slots, and the slots per variable, already moved.
//
// REDUCTIONS. A rule that needs values over a whole row, column or variable declares them. `terms` is what each element contributes:
//
//     static constexpr std::array reductions{reduction_info(per::variable), reduction_info(per::row, reduction::mean)};
//     template<class T, class V> static void terms(scalars<T> const&, V param, V grad, V const* slot, V* term);     // term[0], term[1]
//     template<class T, class V> static void update(scalars<T> const&, V& param, V grad, V* slot, V const* reduced);
//
//   * `terms` sees the slots per element before the step. All other slots are 0 there.
//   * advance_row gets the values per row and per variable, advance_column those per column and per variable, advance_variable those per
//     variable. The others are 0.
//   * If advance_column takes `T* reduced`, what it writes there is what `terms` and `update` get later.
//   * kernels/updates/update_reduced.hpp describes the order of summation.
//   * A sparse gradient of a lazy rule reduces over the rows that occur. These rows then count as the whole variable.
//   * To sum new slot values, `terms` must compute them as `update` will.
//   * `reduction_info(per::variable).of_slices()` sums over the slices of a sparse gradient one by one: a row that occurs twice counts
//     twice. TensorFlow clips by such norms. It also works with per::optimizer. Other reductions see the sum of duplicate rows.
//
// STAGES. A reduction over the results of other reductions has a stage: reduction_info(per::variable, reduction::mean, 1). See
// optim/rules/adafactor.hpp.
//
//   * Slots that are not per element move after stage 0 and use its reductions. If no reduction has stage 0, they move before all
//     reductions.
//   * In later stages `terms` sees these slots after their step. It gets one more argument, the values of the earlier stages:
//     `template<class T, class V> static void terms(scalars<T> const&, V param, V grad, V const* slot, V const* reduced, V* term);`
//   * One body serves all stages. Values that are not known yet are 0, and terms made of them are ignored.
//   * `static constexpr bool slots_move_behind = true` reverses the order (optim/rules/sm3.hpp): `terms` and `update` see all slots
//     before the step. Slots that are not per element move after the update, by the reductions. `update` does not get these values, and
//     there is only one stage.
//
// OVER ALL VARIABLES. reduction_info(per::optimizer) reduces over all variables that the rule moves in a trainer
// (optim/rules/prodigy.hpp). These reductions come last in the list. `optimizer_terms` is what an element contributes; it has the
// first form of `terms` above. The trainer visits all variables once, after all gradients are known and before the first update. It
// passes the results in double:
//
//     template<class T> scalars<T> prepare(std::int64_t step, double const* p) const;                           // for terms
//     template<class T> scalars<T> prepare(std::int64_t step, double const* p, double const* reduced) const;    // for update
//     void advance_powers(double* p, std::int64_t step, double const* reduced) const; // with slots per::optimizer
//
// MATRICES. optim/matrix_rule.hpp describes rules that use products of matrices, such as Muon.
//
// OPTIONAL MEMBERS.
//
//     member                                       default    meaning
//     -------------------------------------------  ---------  --------------------------------------------------------------------
//     tf_name                                      name       TensorFlow's name of the rule, used in names of slots
//     static constexpr int flops                   0          operations per element, for xg::cost_of and xg::describe
//     static constexpr bool idle_is_linear         false      the update with gradient 0 is a linear map of parameter and slots, as
//                                                             in momentum; xg::catch_up applies the n-th power of that map
//                                                             after n idle steps (train/catch_up.hpp)
//     double slot_init(int slot) const             0          first value of a slot, also of slots of the optimizer
//     auto hypers() const                          unchecked  the hyper-parameters and their ranges (optim/hyper.hpp):
//                                                             std::array{hyper_info("beta", beta, allow::below_one)}
//     std::string check() const                    empty      a further error text, empty if none
//     static scalars<T> absent_row(scalars<T>)     identity   in an exact rule, the step scalars for rows that do not occur: AdamW
//                                                             omits the decay there, Nadam the step
//     static scalars<T> present_row(scalars<T>)    identity   the step scalars for rows with a gradient; tells the compiler which values
//                                                             do not occur there (optim/links/chain.hpp)
//
// Numbers are checked when a trainer is made. Numbers and functions are checked before each step that could change them.

/// Makes any rule lazy: rows that do not occur in a sparse gradient keep values and slots. `lazy{adamw{.weight_decay = 0.01}}`.
template<class Rule>
struct lazy : Rule {
    static_assert(!detail::keeps_gradients<Rule>,
        "xgrad: lazy{chain(multi_steps{k}, ...)} loses the gradients of rows that do not occur in the last of the k steps; "
        "remove lazy{}, because the mean is dense");
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;
};
template<class Rule>
lazy(Rule) -> lazy<Rule>;

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
