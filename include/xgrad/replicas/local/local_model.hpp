// SPDX-License-Identifier: MIT
// A worker that takes steps of its own: variables, slots and scalars like those of a trainer.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/local/copied_variables.hpp>
#include <xgrad/replicas/sync/dense_updates.hpp>
#include <xgrad/replicas/trainer_access.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The rules of a trainer, and what else of it is changed between steps.
template<class P>
struct rules_of {
    typename P::rules all;
    bool flush;

    explicit rules_of(trainer<P> const& t) : all(trainer_access::state(t).all), flush(trainer_access::state(t).run.flush) {}
};
/// What a worker is made of. on_update may be changing the rules of the centre, so these are a copy.
template<class P>
struct new_worker {
    trainer<P>& centre;
    rules_of<P> const& rules;
    int number;
};

/// A trainer like another one, the *centre*, on variables of its own. Its slots and scalars begin as those of the centre are.
template<class P>
struct local_model {
    trainer<P> train;
    int number;
    std::int64_t steps = 0;    // of its own
    std::int64_t pulled = 0;   // global step of the centre when it took the variables from there
    std::int64_t since = 0;    // its own steps since it has given anything

    explicit local_model(new_worker<P> const& w) : local_model(w, sizes_of(w.centre.store())) {}

    template<class... B>
    auto compute(B const&... bindings) {
        return train.compute_gradients(bindings...);
    }
    /// The variables as they are at the centre.
    void pull(trainer<P> const& centre) {
        copy_variables(train.store(), centre.store());
        pulled = centre.global_step();
    }
    /// Whether the variables are as large as those of the centre.
    bool fits(trainer<P> const& centre) const {
        return std::ranges::all_of(
            train.store().variables(), [&](stored_variable const& v) { return v.size == centre.store().find(v.hash)->size; });
    }
    /// The rules of the centre, whose hyper-parameters may have changed.
    void follow(rules_of<P> const& rules) {
        trainer_access::state(train).all = rules.all;
        train.flush_denormals(rules.flush);
    }
    /// The update of the trainer, at step `step` of what depends on steps. `before()` runs when nothing can be refused any more and no variable has
    /// moved.
    template<class F>
    void apply(std::int64_t step, F const& before) {
        trainer_access::state(train).slots.global_step = step;
        trainer_access::apply(train, before);
        count();
    }
    void count() {
        ++steps;
        ++since;
    }
    /// Those of a trainer of this program.
    static dense_updates updates_of(trainer<P>& t) {
        return {trainer_access::state(t).run, t.store(), step_parts<P>::second(), P::plan.step_count};
    }
    static sequence<bool> trained(trainer<P>& t) { return trainer_access::by_rule(t); }
    dense_updates own_updates() { return updates_of(train); }
    gradient_ref gradient(int k) { return trainer_access::gradient(train, k); }

private:
    local_model(new_worker<P> const& w, sequence<dim_size> const& sizes) : train(w.rules.all, sizes.at, sizes.count), number(w.number) {
        auto& own = trainer_access::state(train);
        auto const& from = trainer_access::state(w.centre);
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
