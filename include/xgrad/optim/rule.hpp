// SPDX-License-Identifier: MIT
// The protocol of an update rule: the members that make a struct an optimizer.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/rule_state.hpp>
#include <xgrad/kernels/arguments.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/matrix_rule.hpp>
#include <xgrad/optim/rule_forms.hpp>
#include <xgrad/optim/sound_declarations.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN

/// How a sparse gradient (indexed slices) treats the rows that do not occur in it. Duplicate rows are summed first.
enum class sparse_semantics : unsigned char {
    exact,   ///< every row and its slots move, as if the gradient were dense with zero rows (TensorFlow's Adam)
    lazy     ///< rows that do not occur keep their values and slots
};

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
// V is T (float or double) or a SIMD batch of T. Write literals as V(T(0.5)) and functions as `xgrad::math::sqrt(x)`.
// `update` may read and write the parameter and slot[0 … slots.size() − 1] of one element. It must not read neighbours.
//
// SLOTS. A list of names declares slots with the shape and dtype of the variable. slot_info (core/rule_state.hpp) declares others:
//
//     static constexpr std::array slots{slot_info("m"), slot_info("v", dtype::bfloat16), slot_info("beta_power", per::optimizer)};
//
//   * The dtype is the one in memory. Values are converted to T when read and rounded when written.
//   * per::optimizer: a double that belongs to the optimizer, not to a variable. These slots come last. `prepare` gets them in this
//     order. `void advance_powers(double* p, std::int64_t step) const` moves them once per apply, after all variables.
//   * per::row, per::column, per::variable: one number for each. `update` reads them like other slots; what it writes there is dropped.
//     Before `update`, `static void advance_row(scalars<T> const&, T* slot, T const* reduced)` moves them once per row; advance_column
//     and advance_variable do the same. Each sees its own slots, and the slots per variable after their step.
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
//   * With a parameter `T* reduced`, advance_column may replace a value per column for the bodies that run later.
//   * kernels/updates/update_reduced.hpp describes the order of summation.
//   * A sparse gradient of a lazy rule reduces over the rows that occur. These rows then count as the whole variable.
//   * A sum over slots after the step is also a sum of terms: `terms` computes the slot value that `update` will write.
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
//                                                             in momentum; xg::catch_up takes its powers (train/catch_up.hpp)
//     double slot_init(int slot) const             0          first value of a slot, also of slots of the optimizer
//     auto hypers() const                          unchecked  the hyper-parameters and their ranges (optim/hyper.hpp):
//                                                             std::array{hyper_info("beta", beta, allow::below_one)}
//     std::string check() const                    empty      another complaint
//     static scalars<T> absent_row(scalars<T>)     identity   in an exact rule, the scalars for rows that do not occur: AdamW
//                                                             omits the decay there, Nadam the step
//     static scalars<T> present_row(scalars<T>)    identity   the scalars for rows with a gradient; tells the compiler which values
//                                                             do not occur there (optim/links/chain.hpp)
//
// Numbers are checked when a trainer is made. Numbers and functions are checked before each step that could change them.

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

