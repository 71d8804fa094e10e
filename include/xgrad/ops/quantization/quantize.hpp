// SPDX-License-Identifier: MIT
// Numbers rounded to the steps of a quantized type, with the gradients of quantization-aware training.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/comparison.hpp>
#include <xgrad/ops/reduce.hpp>
#include <xgrad/ops/rounding.hpp>
#include <xgrad/ops/select.hpp>
#include <xgrad/ops/shape_ops.hpp>

#include <limits>

XGRAD_NAMESPACE_BEGIN

/// The integers of quantize_and_dequantize: `quantize_and_dequantize<quantization{.num_bits = 4}>(x, min, max)`. A signed type of 8
/// bits has −128 ... 127, with narrow_range −127 ... 127, and an unsigned one 0 ... 255. Numbers between two integers are rounded
/// to the nearest, and ties to the even one (TensorFlow's HALF_TO_EVEN), or upwards with round_half_up (HALF_UP).
struct quantization {
    std::int64_t num_bits = 8;
    bool signed_input = true;
    bool narrow_range = false;
    bool round_half_up = false;
    constexpr bool operator==(quantization const&) const = default;
};

namespace op {
/// Operands: x, and the least and the greatest number, of rank 0 or for each element of the last axis.
constexpr value_info quantized_rule(value_info const* v) {
    value_info r = v[0];
    if (!is_floating(r.type)) r.wrong = fault::not_floating;
    else if (v[1].type != r.type || v[2].type != r.type) r.wrong = fault::dtypes;
    return r;
}
/// g where x is from least to most. It is 0 where x is NaN.
constexpr symbol gradient_inside(symbol x, symbol least, symbol most, symbol g) {
    return xgrad::select(xgrad::greater_equal(x, least), xgrad::select(xgrad::less_equal(x, most), g, 0_c), 0_c);
}
/// The range in which 0 is one of the steps, and the steps.
struct nudged_range {
    symbol least, most, step, per_step;
    symbol empty;   // both ends of the range are 0
};
constexpr nudged_range nudge(symbol least, symbol most, std::int64_t bits, bool narrow) {
    dtype const type = least.table->info(least).type;
    auto const number = [&](double n) { return least.table->constant(n, type); };
    double const from = narrow ? 1 : 0, to = static_cast<double>((std::int64_t{1} << bits) - 1);
    symbol const first = number(from), last = number(to), steps = number(to - from), span = most - least;
    nudged_range r{};
    r.empty = xgrad::equal(xgrad::abs(least) + xgrad::abs(most), 0_c);
    r.step = span / steps;
    r.per_step = xgrad::select(r.empty, 0_c, steps / span);
    symbol const place = xgrad::select(r.empty, first, first - least / r.step), whole = xgrad::floor(place);
    symbol const zero = xgrad::clip(xgrad::select(xgrad::greater_equal(place - whole, 0.5_c), whole + 1_c, whole), first, last);
    r.least = (first - zero) * r.step;
    r.most = (last - zero) * r.step;
    return r;
}
template<std::int64_t Bits, bool Narrow>
struct fake_quant : composite_op {
    static constexpr std::string_view name = "fake_quant";
    static constexpr value_info infer(value_info const* v, int, attributes const&) { return quantized_rule(v); }
    static constexpr symbol expand(symbol_table&, symbol const* x, int, attributes const&) {
        nudged_range const r = nudge(x[1], x[2], Bits, Narrow);
        symbol const zero = xgrad::floor(0.5_c - r.least * r.per_step);
        return xgrad::floor((xgrad::clip(x[0], r.least, r.most) - r.least) * r.per_step - zero + 0.5_c) * r.step;
    }
    static constexpr symbols derivative(symbol x, symbol min, symbol max, symbol, symbol g) {
        nudged_range const r = nudge(min, max, Bits, Narrow);
        symbol const below = xgrad::select(xgrad::less(x, r.least), g, 0_c), above = xgrad::select(xgrad::greater(x, r.most), g, 0_c);
        return {{xgrad::select(r.empty, g, gradient_inside(x, r.least, r.most, g)), xgrad::select(r.empty, 0_c, below),
            xgrad::select(r.empty, 0_c, above)}};
    }
};
/// Clamps: numbers outside of the range that the integers have take its ends.
template<quantization How, bool Clamps>
struct quantize_and_dequantize : composite_op {
    static constexpr std::string_view name = "quantize_and_dequantize";
    static constexpr value_info infer(value_info const* v, int, attributes const&) { return quantized_rule(v); }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int, attributes const&) {
        constexpr std::int64_t half = std::int64_t{1} << (How.num_bits - 1);
        constexpr std::int64_t first = !How.signed_input  ? 0
                                       : How.narrow_range ? 1 - half
                                                          : -half,
                               last = How.signed_input ? half - 1 : 2 * half - 1;
        dtype const type = t.info(x[0]).type;
        symbol const lowest = t.constant(static_cast<double>(first), type), highest = t.constant(static_cast<double>(last), type);
        symbol const none = t.constant(
            type == dtype::float64 ? std::numeric_limits<double>::max() : static_cast<double>(std::numeric_limits<float>::max()), type);
        symbol const below = xgrad::select(xgrad::greater(lowest * x[1], 0_c), lowest / x[1], none);
        symbol const above = xgrad::select(xgrad::greater(highest * x[2], 0_c), highest / x[2], none);
        symbol const by_min = xgrad::less(below, above);
        symbol const reached = xgrad::less(xgrad::minimum(below, above), none);   // else no integer but 0 is in the range
        symbol const per_step = xgrad::select(reached, xgrad::select(by_min, below, above), 0_c);
        symbol const step = xgrad::select(reached, xgrad::select(by_min, x[1] / lowest, x[2] / highest), 0_c);
        symbol number = x[0];
        if (Clamps) number = xgrad::clip(number, xgrad::select(by_min, x[1], lowest * step), xgrad::select(by_min, highest * step, x[2]));
        number = number * per_step;
        return (How.round_half_up ? xgrad::floor(number + 0.5_c) : xgrad::round(number)) * step;
    }
    static constexpr symbols derivative(symbol x, symbol min, symbol max, symbol, symbol g) {
        return {{Clamps ? gradient_inside(x, min, max, g) : g, {}, {}}};
    }
};
}

