// SPDX-License-Identifier: MIT
// The part of a trainer that does not depend on its program: slots, optimizer scalars, and the runner of its step. It is not a template.
// Only the rules and the steps are instantiated for each trainer.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/rule.hpp>
#include <xgrad/run/kept_gradients.hpp>
#include <xgrad/run/runner.hpp>
#include <xgrad/train/check_finite.hpp>

#include <tuple>
#include <utility>

XGRAD_NAMESPACE_BEGIN
struct set_value;
namespace detail {

/// The declarations of a rule and how its slots begin.
struct rule_record {
    std::string_view name, tf_name;
    bool trains, lazy;                // trains: false for assigned state
    declared_list<slot_info> slots;   // slots of the optimizer come last
    int slot_count;                   // slots of a variable
    hyper_complaint (*check)(void const* rule);
    hyper_complaint (*settle)(void* now, void const* rule, std::int64_t step, double const* powers);
    bool (*varies)(void const* rule);   // whether a hyper-parameter is a function
    double (*start)(void const* rule, int slot);
};
template<class R>
hyper_complaint check_rule(void const* rule) {
    return check_of(*static_cast<R const*>(rule));
}
template<class R>
hyper_complaint settle_rule(void* now, void const* rule, std::int64_t step, double const* powers) {
    return xgrad::settle(*static_cast<R*>(now), *static_cast<R const*>(rule), step, powers);
}
template<class R>
bool rule_varies(void const* rule) {
    return has_functions(*static_cast<R const*>(rule));
}
template<class R>
XGRAD_COLD double start_slot(void const* rule, int slot) {
    return slot_init_of(*static_cast<R const*>(rule), slot);
}
template<class R>
inline constexpr rule_record record_of{R::name, tf_name_of<R>(), !std::is_same_v<R, set_value>, R::sparse == sparse_semantics::lazy,
    rule_slots<R>, slot_count<R>, check_rule<R>, settle_rule<R>, rule_varies<R>, start_slot<R>};

template<class Types>
struct type_records;
template<class... T>
struct type_records<type_list<T...>> {
    static constexpr int count = sizeof...(T);
    static constexpr dtype types[] = {dtype_of<T>...};
};
using computing = type_records<computing_types>;

/// The variables of one rule.
struct trained_group {
    rule_record const* record;
    void const* rule;
    void* settled;                           // a copy of the rule whose functions have been called
    void const* now;                         // the rule as it is in this step: `rule` or `settled`
    void const* scalars[computing::count];   // of this step, for each type in which a rule computes
    int first_power;

    int power_count() const { return record->slots.count - record->slot_count; }
};

/// How a trainer looks for variables that are not finite after each step. The pointer to it is null for other trainers.
struct finite_watch {
    status (*look)(variable_store const& store);
    void (*raise)(variable_store const& store);
};
status look_at_all(variable_store const& store);
[[noreturn]] void raise_not_finite(variable_store const& store);
inline constexpr finite_watch every_variable{&look_at_all, &raise_not_finite};

class trainer_host {
    sequence<double> next_powers_;
    bool warned_of_loss_ = false;
    bool may_change_ = false;   // whether hyper-parameters may change: one is a function, or a rule was given to the user
    hyper_complaint complaint_;

    void start_slots(stored_slots& s) const;
    void start_powers(sequence<double>& powers) const;

public:
    shared_slots const share;
    attached_state& slots;
    runner run;
    sequence<trained_group> groups;
    kept_gradients<runner> gradients;      // of a step in two parts
    finite_watch const* watch = nullptr;   // how to look for variables that are NaN or infinite; may be null

    /// Makes new slots, or shares those of a trainer with the same rule.
    trainer_host(shared_store const& store, runtime_plan const& plan, shared_slots const* others);
    ~trainer_host();

    /// To be called when all groups are added and the store has the variables. Throws value_error if a rule refuses a
    /// hyper-parameter, and what borrowing throws.
    void create(variable_store const& store);
    /// Restores the initial state. If a hyper-parameter that is a function throws, nothing has changed.
    void reset(variable_store& store);

