// SPDX-License-Identifier: MIT
// Runs the bodies of a rule once on memory with a margin, and so finds an index beyond its slots, reductions or terms.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule_forms.hpp>

#include <cstring>
#include <string_view>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Whether R is a rule of this library, whose bodies tests have proved. A chain is not: its links may be a user's.
template<class R>
consteval bool is_library_rule() {
    constexpr std::string_view text = __PRETTY_FUNCTION__;   // "... [with R = xgrad::v0_1::adam]"
    constexpr std::string_view name = text.substr(text.rfind("R = ") + 4);
    return name.starts_with("xgrad::") && name.find('<') == name.npos;
}

enum class beyond : unsigned char { nothing, slots, reductions, terms };

/// Numbers and a margin after them.
template<int Count>
struct with_margin {
    static constexpr int margin = 8;
    float at[Count + margin];
    explicit with_margin(float after) {
        for (int k = 0; k < Count + margin; ++k) at[k] = k < Count ? 0.5f : after;
    }
    bool margin_is(float after) const {
        for (int k = Count; k < Count + margin; ++k)
            if (at[k] != after) return false;
        return true;
    }
    bool same_numbers(with_margin const& o) const {
        return Count == 0 || std::memcmp(at, o.at, sizeof(float) * static_cast<unsigned>(Count)) == 0;
    }
};
/// What a body leaves.
template<class R>
struct body_trace {
    with_margin<slot_count<R>> slot;
    with_margin<own_reductions<R>> reduced, term;
    float number[2]{0.75f, 0.25f};   // the parameter and its gradient

    explicit body_trace(float after_slots, float after_reductions) : slot(after_slots), reduced(after_reductions), term(after_reductions) {}
    bool same(body_trace const& o) const {
        return slot.same_numbers(o.slot) && term.same_numbers(o.term) && std::memcmp(number, o.number, sizeof number) == 0;
    }
};
template<class R>
concept UpdateTakesPointers = UpdateIsCalled<R, float, float, float&, float&, float*>;

/// Each body runs with two margins of slots and two of reductions. An index is wrong if a body writes to a margin or if its
/// results depend on one.
template<class R>
XGRAD_COLD beyond beyond_bounds(scalars_of_rule<R, float> const& s) {
    float const one = 3.0f, other = -7.0f;
    auto const look = [&](auto const& body) {
        body_trace<R> first(one, one), slots(other, one), reductions(one, other);
        body(first);
        body(slots);
        body(reductions);
        if (!first.slot.margin_is(one) || !slots.slot.margin_is(other) || !first.same(slots)) return beyond::slots;
        if (!first.term.margin_is(one) || !reductions.term.margin_is(other)) return beyond::terms;
        return first.reduced.margin_is(one) && first.same(reductions) ? beyond::nothing : beyond::reductions;
    };
    beyond found = beyond::nothing;
    if constexpr (UpdateTakesPointers<R> && !moves_matrices<R>)
        found = look([&](body_trace<R>& t) {
            if constexpr (own_reductions<R> == 0) R::update(s, t.number[0], t.number[1], t.slot.at);
            else R::update(s, t.number[0], t.number[1], t.slot.at, static_cast<float const*>(t.reduced.at));
        });
    if constexpr (own_reductions<R> > 0 && reduction_stages<R> == 1)
        if (found == beyond::nothing)
            found = look([&](body_trace<R>& t) {
                R::terms(s, t.number[0], t.number[1], static_cast<float const*>(t.slot.at), static_cast<float*>(t.term.at));
            });
    return found;
}
inline hyper_complaint complaint_of_bounds(std::string_view rule, beyond found, int slots, int reductions) {
    hyper_complaint wrong;
    char const* const what = found == beyond::slots ? "slots" : found == beyond::terms ? "terms" : "reductions";
    if (found != beyond::nothing)
        std::snprintf(wrong.text, hyper_complaint::capacity,
            "%.*s: update(...) or terms(...) uses an element after the last of its %d %s; declare one more, or count from 0",
            static_cast<int>(rule.size()), rule.data(), found == beyond::slots ? slots : reductions, what);
    return wrong;
}
/// Functions among the hyper-parameters that hypers() lists are not called. The number 0.5 replaces them.
template<class R>
XGRAD_COLD hyper_complaint check_bounds_of(R const& given) {
    R rule = given;
    if constexpr (requires { rule.hypers().data(); }) {
        auto list = rule.hypers();
        for (hyper_info& h : list) h.replace(0.5);
    }
    double powers[power_count<R> + 8], reduced[optimizer_reductions<R> + 8];
    for (double& p : powers) p = 0.5;
    for (double& r : reduced) r = 0.5;
    static_cast<void>(reduced);
    auto const scalars = [&] {
        if constexpr (optimizer_reductions<R> > 0) return rule.template prepare<float>(0, powers, reduced);
        else return rule.template prepare<float>(0, powers);
    }();
    return complaint_of_bounds(R::name, beyond_bounds<R>(scalars), slot_count<R>, own_reductions<R>);
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