namespace detail {
enum class quantize_slip { none, no_expression, wrong, type, types, range, bits };
/// Whether v is one number, or one for each element of the last axis of x.
constexpr bool is_range_of(value_info const& x, value_info const& v) {
    return v.dims.rank == 0 || (v.dims.rank == 1 && x.dims.rank > 0 && v.dims.extents[0] == x.dims.extents[x.dims.rank - 1]);
}
template<class A, class Min, class Max>
constexpr quantize_slip quantize_slip_of(bool good_bits) {
    if constexpr (!Expr<A> || !Expr<Min> || !Expr<Max>) return quantize_slip::no_expression;
    else {
        value_info const &x = value_of<A>, &a = value_of<Min>, &b = value_of<Max>;
        if (x.wrong != fault::none || a.wrong != fault::none || b.wrong != fault::none) return quantize_slip::wrong;
        dtype const type = computed_type(x.type);
        if (!is_floating(type)) return quantize_slip::type;
        if (a.type != dtype::literal && computed_type(a.type) != type) return quantize_slip::types;
        if (b.type != dtype::literal && computed_type(b.type) != type) return quantize_slip::types;
        if (!is_range_of(x, a) || !is_range_of(x, b)) return quantize_slip::range;
        return good_bits ? quantize_slip::none : quantize_slip::bits;
    }
}
template<quantize_slip Slip>
constexpr void check_quantize() {
    static_assert(Slip != quantize_slip::type,
        "xgrad: fake_quant(x, min, max) or quantize_and_dequantize(x, min, max) gets an x that is not floating; write cast<float>(x)");
    static_assert(Slip != quantize_slip::types,
        "xgrad: fake_quant(x, min, max) or quantize_and_dequantize(x, min, max) gets a min or max of another element type than x; write "
        "cast<float>(min)");
    static_assert(Slip != quantize_slip::range,
        "xgrad: fake_quant(x, min, max) or quantize_and_dequantize(x, min, max): min or max is neither a number nor a vector of the "
        "last extent of x; reshape it");
    static_assert(Slip != quantize_slip::bits,
        "xgrad: the number of bits is not 2 ... 16 in fake_quant<bits>(x, min, max), or not 2 ... 32 in quantize_and_dequantize; "
        "write fake_quant<8>(x, min, max)");
}
/// A literal takes the element type of x.
template<class A, class N>
constexpr auto range_number(N const& n) {
    if constexpr (value_of<N>.type == dtype::literal) return cast<cpp_type_t<computed_type(value_of<A>.type)>>(n);
    else return n;
}
}

