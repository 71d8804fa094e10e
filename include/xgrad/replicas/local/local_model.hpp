// SPDX-License-Identifier: MIT
// A worker that takes its own steps, with its own variables, slots and scalars.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/local/copied_variables.hpp>
#include <xgrad/replicas/sync/dense_updates.hpp>
#include <xgrad/train/step_driver.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Copies the rules of a trainer, and the other settings that may change between steps.
template<class P>
struct rules_of {
    typename P::rules all;
    bool flush;

    explicit rules_of(trainer<P> const& t) : all(step_driver::state(t).all), flush(step_driver::state(t).run.flush) {}
};
/// Everything that a worker is made of. The rules are a copy, because on_update may be changing those of the centre.
template<class P>
struct new_worker {
    trainer<P>& centre;
    rules_of<P> const& rules;
    int number;
};

/// A trainer with its own variables, like another one, the *centre*. Its slots and scalars begin as copies of the centre's.
template<class P>
struct local_model {
    trainer<P> train;
    int number;
    std::int64_t steps = 0;    // its own steps
    std::int64_t pulled = 0;   // global step of the centre at the last pull
    std::int64_t since = 0;    // its own steps since it last gave something

    explicit local_model(new_worker<P> const& w) : local_model(w, sizes_of(w.centre.store())) {}

    template<class... B>
    auto compute(B const&... bindings) {
        return train.compute_gradients(bindings...);
    }
    /// Copies the variables of the centre.
    void pull(trainer<P> const& centre) {
        copy_variables(train.store(), centre.store());
        pulled = centre.global_step();
    }
    /// Whether the variables have the sizes of the centre's.
    bool fits(trainer<P> const& centre) const {
        return std::ranges::all_of(
            train.store().variables(), [&](stored_variable const& v) { return v.size == centre.store().find(v.hash)->size; });
    }
    /// Copies the rules of the centre, whose hyper-parameters may have changed.
    void follow(rules_of<P> const& rules) {
        step_driver::state(train).all = rules.all;
        train.flush_denormals(rules.flush);
    }
    /// Applies the trainer's update. `step` is the step that hyper-parameters see. `before()` runs once nothing can be refused any more,
    /// before the first variable moves.
    template<class F>
    void apply(std::int64_t step, F const& before) {
        step_driver::state(train).slots.global_step = step;
        step_driver::apply(train, before);
        count();
    }
    void count() {
        ++steps;
        ++since;
    }
    /// The updates of a trainer of this program.
    static dense_updates updates_of(trainer<P>& t) {
        return {step_driver::state(t).run, t.store(), step_parts<P>::second(), P::plan.step_count};
    }
    static sequence<bool> trained(trainer<P>& t) { return step_driver::by_rule(t); }
    dense_updates own_updates() { return updates_of(train); }
    gradient_ref gradient(int k) { return step_driver::gradient(train, k); }

private:
    local_model(new_worker<P> const& w, sequence<dim_size> const& sizes) : train(w.rules.all, sizes.at, sizes.count), number(w.number) {
        auto& own = step_driver::state(train);
        auto const& from = step_driver::state(w.centre);
        own.run.random.worker = static_cast<std::uint32_t>(number);
        for (stored_slots const& s : own.slots.all()) {
            stored_variable const& v = train.store().variables().at[s.variable];
            stored_slots const& there = from.slots_of(w.centre.store(), v);
            for (int slot = 0; slot < s.slot_count; ++slot) {
                stored_part const p = part_of(s, slot, v);
                if (p.size > 0) std::memcpy(p.data, there.slots[slot], p.bytes());
            }
        }
        std::copy(from.slots.powers.begin(), from.slots.powers.end(), own.slots.powers.at);
        train.reserve();
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