    status bind(variable_store const& store, array_ref const* arrays, std::uint64_t const* given, bool grow);
    /// Notes that the user has a reference to a rule, and may change it before any later step.
    void hand_out() { may_change_ = true; }
    /// Makes the rules of the next step, with numbers in place of functions. Calls each function among the hyper-parameters once.
    /// Fails if a hyper-parameter is invalid.
    status settle_rules();
    /// Warns after the first step whose loss is NaN or infinite. Names the inputs that are not finite or have no elements.
    void warn_of_loss(double loss, array_ref const* arrays);
    /// A copy of the optimizer scalars (such as Adam's beta powers), to be advanced to their values after the step. It is a copy
    /// because the functions that advance them may throw.
    double* next_powers();
    /// Counts a step. `with_draw` also counts its random numbers; false if they have been counted before.
    void count_step(variable_store& store, bool with_draw);

    /// Checks that all variables are finite, if check_finite() is on.
    status look(variable_store const& store) const { return watch == nullptr ? status{} : watch->look(store); }
    void look_or_throw(variable_store const& store) {
        if (status const s = look(store); !s) fail(store, s);
    }
    /// Throws the exception of the code.
    [[noreturn]] void fail(variable_store const& store, status const& s);

    stored_slots const& slots_of(variable_store const& store, stored_variable const& v) const;
};
int find_slot(stored_slots const& s, stored_variable const& v, std::string_view name);

#if XGRAD_COMPILED != 1
XGRAD_COLD XGRAD_HOST void trainer_host::start_slots(stored_slots& s) const {
    trained_group const& g = groups.at[s.group];
    for (int k = 0; k < s.slot_count; ++k) s.start[k] = g.record->start(g.rule, k);
}
XGRAD_COLD XGRAD_HOST void trainer_host::start_powers(sequence<double>& powers) const {
    for (trained_group const& g : groups)
        for (int k = 0; k < g.power_count(); ++k) powers.at[g.first_power + k] = g.record->start(g.rule, g.record->slot_count + k);
}
XGRAD_COLD XGRAD_HOST trainer_host::trainer_host(shared_store const& store, runtime_plan const& plan, shared_slots const* others)
    : share(others == nullptr ? shared_slots(store) : *others), slots(*share), run(plan) {
    run.flush = true;
}
XGRAD_COLD XGRAD_HOST trainer_host::~trainer_host() {}
XGRAD_COLD XGRAD_HOST void trainer_host::create(variable_store const& store) {
    bool const begun = slots.shares > 1;
    for (trained_group& g : groups) {
        if (hyper_complaint const wrong = g.record->check(g.rule); !wrong.empty()) raise_parts<value_error>({"xgrad: ", wrong.view()});
        may_change_ = may_change_ || g.record->varies(g.rule);
        if (begun) break;   // there is one group, that of the other trainer
        g.first_power = slots.power_names.count;
        for (int k = 0; k < g.power_count(); ++k)
            slots.power_names.push(g.record->slots[static_cast<std::size_t>(g.record->slot_count + k)].name);
    }
    run.borrow(store);
    sequence<stored_slots> list;
    for (int k = 0; k < run.plan().variable_count; ++k) {
        xgrad::leaf_info const& v = run.plan().variables[k];
        if (v.group < 0) continue;
        if (begun) {
            if (slots.find(store.index_of(v.hash)) == nullptr)
                raise_parts<binding_error>({"xgrad::same_optimizer(train): train does not move the variable \"", v.name,
                    "\", so that its optimizer has no slots for it; name those that both move: same_optimizer(train, v...)"});
            continue;
        }
        rule_record const& r = *groups.at[v.group].record;
        stored_slots s{store.index_of(v.hash), v.group, r.tf_name, r.name, r.lazy, r.slot_count, r.slots.first, {}, {}};
        start_slots(s);
        list.push(s);
    }
    sequence<double> next(slots.power_names.count, 0);
    next_powers_.swap(next);
    if (!begun) {
        slots.create(list, store.variables());
        sequence<double> powers(slots.power_names.count, 0);
        slots.powers.swap(powers);
        start_powers(slots.powers);
    }
    run.borrow_slots(slots);
    for (int g = 0; g < groups.count; ++g)
        for (int k = 0; k < computing::count; ++k) run.set_scalars(g, computing::types[k], groups.at[g].scalars[k]);
}
XGRAD_COLD XGRAD_HOST void trainer_host::reset(variable_store& store) {
    sequence<stored_slots> begun(slots.all());
    for (stored_slots& s : begun) start_slots(s);
    start_powers(next_powers_);
    for (int k = 0; k < begun.count; ++k) slots.all().at[k] = begun.at[k];
    for (int k = 0; k < slots.powers.count; ++k) slots.powers.at[k] = next_powers_.at[k];
    slots.reset(store.variables());
    gradients.forget();
    warned_of_loss_ = false;
    slots.global_step = 0;
    if (store.optimizers().count == 1) store.steps = 0;   // otherwise the draws of the other trainers would repeat
}
XGRAD_COLD XGRAD_HOST void trainer_host::warn_of_loss(double loss, array_ref const* arrays) {
    if (warned_of_loss_) return;
    warned_of_loss_ = true;
    message_text text;
    text.add({"the loss is ", loss != loss ? "NaN" : "infinite", " in step ", slots.global_step - 1});
    bool any = false;
    for (int k = 0; k < run.plan().input_count; ++k) {
        auto const& input = run.plan().inputs[k];
        if (input.values != nullptr) continue;
        std::int64_t n = 1;
        for (int d = 0; d < arrays[k].rank; ++d) n *= arrays[k].extents[d];
        odd_elements odd;
        find_odd(odd, input.type, arrays[k].data, n, true);
        if (n == 0) text.add({"; the input \"", input.name, "\" has no elements"});
        else if (odd.count > 0) text.add({"; the input \"", input.name, "\" is NaN or infinite at offset ", odd.first});
        any = any || n == 0 || odd.count > 0;
    }
    text.add({any ? "" : "; all inputs are finite: look at the learning rate, quotients and logarithms",
        "; xgrad::check_finite(train) says which variables are not finite"});
    warning_handler(text.c_str());
}
XGRAD_HOST status trainer_host::bind(variable_store const& store, array_ref const* arrays, std::uint64_t const* given, bool grow) {
    gradients.forget();
    status const s = run.bind(arrays, given, grow);
    run.random.seed = store.seed;
    run.random.step = static_cast<std::uint64_t>(store.steps);
    return s;
}
XGRAD_HOST status trainer_host::settle_rules() {
    if (!may_change_) return {};
    for (trained_group& g : groups) {
        bool const varies = g.record->varies(g.rule);
        g.now = varies ? g.settled : g.rule;
        hyper_complaint const wrong =
            varies ? g.record->settle(g.settled, g.rule, slots.global_step, slots.powers.at + g.first_power) : g.record->check(g.rule);
        if (!wrong.empty()) {
            complaint_ = wrong;
            return {status_code::refused_hyper, complaint_.view()};
        }
    }
    return {};
}
XGRAD_HOST double* trainer_host::next_powers() {
    for (int k = 0; k < slots.powers.count; ++k) next_powers_.at[k] = slots.powers.at[k];
    return next_powers_.at;
}
XGRAD_HOST void trainer_host::count_step(variable_store& store, bool with_draw) {
    for (int k = 0; k < slots.powers.count; ++k) slots.powers.at[k] = next_powers_.at[k];
    ++slots.global_step;
    store.steps += with_draw;
}
XGRAD_COLD XGRAD_HOST status look_at_all(variable_store const& store) {
    odd_elements const found = find_odd(store, false);   // no slots: slots of rows that have not been met may be NaN
    if (found.variable == nullptr) return {};
    return {status_code::not_finite, found.variable->name};
}
[[noreturn]] XGRAD_COLD XGRAD_HOST void raise_not_finite(variable_store const& store) { raise_odd(find_odd(store, false), store.steps); }
[[noreturn]] XGRAD_COLD XGRAD_HOST void trainer_host::fail(variable_store const& store, status const& s) {
    if (s.code == status_code::not_finite) watch->raise(store);
    run.fail(s);
}
XGRAD_HOST stored_slots const& trainer_host::slots_of(variable_store const& store, stored_variable const& v) const {
    stored_slots const* const s = slots.find(store.index_of(v.hash));
    if (s == nullptr)
        raise_parts<binding_error>({"xgrad: this trainer does not move the variable \"", v.name, "\"; it moves ",
            detail::names_text(slots.all(), [&](stored_slots const& each) { return store.variables().at[each.variable].name; })});
    return *s;
}
XGRAD_COLD XGRAD_HOST int find_slot(stored_slots const& s, stored_variable const& v, std::string_view name) {
    for (int k = 0; k < s.slot_count; ++k)
        if (s.slot_infos[k].name == name) return k;
    message_text kept;
    for (int k = 0; k < s.slot_count; ++k) kept.add({k > 0 ? ", \"" : "\"", s.slot_infos[k].name, "\""});
    if (s.slot_count == 0) kept.add({"none"});
    raise_parts<binding_error>({"xgrad: the variable \"", v.name, "\" has no slot \"", name, "\"; ", s.rule, " keeps ", kept});
}
#endif

/// The scalars of one step, for each type in which a rule computes.
template<class R, class T>
struct scalars_in {
    typename R::template scalars<T> value{};
};
template<class R, class Types = computing_types>
struct all_scalars;
template<class R, class... T>
struct all_scalars<R, type_list<T...>> : scalars_in<R, T>... {};

/// The members of a trainer that its runner points to, so they must not move with it. The template depends only on the rules. A
/// type that depended on the program would carry the whole graph in its name.
template<class Rules>
struct trainer_state;
template<class... R>
struct trainer_state<std::tuple<R...>> : trainer_host {
    std::tuple<R...> all, settled;   // all: the rules of the user; settled: without functions
    std::tuple<all_scalars<R>...> scalars{};
    float loss_scale = 1;   // of this step, if rules scale the loss

