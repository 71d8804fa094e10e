// SPDX-License-Identifier: MIT
// A rule whose steps are averaged.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/links/around_rule.hpp>

XGRAD_NAMESPACE_BEGIN

/// m ← β·m + (1 − β)·d, where d is the change of the inner rule, decay included; θ ← θ + m.
/// `averaged_steps{adafactor{.learning_rate = 0.05}, 0.9}`.
/// Source: the momentum of Adafactor: Shazeer, Stern 2018, arXiv 1804.04235, section 6; optax.adafactor(momentum=),
/// which does not average its weight decay.
/// Sparse: like the inner rule.
/// Use: Adafactor, if its steps are too rough. Costs one more slot.
template<class Rule>
struct averaged_steps : Rule {
    hyper beta{0.9};

    static_assert(!moves_matrices<Rule> && optimizer_reductions<Rule> == 0 && !slots_move_behind<Rule>,
        "xgrad: averaged_steps{rule} gets a rule that moves matrices, or has reductions per::optimizer or slots_move_behind; "
        "write averaged_steps{adafactor{}}");
    static constexpr auto slots = detail::with_slot<Rule>(slot_info("step_average"));
    static constexpr int flops = flops_of<Rule> + 5;
    static constexpr bool idle_is_linear = false;
    static constexpr int which = slot_count<Rule>;   // index of the slot with the average
    double slot_init(int slot) const {
        return slot == which ? 0.0 : slot_init_of(static_cast<Rule const&>(*this), slot < which ? slot : slot - 1);
    }

    auto hypers() const { return detail::hypers_and(static_cast<Rule const&>(*this), hyper_info("beta", beta, allow::below_one)); }

    template<class T>
    struct scalars : Rule::template scalars<T> {
        T average, rest;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const* p) const {
        return {Rule::template prepare<T>(step, p), static_cast<T>(beta(step)), static_cast<T>(1.0 - beta(step))};
    }
    template<class T, class V, class... Reduced>
        requires(sizeof...(Reduced) == (own_reductions<Rule> > 0 ? 1 : 0))
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot, Reduced const*... reduced) {
        V const before = param;
        Rule::update(s, param, grad, slot, reduced...);
        slot[which] = slot[which] * V(s.average) + (param - before) * V(s.rest);
        param = before + slot[which];
    }
    static constexpr bool conditional_members = true;
    template<class T>
        requires(moves_absent_rows<Rule>)
    static scalars<T> absent_row(scalars<T> s) {
        static_cast<typename Rule::template scalars<T>&>(s) = Rule::absent_row(static_cast<typename Rule::template scalars<T> const&>(s));
        return s;
    }
};
template<class Rule>
averaged_steps(Rule) -> averaged_steps<Rule>;
template<class Rule>
averaged_steps(Rule, hyper) -> averaged_steps<Rule>;

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
