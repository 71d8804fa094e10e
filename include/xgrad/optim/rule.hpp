// SPDX-License-Identifier: MIT
// The protocol of an update rule: what a struct needs to be taken as an optimizer.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/rule_state.hpp>
#include <xgrad/kernels/arguments.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/matrix_rule.hpp>
#include <xgrad/optim/rule_forms.hpp>
#include <xgrad/optim/slot_bounds.hpp>
#include <xgrad/optim/sound_declarations.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
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
// V is T (float, double) or a SIMD batch of T. `update` may read and write param and slot[0 … slots.size() − 1] of one element and must not look at
// its neighbours. Literals are written V(T(0.5)), functions xgrad::math::. Names alone are slots of the variable's shape and dtype; other slots are
// declared by slot_info (core/rule_state.hpp), as
//
//     static constexpr std::array slots{slot_info("m"), slot_info("v", dtype::bfloat16), slot_info("beta_power", per::optimizer)};
//
//   * A dtype is that of memory alone: numbers are converted to T where they are read and rounded where they are written.
//   * per::optimizer: doubles that belong to the optimizer and not to a variable, behind all others. `prepare` gets them, in order, and
//     `void advance_powers(double* p, std::int64_t step) const` moves them once per apply, after all variables.
//   * per::row, per::column, per::variable: one number for each. `update` reads them like other slots; what it writes there is dropped. They are moved
//     before, once for each row, column or variable, by `static void advance_row(scalars<T> const&, T* slot, T const* reduced)`, advance_column,
//     advance_variable, of which each sees its own slots and, as they are after their step, those per variable.
//
// A rule that needs values over a whole row, column or variable declares them, and what each element gives to them:
//
//     static constexpr std::array reductions{reduction_info(per::variable), reduction_info(per::row, reduction::mean)};
//     template<class T, class V> static void terms(scalars<T> const&, V param, V grad, V const* slot, V* term);     // term[0], term[1]
//     template<class T, class V> static void update(scalars<T> const&, V& param, V grad, V* slot, V const* reduced);
//
// `terms` sees the slots per element, before the step; the others are 0 there. advance_row gets the values per row and per variable, advance_column
// those per column and per variable, advance_variable those per variable; the others are 0. With `T* reduced` advance_column may leave another number in place of
// a value per column, for the bodies behind it. How they are summed says kernels/update_reduced.hpp. A
// sparse gradient that is taken lazily reduces over the rows that occur alone: they are the variable then.
//
// Reductions of what other reductions give have a stage, as in Adafactor (optim/adafactor.hpp): reduction_info(per::variable, reduction::mean, 1). Slots
// that are not per element are moved behind stage 0, by its reductions. In a later stage `terms` sees them as they are then, and gets one argument more,
// the values of the earlier stages:
//
//     template<class T, class V> static void terms(scalars<T> const&, V param, V grad, V const* slot, V const* reduced, V* term);
//
// It is one body for all stages: what it makes of values that are not there yet, which are 0, is not used. Where no reduction is of stage 0 these slots
// move without any, before all reductions.
//
// With `static constexpr bool slots_move_behind = true`, as in SM3 (optim/sm3.hpp), it is the other way round: `terms` and `update` see all slots as they are
// before the step, and those that are not per element move behind the update, by the reductions, of which `update` gets none. They have one stage.
//
// Reductions over all variables that the rule moves in a trainer, as Prodigy has them (optim/prodigy.hpp), are reduction_info(per::optimizer), and stand
// behind the others. What an element gives to them is `optimizer_terms`, in the first form above. The trainer goes over all variables once when all gradients are there, before the first update,
// and what this gives comes in double to
//
//     template<class T> scalars<T> prepare(std::int64_t step, double const* p) const;                           // for terms
//     template<class T> scalars<T> prepare(std::int64_t step, double const* p, double const* reduced) const;    // for update
//     void advance_powers(double* p, std::int64_t step, double const* reduced) const;                           // if it has slots per::optimizer
//
// `reduction_info(per::variable).of_slices()`, also per::optimizer, is of the slices of a sparse gradient one by one, where rows that occur twice count twice, as the
// norms that TensorFlow clips by. Other reductions see their sum.
//
// A sum of what slots are behind the step is a sum of terms too: `terms` makes of the slot what `update` will make of it.
//
// A rule that moves matrices by products of matrices, as Muon (optim/muon.hpp), has bodies beside `update`: optim/matrix_rule.hpp.
//
// Optional members, with what stands for them where they are missing:
//     tf_name                                       name
//     static constexpr int flops                    0: operations for an element, for xg::cost_of and xg::describe
//     static constexpr bool idle_is_linear = true   false: whether an update with gradient 0 is a linear map of parameter and slots, as of momentum; xg::catch_up
//                                                   takes its powers (train/catch_up.hpp)
//     double slot_init(int slot) const              0, of slots of the optimizer too
//     auto hypers() const                           nothing may be changed to what it must not be: the list of hyper-parameters with what they may be,
//                                                   std::array{hyper_info("beta", beta, allow::below_one)} (optim/hyper.hpp). Numbers are looked at when a
//                                                   trainer is made and, like functions, before each step that they may have changed for.
//     std::string check() const                     empty: nothing else to complain about
//     static scalars<T> absent_row(scalars<T>)      the scalars with which an exact rule moves rows that do not occur, where they are others: those of
//                                                   AdamW leave out the decay, those of Nadam the step
//     static scalars<T> present_row(scalars<T>)     the scalars as they are: a promise to the compiler of what they are not where there is a gradient, as
//                                                   optim/chain.hpp makes it

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
/// Each slot that is not per element has the body that moves it.
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
/// Whether it lets gradients of earlier steps through.
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

