// SPDX-License-Identifier: MIT
// Checks the slots and reductions that a rule declares.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/rule_state.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Slots of the optimizer come last and are doubles. All slots are floating-point.
template<class R>
constexpr bool slots_are_sound() {
    bool sound = true, optimizer = false;
    for (slot_info const& s : rule_slots<R>) {
        sound = sound && (s.type == dtype::literal || is_floating(s.type) || is_half(s.type)) && (!optimizer || s.scope == per::optimizer);
        optimizer = s.scope == per::optimizer;
        if (optimizer) sound = sound && s.type_for(dtype::float32) == dtype::float64;
    }
    return sound;
}
/// Slot names are unique and not empty.
template<class R>
constexpr bool slots_are_named() {
    auto const& list = rule_slots<R>;
    for (slot_info const* s = list.begin(); s != list.end(); ++s) {
        if (s->name.empty()) return false;
        for (slot_info const* other = list.begin(); other != s; ++other)
            if (other->name == s->name) return false;
    }
    return true;
}
template<class R>
constexpr bool reductions_are_sound() {
    for (reduction_info const& r : rule_reductions<R>)
        if (r.scope == per::element || (r.scope == per::optimizer && r.kind == reduction::max)) return false;
    return true;
}
/// Reductions over all variables come last and have one stage.
template<class R>
constexpr bool optimizer_reductions_are_sound() {
    for (int k = 0; k < rule_reductions<R>.count; ++k) {
        reduction_info const& r = rule_reductions<R>.first[k];
        if ((r.scope == per::optimizer) != (k >= own_reductions<R>) || (r.scope == per::optimizer && r.stage != 0)) return false;
    }
    return true;
}
/// Stages begin with 0 or 1 and increase by one. With slots_move_behind there is only stage 0.
template<class R>
constexpr bool stages_are_sound() {
    int last = 0;
    for (reduction_info const& r : rule_reductions<R>) {
        if (r.scope == per::optimizer) continue;
        if (r.stage != last && r.stage != last + 1) return false;
        last = r.stage;
    }
    return last == 0 || !slots_move_behind<R>;
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
