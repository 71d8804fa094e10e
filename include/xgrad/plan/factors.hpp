// SPDX-License-Identifier: MIT
// Sums along the lanes: factors that do not vary along the row are taken out of it and multiplied with the sum.
#pragma once

#include <xgrad/core/empty_sum.hpp>
#include <xgrad/plan/values.hpp>

XGRAD_NAMESPACE_BEGIN

class factor_writer : protected value_writer {
protected:
    op_info const *product = nullptr, *negation = nullptr;   // of the factors that are being taken out

    using value_writer::value_writer;

    // A product whose factors that do not vary along the row are kept apart: they are multiplied with the sum.
    struct factored {
        short reg, rest;   // -1: nothing
        bool negative;
    };
    constexpr short combine(op_info const* op, short a, short b, int phase) {
        for (int k = first_ins; k < ins.count; ++k)
            if (instruction const& i = ins.at[k];
                i.kind == ins_kind::apply && i.op == op && i.a == a && i.b == (b < 0 ? 0 : b) && i.phase == phase)
                return static_cast<short>(k - first_ins);
        instruction i{};
        i.kind = ins_kind::apply;
        i.op = op;
        i.operands = b < 0 ? 1 : 2;
        i.a = a;
        i.b = b < 0 ? static_cast<short>(0) : b;
        i.level = value_level(a);
        if (b >= 0 && value_level(b) > i.level) i.level = value_level(b);
        i.phase = static_cast<signed char>(phase);
        return emit(i);
    }
    constexpr factored factor(int row, axis_map m, int phase) {
        for (; rows[row].is_view && rows[row].keeps_elements; row = rows[row].view_operand) m = through(row, m);
        row_facts const& f = rows[row];
        factored const whole{fetch(row, m, phase), -1, false};
        op_info const* const op = t[row].op;
        bool const multiplies = op->multilinear && f.operand_count == 2 && (product == nullptr || product == op);
        bool const negates = op->negates && f.operand_count == 1;
        if (f.kind != op_kind::elementwise || f.copied || (!multiplies && !negates) || value_level(whole.reg) < 2 ||
            (f.inlined == 0 && (f.step != current || f.stored)))
            return whole;
        (multiplies ? product : negation) = op;
        factored part[2]{};
        for (int k = 0; k < f.operand_count; ++k) part[k] = factor(f.operands[k], operand_map(m, f.dims, rows[f.operands[k]].dims), phase);
        if (negates) return {part[0].reg, part[0].rest, !part[0].negative};
        for (int k = 0; k < 2; ++k)
            if (value_level(part[k].reg) < 2) {
                factored const& y = part[1 - k];
                return {y.reg, y.rest < 0 ? part[k].reg : combine(op, part[k].reg, y.rest, phase), y.negative};
            }
        if (part[0].rest < 0 && part[1].rest < 0 && !part[0].negative && !part[1].negative) return whole;
        short const rest = part[0].rest < 0   ? part[1].rest
                           : part[1].rest < 0 ? part[0].rest
                                              : combine(op, part[0].rest, part[1].rest, phase);
        return {combine(op, part[0].reg, part[1].reg, phase), rest, part[0].negative != part[1].negative};
    }
    constexpr bool is_finite_number(short reg) const {
        instruction const& i = ins.at[first_ins + reg];
        if (i.kind != ins_kind::parameter) return false;
        parameter const& p = params.at[first_param + i.slot];
        return p.is_size || p.value - p.value == 0;
    }
    // The sum of n terms, times the factors that do not vary.
    constexpr short multiply_sum(short sum, short rest, extent_id n, int phase) {
        extent const& terms = pool.values.at[n];
        if ((!terms.is_static() || terms.constant < 1) && !is_finite_number(rest))
            rest = combine(op_register<op::unless_empty>::info, rest, size(n), phase);
        return combine(product, sum, rest, phase);
    }
    static constexpr int read_count(instruction const& i) {
        return i.kind == ins_kind::apply ? i.operands : i.kind == ins_kind::reduce || i.kind == ins_kind::store ? 1 : 0;
    }
    // What nobody reads any more once factors have been taken out.
    constexpr void drop_unread() {
        int const n = ins.count - first_ins;
        sequence<short> place(n, -1);
        instruction* const p = ins.at + first_ins;
        for (int k = n; k-- > 0;) {
            instruction const& i = p[k];
            if (i.kind == ins_kind::store || i.kind == ins_kind::reduce) place.at[k] = 0;
            if (place.at[k] < 0) continue;
            short const read[3]{i.a, i.b, i.c};
            for (int o = 0; o < read_count(i); ++o) place.at[read[o]] = 0;
        }
        int kept = 0;
        for (int k = 0; k < n; ++k) {
            if (place.at[k] < 0) continue;
            instruction i = p[k];
            short* const read[3]{&i.a, &i.b, &i.c};
            for (int o = 0; o < read_count(i); ++o) *read[o] = place.at[*read[o]];
            place.at[k] = static_cast<short>(kept);
            p[kept++] = i;
        }
        ins.count = first_ins + kept;
    }
};

XGRAD_NAMESPACE_END