/// An update rule: name, slots, sparse semantics, the scalars of one apply and one update body. Rules know nothing of graphs.
template<class R>
concept UpdateRule = detail::RuleIsWhole<R> && !detail::is_transform<R>;
/// What stands beside a rule in chain(...): the same members, and `static constexpr bool is_transform = true`. Its `update` takes `V& grad` and may change
/// gradient, parameter and slots. It may also have
///     static void begin(scalars<T> const&, V param, V* slot)    sees the parameter before anything moves
///     static bool stops(scalars<T> const&)                      whether the links behind it do nothing in this step
///     std::int64_t step_behind(std::int64_t step, double const* p) const    the step that they see
///     static constexpr bool keeps_gradients = true              what it lets through may be of earlier steps, also of rows that do not occur
///     static constexpr bool in_front = true                     it stands in front of the rule alone: behind it nothing sees the gradient
///     static constexpr bool behind = true                       it stands behind the rule alone: in front of it the value is the old one
///     float loss_scale_at(double const* p) const                what the gradient of the loss starts as; the first link alone
///     static constexpr bool scales_gradients = true             it makes a multiple of the gradient, or leaves it, so that norms behind it may count slices
///     static constexpr bool bounds_all_rows = true              in an exact chain it is run on all rows, though it is lazy by itself
template<class R>
concept Transform = detail::RuleIsWhole<R> && detail::is_transform<R>;

/// Bytes that one pass of an update reads and writes for each element of a variable of T: parameter and slots twice, the gradient once. Reductions read
/// what they are made of once more.
template<class Rule, class T>
inline constexpr int bytes_per_parameter = [] {
    std::size_t bytes = 2 * sizeof(T) + size_of(computed_type(dtype_of<T>));
    for (slot_info const& s : rule_slots<Rule>)
        if (s.scope == per::element) bytes += 2 * size_of(s.type_for(dtype_of<T>));
    return static_cast<int>(bytes);
}();

/// TensorFlow's name of a rule, by which it names slots (`v/Adam`, `v/Adam_1`).
template<class R>
constexpr std::string_view tf_name_of() {
    if constexpr (requires { R::tf_name; }) return R::tf_name;
    else return R::name;
}

/// TensorFlow's name of a slot of a variable: `v/Adam` for the first slot of an optimizer, `v/Adam_1` for the second.
template<class R>
std::string tf_slot_name(std::string_view variable, int slot) {
    std::string const name = std::string(variable) + "/" + std::string(tf_name_of<R>());
    return slot == 0 ? name : name + "_" + std::to_string(slot);
}

/// Initial value of a slot; those of the optimizer are counted behind those of a variable.
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

/// Advances them, once per apply and after all variables; `step` is the one that `prepare` got, `reduced` the reductions over all variables.
template<class R>
void advance_powers_of(R const& rule, double* powers, std::int64_t step, [[maybe_unused]] double const* reduced = nullptr) {
    if constexpr (power_count<R> > 0 && optimizer_reductions<R> > 0) rule.advance_powers(powers, step, reduced);
    else if constexpr (power_count<R> > 0) rule.advance_powers(powers, step);
}

/// Empty, or the sentence that says which hyper-parameter is wrong, and, where XGRAD_CHECKS is on, that a body uses a slot, a reduction or a term which the
/// rule does not declare. Functions of a rule with hypers() are not called.
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
        if constexpr (XGRAD_CHECKS != 0) return detail::check_bounds_of(rule);
        else return {};
    }
}
/// Makes a rule what it is in a step: functions among its hyper-parameters are called, once, and become numbers. What is wrong with them, as above.
/// `powers` are its slots per optimizer.
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
/// The same of a copy of the rule, which takes the place of `now`.
template<class R>
hyper_complaint settle(R& now, R const& rule, std::int64_t step, double const* powers) {
    std::destroy_at(&now);
    std::construct_at(&now, rule);
    return settle(now, step, powers);
}
/// Whether one of them is a function of the step.
template<class R>
bool has_functions([[maybe_unused]] R const& rule) {
    bool any = false;
    if constexpr (requires { rule.has_functions(); }) return rule.has_functions();
    if constexpr (detail::SaysHypers<R>)
        for (hyper_info const& h : rule.hypers()) any = any || h.is_function();
    return any;
}

namespace detail {
struct refused_rule {};   // has been reported
/// Static explanation of what a rule or a transform lacks.
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

/// Static explanation for a public function that takes a rule: `static_assert(explain_rule<R>())`.
template<class R>
consteval bool explain_rule() {
    if constexpr (std::is_same_v<R, detail::refused_rule>) return true;
    else {
        static_assert(!detail::is_transform<R>,
            "xgrad: this changes gradients or values, and moves nothing by itself; put it beside a rule: chain(clip_by_value(-1, 1), adam{})");
        return detail::explain_body<R>();
    }
}

/// Takes any rule lazily: rows that do not occur in a sparse gradient keep values and slots. `lazy{adamw{.weight_decay = 0.01}}`.
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
