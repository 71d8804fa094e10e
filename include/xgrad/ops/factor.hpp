// SPDX-License-Identifier: MIT
// Writes s as rest · factor, where factor is one number that is computed at run time. A sum or a product with a vector then
// runs over rest, and is multiplied by factor once, at its end. It does not wait for factor.
// s is in double. If s is in float, the sum must be in double: the sum of rest may exceed 3e38 even if that of s does not.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/empty_sum.hpp>
#include <xgrad/ops/arithmetic.hpp>
#include <xgrad/ops/reduce.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
struct scaled {
    symbol rest, factor;   // no factor: everything is in `rest`
};
constexpr bool is_single(shape const& s) {
    for (int i = 0; i < s.rank; ++i)
        if (!is_one(s.extents[i])) return false;
    return true;
}
/// Whether it is made only of constants and sizes, such as 1 / n.
constexpr bool is_known_number(symbol s, int depth = 3) {
    op_kind const kind = s.table->op(s)->kind;
    if (kind == op_kind::constant || kind == op_kind::size) return true;
    if (depth == 0 || (kind != op_kind::elementwise && kind != op_kind::alias && kind != op_kind::broadcast)) return false;
    for (int k = 0; k < s.table->arity(s); ++k)
        if (!is_known_number(s.table->operand(s, k), depth - 1)) return false;
    return true;
}
/// Takes the factor out of an expression that will be summed over the `axes`. An empty sum is 0 for any factor.
/// in_double: also of floats. The factor is in double then, and the sum of the rest must be so too.
constexpr scaled take_factor(symbol s, axis_set axes, bool in_double = false) {
    symbol_table& t = *s.table;
    shape const dims = t.info(s).dims;
    scaled r{s, {}};
    bool const narrow = t.info(s).type == dtype::float32 && in_double;
    if (t.info(s).type != dtype::float64 && !narrow) return r;
    for (bool more = !is_single(dims); more;) {
        op_info const* const op = t.op(r.rest);
        more = false;
        if (op->kind == op_kind::alias && op->derive != nullptr) {
            r.rest = t.operand(r.rest, 0);
            more = true;
        }
        bool const quotient = op == op_register<div>::info;
        if (op != op_register<mul>::info && !quotient) continue;
        for (int k = quotient ? 1 : 0; k < 2 && !more; ++k) {
            symbol number = t.operand(r.rest, k);
            symbol const other = t.operand(r.rest, 1 - k);
            if (!is_single(t.info(number).dims) || is_known_number(number) || !(t.info(other).dims == t.info(r.rest).dims)) continue;
            if (narrow) number = apply<cast<double>>(number);
            if (quotient) r.factor = r.factor.exists() ? r.factor / number : 1_c / number;
            else r.factor = r.factor.exists() ? r.factor * number : number;
            r.rest = other;
            more = true;
        }
    }
    if (!r.factor.exists()) return {s, {}};
    extent const terms = elements_along(dims, axes);
    if (terms.overflow) return {s, {}};
    symbol factor = reshape_to(r.factor, shape{});
    if (!terms.is_static() || terms.constant < 1) factor = apply<unless_empty>(factor, size_of_axes(t, dims, axes, t.info(factor).type));
    return {reshape_to(r.rest, dims), factor};
}
/// The sum of the rest, times the factor.
constexpr symbol times(symbol sum, scaled const& s) { return s.factor.exists() ? sum * s.factor : sum; }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
