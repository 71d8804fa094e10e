// SPDX-License-Identifier: MIT
// The memory of a rule: slots of fewer bits, and variables of 16 bits, moved as exactly as floats or with stochastic
// rounding.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/cast.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>
#include <bit>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// The slots of a rule, with the slots per element stored as `type`.
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
        "xgrad: master_weights<Half>(rule) or stochastic_rounding(rule) gets a rule with reductions or slots per row; write "
        "clip_by_global_norm before it: chain(clip_by_global_norm(1), stochastic_rounding(adam{}))");
    return elements;
}
}   // namespace detail

/// The type of store_slots<M>(rule): the rule, with its hyper-parameters as members.
template<class M, class Rule>
struct slots_stored_as : Rule {
    static constexpr auto slots = detail::slots_as<Rule>(dtype_of<M>);
};
/// The rule with its slots per element stored as M: bfloat16, float16, float or double. It computes as before and
/// rounds to nearest when it writes.
/// `store_slots<bfloat16>(adam{})` moves 20 bytes for a float instead of 28.
/// A bfloat16 slot loses a change smaller than 2^-9 of its value. An average with 1 - beta below that, such as Adam's v
/// with 0.999, stops changing near its goal. docs/training.md has the measured error.
template<MemoryElement M, class Rule>
constexpr auto store_slots(Rule const& rule) {
    constexpr bool any = explain_rule<Rule>() && rule_slots<Rule>.count_of(per::element) > 0;
    static_assert(any, "xgrad::store_slots<T>(rule): this rule has no slots per element; remove store_slots");
    if constexpr (any) return slots_stored_as<M, Rule>{rule};
    else return detail::refused_rule{};
}

/// The type of master_weights<Half>(rule).
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
/// A rule for variables of Half (bfloat16 or float16) that moves them as if they were floats. The slot "rest" keeps
/// what rounding removes; the master weight is variable plus rest.
///
/// | Rest     | bytes of variable and rest | master weight                            |
/// |----------|----------------------------|------------------------------------------|
/// | float    | 6                          | bitwise equal to that of a float variable |
/// | bfloat16 | 4                          | 16 binary digits                         |
///
/// Numbers beyond the largest of Half become NaN.
/// Source: split SGD of Intel's PyTorch extension; Kahan summation as in optimi and Zamirai et al. 2020, arXiv
/// 2010.06192.
template<class Half, MemoryElement Rest = float, class Rule>
constexpr split_rule<Half, Rest, Rule> master_weights(Rule const& rule) {
    static_assert(detail::is_half_type<Half>,
        "xgrad::master_weights<Half>(rule): Half is neither xgrad::bfloat16 nor xgrad::float16; write the element type of the "
        "variables");
    return {rule};
}

/// The type of stochastic_rounding(rule).
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
        } else param = dithered(param, grad, s.step);   // found in the namespace of the batch
    }
};
/// A rule for variables of bfloat16 that rounds up or down at random; the nearer number is the more likely one.
/// Steps that are too small to change a number rounded to nearest add up on average.
/// The random bits are a hash of the number, its gradient and the step. They are the same in every run, on every
/// machine and in any order of rows. Equal elements get equal bits.
/// Source: Gupta et al. 2015, arXiv 1502.02551; the hash is Wellons' lowbias32.
template<class Rule>
constexpr auto stochastic_rounding(Rule const& rule) {
    if constexpr (explain_rule<Rule>() && detail::explain_stored<Rule>()) return dithered_rule<Rule>{rule};
    else return detail::refused_rule{};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
