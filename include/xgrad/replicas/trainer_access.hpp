// SPDX-License-Identifier: MIT
// What replicas use of a trainer beyond what its users see.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/accumulators/gradient_ref.hpp>
#include <xgrad/train/trainer.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

struct trainer_access {
    template<class P>
    static auto& state(trainer<P>& t) {
        return *t.state_;
    }
    template<class P>
    static auto const& state(trainer<P> const& t) {
        return *t.state_;
    }
    /// Addresses as they are now, also for the run that moves the variables.
    template<class P>
    static void follow(trainer<P>& t) {
        store_visit const mine(t.store(), store_access::change);
        t.reserve();
    }
    /// Which updates are those of rules, and not of state that is assigned.
    template<class P>
    static sequence<bool> by_rule(trainer<P>& t) {
        sequence<bool> all;
        auto const& s = state(t);
        for (int k = step_parts<P>::second(); k < P::plan.step_count; ++k)
            all.push(s.groups.at[s.run.plan().steps[k].group].record->trains);
        return all;
    }
    /// Checks the hyper-parameters and calls all functions among them, both of which may throw; gives the powers as they will be behind the update.
    template<class P>
    static double* begin(trainer<P>& t) {
        return t.begin_or_throw();
    }
    /// The fixed scale of the loss, 1 where the rules have none. Throws value_error where they have different ones.
    template<class P>
    static float loss_scale(trainer<P>& t) {
        if constexpr (scales_loss<typename P::rules>)
            if (status const wrong = state(t).take_loss_scale(typename trainer<P>::every_group{}); !wrong) state(t).run.fail(wrong);
        return state(t).loss_scale;
    }
    /// Throws value_error where it is not that with which gradients have been computed.
    template<class P>
    static void expect_loss_scale(trainer<P>& t, float scale) {
        if constexpr (scales_loss<typename P::rules>)
            if (loss_scale(t) != scale)
                raise<value_error>(
                    "xgrad: replicas: the loss scale was changed while a run goes on, and gradients have the old one; change it between "
                    "runs");
    }
    /// begin(), for gradients that were computed with this loss scale.
    template<class P>
    static double* begin(trainer<P>& t, float scale) {
        expect_loss_scale(t, scale);
        return begin(t);
    }
    /// apply_gradients(), with `before()` when nothing can be refused any more and no variable has moved.
    template<class P, class F>
    static void apply(trainer<P>& t, F const& before) {
        auto& s = state(t);
        s.gradients.require(t.store());
        s.gradients.check_indices();
        double* const next = begin(t);
        before();
        t.template finish<trainer<P>::second_part()>(s.gradients.arguments(), next, typename trainer<P>::every_group{});
        s.gradients.forget();
    }
    /// apply_gradients(), where `updates()` moves the variables in place of the second part.
    template<class P, class F>
    static void apply_by(trainer<P>& t, F const& updates) {
        auto& s = state(t);
        s.gradients.require(t.store());
        s.gradients.check_indices();
        begin(t);
        xgrad::flush_denormals const guard(s.run.flush);
        updates();
        s.count_step(t.store(), false);
        s.gradients.forget();
    }
    /// The gradient that update k of the second part takes, between the parts.
    template<class P>
    static gradient_ref gradient(trainer<P>& t, int k) {
        return gradient_of(state(t).run.plan(), state(t).gradients, step_parts<P>::second() + k);
    }
};

/// Calls on_update, if there is one, which may read the trainer meanwhile.
template<class P, class F>
void call_on_update(F const& on_update, trainer<P>& train, std::int64_t step, store_access most = store_access::read) {
    if (!on_update) return;
    store_visit const mine(train.store(), most);
    on_update(step);
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
