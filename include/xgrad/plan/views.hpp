// SPDX-License-Identifier: MIT
// Where the elements of a row lie: views (aliases, broadcasts, transposes, slices) seen through to the row that owns memory.
#pragma once

#include <xgrad/plan/extent_pool.hpp>
#include <xgrad/plan/plan.hpp>

XGRAD_NAMESPACE_BEGIN

/// Offset and strides of a row's elements in the memory of `base`.
struct memory_view {
    int base;
    extent_id offset;
    extent_id stride[max_rank];
};

/// Which space dimension each axis of a row runs along; -1 for extents of 1.
struct axis_map {
    signed char to[max_rank];
};

/// What planning asks of a row again and again.
struct row_facts {
    op_kind kind;
    dtype type;
    bool is_view;          // seen through: not copied
    bool keeps_elements;   // a view that keeps the elements one by one, so that a register can stand for it
    bool is_leaf, is_number;
    bool copied;   // a view (or a leaf asked for as a result) whose elements are copied to memory of their own
    bool live, stored;
    bool whole;              // of what the caller or an update reads: laid out in the order of its axes
    signed char lane_axis;   // the axis that lies innermost where the lanes want it so, or -1
    bool packed;             // a leaf that is copied so, for the steps with such lanes
    unsigned char
        inlined;   // computed in each loop that reads it: 2 made of constants and sizes alone, 3 larger than what it is made of, 1 for other reasons
    int view_operand;    // of a view, copied or not
    int operand_count;   // that are read
    int const* operands;
    int placed;            // row of the concatenation in whose memory a row is computed, or -1
    extent_id placed_at;   // its first element along the axis
    int leaf;              // which input or which variable, in the order of their first appearance
    int step;              // in which a row is computed, or -1
    int ready;             // the step after which a row's memory is complete; -1: from the start
    short reg;             // of that step, which holds the row, or -1
    signed char phase;     // the pass of that step in which it is computed
    id_shape dims;
};

class row_views {
protected:
    table_view t;
    extent_pool& pool;
    sequence<row_facts> fact_list;
    row_facts* rows;
    bool reads_packed = false;   // the step at hand reads packed leaves in their copies

    constexpr row_views(table_view const& table, extent_pool& extents, row_facts const* known)
        : t(table), pool(extents), fact_list(table.count), rows(fact_list.at) {
        for (row_facts *p = rows, *end = rows + t.count; p != end; ++p) *p = *known++;
    }
    constexpr row_views(table_view const& table, extent_pool& extents)
        : t(table), pool(extents), fact_list(table.count), rows(fact_list.at) {
        int inputs = 0, variables = 0;
        for (int i = 0; i < t.count; ++i) {
            row const& r = t.rows[i];
            row_facts f{};
            f.kind = r.op->kind;
            f.type = r.value.type;
            f.dims = pool.intern(r.value.dims);
            f.operands = t.operand_list + r.first_operand;
            f.operand_count = r.count;
            f.placed = f.step = f.ready = f.view_operand = f.reg = -1;
            f.lane_axis = -1;
            switch (f.kind) {
            case op_kind::input:
            case op_kind::variable:
                f.is_leaf = true;
                f.leaf = f.kind == op_kind::input ? inputs++ : variables++;
                break;
            case op_kind::constant:
            case op_kind::size: f.is_leaf = f.is_number = true; break;
            case op_kind::random: f.operand_count = 0; break;   // a stream reads no operand
            case op_kind::alias:
                f.is_view = true;
                f.view_operand = f.operands[0];
                f.keeps_elements = same_axes(f.dims, rows[f.view_operand].dims);
                break;
            case op_kind::composite:
                f.is_view = f.keeps_elements = true;
                f.view_operand = f.operands[r.count - 1];
                break;
            case op_kind::broadcast: f.keeps_elements = true; [[fallthrough]];
            case op_kind::transpose:
            case op_kind::slice:
                f.is_view = true;
                f.view_operand = f.operands[0];
                break;
            default: break;
            }
            rows[i] = f;
        }
    }
    row_views(row_views const&) = delete;

    constexpr void copy(int i) {
        rows[i].copied = true;
        rows[i].is_view = false;
    }
    /// While a copy itself is made, its row is read as the view that it is.
    constexpr void see_through(int i, bool seen) {
        rows[i].copied = !seen;
        rows[i].is_view = seen && rows[i].view_operand >= 0;
    }

