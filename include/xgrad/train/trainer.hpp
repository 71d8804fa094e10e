// SPDX-License-Identifier: MIT
// The trainer: variables, slots, optimizer scalars and global step. One call is one training step.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/exec/function.hpp>
#include <xgrad/fwd.hpp>
#include <xgrad/train/host.hpp>
#include <xgrad/train/optimizer_reductions.hpp>
#include <xgrad/train/step_parts.hpp>
#include <xgrad/train/updates.hpp>

XGRAD_NAMESPACE_BEGIN

struct step_driver;

/// A model under training: rules with their slots, optimizer scalars and step. The variables are new, or those of another
/// owner, which are then shared. A call runs one step and returns the outputs (of minimize: the loss) before the update.
template<class P>
class [[nodiscard(
    "minimize(loss, rule) makes a trainer; give it a name and call it: auto train = minimize(loss, rule); train(x = a)")]] trainer
    : public variable_owner {
    friend struct step_driver;
    using rules = typename P::rules;
    static constexpr int groups = static_cast<int>(std::tuple_size_v<rules>);
    using state = detail::trainer_state<rules>;
    owned<state> state_;

    static consteval bool uses(int group, dtype type) {   // consteval, so that the plan is not data of the program
        for (int i = 0; i < P::plan.step_count; ++i)
            if (planner::facts_of(P::plan.steps[i].kind).updates_variable && P::plan.steps[i].group == group &&
                P::plan.steps[i].type == type)
                return true;
        return false;
    }
    template<std::size_t G, class T, class... Reduced>
    void prepare_in(Reduced... reduced) {
        if constexpr (uses(static_cast<int>(G), dtype_of<T>))
            state_->template scalars_of<G, T>() = state_->template now<G>().template prepare<T>(
                global_step(), state_->slots.powers.at + state_->groups.at[G].first_power, reduced...);
    }
    template<std::size_t G, class... T, class... Reduced>
    void prepare(detail::type_list<T...>, Reduced... reduced) {
        (prepare_in<G, T>(reduced...), ...);
    }
    template<std::size_t G>
    void advance(double* next, double const* reduced = nullptr) {
        advance_powers_of(state_->template now<G>(), next + state_->groups.at[G].first_power, global_step(), reduced);
    }
    using every_group = std::make_index_sequence<static_cast<std::size_t>(groups)>;

    // For groups with reductions over all variables, after all gradients. For other groups nothing here is instantiated.
    static constexpr bool reduces_over_all = detail::reduces_over_all<rules>;
    template<std::size_t G>
    static constexpr bool reduces = optimizer_reductions<std::tuple_element_t<G, rules>> > 0;
    template<std::size_t G>
    auto sums_of([[maybe_unused]] step_arguments const* arguments) {
        constexpr int first = second_part();
        if constexpr (!reduces<G>) return detail::no_sums{};
        else
            return detail::reductions_of<P, static_cast<int>(G), first>(
                arguments, std::make_integer_sequence<int, P::plan.step_count - first>{});
    }
    template<std::size_t G>
    void take([[maybe_unused]] double const* sums, [[maybe_unused]] double* next) {
        if constexpr (reduces<G>) {
            prepare<G>(detail::computing_types{}, sums);
            advance<G>(next, sums);
        }
    }
    template<std::size_t... G>
    void reduce(step_arguments const* arguments, double* next, std::index_sequence<G...>) {
        auto sums = std::tuple(sums_of<G>(arguments)...);
        detail::group_sum all[(optimizer_reductions<std::tuple_element_t<G, rules>> + ...)];
        int count = 0;
        auto const add = [&](auto const& declared, double* values) {
            int k = 0;
            for (reduction_info const& r : declared)
                if (r.scope == per::optimizer) all[count++] = {r.shared, values + k++};
        };
        (add(rule_reductions<std::tuple_element_t<G, rules>>, std::get<G>(sums).value), ...);
        detail::add_shared(all, count);
        (take<G>(std::get<G>(sums).value, next), ...);
    }

    static constexpr bool scales_loss = detail::scales_loss<rules>;
    template<class... B>
    detail::arguments<P> arguments_of(B const&... bindings) {
        if constexpr (!detail::starts_with_scale<P>) return detail::arguments<P>(bindings...);
        else return detail::arguments<P>(bindings..., detail::loss_scale = array(&std::as_const(state_->loss_scale)));
    }
    status bind(detail::arguments<P> const& a, bool grow) {
        if constexpr (scales_loss)
            if (status const s = state_->take_loss_scale(every_group{}); !s) return s;
        return state_->bind(*store_, a.refs, a.given, grow);
    }
    // After settle_rules: computes the step scalars of all rules, and a copy of the optimizer scalars as they are after the step.
    // Nothing has changed yet, because both may throw. Returns the copy.
    template<std::size_t... G>
    double* begin(std::index_sequence<G...>) {
        (prepare<G>(detail::computing_types{}), ...);
        double* const next = state_->next_powers();
        ((reduces<G> ? void() : advance<G>(next)), ...);
        return next;
    }
    void expect_no_run(char const* call, store_access what = store_access::step) const { store_->expect_no_run(call, what); }
    // Like begin, for callers that cannot receive a status.
    double* begin_or_throw() {
        if (status const s = state_->settle_rules(); !s) state_->run.fail(s);
        return begin(every_group{});
    }
    // The same for the second part of a step, after the checks of its gradients. If one throws, nothing has changed.
    double* begin_second_part() {
        state_->gradients.require(*store_);
        state_->gradients.check_indices();
        return begin_or_throw();
    }
    void look_at_loss(detail::arguments<P> const& a) {
        if constexpr (P::outputs::count > 0 && !requires { P::refused; })
            if constexpr (P::runtime.output_shapes[0].rank == 0 && has_gradient(P::runtime.output_shapes[0].type))
                if (auto const loss = static_cast<double>(detail::output_of<P, 0>(state_->run)); loss - loss != 0) [[unlikely]]
                    state_->warn_of_loss(loss, a.refs);
    }
    struct held_step {
        double* next;   // as returned by begin()
        bool here;      // false: the rows were brought back since the last step
    };
    // Begins and binds a step of a driver that may hold rows of the variables. Throws if that fails.
    template<class... B>
    held_step bind_held(held_rows& holder, B const&... bindings) {
        struct held_again {   // also if the call cannot be bound
            variable_store const& store;
            held_rows* before;
            ~held_again() { store.hold(before); }
        };
        expect_no_run("a step");
        auto const a = arguments_of(bindings...);
        double* const next = begin_or_throw();
        bool const here = store_->held() == &holder;
        if (!here) store_->bring_back();   // rows that another object holds
        held_again const again{*store_, here ? &holder : nullptr};
        store_->hold(nullptr);
        if (status const wrong = bind(a, true); !wrong) state_->run.fail(wrong);
        return {next, here};
    }
    // Runs steps from First on, with the updates.
    template<int First, std::size_t... G>
    status finish(step_arguments const* arguments, [[maybe_unused]] double* next, std::index_sequence<G...>) {
        xgrad::flush_denormals const guard(state_->run.flush);
        constexpr int updates = reduces_over_all ? second_part() : First;
        if constexpr (reduces_over_all) {
            if (!run_steps(arguments, First, updates)) return state_->run.failure();
            reduce(arguments, next, every_group{});
        }
        if (!run_steps(arguments, updates, P::plan.step_count)) return state_->run.failure();
        state_->count_step(*store_, First == 0);   // in a step of two parts the first part has counted
        return {};
    }
    status start(detail::arguments<P> const& a, bool grow) {
        runner::sole_call const alone(state_->run);
        if (!alone) return {status_code::in_use, {}};
        if (char const* const run = store_->run(); run != nullptr) return {status_code::in_run, run};
        if (status const s = state_->settle_rules(); !s) return s;
        double* const next = begin(every_group{});
        if (status const s = bind(a, grow); !s) return s;
        status const s = finish<0>(state_->run.arguments(), next, every_group{});
        return s ? state_->look(*store_) : s;
    }

    using parts = detail::step_parts<P>;
    static consteval int second_part() { return parts::second(); }
    static consteval bool is_in_parts() {
        constexpr bool gated = requires { P::refused; } || P::gate == gating::graph;
        constexpr bool in_time = !gated || !parts::has_late_result();
        static_assert(in_time,
            "xgrad: train.compute_gradients(...): a result of this trainer reads updated(v), which exists only after the "
            "updates; compute it in a separate function");
        static_assert(gated,
            "xgrad: train.compute_gradients(...): this trainer makes some updates before all gradients, but a step in two parts "
            "cannot; make the trainer with minimize<xgrad::gating::graph>(...)");
        return gated && in_time;
    }

    template<class V, int Step>
    auto gradient_at() {
        state_->gradients.begin(state_->run);
        kept_gradients<runner>& kept = state_->gradients;
        kept.require(*store_);
        return parts::template gradient<Step>(kept, value(V{}).shape());
    }

public:
    using program_type = P;
    using rule_types = rules;

    /// Makes its variables with `sizes` of their named dimensions, or finds them in the store of `owner`. Throws:
    ///
    /// * binding_error if the owner lacks a variable;
    /// * shape_error if a variable of the owner has another shape or element type;
    /// * value_error if a rule refuses a hyper-parameter.
    explicit trainer(rules const& r, dim_size const* sizes = nullptr, int size_count = 0, variable_owner* owner = nullptr,
        shared_slots const* slots = nullptr)
        : variable_owner(owner), state_(new state(store_, XGRAD_RUNTIME_OF(P), r, slots)) {
        if (owner == nullptr) make_variables(state_->run.plan(), sizes, size_count);
        state_->create(*store_);
    }

    trainer(trainer const&) = delete;   // a trainer is copied; write auto b = std::move(a), or minimize(loss, rule, a) to share variables
    trainer(trainer&&) = default;
    trainer& operator=(trainer&&) = default;
    ~trainer() = default;

    /// Runs one training step and returns the outputs before the update. Throws shape_error, binding_error, value_error; nothing has
    /// changed then.
    template<class... B>
    auto operator()(B const&... bindings) {
        auto const a = arguments_of(bindings...);
        if (status const s = start(a, true); !s) state_->fail(*store_, s);
        if constexpr (XGRAD_CHECKS != 0) look_at_loss(a);
        return detail::results<P>(state_->run);
    }
    template<class... B>
    auto operator()(B const&...) const {
        static_assert(
            detail::never<P>, "xgrad: a constant trainer is called, but a step changes it; remove const, or make a function{y, train}");
    }
    template<class R = void>
    auto operator()(detail::in_braces) {
        return detail::refuse_braces<R>();
    }
    template<class... B>
    float step(B const&...) {
        static_assert(detail::never<P>,
            "xgrad: there is no train.step(); write train(x = images, y = labels), which is a step: forward, backward and update");
        return 0;
    }
    /// A step for real-time threads: no exception, no allocation. Call reserve first. If it fails nothing has changed, except with
    /// not_finite of check_finite().
    template<class... B>
    [[nodiscard]] status try_step(B const&... bindings) noexcept {
        detail::check_names_known<B...>();
        auto const a = arguments_of(bindings...);
        return start(a, false);
    }
    /// The results of the last successful step. Throws binding_error if there was no step.
    auto result() {
        state_->run.require_call();
        return detail::results<P>(state_->run);
    }

    /// The first part of a step of minimize<gating::graph>: computes all gradients, updates nothing:
    /// `train.compute_gradients(x = images)`. Returns the outputs. Throws like a whole step. If the step reads updated(v), the arrays
    /// must stay valid and unchanged until apply_gradients.
    template<class... B>
    auto compute_gradients(B const&... bindings) {
        if constexpr (is_in_parts()) {
            expect_no_run("train.compute_gradients(...)");
            runner::sole_call const alone(state_->run);
            if (!alone) state_->run.fail({status_code::in_use, {}});
            auto const a = arguments_of(bindings...);
            state_->gradients.begin(state_->run);
            state_->gradients.compute(bind(a, true), a.refs);
            ++store_->steps;   // here, so that each first part draws new random numbers, also if several precede one second part
            return detail::results<P>(state_->run);
        }
    }
    /// The gradient of a variable, between compute_gradients and apply_gradients: a view of its shape. For a table that is read by
    /// index only, it is a slices_view. Both may be written, to clip or to average; indices are checked again. Throws binding_error
    /// if there are no gradients.
    template<class V>
    auto gradient(V const&) {
        if constexpr (is_in_parts()) {
            constexpr int step = [] {
                if constexpr (detail::is_variable<V>) return parts::update_of(info_of<V>->attrs.name_hash);
                else return -1;
            }();
            static_assert(step >= 0,
                "xgrad: train.gradient(v): v is not a variable that this trainer updates, or its gradient depends on updated(...); "
                "give another variable");
            if constexpr (step >= 0) return gradient_at<V, step>();
        }
    }
    /// The second part: updates all variables with the current gradients and discards these. If nothing is changed in between, both
    /// parts together are bitwise equal to a whole step. Throws binding_error if there are no gradients, and value_error for an index
    /// out of range; nothing has changed then.
    void apply_gradients() {
        if constexpr (is_in_parts()) {
            expect_no_run("train.apply_gradients()");
            state_->gradients.begin(state_->run);
            // The status is always ok: all indices have been checked.
            finish<second_part()>(state_->gradients.arguments(), begin_second_part(), every_group{});
            state_->gradients.forget();
            state_->look_or_throw(*store_);
        }
    }

    /// Allocates memory for steps with these sizes: `train.reserve(batch = 256)`.
    template<class... D>
    void reserve(D... sizes) {
        constexpr bool named = (std::is_same_v<D, dim_size> && ...);
        static_assert(named, "xgrad: an argument is not the size of a named dimension; write its name and size: batch = 64");
        if constexpr (named) {
            dim_size const list[]{sizes..., {}};
            reserve_all(list, static_cast<int>(sizeof...(D)));
        }
    }
    void reserve_all(dim_size const* sizes, int count) {
        expect_no_run("train.reserve(...)", store_access::change);
        state_->gradients.forget();
        state_->run.reserve(sizes, count);
    }
    std::size_t arena_bytes() const { return state_->run.arena_bytes(); }
    /// Whether denormal numbers count as zero during a step; on by default. After each step the thread has its setting back.
    void flush_denormals(bool on) {
        expect_no_run("train.flush_denormals(on)", store_access::read);
        state_->run.flush = on;
    }
    /// Makes each later step check that variables are finite: `train.check_finite();` after a loss has become NaN. A step that leaves
    /// a variable NaN or infinite throws value_error, which names the first one, its element and the number of steps; the step has
    /// run then. The check reads all variables of the owner. It is off by default and then costs nothing.
    void check_finite(bool on = true) { state_->watch = on ? &detail::every_variable : nullptr; }
    /// Resets slots, optimizer scalars and global step of this trainer. The variables stay. Random streams restart unless other
    /// trainers share the variables.
    void reset_optimizer() {
        expect_no_run("train.reset_optimizer()");
        state_->reset(*store_);
    }
    /// The number of steps of this trainer. After set_global_step: its argument plus the steps since then.
    std::int64_t global_step() const { return state_->slots.global_step; }
    /// Sets the count of steps, like assigning the global step of TensorFlow. Schedules see it, and replicas begin with it. Slots,
    /// optimizer scalars (such as Adam's beta powers) and random streams stay. Throws value_error if it is negative.
    void set_global_step(std::int64_t step) {
        expect_no_run("train.set_global_step(step)");
        if (step < 0) raise_parts<value_error>({"xgrad: train.set_global_step(step): the step is ", step, "; steps are counted from 0 on"});
        state_->slots.global_step = step;
    }
    /// The slots, optimizer scalars and step of this trainer.
    optimizer_state const& optimizer() const { return state_->slots; }
    /// The rule of group G. Hyper-parameters may be changed between steps. A step with an invalid one throws value_error and changes
    /// nothing.
    template<std::size_t G = 0>
    auto& rule() {
        constexpr bool exists = G < static_cast<std::size_t>(groups);
        static_assert(exists, "xgrad: train.rule<G>(): this trainer has no group G; write a smaller G, counted from 0");
        expect_no_run("train.rule()", store_access::read);
        state_->hand_out();
        return std::get < exists ? G : 0 > (state_->all);
    }
    /// A slot of a variable by its name in the rule, with the shape of the variable and the type in which the rule computes:
    /// `train.slot(w1, "m")`. Throws binding_error.
    template<Expr V>
    auto slot(V const& variable, std::string_view name) {
        auto view = value(variable);
        stored_variable const& v = of(variable);
        stored_slots const& s = state_->slots_of(*store_, v);
        int const k = detail::find_slot(s, v, name);
        if (part_of(s, k, v).type != computed_type(v.type) || s.slot_infos[k].scope != per::element)
            raise_parts<binding_error>({"xgrad: the slot \"", name, "\" of the variable \"", v.name,
                "\" has another shape or element type than the variable; write train.slot<\"", name, "\">(v)"});
        using element = cpp_type_t<computed_type(V::info.value.type)>;
        return tensor_view<element, V::rank>(static_cast<element*>(s.slots[k]), view.shape());
    }
    /// A slot of any shape and element type, by a name that is known at compile time: `train.slot<"accumulator">(w1)`.
    template<fixed_string Name, Expr V>
    auto slot(V const& variable) {
        static_assert(detail::is_variable<V>, "xgrad: train.slot<name>(v): v is not a variable; give a variable");
        if constexpr (detail::is_variable<V>) {
            constexpr slot_info const* info = detail::slot_of_update<P>(V::info.attrs.name_hash, Name.view());
            static_assert(info != nullptr, "xgrad: train.slot<name>(v): the rule of v has no slot of that name; write another name");
            if constexpr (info != nullptr) {
                constexpr axis_range axes = axes_of(info->scope, V::rank);
                using element = cpp_type_t<info->type_for(V::info.value.type)>;
                stored_variable const& v = of(variable);
                stored_slots const& s = state_->slots_of(*store_, v);
                std::array<std::int64_t, axes.count> shape{};
                for (int d = 0; d < axes.count; ++d) shape[static_cast<std::size_t>(d)] = v.extents[axes.at(d)];
                return tensor_view<element, axes.count>(static_cast<element*>(s.slots[detail::find_slot(s, v, Name.view())]), shape);
            }
        }
    }
    template<class V>   // slot("m", w)
    auto slot(std::string_view, V const&) {
        static_assert(detail::never<V>,
            "xgrad: train.slot(v, name): the first argument is not a variable; write train.slot(w, \"m\") or train.slot<\"m\">(w)");
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
