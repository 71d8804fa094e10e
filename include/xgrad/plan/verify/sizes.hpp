// SPDX-License-Identifier: MIT
// Sizes for the verifier: which are equal, and which are at most as large as others. Coefficients prove it for all values of
// the named dimensions; if they do not decide, it is checked at sample sizes.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/extent_pool.hpp>
#include <xgrad/plan/verify/finding.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// Sums of sums of extents. A proof needs more terms than a plan.
using wide_extent = polynomial<6>;
inline constexpr extent_id unknown_extent = -1;   // a polynomial that does not fit: equal to nothing

/// The elements offset + sum of i_d * stride_d with 0 <= i_d < extent_d.
struct memory_region {
    extent_id offset;
    int rank;
    extent_id extent[max_rank], stride[max_rank];
    bool empty = false;         // an extent is 0
    bool conditional = false;   // repeated along an extent that may be 0: then nothing is accessed
    int repeats = 0;
    extent_id repeated[max_rank]{};   // along these extents
};

/// First layer of the verifier: comparisons of sizes.
class plan_sizes {
    static constexpr int points = 64, most_dims = 8;
    // If comparing coefficients does not decide (quotients, differences of dimensions),
    // sizes are computed at sample values of these dimensions.
    sequence<dim_info const*> dims_;
    sequence<extent_id> at_least_zero_;   // a call rejects sizes for which one of these is negative
    bool collected_ = false;

    constexpr void add_dims(extent const& e) {
        for (int k = 0; k < e.count; ++k)
            for (auto const* d : e.terms[k].dims) {
                bool known = d == nullptr;
                for (auto const* q : dims_) known = known || q->hash == d->hash;
                if (!known && dims_.count < most_dims) dims_.push(d);
            }
    }
    constexpr void collect() {
        if (collected_) return;
        collected_ = true;
        auto assume = [&](extent const& e) {
            add_dims(e);
            if (e.has_both_signs() && !e.overflow) at_least_zero_.push(pool.intern(widen<wide_extent>(e)));
        };
        for (int i = 0; i < p.polynomial_count; ++i) assume(p.polynomials[i]);
        for (int i = 0; i < t.count; ++i) {
            shape const& s = t.dims(i);
            if (t.kind(i) == op_kind::input || t.kind(i) == op_kind::variable)
                for (int a = 0; a < s.rank; ++a) assume(s.extents[a]);
            if (t.kind(i) != op_kind::slice) continue;
            attributes const a = t.attrs(i);
            extent const &begin = slice_begin(a), &span = slice_span(a);
            for (extent const& e : {begin, span, t.dims(t.operand(i, 0)).extents[a.as<slice_attributes>().axis] - begin - span}) assume(e);
        }
    }
    constexpr std::int64_t size_at(int point, dim_info const& d) const {
        constexpr std::int64_t lone[]{1, 2, 3, 0, 4, 5, 6, 7, 8, 9, 12, 16, 33, 64, 255, 1000};
        int at = 0;
        while (at < dims_.count && dims_.at[at]->hash != d.hash) ++at;
        if (dims_.count == 1) return lone[point & 15];
        if (dims_.count <= 3 && point < 27) return lone[(at == 0 ? point : at == 1 ? point / 3 : point / 9) % 3];
        auto const h = hash_mix(static_cast<std::uint64_t>(point), static_cast<std::uint64_t>(at) + 1);
        return lone[(h ^ h >> 17) & 15];
    }
    constexpr std::int64_t value_at(int point, extent_id e) const {
        return pool.values.at[e].evaluate([&](dim_info const& d) { return size_at(point, d); });
    }
    static constexpr bool is_positive(cost_polynomial const& q) {
        bool good = q.constant >= 0 && !q.overflow;
        for (int i = 0; i < q.count; ++i) good = good && q.terms[i].coefficient >= 0;
        return good;
    }
    template<class To, class From>
    static constexpr To widen(From const& e) {
        To r{};
        r.add(e);
        return r;
    }

protected:
    table_view t;
    plan_view p;
    polynomial_pool<wide_extent> pool;
    sequence<extent_id> id_list;   // of the plan's polynomials

