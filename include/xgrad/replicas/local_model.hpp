// SPDX-License-Identifier: MIT
// A worker that takes steps of its own: variables, slots and scalars like those of a trainer.
#pragma once

#include <xgrad/replicas/copied_variables.hpp>
#include <xgrad/replicas/dense_updates.hpp>
#include <xgrad/replicas/trainer_access.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// A trainer like another one, the *centre*, on variables of its own. Its slots and scalars begin as those of the centre are.
template<class P>
struct local_model {
    trainer<P> train;
    int number;
    std::int64_t steps = 0;    // of its own
    std::int64_t pulled = 0;   // global step of the centre when it took the variables from there
    std::int64_t since = 0;    // its own steps since it has given anything

    local_model(trainer<P>& centre, int k) : local_model(centre, k, sizes_of(centre.store())) {}

    template<class... B>
    auto compute(B const&... bindings) {
        return train.compute_gradients(bindings...);
    }
    /// The variables as they are at the centre.
    void pull(trainer<P> const& centre) {
        copy_variables(train.store(), centre.store());
        pulled = centre.global_step();
    }
    /// The rules of the centre, whose hyper-parameters may have changed.
    void follow(trainer<P>& centre) {
        trainer_access::state(train).all = trainer_access::state(centre).all;
        train.flush_denormals(trainer_access::state(centre).run.flush);
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
    local_model(trainer<P>& centre, int k, sequence<dim_size> const& sizes)
        : train(trainer_access::state(centre).all, sizes.at, sizes.count), number(k) {
        auto& own = trainer_access::state(train);
        auto const& from = trainer_access::state(centre);
        own.run.random.worker = static_cast<std::uint32_t>(k);
        for (stored_slots const& s : own.slots.all()) {
            stored_variable const& v = train.store().variables().at[s.variable];
            stored_slots const& there = from.slots_of(centre.store(), v);
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
