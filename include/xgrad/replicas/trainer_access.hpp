// SPDX-License-Identifier: MIT
// What replicas use of a trainer beyond what its users see.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/gradient_ref.hpp>
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

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
