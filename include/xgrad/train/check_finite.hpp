// SPDX-License-Identifier: MIT
// check_finite: finds the first variable that is NaN or infinite.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/arrays/array.hpp>
#include <xgrad/store/variable_store.hpp>

#include <cstring>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The elements of a variable that are NaN or infinite, or of a slot that are NaN: their number, and the first one. A null
/// variable means that all are fine.
struct odd_elements {
    stored_variable const* variable = nullptr;
    std::string_view slot{};
    stored_part part{};
    std::int64_t count = 0, first = -1;
};
/// Checks n numbers by their bits. Without the sign bit, each NaN is above infinity as an integer.
template<class Bits>
void find_odd(odd_elements& found, void const* data, std::int64_t n, Bits infinity, bool infinite) {
    auto const* const p = static_cast<char const*>(data);
    auto const below = static_cast<Bits>(infinity + !infinite), magnitude = static_cast<Bits>(static_cast<Bits>(~Bits{0}) >> 1);
    auto const is_odd = [&](std::int64_t i) {
        Bits x;
        std::memcpy(&x, p + i * static_cast<std::int64_t>(sizeof x), sizeof x);
        return static_cast<Bits>(x & magnitude) >= below;
    };
    int any = 0;   // without a branch, so that the compiler vectorizes the first loop
    for (std::int64_t i = 0; i < n; ++i) any |= is_odd(i);
    for (std::int64_t i = 0; any != 0 && i < n; ++i)
        if (is_odd(i) && found.count++ == 0) found.first = i;
}
/// Counts the elements that are NaN or, with `infinite`, infinite, and finds the first one.
void find_odd(odd_elements& found, dtype type, void const* data, std::int64_t n, bool infinite);
bool has_odd(odd_elements& found, stored_part const& part, stored_variable const& v, std::string_view slot);
/// The first variable that is not finite, in the order of declaration. If all are finite and `slots` is true: the first slot that
/// is NaN.
odd_elements find_odd(variable_store const& store, bool slots);
[[noreturn]] void raise_odd(odd_elements const& found, std::int64_t steps);

#if XGRAD_COMPILED != 1
XGRAD_HOST void find_odd(odd_elements& found, dtype type, void const* data, std::int64_t n, bool infinite) {
    switch (type) {
    case dtype::float32: find_odd<std::uint32_t>(found, data, n, 0x7f800000u, infinite); break;
    case dtype::float64: find_odd<std::uint64_t>(found, data, n, std::uint64_t{0x7ff} << 52, infinite); break;
    case dtype::bfloat16: find_odd<std::uint16_t>(found, data, n, 0x7f80, infinite); break;
    case dtype::float16: find_odd<std::uint16_t>(found, data, n, 0x7c00, infinite); break;
    default: break;
    }
}
XGRAD_COLD XGRAD_HOST bool has_odd(odd_elements& found, stored_part const& part, stored_variable const& v, std::string_view slot) {
    find_odd(found, part.type, part.data, part.size, slot.empty());
    if (found.count == 0) return false;
    found.variable = &v;
    found.slot = slot;
    found.part = part;
    return true;
}
XGRAD_COLD XGRAD_HOST odd_elements find_odd(variable_store const& store, bool slots) {
    odd_elements found;
    for (stored_variable const& v : store.variables())
        if (has_odd(found, part_of(v), v, {})) return found;
    if (!slots) return found;
    for (optimizer_state const* o : store.optimizers())
        for (stored_slots const& s : o->all())
            for (int k = 0; k < s.slot_count; ++k) {
                stored_variable const& v = store.variables().at[s.variable];
                if (has_odd(found, part_of(s, k, v), v, s.slot_infos[k].name)) return found;
            }
    return found;
}
[[noreturn]] XGRAD_COLD XGRAD_HOST void raise_odd(odd_elements const& found, std::int64_t steps) {
    stored_part const& part = found.part;
    std::int64_t index[max_rank]{};
    for (std::int64_t d = part.rank, rest = found.first; d-- > 0; rest /= part.extents[d]) index[d] = rest % part.extents[d];
    message_text text;
    if (!found.slot.empty())
        text.add({"xgrad::check_finite: the slot \"", found.slot, "\" of the variable \"", found.variable->name, "\" has "});
    else text.add({"xgrad::check_finite: the variable \"", found.variable->name, "\" has "});
    text.add({found.count, " of ", part.size, " elements that are ", found.slot.empty() ? "NaN or infinite" : "NaN"});
    if (part.rank > 0) add_list(text, ", the first at (", index, part.rank, ")");
    text.add({", after ", steps, steps == 1 ? " step" : " steps"});
    raise<value_error>(text.c_str());
}
#endif
}   // namespace detail

/// Throws value_error if a variable of the owner is NaN or infinite, or if a slot of its trainers is NaN.
///
///     for (auto const& b : batches) { train(x = b.x); xg::check_finite(train); }
///
/// The error names the first such variable in the order of declaration, its element and the number of steps. The call reads all
/// variables, so it is meant for finding the step that went wrong.
///
/// * `train.check_finite()` checks after each step of a trainer.
/// * `xg::skip_nonfinite` in a chain skips steps with such gradients instead.
template<class Owner>
void check_finite(Owner const& owner) {
    constexpr bool owns = requires { owner.store().variables(); };
    static_assert(owns,
        "xgrad::check_finite(owner): owner is neither a trainer (minimize, apply_gradients) nor xgrad::variables; give one of "
        "these");
    if constexpr (owns) {
        owner.store().expect_no_run("check_finite(owner)", store_access::read);
        if (detail::odd_elements const found = detail::find_odd(owner.store(), true); found.variable != nullptr)
            detail::raise_odd(found, owner.store().steps);
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