    /// An alias that only adds or drops axes of extent 1.
    static constexpr bool same_axes(id_shape const& a, id_shape const& b) {
        int i = 0, k = 0;
        while (true) {
            while (i < a.rank && a.extents[i] == one_extent) ++i;
            while (k < b.rank && b.extents[k] == one_extent) ++k;
            if (i == a.rank || k == b.rank) return i == a.rank && k == b.rank;
            if (a.extents[i++] != b.extents[k++]) return false;
        }
    }
    /// The map of a view's axes carried over to its operand (for views that keep elements).
    constexpr axis_map through(int i, axis_map const& m) const {
        id_shape const &s = rows[i].dims, &x = rows[rows[i].view_operand].dims;
        axis_map r{};
        if (rows[i].kind == op_kind::alias) {
            int k = 0;
            for (int a = 0; a < x.rank; ++a) {
                r.to[a] = -1;
                if (x.extents[a] == one_extent) continue;
                while (s.extents[k] == one_extent) ++k;
                r.to[a] = m.to[k++];
            }
        } else
            for (int a = 0; a < x.rank; ++a)
                r.to[a] = x.extents[a] == one_extent ? static_cast<signed char>(-1) : m.to[a + s.rank - x.rank];
        return r;
    }
    /// The row that owns the memory of row `i`.
    constexpr int owner(int i) const {
        while (rows[i].is_view) i = rows[i].view_operand;
        return i;
    }
    constexpr bool is_contiguous(int i) const {
        while (rows[i].is_view) {
            switch (rows[i].kind) {
            case op_kind::alias:
            case op_kind::composite: break;
            case op_kind::slice:
                if (t.attrs(i).integer[3] > 1) return false;
                for (int a = 0; a < t.attrs(i).integer[0]; ++a)
                    if (rows[i].dims.extents[a] != one_extent) return false;
                break;
            default: return false;
            }
            i = rows[i].view_operand;
        }
        return rows[i].placed < 0;
    }
    constexpr void contiguous_strides(id_shape const& s, extent_id* stride) const {
        extent_id n = one_extent;
        for (int a = s.rank; a-- > 0;) {
            stride[a] = s.extents[a] == one_extent ? zero_extent : n;
            if (a > 0) n = pool.multiply(n, s.extents[a]);
        }
    }
    /// Of a row in memory of its own.
    constexpr void own_strides(int i, extent_id* stride) const {
        id_shape const& s = rows[i].dims;
        int const lanes = rows[i].packed && !reads_packed ? -1 : rows[i].lane_axis;
        if (lanes < 0) return contiguous_strides(s, stride);
        extent_id n = s.extents[lanes];
        for (int a = s.rank; a-- > 0;) {
            stride[a] = s.extents[a] == one_extent ? zero_extent : a == lanes ? one_extent : n;
            if (a != lanes) n = pool.multiply(n, s.extents[a]);
        }
    }
    constexpr memory_view locate(int i) const {
        memory_view r{};
        row_facts const& f = rows[i];
        id_shape const& s = f.dims;
        if (!f.is_view) {
            if (f.placed < 0) {
                r.base = i;
                own_strides(i, r.stride);
                return r;
            }
            memory_view const c = locate(f.placed);
            r.base = c.base;
            auto const axis = static_cast<int>(t.attrs(f.placed).integer[0]);
            r.offset = pool.add(c.offset, pool.multiply(f.placed_at, c.stride[axis]));
            for (int a = 0; a < s.rank; ++a) r.stride[a] = s.extents[a] == one_extent ? zero_extent : c.stride[a];
            return r;
        }
        id_shape const& x = rows[f.view_operand].dims;
        memory_view const m = locate(f.view_operand);
        if (f.kind == op_kind::composite) return m;
        r.base = m.base;
        r.offset = m.offset;
        switch (f.kind) {
        case op_kind::alias:
            if (!f.keeps_elements) {   // contiguous, by the choice of copies
                contiguous_strides(s, r.stride);
                break;
            }
            for (int a = 0, k = 0; a < s.rank; ++a) {
                if (s.extents[a] == one_extent) continue;
                while (x.extents[k] == one_extent) ++k;
                r.stride[a] = m.stride[k++];
            }
            break;
        case op_kind::broadcast:
            for (int a = 0; a < x.rank; ++a) r.stride[a + s.rank - x.rank] = x.extents[a] == one_extent ? zero_extent : m.stride[a];
            break;
        case op_kind::transpose:
            for (int a = 0; a < s.rank; ++a) r.stride[a] = m.stride[(t.attrs(i).integer[0] >> (4 * a)) & 15];
            break;
        case op_kind::slice: {
            attributes const& at = t.attrs(i);
            extent_id const begin = pool.intern(at.target.rank != 0 ? at.target.extents[0] : static_extent(at.integer[1]));
            for (int a = 0; a < s.rank; ++a) r.stride[a] = s.extents[a] == one_extent ? zero_extent : m.stride[a];
            r.offset = pool.add(r.offset, pool.multiply(begin, m.stride[at.integer[0]]));
            if (at.integer[3] > 1) r.stride[at.integer[0]] = pool.scale(r.stride[at.integer[0]], at.integer[3]);
            break;
        }
        default: break;
        }
        return r;
    }
};

XGRAD_NAMESPACE_END