/// x rounded to the nearest of 2^Bits steps from min to max, as quantization-aware training simulates an integer of Bits bits
/// (TensorFlow's fake_quant_with_min_max_args, _vars and _vars_per_channel). `fake_quant<8>(x, -6_c, 6_c)` has a fixed range. min and
/// max may be variables of rank 0, or vectors with a number for each element of the last axis of x. The range is moved so that 0 is
/// exactly one of the steps, and numbers outside of it take its ends. With NarrowRange there is one step less, as for −127 ... 127. Bits
/// is 2 ... 16. Ties round upwards, and NaN stays. A range from 0 to 0 gives 0, another one without length NaN.
///
/// Gradient: of x, g inside the moved range, and 0 outside and for NaN. Of min, the sum of g below that range; of max, the sum above
/// it. With a range from 0 to 0 x gets g, and min and max 0.
template<std::int64_t Bits = 8, bool NarrowRange = false, class A, class Min, class Max>
constexpr auto fake_quant(A const& x, Min const& min, Max const& max) {
    using detail::quantize_slip;
    constexpr quantize_slip slip = detail::quantize_slip_of<A, Min, Max>(Bits >= 2 && Bits <= 16);
    detail::check_quantize<slip>();
    if constexpr (slip == quantize_slip::no_expression) return detail::refuse_operand<A, Min, Max>();
    else if constexpr (slip != quantize_slip::none) return detail::refused{};
    else return apply<op::fake_quant<Bits, NarrowRange>>(x, detail::range_number<A>(min), detail::range_number<A>(max));
}
/// x rounded to multiples of one step, as if it were converted to an integer and back (TensorFlow's quantize_and_dequantize_v2 with
/// range_given): `quantize_and_dequantize<quantization{.num_bits = 8}>(x, -1_c, 1_c)`. The step is the smallest one with which the
/// integers reach both min and max, so 0 stays 0. Numbers that the integers do not reach take the nearest end. min and max are numbers,
/// or vectors with a number for each element of the last axis of x. NaN stays.
///
/// Gradient: of x, g from min to max, and 0 elsewhere. None of min and max.
template<quantization How = quantization{}, class A, class Min, class Max>
constexpr auto quantize_and_dequantize(A const& x, Min const& min, Max const& max) {
    using detail::quantize_slip;
    constexpr quantize_slip slip = detail::quantize_slip_of<A, Min, Max>(How.num_bits >= 2 && How.num_bits <= 32);
    detail::check_quantize<slip>();
    if constexpr (slip == quantize_slip::no_expression) return detail::refuse_operand<A, Min, Max>();
    else if constexpr (slip != quantize_slip::none) return detail::refused{};
    else return apply<op::quantize_and_dequantize<How, true>>(x, detail::range_number<A>(min), detail::range_number<A>(max));
}
/// The same with the least and the greatest element of x as range (TensorFlow's quantize_and_dequantize_v2 without range_given). If all are
/// negative, an unsigned type gives 0, where TensorFlow has huge numbers.
/// Gradient: g.
template<quantization How = quantization{}, class A>
constexpr auto quantize_and_dequantize(A const& x) {
    using detail::quantize_slip;
    constexpr quantize_slip slip = detail::quantize_slip_of<A, decltype(0_c), decltype(0_c)>(How.num_bits >= 2 && How.num_bits <= 32);
    detail::check_quantize<slip>();
    if constexpr (slip == quantize_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != quantize_slip::none) return detail::refused{};
    else return apply<op::quantize_and_dequantize<How, false>>(x, stop_gradient(min(x)), stop_gradient(max(x)));
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
