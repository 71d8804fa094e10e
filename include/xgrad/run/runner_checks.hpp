// SPDX-License-Identifier: MIT
// The bodies of the runner's functions that check a call: its arrays, sizes and numbers.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/run/runner_class.hpp>

#include <algorithm>
#include <limits>

#if XGRAD_COMPILED != 1
XGRAD_NAMESPACE_BEGIN

XGRAD_RARE XGRAD_HOST status runner::check_extents() {
    evaluate();
    for (int i = 0; i < plan_.polynomial_count; ++i) {
        extent const& e = plan_.polynomials[i];
        if (values_.at[i] >= 0 || !e.has_both_signs()) continue;
        found_ = {.found = size_in(dims_, *e.terms[0].dims[0], 0), .expected = e.terms[0].coefficient};
        for (int v = 0; v < plan_.variable_count && e.terms[0].coefficient < 0; ++v)
            if (leaf_info const& sliced = plan_.variables[v]; sliced.rest == i) {
                found_.axis = sliced.sliced_axis;
                found_.variable = sliced.name;
                found_.expected = value(sliced.extents[sliced.sliced_axis]);
            }
        return {status_code::dimension_too_small, e.terms[0].dims[0]->name};
    }
    for (int i = 0; i < plan_.step_count; ++i)   // rows are grouped by 32-bit numbers
        if (planner::plan_step const& s = plan_.steps[i]; s.updates_rows())
            if (std::max(value(s.extent[0]), value(s.extent[2])) > std::numeric_limits<std::int32_t>::max())
                return {status_code::too_many_rows, variables_.at[s.variable]->name};
    for (runner* body : bodies_)
        if (status const s = (body->take_sizes(dims_), body->check_extents()); !s) return found_ = body->found_, s;
    return {};
}
XGRAD_HOST bool runner::check_numbers(leaf_info const& leaf, array_ref const& a, std::int64_t n) {
    if (!is_floating(leaf.type) || leaf.warning != nullptr) return true;   // inputs with a warning are checked later
    bool good = true;
    visit_floating(leaf.type, [&]<class T>(std::type_identity<T>) {
        for (std::int64_t i = 0; good && i < n; ++i) {
            auto const x = static_cast<double>(static_cast<T const*>(a.data)[i]);
            good = x >= leaf.from && x < leaf.below;
            if (good) continue;
            found_.offset = i;
            found_.number = x;
            found_.from = leaf.from;
            found_.below = leaf.below;
        }
    });
    return good;
}
XGRAD_COLD XGRAD_HOST void runner::warn_of_zeros() const {
    int matrices = 0;
    bool updates = false;
    for (int i = 0; i < plan_.variable_count; ++i) updates = updates || plan_.variables[i].group >= 0;
    for (int i = 0; i < plan_.variable_count; ++i) {
        stored_variable const& v = *variables_.at[i];
        if (!(updates ? plan_.variables[i].group >= 0 : plan_.variables[i].trainable) || !has_gradient(v.type) || begins_alone(v)) continue;
        auto const* const bytes = static_cast<unsigned char const*>(v.data);
        for (std::size_t k = 0, n = part_of(v).bytes(); k < n; ++k)
            if (bytes[k] != 0) return;
        matrices += v.rank >= 2;
    }
    if (matrices >= 2 && !__atomic_exchange_n(&store_->warned, true, __ATOMIC_RELAXED))   // once per owner
        warning_handler("all variables that this program trains are 0, so in a product of several matrices none has a gradient. Call "
                        "initialize(xgrad::glorot_uniform{.seed = 1}) of their owner before the first call");
}
// Element i of integers of 8 and 16 bits or without sign, as 64 bits. A negative one is larger than every index.
XGRAD_INLINE std::uint64_t bits_of_integer(dtype type, void const* p, std::int64_t i) {
    std::size_t const size = size_of(type);
    std::uint64_t const x = size == 1   ? static_cast<std::uint8_t const*>(p)[i]
                            : size == 2 ? static_cast<std::uint16_t const*>(p)[i]
                            : size == 4 ? static_cast<std::uint32_t const*>(p)[i]
                                        : static_cast<std::uint64_t const*>(p)[i];
    std::uint64_t const sign = is_unsigned(type) ? 0 : std::uint64_t{1} << (8 * size - 1);
    return (x ^ sign) - sign;
}
XGRAD_HOST std::int64_t runner::index_limit(int input) const {
    std::int64_t limit = plan_.inputs[input].index_limit;
    for (int k = 0; k < plan_.limit_count; ++k) {
        if (plan_.limits[k].input != input) continue;
        std::int64_t const rows = extent_at(plan_.polynomials[plan_.limits[k].extent], trial_, 0);
        limit = limit < 0 || rows < limit ? rows : limit;
    }
    return limit;
}
XGRAD_HOST bool runner::check_indices(leaf_info const& leaf, array_ref const& a, std::int64_t n, std::int64_t limit) {
    auto const look = [&](auto const* p) {
        found_.offset = sparse::first_out_of_range(p, n, limit);
        if (found_.offset >= 0) found_.found = p[found_.offset];
    };
    found_.is_unsigned = is_unsigned(leaf.type);
    found_.expected = limit;
    if (leaf.type == dtype::int32) look(static_cast<std::int32_t const*>(a.data));
    else if (leaf.type == dtype::int64) look(static_cast<std::int64_t const*>(a.data));
    else {
        found_.offset = -1;
        for (std::int64_t k = n; k-- > 0;)   // to the first
            if (std::uint64_t const x = bits_of_integer(leaf.type, a.data, k); x >= static_cast<std::uint64_t>(limit)) {
                found_.offset = k;
                found_.found = static_cast<std::int64_t>(x);
            }
    }
    if (found_.offset < 0) return true;
    found_.reason = "";
    return false;
}
XGRAD_HOST status runner::check(array_ref const* in, std::uint64_t const* given) {
    for (int i = 0; i < trial_.count; ++i)
        if (holders_.at[i] == nullptr) trial_.at[i].size = -1;
    for (int i = 0; i < plan_.input_count; ++i) {
        leaf_info const& leaf = plan_.inputs[i];
        if (given[i] == 0) return {status_code::missing_input, leaf.name};
        array_ref const& a = in[i];
        found_.found = a.rank;
        found_.expected = leaf.rank;
        if (a.rank != leaf.rank) return {status_code::wrong_rank, leaf.name};
        for (int d = 0; d < a.rank; ++d) {   // a single dimension gets its size from the first array that has it
            extent const& e = plan_.polynomials[leaf.extents[d]];
            if (!e.is_dimension()) continue;
            bound_size* const b = find_size(trial_, *e.terms[0].dims[0]);
            if (b->size < 0) b->size = a.extents[d];
        }
    }
    for (int i = 0; i < plan_.input_count; ++i) {
        leaf_info const& leaf = plan_.inputs[i];
        array_ref const& a = in[i];
        std::int64_t n = 1;
        for (int d = 0; d < a.rank; ++d) {
            extent const& e = plan_.polynomials[leaf.extents[d]];
            std::int64_t const want = extent_at(e, trial_, 0);
            if (a.extents[d] != want) {
                found_.axis = d;
                found_.found = a.extents[d];
                found_.expected = want;
                found_.dimension = e.count > 0 ? e.terms[0].dims[0]->name : std::string_view{};
                return {status_code::wrong_extent, leaf.name};
            }
            n *= a.extents[d];
        }
        if (!a.contiguous) return {status_code::not_contiguous, leaf.name};
        if (n > 0 && a.data == nullptr) {
            found_.found = n;
            return {status_code::null_array, leaf.name};
        }
        if (n > 0 && is_written(a.data)) return {status_code::overlaps, leaf.name};
        if (leaf.from < leaf.below && !check_numbers(leaf, a, n)) return {status_code::number_out_of_range, leaf.name};
        std::int64_t const limit = index_limit(i);
        if (limit >= 0 && !check_indices(leaf, a, n, limit)) return {status_code::index_out_of_range, leaf.name};
    }
    return {};
}
XGRAD_COLD XGRAD_HOST status runner::find_index(call_fault const& f) {
    found_.operation = f.name;
    found_.reason = f.reason;
    found_.is_unsigned = f.is_unsigned;
    auto const at = reinterpret_cast<std::uintptr_t>(f.index);
    for (auto const& p : patches_) {
        leaf_info const& leaf = plan_.inputs[p.input];
        std::int64_t n = 1;
        for (int d = 0; d < leaf.rank; ++d) n *= value(leaf.extents[d]);
        auto const begin = reinterpret_cast<std::uintptr_t>(operands_.at[p.operand].data - p.bytes);
        std::size_t const each = size_of(leaf.type);
        if (at < begin || at - begin >= static_cast<std::size_t>(n) * each) continue;
        found_.offset = static_cast<std::int64_t>((at - begin) / each);
        return {status_code::index_out_of_range, leaf.name};
    }
    return {status_code::index_out_of_range, {}};
}

XGRAD_NAMESPACE_END
#endif
#include <xgrad/config/macros_end.hpp>
