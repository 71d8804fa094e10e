// SPDX-License-Identifier: MIT
// check_finite: which variable is NaN or infinite.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/array.hpp>
#include <xgrad/store/variable_store.hpp>

#include <type_traits>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The elements of `part` that are NaN, or with `infinite` not finite: how many, and the first of them, of which `first` is −1 where there is none.
struct odd_elements {
    std::int64_t count = 0, first = -1;
};
template<class T>
odd_elements find_odd(T const* p, std::int64_t n, bool infinite) {
    odd_elements found;
    for (std::int64_t i = 0; i < n; ++i) {
        auto const x = static_cast<std::conditional_t<std::is_same_v<T, double>, double, float>>(p[i]);
        if (infinite ? x - x == 0 : x == x) continue;
        if (found.count++ == 0) found.first = i;
    }
    return found;
}
inline odd_elements find_odd(stored_part const& part, bool infinite) {
    switch (part.type) {
    case dtype::float32: return find_odd(static_cast<float const*>(part.data), part.size, infinite);
    case dtype::float64: return find_odd(static_cast<double const*>(part.data), part.size, infinite);
    case dtype::bfloat16: return find_odd(static_cast<bfloat16 const*>(part.data), part.size, infinite);
    case dtype::float16: return find_odd(static_cast<float16 const*>(part.data), part.size, infinite);
    default: return {};
    }
}
/// Throws where there is one.
XGRAD_COLD inline void check_part(
    stored_part const& part, bool infinite, stored_variable const& v, std::string_view slot, std::int64_t steps) {
    odd_elements const found = find_odd(part, infinite);
    if (found.count == 0) return;
    std::int64_t index[max_rank]{};
    for (std::int64_t d = part.rank, rest = found.first; d-- > 0; rest /= part.extents[d]) index[d] = rest % part.extents[d];
    message_text text;
    if (!slot.empty()) text.add({"xgrad::check_finite: the slot \"", slot, "\" of the variable \"", v.name, "\" has "});
    else text.add({"xgrad::check_finite: the variable \"", v.name, "\" has "});
    text.add({found.count, " of ", part.size, " elements that are ", infinite ? "NaN or infinite" : "NaN"});
    if (part.rank > 0) add_list(text, ", the first at (", index, part.rank, ")");
    text.add({", after ", steps, steps == 1 ? " step" : " steps"});
    raise<value_error>(text.c_str());
}
inline void check_store(variable_store const& store) {
    store.expect_no_run("check_finite(owner)", store_access::read);
    for (stored_variable const& v : store.variables()) check_part(part_of(v), true, v, {}, store.steps);
    for (optimizer_state const* o : store.optimizers())
        for (stored_slots const& s : o->all())
            for (int k = 0; k < s.slot_count; ++k) {
                stored_variable const& v = store.variables().at[s.variable];
                check_part(part_of(s, k, v), false, v, s.slot_infos[k].name, store.steps);
            }
}
}   // namespace detail

/// Throws value_error where a variable of the owner has an element that is NaN or infinite, or a slot of its trainers one that is NaN, and names the first such variable in
/// the order of their declaration, its element and the number of steps. It reads all of them, so it is for looking for the step that went wrong:
///
///     for (auto const& b : batches) { train(x = b.x); xg::check_finite(train); }
///
/// xg::skip_nonfinite in a chain leaves out steps with such gradients instead.
template<class Owner>
void check_finite(Owner const& owner) {
    constexpr bool owns = requires { owner.store().variables(); };
    static_assert(owns, "xgrad::check_finite(owner): owner must be a trainer (minimize, apply_gradients) or xgrad::variables");
    if constexpr (owns) detail::check_store(owner.store());
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
