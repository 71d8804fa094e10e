// SPDX-License-Identifier: MIT
// The optimizer host: variables, slots, optimizer scalars, global step; one call is one training step.
#pragma once

#include <xgrad/exec/function.hpp>
#include <xgrad/train/updates.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// The scalars of one apply, for variables of each type.
template<class R>
struct all_scalars {
    typename R::template scalars<float> of_float;
    typename R::template scalars<double> of_double;
};
/// What the runner of a trainer points into and must not move with it. Of the rules alone: types named by the program carry the whole graph.
template<class Rules>
struct trainer_state;
template<class... R>
struct trainer_state<std::tuple<R...>> {
    runner run;
    std::tuple<R...> all;
    std::tuple<all_scalars<R>...> scalars{};
    int first_power[sizeof...(R) + 1]{};
    std::vector<double> next_powers;

    trainer_state(runtime_plan const& plan, std::tuple<R...> const& rules) : run(plan), all(rules) {}
};
}

/// A model under training: variables, slots, optimizer scalars, global step. A call runs one step and returns the outputs (the loss of minimize)
/// as they were before the update.
template<class P>
class trainer : public variable_owner {
    using rules = typename P::rules;
    static constexpr int groups = static_cast<int>(std::tuple_size_v<rules>);
    using state = detail::trainer_state<rules>;
    std::unique_ptr<state> state_;

    static consteval bool uses(int group, dtype type) {   // of the plan: consteval, or the plan itself would be data of the program
        for (int i = 0; i < P::plan.step_count; ++i)
            if (P::plan.steps[i].kind == step_kind::update && P::plan.steps[i].group == group && P::plan.steps[i].type == type) return true;
        return false;
    }
    template<class R>
    static void describe_rule(stored_variable& v) {
        v.slot_count = slot_count<R>;
        v.slot_infos = rule_slots<R>.first;
        v.rule = tf_name_of<R>();
        v.kind = rule_kind_of<R>();
    }
    template<std::size_t... G>
    void create(dim_size const* sizes, int size_count, std::index_sequence<G...>) {
        sequence<stored_variable> list;
        for (int k = 0; k < P::runtime.view().variable_count; ++k) {
            stored_variable v = describe<P>(k);
            v.group = P::runtime.variables[k].group;
            ((v.group == static_cast<int>(G) ? describe_rule<std::tuple_element_t<G, rules>>(v) : void()), ...);
            list.push(v);
        }
        sequence<bound_size> bound = bind_sizes(P::runtime.view(), sizes, size_count);
        store_->create(list, bound);
        (check_rule(std::get<G>(state_->all)), ...);
        ((state_->first_power[G + 1] = state_->first_power[G] + power_count<std::tuple_element_t<G, rules>>), ...);
        store_->powers.resize(static_cast<std::size_t>(state_->first_power[groups]) + 1);
        state_->next_powers = store_->powers;
        (name_powers<G>(), ...);
        (start_group<G>(), ...);
        (connect<G>(), ...);
        state_->run.borrow(*store_);
    }
    template<class R>
    static void check_rule(R const& rule) {
        if (std::string const wrong = check_of(rule); !wrong.empty()) raise<value_error>("xgrad: " + wrong);
    }
    template<std::size_t G>
    void name_powers() {
        using R = std::tuple_element_t<G, rules>;
        for (int k = 0; k < power_count<R>; ++k) store_->power_names.push_back(power_name_of<R>(k));
    }
    // Powers and slots as at the start.
    template<std::size_t G>
    void start_group() {
        auto const& rule = std::get<G>(state_->all);
        init_powers_of(rule, store_->powers.data() + state_->first_power[G]);
        for (auto const& v : store_->variables()) {
            if (v.group != static_cast<int>(G)) continue;
            for (int s = 0; s < v.slot_count; ++s) {
                stored_part const slot = part_of(v, s);
                set_elements(slot, 0, slot.size, slot_init_of(rule, s));
            }
        }
    }
    template<std::size_t G>
    void connect() {
        auto& scalars = std::get<G>(state_->scalars);
        state_->run.set_scalars(static_cast<int>(G), dtype::float32, &scalars.of_float);
        state_->run.set_scalars(static_cast<int>(G), dtype::float64, &scalars.of_double);
    }
    template<std::size_t G>
    void prepare() {
        auto const& rule = std::get<G>(state_->all);
        double const* powers = store_->powers.data() + state_->first_power[G];
        auto& scalars = std::get<G>(state_->scalars);
        if constexpr (uses(static_cast<int>(G), dtype::float32))
            scalars.of_float = rule.template prepare<float>(store_->global_step, powers);
        if constexpr (uses(static_cast<int>(G), dtype::float64))
            scalars.of_double = rule.template prepare<double>(store_->global_step, powers);
    }
    template<std::size_t... G>
    status start(detail::arguments<P> const& a, bool grow, std::index_sequence<G...>) {
        status const s = state_->run.bind(a.refs, a.given, grow);
        if (!s) return s;
        state_->run.random.seed = store_->seed;
        state_->run.random.step = static_cast<std::uint64_t>(store_->global_step);
        (prepare<G>(), ...);
        // All functions of the step have been called before anything changes: one may throw.
        std::copy(store_->powers.begin(), store_->powers.end(), state_->next_powers.begin());
        (advance_powers_of(std::get<G>(state_->all), state_->next_powers.data() + state_->first_power[G], store_->global_step), ...);
        xgrad::flush_denormals const guard(state_->run.flush);
        if (!detail::run_steps<P>(state_->run.arguments())) return {status_code::index_out_of_range, {}};
        std::copy(state_->next_powers.begin(), state_->next_powers.end(), store_->powers.begin());
        ++store_->global_step;
        return {};
    }

public:
    using program_type = P;
    using rule_types = rules;

