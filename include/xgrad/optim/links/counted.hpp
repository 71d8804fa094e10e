// SPDX-License-Identifier: MIT
// A rule with a counter for each row.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/optim/links/around_rule.hpp>

XGRAD_NAMESPACE_BEGIN

/// n ← n + 1 for each row with a gradient; θ ← θ − λ/n·θ; θ ← θ + d·n^−p, where d is the change of the inner rule. The
/// slot "count" holds n.
/// Rows that occur often take shorter steps; rare rows decay more. With p = λ = 0 it only counts.
/// `counted{adagrad{.learning_rate = 0.1}, 0.5}`; its hyper-parameters can be changed later as members.
/// Source: the counters of FBGEMM's rowwise_adagrad_with_counter.
/// Sparse: rows that occur, also with an exact rule. A dense gradient counts for every row.
/// Use: tables with rows that occur a thousand times as often as others. The counts also show which rows can be
/// dropped.
template<class Rule>
struct counted : Rule {
    hyper frequency_power{0.0}, decay_by_count{0.0};

    static_assert(moves_elements<Rule> && optimizer_reductions<Rule> == 0,
        "xgrad: counted{rule} gets a rule with reductions, or with slots that are neither per::element nor per::optimizer; "
        "write a rule without these");
    static constexpr auto slots = detail::with_slot<Rule>(slot_info("count", per::row));
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;
    static constexpr int which = slot_count<Rule>;   // index of the slot with the counter
    double slot_init(int slot) const {
        return slot == which ? 0.0 : slot_init_of(static_cast<Rule const&>(*this), slot < which ? slot : slot - 1);
    }

    auto hypers() const {
        return detail::hypers_and(static_cast<Rule const&>(*this), hyper_info("frequency_power", frequency_power, allow::zero_or_more),
            hyper_info("decay_by_count", decay_by_count, allow::zero_or_more));
    }
    template<class T>
    struct scalars {
        typename Rule::template scalars<T> base;
        T power, decay;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const* p) const {
        return {Rule::template prepare<T>(step, p), static_cast<T>(-frequency_power(step)), static_cast<T>(decay_by_count(step))};
    }
    template<class T>
    XGRAD_INLINE static void advance_row(scalars<T> const&, T* slot, T const*) {
        slot[which] = slot[which] + T(1);
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        V const n = slot[which], before = param - param * V(s.decay) / n;
        param = before;
        Rule::update(s.base, param, grad, slot);
        if (s.power != T(0)) param = before + (param - before) * math::pow(n, V(s.power));
    }
};
template<class Rule>
counted(Rule) -> counted<Rule>;
template<class Rule>
counted(Rule, hyper) -> counted<Rule>;
template<class Rule>
counted(Rule, hyper, hyper) -> counted<Rule>;

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
