// SPDX-License-Identifier: MIT
// The bodies of the runner's functions for results in memory of the caller (result_memory.hpp).
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/run/runner_class.hpp>

#if XGRAD_COMPILED != 1
XGRAD_NAMESPACE_BEGIN

XGRAD_RARE XGRAD_HOST void runner::choose_results() {
    results_.patches.clear();
    for (short& array : results_.array_of) array = -1;
    short array = 0;
    for (int k = 0; k < plan_.output_count; ++k) {
        if (plan_.output_shapes[k].rank == 0) continue;
        planner::step_operand const& o = plan_.outputs[k];
        if (o.base == planner::step_operand::where::buffer) {
            planner::plan_buffer const& b = plan_.buffers[o.index];
            bool const whole = value(o.offset) == 0 && value(b.size) == elements(plan_.output_shapes[k]) && !b.passing;
            if (whole) results_.array_of[o.index] = array;
        }
        ++array;
    }
    // A scalar result may be an element of such a buffer.
    // It must stay readable after the caller's memory is gone, so this buffer stays in the arena.
    for (int k = 0; k < plan_.output_count; ++k)
        if (planner::step_operand const& o = plan_.outputs[k];
            plan_.output_shapes[k].rank == 0 && o.base == planner::step_operand::where::buffer)
            results_.array_of[o.index] = -1;
}
XGRAD_HOST void runner::point_results(array_ref const* out) {
    results_.lent = out != nullptr;
    int array = 0;
    for (int k = 0; results_.lent && k < plan_.output_count; ++k)
        if (plan_.output_shapes[k].rank > 0) {
            results_.given[array] = static_cast<std::byte*>(const_cast<void*>(out[array].data));
            ++array;
        }
    for (auto const& p : results_.patches)
        operands_.at[p.operand].data = results_.lent ? results_.given[p.array] + p.bytes : address(plan_.operands[p.operand], p.bytes);
}
XGRAD_HOST void runner::lend_results(std::byte* const* to) {
    results_.lent = true;
    int array = 0;
    for (int k = 0; k < plan_.output_count; ++k)
        if (plan_.output_shapes[k].rank > 0) results_.given[array++] = to[k];
    for (auto const& p : results_.patches) operands_.at[p.operand].data = results_.given[p.array] + p.bytes;
}
XGRAD_HOST void runner::take_back_results() {
    results_.lent = true;   // to itself
    for (int k = 0; k < plan_.output_count; ++k)
        if (int const array = array_of_result(k); array >= 0) place_result(array, address(plan_.outputs[k], 0));
}
XGRAD_HOST void runner::copy_results() {
    int array = 0;
    for (int k = 0; k < plan_.output_count; ++k) {
        leaf_info const& result = plan_.output_shapes[k];
        if (result.rank == 0) continue;
        std::byte* const to = results_.given[array++];
        std::int64_t const n = elements(result);
        if (void const* const from = output(k); n > 0 && from != to)
            __builtin_memcpy(to, from, static_cast<std::size_t>(n) * size_of(result.type));
    }
}
XGRAD_HOST std::int64_t runner::trial_elements(leaf_info const& result) const {
    std::int64_t n = 1;
    for (int d = 0; d < result.rank; ++d) {
        std::int64_t const e = extent_at(plan_.polynomials[result.extents[d]], trial_, 0);
        if (e < 0) return -1;
        if (__builtin_mul_overflow(n, e, &n)) return -1;
    }
    return n;
}
XGRAD_HOST bool runner::fits(leaf_info const& result, array_ref const& a) {
    found_.axis = -1;
    found_.found = a.rank;
    found_.expected = result.rank;
    if (a.rank == any_shape) {
        found_.axis = -2;
        found_.found = a.extents[0];
        return a.extents[0] == (found_.expected = trial_elements(result));
    }
    if (a.rank != result.rank) return false;
    for (int d = 0; d < a.rank; ++d) {
        found_.axis = d;
        found_.found = a.extents[d];
        found_.expected = extent_at(plan_.polynomials[result.extents[d]], trial_, 0);
        if (found_.found != found_.expected) return false;
    }
    return true;
}
XGRAD_HOST status runner::check_results(array_ref const* in, array_ref const* out) {
    auto const refuse = [&](char const* why, std::string_view with = {}) {
        found_.reason = why;
        return status{status_code::refused_array, with};
    };
    found_.array = 0;
    for (int k = 0; k < plan_.output_count; ++k) {
        leaf_info const& result = plan_.output_shapes[k];
        if (result.rank == 0) continue;
        array_ref const& a = out[found_.array++];
        std::int64_t const n = trial_elements(result);
        if (n < 0) return {};   // the check of all extents reports this
        if (!fits(result, a)) return {status_code::wrong_array, {}};
        if (!a.contiguous) return refuse("is not contiguous and row-major; results are written row by row, without gaps");
        if (n == 0) continue;
        if (a.data == nullptr) return refuse("has no memory: its address is null");
        detail::byte_range const here(a.data, n, result.type);
        auto const* const first = static_cast<std::byte const*>(a.data);
        auto const* const last = first + (here.last - here.first) - 1;
        auto const lies_in = [&](auto const& memory) { return memory.holds(first) || memory.holds(last); };
        if (lies_in(arena_)) return refuse("is memory of the function itself, an earlier result of it");
        bool kept = store_ != nullptr && lies_in(store_->memory());
        if (store_ != nullptr)
            for (optimizer_state const* o : store_->optimizers()) kept = kept || lies_in(o->memory());
        if (kept) return refuse("is memory of the variables or of their optimizer, which a function does not change");
        for (int i = 0; i < plan_.input_count; ++i) {
            std::int64_t count = 1;
            for (int d = 0; d < in[i].rank; ++d) count *= in[i].extents[d];
            if (here.meets({in[i].data, count, plan_.inputs[i].type}))
                return refuse("shares memory with an input, which is read while results are written:", plan_.inputs[i].name);
        }
        for (int j = 0, before = 0; j < k; ++j) {
            leaf_info const& other = plan_.output_shapes[j];
            if (other.rank == 0) continue;
            if (here.meets({out[before++].data, trial_elements(other), other.type})) return refuse("shares memory with one before it");
        }
    }
    return {};
}

XGRAD_NAMESPACE_END
#endif
#include <xgrad/config/macros_end.hpp>