    /// `sizes`: of the named dimensions of variables.
    explicit trainer(rules const& r, dim_size const* sizes = nullptr, int size_count = 0) : state_(new state(XGRAD_RUNTIME_OF(P), r)) {
        state_->run.flush = true;
        create(sizes, size_count, std::make_index_sequence<static_cast<std::size_t>(groups)>{});
    }

    /// One training step. Returns the outputs before the update. Throws shape_error, binding_error, value_error before anything is changed.
    template<class... B>
    auto operator()(B const&... bindings) {
        detail::arguments<P> const a(bindings...);
        if (status const s = start(a, true, std::make_index_sequence<static_cast<std::size_t>(groups)>{}); !s) state_->run.fail(s);
        return detail::results<P>(state_->run);
    }
    /// The form for real-time threads: no exception, no allocation. Reserve first. On failure nothing has been changed.
    template<class... B>
    [[nodiscard]] status try_step(B const&... bindings) noexcept {
        detail::arguments<P> const a(bindings...);
        return start(a, false, std::make_index_sequence<static_cast<std::size_t>(groups)>{});
    }
    auto result() { return detail::results<P>(state_->run); }

    /// Room for steps with these sizes: `train.reserve(batch = 256)`.
    template<class... D>
    void reserve(D... sizes) {
        constexpr bool named = (std::is_same_v<D, dim_size> && ...);
        static_assert(named, "xgrad: sizes of named dimensions are written batch = 64");
        if constexpr (named) {
            dim_size const list[]{sizes..., {}};
            state_->run.reserve(list, static_cast<int>(sizeof...(D)));
        }
    }
    std::size_t arena_bytes() const { return state_->run.arena_bytes(); }
    /// Whether denormal numbers count as zero during a step; on at first. The thread's setting is restored after each step.
    void flush_denormals(bool on) { state_->run.flush = on; }
    /// Larger sizes of named dimensions of variables, between steps: `train.grow(features = 600, xg::random_uniform{.seed = 1})`. Elements keep their
    /// index and value, also in slots; new elements of variables come from the initializer (the same that a variable of this size would have been
    /// initialised with), those of slots from the rule. Views of variables and slots become invalid; functions follow at their next call.
    /// What was reserved may be too little now. Throws shape_error where a variable would shrink, binding_error where no variable has the
    /// dimension, std::bad_alloc; then nothing has been changed.
    template<class... A>
        requires(sizeof...(A) > 0)
    void grow(A const&... sizes_and_initializer) {
        grow_store(
            [this](stored_variable const& v, int slot) {
                double x = 0;
                [&]<std::size_t... G>(std::index_sequence<G...>) {
                    ((v.group == static_cast<int>(G) ? void(x = slot_init_of(std::get<G>(state_->all), slot)) : void()), ...);
                }(std::make_index_sequence<static_cast<std::size_t>(groups)>{});
                return x;
            },
            sizes_and_initializer...);
    }
    /// Slots and optimizer scalars as at the start, global step 0; the variables stay.
    void reset_optimizer() {
        [this]<std::size_t... G>(std::index_sequence<G...>) { (this->template start_group<G>(), ...); }(
            std::make_index_sequence<static_cast<std::size_t>(groups)>{});
        store_->global_step = 0;
    }
    /// The number of steps taken.
    std::int64_t global_step() const { return store_->global_step; }
    /// The rule of group G, for changing hyper-parameters between steps.
    template<std::size_t G = 0>
    auto& rule() {
        return std::get<G>(state_->all);
    }
    /// A slot of a variable by its name in the rule, of the variable's shape and element type: `train.slot(w1, "m")`. Throws binding_error.
    template<Expr V>
    auto slot(V const& variable, std::string_view name) {
        auto view = value(variable);
        stored_variable const& v = of(variable);
        int const k = find_slot(v, name);
        if (part_of(v, k).type != v.type || v.slot_infos[k].scope != per::element)
            raise<binding_error>("xgrad: the slot \"" + std::string(name) + "\" of the variable \"" + std::string(v.name) +
                                 "\" has another shape or element type than the variable; write train.slot<\"" + std::string(name) +
                                 "\">(v)");
        return decltype(view)(static_cast<typename V::element*>(v.slots[k]), view.shape());
    }
    /// A slot of any shape and element type, by a name that the compiler knows: `train.slot<"accumulator">(w1)`.
    template<fixed_string Name, Expr V>
    auto slot(V const& variable) {
        static_assert(detail::is_variable<V>, "xgrad: train.slot<name>(v) takes a variable");
        if constexpr (detail::is_variable<V>) {
            constexpr slot_info const* info = slot_named(V::info.attrs.name_hash, Name.view());
            static_assert(info != nullptr, "xgrad: train.slot<name>(v): the rule that moves v has no slot of that name");
            if constexpr (info != nullptr) {
                constexpr axis_range axes = axes_of(info->scope, V::rank);
                using element = cpp_type_t<info->type_for(V::info.value.type)>;
                stored_variable const& v = of(variable);
                std::array<std::int64_t, axes.count> shape{};
                std::copy_n(v.extents + axes.first, axes.count, shape.begin());
                return tensor_view<element, axes.count>(static_cast<element*>(v.slots[find_slot(v, Name.view())]), shape);
            }
        }
    }

private:
    static int find_slot(stored_variable const& v, std::string_view name) {
        for (int k = 0; k < v.slot_count; ++k)
            if (v.slot_infos[k].name == name) return k;
        raise<binding_error>("xgrad: the variable \"" + std::string(v.name) + "\" has no slot \"" + std::string(name) + "\"");
    }
    // The slot of a variable that the program updates; null where there is none.
    static consteval slot_info const* slot_named(std::uint64_t variable, std::string_view name) {
        slot_info const* found = nullptr;
        for (int u = 0; u < P::update_count; ++u)
            if (auto const& update = P::update_list[u]; P::table.view().attrs(update.variable).name_hash == variable)
                [&]<std::size_t... G>(std::index_sequence<G...>) {
                    ((update.group == static_cast<int>(G) ? void(found = slot_in<std::tuple_element_t<G, rules>>(name)) : void()), ...);
                }(std::make_index_sequence<static_cast<std::size_t>(groups)>{});
        return found;
    }
    template<class R>
    static constexpr slot_info const* slot_in(std::string_view name) {
        for (int k = 0; k < slot_count<R>; ++k)
            if (rule_slots<R>[static_cast<std::size_t>(k)].name == name) return &rule_slots<R>[static_cast<std::size_t>(k)];
        return nullptr;
    }
};

XGRAD_NAMESPACE_END
