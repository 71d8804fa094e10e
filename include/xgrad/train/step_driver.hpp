// SPDX-License-Identifier: MIT
// The interface for classes that drive a trainer from outside: catch_up, interleaved_rows, same_optimizer, flat_gradients (and through it
// sam and ggt), and replicas.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/run/gradient_ref.hpp>
#include <xgrad/train/trainer.hpp>

XGRAD_NAMESPACE_BEGIN

/// The parts of a training step, for classes that run the steps of a trainer in another way. The trainer has no other friend.
///
/// A driver that only changes gradients does not need it: train.compute_gradients(...), then train.gradient(v) or flat_gradients,
/// then train.apply_gradients().
///
/// | driver | calls |
/// |---|---|
/// | runs whole steps and holds rows of tables | bind_held(train, holder, inputs...), then run(train, arguments, next) |
/// | takes gradients from elsewhere | begin(train), then runs the updates |
/// | does something before the updates of a step | apply(train, before) |
/// | moves the variables itself | apply_by(train, updates) |
struct step_driver {
    /// The rules with their slots, the runner, and the gradients between the two parts of a step.
    template<class P>
    static auto& state(trainer<P>& t) {
        return *t.state_;
    }
    template<class P>
    static auto const& state(trainer<P> const& t) {
        return *t.state_;
    }
    /// One element for each update of the plan: true if a rule makes it, false if it assigns state.
    template<class P>
    static sequence<bool> by_rule(trainer<P>& t) {
        sequence<bool> all;
        auto const& s = state(t);
        for (int k = detail::step_parts<P>::second(); k < P::plan.step_count; ++k)
            all.push(s.groups.at[s.run.plan().steps[k].group].record->trains);
        return all;
    }
    /// Updates the addresses of variables that have grown.
    template<class P>
    static void follow(trainer<P>& t) {
        detail::store_visit const mine(t.store(), store_access::change);
        t.reserve();
    }

    /// Begins a step: checks the hyper-parameters and calls all functions among them. Both may throw, and nothing has changed
    /// then. Returns the optimizer scalars after the step.
    template<class P>
    static double* begin(trainer<P>& t) {
        return t.begin_or_throw();
    }
    /// The same for gradients that were computed with this loss scale. Throws value_error if the rules now have another scale.
    template<class P>
    static double* begin(trainer<P>& t, float scale) {
        expect_loss_scale(t, scale);
        return begin(t);
    }
    /// Begins and binds a step of a driver that may hold rows of tables. Rows that another object holds are brought back first.
    /// Returns {the optimizer scalars after the step, whether the driver still holds its rows}. Throws like a step of the trainer.
    template<class P, class... B>
    static auto bind_held(trainer<P>& t, held_rows& holder, B const&... inputs) {
        return t.bind_held(holder, inputs...);
    }
    /// Runs all steps of the plan with these arguments. They come from bind_held, or the driver made them from those. Throws
    /// value_error for an index out of range; no variable has changed then.
    template<class P>
    static void run(trainer<P>& t, step_arguments const* arguments, double* next) {
        if (status const wrong = t.template finish<0>(arguments, next, typename trainer<P>::every_group{}); !wrong)
            state(t).run.fail(wrong);
    }
    /// Like train.apply_gradients(), with a call of `before()` after all checks and before any variable moves.
    template<class P, class F>
    static void apply(trainer<P>& t, F const& before) {
        auto& s = state(t);
        double* const next = t.begin_second_part();
        before();
        // The status is always ok: all indices have been checked.
        t.template finish<trainer<P>::second_part()>(s.gradients.arguments(), next, typename trainer<P>::every_group{});
        s.gradients.forget();
    }
    /// Like train.apply_gradients(), but `updates()` moves the variables.
    template<class P, class F>
    static void apply_by(trainer<P>& t, F const& updates) {
        auto& s = state(t);
        t.begin_second_part();
        xgrad::flush_denormals const guard(s.run.flush);
        updates();
        s.count_step(t.store(), false);
        s.gradients.forget();
    }
    /// The gradient of update k of the second part, between the two parts.
    template<class P>
    static gradient_ref gradient(trainer<P>& t, int k) {
        return detail::gradient_of(state(t).run.plan(), state(t).gradients, detail::step_parts<P>::second() + k);
    }

    /// The scale of the loss in this step; 1 if the rules do not scale it. Throws value_error if they have different scales.
    template<class P>
    static float loss_scale(trainer<P>& t) {
        if constexpr (detail::scales_loss<typename P::rules>)
            if (status const wrong = state(t).take_loss_scale(typename trainer<P>::every_group{}); !wrong) state(t).run.fail(wrong);
        return state(t).loss_scale;
    }
    /// Throws value_error if the loss scale is not the one that gradients were computed with.
    template<class P>
    static void expect_loss_scale(trainer<P>& t, float scale) {
        if constexpr (detail::scales_loss<typename P::rules>)
            if (loss_scale(t) != scale)
                raise<value_error>(
                    "xgrad: replicas: the loss scale was changed during a run, but gradients have the old one; change it between runs");
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
