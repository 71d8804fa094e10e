// SPDX-License-Identifier: MIT
// A second rule for the variables of a trainer. Its gradients are computed while it moves them.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/updates/update.hpp>
#include <xgrad/optim/rule.hpp>
#include <xgrad/replicas/local/moved_variables.hpp>
#include <xgrad/store/variable_store.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The rule with its slots and scalars. They are listed in the store after those of the trainer, so its checkpoints contain them.
template<class Rule>
class outer_rule {
    attached_state state_;
    sequence<double> next_powers_;
    Rule now_;   // the rule with the hyper-parameters of the current step

    static void refuse(hyper_complaint const& wrong) {
        if (!wrong.empty()) raise_parts<value_error>({"xgrad: ", wrong.view()});
    }
    template<class T, class M>
    static void move(batch_at<T> at, typename Rule::template scalars<T> const& s, M* param, simd::batch<T> gradient,
        kernels::slot_pointers<Rule, T> const& slots) {
        kernels::update_batch<Rule, T>(s, param, gradient, slots, at.i);
    }
    template<class T, class M>
    static void move(rest_at<T> at, typename Rule::template scalars<T> const& s, M* param, simd::batch<T> gradient,
        kernels::slot_pointers<Rule, T> const& slots) {
        kernels::update_tail<Rule, T>(s, param, gradient, slots, at.i, at.n);
    }

public:
    Rule rule;
    typename Rule::template scalars<float> in_float{};
    typename Rule::template scalars<double> in_double{};

    /// Makes the slots for the trained variables among `updates`. Throws value_error if the rule refuses a hyper-parameter, std::bad_alloc.
    outer_rule(shared_store const& store, plan_updates const& updates, sequence<bool> const& trained, Rule const& r)
        : state_(store), now_(r), rule(r) {
        refuse(check_of(rule));
        sequence<stored_slots> list;
        for (int k = 0; k < updates.steps().count(); ++k) {
            if (!trained.at[k]) continue;
            stored_slots s{store->index_of(updates.variable(k).hash), 0, tf_name_of<Rule>(), Rule::name,
                Rule::sparse == sparse_semantics::lazy, slot_count<Rule>, rule_slots<Rule>.first, {}, {}};
            for (int slot = 0; slot < s.slot_count; ++slot) s.start[slot] = slot_init_of(rule, slot);
            list.push(s);
        }
        state_.create(list, store->variables());
        for (int p = 0; p < power_count<Rule>; ++p) {
            state_.power_names.push(rule_slots<Rule>[static_cast<std::size_t>(slot_count<Rule> + p)].name);
            state_.powers.push(slot_init_of(rule, slot_count<Rule> + p));
            next_powers_.push(0);
        }
    }
    outer_rule(outer_rule const&) = delete;

    optimizer_state const& state() const { return state_; }

    /// Calls all functions among the hyper-parameters, which may throw, and checks the values.
    void begin() {
        refuse(settle(now_, rule, state_.global_step, state_.powers.at));
        in_float = now_.template prepare<float>(state_.global_step, state_.powers.at);
        in_double = now_.template prepare<double>(state_.global_step, state_.powers.at);
        std::copy(state_.powers.begin(), state_.powers.end(), next_powers_.at);
        advance_powers_of(now_, next_powers_.at, state_.global_step);
    }
    /// Moves a variable of memory type M, computed in T. `gradient(at)` returns the gradient of some elements; it is called before these
    /// move.
    template<class T, class M, class Gradient>
    void apply(stored_variable const& v, Gradient const& gradient) {
        auto const& scalars = [this]() -> auto const& {
            if constexpr (std::is_same_v<T, float>) return in_float;
            else return in_double;
        }();
        kernels::slot_pointers<Rule, T> const slots(state_.find(state_.store->index_of(v.hash))->slots);
        each_batch<T>(v.size, [&](auto at) { move(at, scalars, data_of<M>(v), gradient(at), slots); });
    }
    void end() {
        std::copy(next_powers_.begin(), next_powers_.end(), state_.powers.at);
        ++state_.global_step;
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
