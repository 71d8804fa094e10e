// SPDX-License-Identifier: MIT
// What a rule keeps in memory: slots of fewer bits, and variables of 16 bits that are moved as exactly as floats, or at random.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/cast.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>
#include <bit>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// The slots of a rule, those per element in the type of memory `type`.
template<class Rule>
constexpr auto slots_as(dtype type) {
    std::array<slot_info, static_cast<std::size_t>(rule_slots<Rule>.count)> list = [&]<std::size_t... K>(std::index_sequence<K...>) {
        return std::array<slot_info, sizeof...(K)>{rule_slots<Rule>[K]...};
    }(std::make_index_sequence<static_cast<std::size_t>(rule_slots<Rule>.count)>{});
    for (slot_info& s : list)
        if (s.scope == per::element) s.type = type;
    return list;
}
template<class Rule>
consteval bool explain_stored() {
    constexpr bool elements = moves_elements<Rule> && optimizer_reductions<Rule> == 0;
    static_assert(elements,
        "xgrad: master_weights<Half>(rule) and stochastic_rounding(rule) take a rule without reductions whose slots are per::element or per::optimizer; put "
        "clip_by_global_norm and the like in front of them: chain(clip_by_global_norm(1), stochastic_rounding(adam{}))");
    return elements;
}
}   // namespace detail

/// What store_slots<M>(rule) gives: the rule, whose hyper-parameters are members.
template<class M, class Rule>
struct slots_stored_as : Rule {
    static constexpr auto slots = detail::slots_as<Rule>(dtype_of<M>);
};
/// The rule with its slots per element in the type M of memory, bfloat16, float16, float or double: it computes as before, and rounds to the nearest where it
/// writes. `store_slots<bfloat16>(adam{})` moves 20 bytes for a float in place of 28. What is added to a slot and is smaller than 2^-9 of it is lost in bfloat16:
/// an average with 1 - beta below that, as Adam's v with 0.999, stands still once it is near (docs/training.md has the measured error).
template<MemoryElement M, class Rule>
constexpr auto store_slots(Rule const& rule) {
    constexpr bool any = explain_rule<Rule>() && rule_slots<Rule>.count_of(per::element) > 0;
    static_assert(any, "xgrad::store_slots<T>(rule): this rule has no slots per element; leave store_slots out");
    if constexpr (any) return slots_stored_as<M, Rule>{rule};
    else return detail::refused_rule{};
}

/// What master_weights<Half>(rule) gives.
template<class Half, class Rest, class Rule>
struct split_rule : Rule {
    static constexpr auto slots = detail::with_slot<Rule>(slot_info("rest", dtype_of<Rest>));
    static constexpr dtype variable_type = dtype_of<Half>;
    static constexpr int which = slot_count<Rule>, flops = flops_of<Rule> + 2;
    double slot_init(int slot) const {
        return slot == which ? 0.0 : slot_init_of(static_cast<Rule const&>(*this), slot < which ? slot : slot - 1);
    }
    template<class T, class V>
    XGRAD_INLINE static void update(typename Rule::template scalars<T> const& s, V& param, V grad, V* slot) {
        V master = param + slot[which];
        Rule::update(s, master, grad, slot);
        param = op::cast<Half>::value(master);
        slot[which] = master - param;
    }
};
/// A rule for variables of Half, bfloat16 or float16, that moves them as if they were floats: what rounding takes away stays in the slot "rest", and variable
/// plus rest is the master. With a rest in float, 6 bytes with the variable, the master is that of a float variable to the bit; with
/// master_weights<bfloat16, bfloat16> it has 16 digits for 4 bytes. Numbers beyond the largest of Half become NaN.
/// Source: split SGD of Intel's PyTorch extension; Kahan summation as in optimi and Zamirai et al. 2020, arXiv 2010.06192.
template<class Half, MemoryElement Rest = float, class Rule>
constexpr split_rule<Half, Rest, Rule> master_weights(Rule const& rule) {
    static_assert(detail::is_half_type<Half>,
        "xgrad::master_weights<Half>(rule): Half is the type of the variables, xgrad::bfloat16 or xgrad::float16");
    return {rule};
}

/// What stochastic_rounding(rule) gives.
template<class Rule>
struct dithered_rule : Rule {
    static constexpr dtype variable_type = dtype::bfloat16;
    static constexpr int flops = flops_of<Rule> + 12;
    static constexpr bool conditional_members = true;
    template<class T>
    struct scalars {
        typename Rule::template scalars<T> base;
        std::uint32_t step;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const* p) const {
        return {Rule::template prepare<T>(step, p), static_cast<std::uint32_t>(step)};
    }
    template<class T>
        requires(moves_absent_rows<Rule>)
    static scalars<T> absent_row(scalars<T> s) {
        s.base = Rule::absent_row(s.base);
        return s;
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        Rule::update(s.base, param, grad, slot);
        if constexpr (math::Scalar<V>) {
            auto const salt = std::bit_cast<std::uint32_t>(static_cast<float>(grad));
            param = static_cast<V>(detail::dither_bfloat16<std::uint32_t>(static_cast<float>(param), salt, s.step));
        } else param = dithered(param, grad, s.step);   // of the batch's namespace
    }
};
/// A rule for variables of bfloat16 that rounds up or down at random, each the more likely the nearer it is: steps that are too small to move a number that is
/// rounded to the nearest add up on average. What is drawn is a hash of the number, its gradient and the step: the same in every run, on every machine
/// and in whatever order rows come, and the same for elements that are alike.
/// Source: Gupta et al. 2015, arXiv 1502.02551; the hash is Wellons' lowbias32.
template<class Rule>
constexpr auto stochastic_rounding(Rule const& rule) {
    if constexpr (explain_rule<Rule>() && detail::explain_stored<Rule>()) return dithered_rule<Rule>{rule};
    else return detail::refused_rule{};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
