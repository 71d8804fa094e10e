// SPDX-License-Identifier: MIT
// Extents by number. Polynomials are expensive to copy and compare while planning, so the planner uses numbers.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/graph/table.hpp>
#include <xgrad/meta/sequence.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

using extent_id = short;
inline constexpr extent_id zero_extent = 0, one_extent = 1;

/// The shape of a node. Its extents are numbers in the pool.
struct id_shape {
    int rank;
    extent_id extents[max_rank];

    constexpr bool operator==(id_shape const& o) const {
        if (rank != o.rank) return false;
        for (int a = 0; a < rank; ++a)
            if (extents[a] != o.extents[a]) return false;
        return true;
    }
};

/// Equal extents have equal numbers. 0 and 1 have the numbers 0 and 1.
template<class Polynomial>
class polynomial_pool {
    sequence<int> heads_{64, zero_elements}, next_;   // hash chains: index + 1, 0 ends a chain

public:
    sequence<Polynomial> values;

    constexpr polynomial_pool() {
        for (int n : {0, 1}) {
            Polynomial e{};
            e.constant = n;
            intern(e);
        }
    }
    constexpr polynomial_pool(Polynomial const* saved, int count) : polynomial_pool() {
        for (int i = 0; i < count; ++i) intern(saved[i]);
    }
    constexpr int save(Polynomial* to) const {
        for (int i = 0; i < values.count; ++i) to[i] = values.at[i];
        return values.count;
    }
    constexpr extent_id intern(Polynomial const& e) {
        if (e.count == 0 && !e.overflow && (e.constant == 0 || e.constant == 1) && values.count > e.constant)
            return static_cast<extent_id>(e.constant);
        std::uint64_t h = static_cast<std::uint64_t>(e.constant) * 0x9E3779B97F4A7C15u;
        if (e.count != 0) h = e.hash();
        int& head = heads_.at[h >> 58];
        for (int i = head; i > 0; i = next_.at[i - 1])
            if (values.at[i - 1] == e) return static_cast<extent_id>(i - 1);
        next_.push(head);
        values.push(e);
        head = values.count;
        return static_cast<extent_id>(head - 1);
    }
    constexpr extent_id multiply(extent_id a, extent_id b) {
        if (a == zero_extent || b == zero_extent) return zero_extent;
        if (a == one_extent) return b;
        if (b == one_extent) return a;
        return intern(values.at[a] * values.at[b]);
    }
    constexpr extent_id add(extent_id a, extent_id b) {
        if (a == zero_extent) return b;
        if (b == zero_extent) return a;
        return intern(values.at[a] + values.at[b]);
    }
    constexpr extent_id scale(extent_id a, std::int64_t n) { return multiply(a, intern(static_extent(n))); }
    constexpr id_shape intern(shape const& s) {
        id_shape r{s.rank, {}};
        for (int a = 0; a < s.rank; ++a) r.extents[a] = intern(s.extents[a]);
        return r;
    }
};
using extent_pool = polynomial_pool<extent>;

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