/// Empty, or a message about the hyper-parameter that is wrong. Functions are not called.
template<class R>
hyper_complaint check_of([[maybe_unused]] R const& rule) {
    if constexpr (detail::SaysHypers<R>) {
        auto const list = rule.hypers();
        if (hyper_complaint const wrong = detail::check_hypers(R::name, list.data(), list.size()); !wrong.empty()) return wrong;
    }
    if constexpr (requires { rule.complaint(); }) return rule.complaint();
    else if constexpr (detail::SaysCheck<R>) return hyper_complaint(rule.check());
    else return {};
}
/// Turns a rule into its form in one step: calls each function among the hyper-parameters once and stores the number.
/// Returns a message about a wrong value, as check_of does. `powers` are the slots per optimizer.
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
        "xgrad: an update rule says which slots it has; write static constexpr std::array<std::string_view, 1> slots{\"m\"}; or, for none, "
        "std::array<std::string_view, 0> slots{};");
    static_assert(!any || detail::RuleSaysSparse<R>,
        "xgrad: an update rule says what it does to rows that a sparse gradient leaves out; write static constexpr auto sparse = "
        "xgrad::sparse_semantics::lazy; or exact");
    static_assert(!any || detail::RuleSaysReductions<R>,
        "xgrad: reductions of an update rule are a constant list; write static constexpr std::array reductions{xgrad::reduction_info(xgrad::per::row)};");
    static_assert(
        !any || std::is_copy_constructible_v<R>, "xgrad: an update rule is copied, and this one cannot be; let its members be copyable");
    if constexpr (detail::RuleHasShape<R>) {
        constexpr bool sound = detail::slots_are_sound<R>(), reduces = rule_reductions<R>.count > 0, staged = detail::stages_are_sound<R>(),
                       alone = detail::optimizer_reductions_are_sound<R>(), bodies = detail::RuleHasBodies<R>,
                       all = optimizer_reductions<R> > 0;
        static_assert(detail::RuleIsNamed<R>,
            "xgrad: an update rule needs a constant name that is not empty, by which errors and checkpoints call it; "
            "write `static constexpr std::string_view name = \"my_rule\"`");
        static_assert(detail::slots_are_named<R>(), "xgrad: two slots of an update rule have one name, or a slot has an empty name; "
                                                    "checkpoints and train.slot(w, name) need a name for each");
        static_assert(slot_count<R> <= max_rule_slots, "xgrad: an update rule has at most eight slots");
        static_assert(std::is_nothrow_copy_constructible_v<R>,
            "xgrad: an update rule is copied in a step, which allocates nothing: what has memory of its own, as std::string and std::function, is no member of it; "
            "keep that elsewhere and point to it");
        static_assert(!detail::CountsPowers<R>,
            "xgrad: scalars of the optimizer are slots of its rule, slot_info(name, per::optimizer) behind the others, which begin with slot_init; "
            "`powers`, `power_names` and `init_powers` are not read");
        static_assert(sound,
            "xgrad: slots of an update rule are float, double, bfloat16 or float16 in memory; those per::optimizer are double and "
            "stand behind the others");
        static_assert(detail::reductions_are_sound<R>(),
            "xgrad: reductions of an update rule are per::row, per::column, per::variable or per::optimizer, the last a sum or a mean");
        static_assert(staged,
            "xgrad: the stages of the reductions of an update rule begin with 0, or 1, and go up by one in the list, because each reads the earlier ones; "
            "with slots_move_behind there is one");
        detail::explain_bodies<R, bodies>();
        static_assert(alone,
            "xgrad: reductions per::optimizer of an update rule stand behind its others, and have no stages: they are known before the first update");
        static_assert(bodies || !all || !alone || !detail::RulePreparesAll<R>,
            "xgrad: this update rule with reductions per::optimizer needs `scalars<T>`, `prepare<T>(step, powers) const` for `optimizer_terms(scalars<T> const&, V "
            "param, V grad, V const* slot, V* term)`, and `prepare<T>(step, powers, double const* reduced) const` for `update(scalars<T> const&, V& param, V grad, V* "
            "slot)`, for float and double; see optim/rule.hpp");
        static_assert(bodies || !reduces || !staged || all || !detail::RulePreparesAll<R>,
            "xgrad: this update rule with reductions needs `scalars<T>`, `prepare<T>(step, powers) const`, `terms(scalars<T> const&, V param, V grad, "
            "V const* slot, V* term)`, with `V const* reduced` before `term` where they have stages, and `update(scalars<T> const&, V& param, V grad, V* slot, V const* reduced)` for float and double; see "
            "optim/rule.hpp");
        static_assert(!bodies || detail::matrix_rule_is_sound<R>(),
            "xgrad: this update rule moves matrices, so it needs `matrix_of(scalars<T> const&, V param, V grad, V* slot)`, `workspace<T>(rows, columns)` and "
            "`transform(scalars<T> const&, work const&)`, slots per::element, per::optimizer or of pairs, and no reductions; see optim/matrix_rule.hpp");
        if constexpr (bodies) {
            static_assert(detail::slots_are_moved<R>(),
                "xgrad: nothing moves a slot of this update rule: per::row, per::column and per::variable need `advance_row`, `advance_column`, "
                "`advance_variable(scalars<T> const&, T* slot, T const* reduced)`, per::optimizer `advance_powers(double* p, std::int64_t step) const`, "
                "with `double const* reduced` behind the step where the rule has reductions per::optimizer, per::row_pair and per::column_pair `moves_matrices`");
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
            "xgrad: this changes gradients or values, and moves nothing by itself; put it beside a rule: chain(clip_by_value(-1, 1), adam{})");
        return detail::explain_body<R>();
    }
}

/// Makes any rule lazy: rows that do not occur in a sparse gradient keep values and slots. `lazy{adamw{.weight_decay = 0.01}}`.
template<class Rule>
struct lazy : Rule {
    static_assert(!detail::keeps_gradients<Rule>,
        "xgrad: lazy{chain(multi_steps{k}, ...)} would lose the gradients of rows that do not occur in the last of the k steps; leave lazy{} out: the mean is dense");
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;
};
template<class Rule>
lazy(Rule) -> lazy<Rule>;

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