    constexpr plan_sizes(table_view const& table, plan_view const& plan) : t(table), p(plan), id_list(plan.polynomial_count) {
        for (int i = 0; i < p.polynomial_count; ++i) id_list.push(id_of(p.polynomials[i]));
    }
    constexpr extent_id id(int polynomial) const { return id_list.at[polynomial]; }
    constexpr extent_id id_of(wide_extent const& e) { return e.overflow ? unknown_extent : pool.intern(e); }
    constexpr extent_id id_of(extent const& e) { return id_of(widen<wide_extent>(e)); }
    constexpr extent_id multiply(extent_id a, extent_id b) {
        if (a == zero_extent || b == zero_extent) return zero_extent;
        if (a < 0 || b < 0) return unknown_extent;
        if (a == one_extent) return b;
        if (b == one_extent) return a;
        return id_of(xgrad::multiply<6>(pool.values.at[a], pool.values.at[b]));
    }
    constexpr extent_id add(extent_id a, extent_id b, std::int64_t times = 1) {
        if (a < 0 || b < 0) return unknown_extent;
        wide_extent r = pool.values.at[a];
        r.add(pool.values.at[b], times);
        return id_of(r);
    }
    constexpr extent_id size_of_shape(shape const& s) {
        extent_id n = one_extent;
        for (int a = 0; a < s.rank; ++a) n = multiply(n, id_of(s.extents[a]));
        return n;
    }
    constexpr long long static_value(extent_id e) const { return e < 0 || pool.values.at[e].count > 0 ? -1 : pool.values.at[e].constant; }
    constexpr bool is_forwards(extent_id e) const { return is_positive(widen<cost_polynomial>(pool.values.at[e])); }
    /// Whether any call can succeed. If the sizes contradict each other, no call can, and nothing needs to be checked.
    constexpr bool may_be_called() {
        collect();
        for (int point = 0, end = point_count(); point < end; ++point)
            if (is_possible(point)) return true;
        return false;
    }
    /// Whether a >= b: proved by coefficients, else checked at the sample sizes that a call accepts.
    constexpr bool dominates(extent_id a, extent_id b) {
        if (a < 0 || b < 0) return false;
        if (a == b) return true;
        auto q = widen<cost_polynomial>(pool.values.at[a]);
        q.add(pool.values.at[b], -1);
        return is_positive(q) || holds([&](int point) { return value_at(point, a) >= value_at(point, b); });
    }
    /// Whether the whole region is within `size` elements: proved or checked in the same way.
    constexpr bool lies_within(memory_region const& r, extent_id size) {
        if (r.empty) return true;
        if (size < 0 || r.offset < 0) return false;
        for (int d = 0; d < r.rank; ++d)
            if (r.extent[d] < 0 || r.stride[d] < 0) return false;
        if (r.offset == zero_extent && r.rank == 1 && r.stride[0] == one_extent && r.extent[0] == size) return true;
        auto q = widen<cost_polynomial>(pool.values.at[size]);   // distance from the last element to the end
        q.constant -= 1;
        q.add(pool.values.at[r.offset], -1);
        bool forwards = is_forwards(r.offset);
        for (int d = 0; d < r.rank; ++d) {
            forwards = forwards && is_forwards(r.stride[d]);
            q.add(xgrad::multiply<12>(pool.values.at[r.extent[d]], pool.values.at[r.stride[d]]), -1);
            q.add(pool.values.at[r.stride[d]]);
        }
        if (forwards && is_positive(q)) return true;
        return holds([&](int point) {
            std::int64_t const first = value_at(point, r.offset);
            std::int64_t last = first, least = first;
            for (int d = 0; d < r.repeats; ++d)
                if (r.repeated[d] >= 0 && value_at(point, r.repeated[d]) < 1) return true;
            for (int d = 0; d < r.rank; ++d) {
                std::int64_t const e = value_at(point, r.extent[d]), s = value_at(point, r.stride[d]);
                if (e < 1) return true;
                last += (e - 1) * s;
                if (s < 0) least = -1;
            }
            return least >= 0 && last < value_at(point, size);
        });
    }

private:
    constexpr int point_count() const { return dims_.count == 0 ? 1 : dims_.count == 1 ? 16 : points; }
    constexpr bool is_possible(int point) const {
        for (extent_id e : at_least_zero_)
            if (value_at(point, e) < 0) return false;
        return true;
    }
    template<class F>
    constexpr bool holds(F const& f) {
        collect();
        for (int point = 0, end = point_count(); point < end; ++point)
            if (is_possible(point) && !f(point)) return false;
        return true;
    }
};

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