    trainer_state(shared_store const& store, runtime_plan const& plan, std::tuple<R...> const& rules, shared_slots const* others)
        : trainer_host(store, plan, others), all(rules), settled(rules) {
        add(std::index_sequence_for<R...>{}, computing_types{});
    }
    /// The rule of a group in this step.
    template<std::size_t G>
    auto const& now() const {
        return *static_cast<std::tuple_element_t<G, std::tuple<R...>> const*>(groups.at[G].now);
    }
    template<std::size_t G, class T>
    auto& scalars_of() {
        return static_cast<scalars_in<std::tuple_element_t<G, std::tuple<R...>>, T>&>(std::get<G>(scalars)).value;
    }

    /// Sets loss_scale before the gradients are computed. Fails if the groups have different scales.
    template<std::size_t... G>
    status take_loss_scale(std::index_sequence<G...>) {
        loss_scale = 0;
        if ((take_scale_of<G>() && ...)) return {};
        return {status_code::refused_hyper,
            "the groups of a trainer scale the loss by different numbers; give all of them the same loss scale"};
    }

private:
    template<std::size_t G>
    bool take_scale_of() {
        if constexpr (scales_loss<std::tuple_element_t<G, std::tuple<R...>>>) {
            float const own = std::get<G>(all).loss_scale_at(slots.powers.at + groups.at[G].first_power);
            return own == (loss_scale == 0 ? loss_scale = own : loss_scale);
        } else return true;
    }
    template<std::size_t... G, class Types>
    void add(std::index_sequence<G...>, Types types) {
        (add_group<G>(types), ...);
    }
    template<std::size_t G, class... T>
    void add_group(type_list<T...>) {
        groups.push({&record_of<std::tuple_element_t<G, std::tuple<R...>>>, &std::get<G>(all), &std::get<G>(settled), &std::get<G>(all),
            {&scalars_of<G, T>()...}, 0});
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
