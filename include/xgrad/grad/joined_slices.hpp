// SPDX-License-Identifier: MIT
// The sum of gradients of different slices of one array. Each is padded with zeros; together they are one concatenation.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/graph/table.hpp>
#include <xgrad/ops/arithmetic.hpp>
#include <xgrad/ops/slice.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The parts of a concatenation that are not zeros, in the order of their axis.
struct padded_parts {
    struct part {
        std::int64_t begin, end;
        symbol value;
    };
    part at[max_operands];
    int count = 0, axis = 0;

    /// False if `s` is no concatenation, or if the length of a part is unknown.
    constexpr bool read(table_builder& b, symbol s) {
        if (b.op(s)->kind != op_kind::concat) return false;
        axis = static_cast<int>(b.attrs(s.index).as<axis_attributes>().axis);
        std::int64_t begin = 0;
        for (int k = 0; k < b.arity(s); ++k) {
            symbol const value = b.operand(s, k);
            extent const& length = b.info(value).dims.extents[axis];
            if (!length.is_static()) return false;
            double number = 1;
            if (!b.is_constant(value, number) || number != 0) at[count++] = {begin, begin + length.constant, value};
            begin += length.constant;
        }
        return true;
    }
};
/// a + b. If both are padded with zeros along one axis, and their parts are apart or the same, that is one concatenation.
constexpr symbol sum_of_slices(table_builder& b, symbol x, symbol y) {
    padded_parts of_x, of_y;
    if (!of_x.read(b, x) || !of_y.read(b, y) || of_x.axis != of_y.axis) return x + y;
    int const axis = of_x.axis;
    symbol joined[max_operands]{};
    int n = 0;
    std::int64_t end = 0;   // of the parts that are joined
    auto pad = [&](std::int64_t to) {
        if (to == end) return;
        shape s = b.info(x).dims;
        s.extents[axis] = static_extent(to - end);
        joined[n++] = op::broadcast_symbol(b.constant(0, b.info(x).type), s);
        end = to;
    };
    for (int i = 0, k = 0; i < of_x.count || k < of_y.count;) {
        bool const from_x = k == of_y.count || (i < of_x.count && of_x.at[i].begin <= of_y.at[k].begin);
        padded_parts::part p = from_x ? of_x.at[i] : of_y.at[k];
        bool const both = from_x && k < of_y.count && of_y.at[k].begin == p.begin && of_y.at[k].end == p.end;
        if (p.begin < end || n + 3 > max_operands) return x + y;   // they overlap, or are too many
        if (both) p.value = p.value + of_y.at[k].value;
        pad(p.begin);
        joined[n++] = p.value;
        end = p.end;
        i += from_x;
        k += !from_x || both;
    }
    pad(b.info(x).dims.extents[axis].constant);
    return n == 1 ? joined[0] : op::concat_along(axis, joined, n);
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
