// SPDX-License-Identifier: MIT
// Where the elements of a row lie: views (aliases, broadcasts, transposes, slices) seen through to the row that owns memory.
#pragma once

#include <xgrad/plan/plan.hpp>

#include <vector>

XGRAD_NAMESPACE_BEGIN

/// Offset and strides of a row's elements in the memory of `base`.
struct memory_view {
    int base;
    extent offset;
    extent stride[max_rank];
};

/// Which space dimension each axis of a row runs along; -1 for extents of 1.
struct axis_map {
    signed char to[max_rank];
};

class row_views {
protected:
    table_view t;
    std::vector<unsigned char> copied;   // a view whose elements are copied to memory of their own
    std::vector<int> placed;             // row of the concatenation in whose memory a row is computed, or -1
    std::vector<extent> placed_at;       // its first element along the axis

    constexpr explicit row_views(table_view const& table) : t(table), copied(table.count, 0), placed(table.count, -1), placed_at(table.count, extent{}) {}

    constexpr bool is_view(int i) const {
        if (copied[i] != 0) return false;
        switch (t.kind(i)) {
        case op_kind::alias:
        case op_kind::composite:
        case op_kind::broadcast:
        case op_kind::transpose:
        case op_kind::slice: return true;
        default: return false;
        }
    }
    constexpr int view_operand(int i) const { return t.operand(i, t.kind(i) == op_kind::composite ? t[i].count - 1 : 0); }

    /// An alias that only adds or drops axes of extent 1.
    constexpr bool same_axes(shape const& a, shape const& b) const {
        int i = 0, k = 0;
        while (true) {
            while (i < a.rank && is_one(a.extents[i])) ++i;
            while (k < b.rank && is_one(b.extents[k])) ++k;
            if (i == a.rank || k == b.rank) return i == a.rank && k == b.rank;
            if (!(a.extents[i++] == b.extents[k++])) return false;
        }
    }
    /// True where the view keeps the elements one by one, so that a register can stand for it.
    constexpr bool keeps_elements(int i) const {
        switch (t.kind(i)) {
        case op_kind::alias: return same_axes(t.dims(i), t.dims(view_operand(i)));
        case op_kind::composite:
        case op_kind::broadcast: return true;
        default: return false;
        }
    }
    /// The map of a view's axes carried over to its operand (for views that keep elements).
    constexpr axis_map through(int i, axis_map const& m) const {
        shape const &s = t.dims(i), &x = t.dims(view_operand(i));
        axis_map r{};
        if (t.kind(i) == op_kind::alias) {
            int k = 0;
            for (int a = 0; a < x.rank; ++a) {
                r.to[a] = -1;
                if (is_one(x.extents[a])) continue;
                while (is_one(s.extents[k])) ++k;
                r.to[a] = m.to[k++];
            }
        } else
            for (int a = 0; a < x.rank; ++a) r.to[a] = is_one(x.extents[a]) ? static_cast<signed char>(-1) : m.to[a + s.rank - x.rank];
        return r;
    }
    /// The row that owns the memory of row `i`.
    constexpr int owner(int i) const {
        while (is_view(i)) i = view_operand(i);
        return i;
    }
    constexpr bool is_contiguous(int i) const {
        if (!is_view(i)) return placed[i] < 0;
        switch (t.kind(i)) {
        case op_kind::alias:
        case op_kind::composite: return is_contiguous(view_operand(i));
        case op_kind::slice:
            for (int a = 0; a < t.attrs(i).integer[0]; ++a)
                if (!is_one(t.dims(i).extents[a])) return false;
            return is_contiguous(view_operand(i));
        default: return false;
        }
    }
    constexpr void contiguous_strides(shape const& s, extent* stride) const {
        extent n = static_extent(1);
        for (int a = s.rank; a-- > 0;) {
            stride[a] = is_one(s.extents[a]) ? static_extent(0) : n;
            n = n * s.extents[a];
        }
    }
    constexpr memory_view locate(int i) const {
        memory_view r{};
        shape const& s = t.dims(i);
        if (!is_view(i)) {
            if (placed[i] < 0) {
                r.base = i;
                contiguous_strides(s, r.stride);
                return r;
            }
            memory_view const c = locate(placed[i]);
            r.base = c.base;
            auto const axis = static_cast<int>(t.attrs(placed[i]).integer[0]);
            r.offset = c.offset + placed_at[i] * c.stride[axis];
            for (int a = 0; a < s.rank; ++a) r.stride[a] = is_one(s.extents[a]) ? static_extent(0) : c.stride[a];
            return r;
        }
        int const source = view_operand(i);
        shape const& x = t.dims(source);
        memory_view const m = locate(source);
        r.base = m.base;
        r.offset = m.offset;
        switch (t.kind(i)) {
        case op_kind::alias:
            if (!same_axes(s, x)) {   // contiguous, by the choice of copies
                contiguous_strides(s, r.stride);
                break;
            }
            for (int a = 0, k = 0; a < s.rank; ++a) {
                if (is_one(s.extents[a])) continue;
                while (is_one(x.extents[k])) ++k;
                r.stride[a] = m.stride[k++];
            }
            break;
        case op_kind::broadcast:
            for (int a = 0; a < x.rank; ++a) r.stride[a + s.rank - x.rank] = is_one(x.extents[a]) ? static_extent(0) : m.stride[a];
            break;
        case op_kind::transpose:
            for (int a = 0; a < s.rank; ++a) r.stride[a] = m.stride[(t.attrs(i).integer[0] >> (4 * a)) & 15];
            break;
        case op_kind::slice:
            for (int a = 0; a < s.rank; ++a) r.stride[a] = is_one(s.extents[a]) ? static_extent(0) : m.stride[a];
            r.offset = r.offset + (t.attrs(i).target.rank == 2 ? t.attrs(i).target.extents[0] : static_extent(t.attrs(i).integer[1])) * m.stride[t.attrs(i).integer[0]];
            break;
        default:
            for (int a = 0; a < s.rank; ++a) r.stride[a] = m.stride[a];
        }
        return r;
    }
};

XGRAD_NAMESPACE_END
