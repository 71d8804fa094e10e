// SPDX-License-Identifier: MIT
// The arithmetic of random graphs. Every number is a double, and every operation is represented by a separate smooth, bounded function.
// The planner knows only the record of an operation. So only what the planner relies on is real: sums, products, signs, conversions,
// choices. Thus values stay moderate, and a difference is an error of the plan and not of rounding.
#pragma once

#include <xgrad/core/op.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace random_graphs {
namespace xg = xgrad;
using xg::dtype;

constexpr std::uint64_t mix(std::uint64_t h) {
    h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9u;
    h = (h ^ (h >> 27)) * 0x94D049BB133111EBu;
    return h ^ (h >> 31);
}
constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) { return mix(a + 0x9E3779B97F4A7C15u * (b + 1)); }
/// In [0, 1).
constexpr double unit(std::uint64_t h) { return static_cast<double>(h >> 11) * 0x1p-53; }

/// Random choices that one number decides.
struct dice {
    std::uint64_t state;
    std::uint64_t next() { return mix(state += 0x9E3779B97F4A7C15u); }
    int below(int n) { return n <= 1 ? 0 : static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
    bool chance(double p) { return unit(next()) < p; }
    template<class T, std::size_t N>
    T const& of(T const (&list)[N]) {
        return list[below(static_cast<int>(N))];
    }
    template<class List>
    auto const& any(List const& list) {
        return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
    }
};

/// Integers have 32 bits here, whatever their type: sums in any order are equal.
inline double wrap(std::uint64_t x) { return static_cast<double>(static_cast<std::int32_t>(static_cast<std::uint32_t>(x))); }
inline std::uint64_t bits_of(double x) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(x)); }

/// A number as steps and less than steps: values that differ by rounding alone are one number, but for one in 10^9.
inline std::int64_t grain(double x) {
    if (!(std::abs(x) < 1e300)) return std::isnan(x) ? 1 : x > 0 ? 2 : 3;
    int const e = std::abs(x) * 1.37 > 1 ? std::ilogb(x * 1.37) : 0;
    return static_cast<std::int64_t>(std::floor(std::ldexp(x, 20 - e) + 0.3)) + (static_cast<std::int64_t>(e) << 32);
}
/// By way of float, so that rounding alone does not move numbers to different sides of a tie.
inline double rounded(dtype half, double x) {
    auto const f = static_cast<float>(x);
    return static_cast<double>(half == dtype::bfloat16 ? static_cast<float>(xg::bfloat16(f)) : static_cast<float>(xg::float16(f)));
}
/// A new value of a variable of this type.
inline double stored(dtype type, double x) { return xg::is_half(type) ? rounded(type, x) : x; }
/// What an element of type `from` becomes as one of type `to`.
inline double convert(dtype from, dtype to, double x) {
    if (to == dtype::boolean) return x != 0 ? 1 : 0;
    if (xg::is_integer(to) && xg::has_gradient(from)) return std::abs(x) < 1e9 ? std::floor(x + 0.3) : -1;
    if (xg::is_half(to)) return from == to ? x : rounded(to, x);
    if (to == dtype::float32 && from != dtype::float32 && from != dtype::boolean) return static_cast<double>(static_cast<float>(x));
    return x;
}

enum class meaning : unsigned char {
    own,
    add,
    sub,
    mul,
    neg,
    select,
    unless_empty,
    to_float,
    to_bfloat16,
    to_float16,
    convert,
    to_boolean
};
/// Facts about an operation that are not in its record: looked up once for each.
struct operation_facts {
    xg::op_info const* op;
    meaning what;
    bool boolean;   // gives truth values
    double c[4];
};
inline operation_facts make_facts(xg::op_info const& op) {
    operation_facts f{&op, meaning::own, false, {}};
    if (op.name == "add") f.what = meaning::add;
    if (op.name == "sub") f.what = meaning::sub;
    if (op.multilinear) f.what = meaning::mul;
    if (op.negates) f.what = meaning::neg;
    if (op.name == "select") f.what = meaning::select;
    if (op.name == "unless_empty") f.what = meaning::unless_empty;
    if (op.converts) {
        xg::value_info const x{dtype::int32, {}, xg::fault::none};
        dtype const to = op.infer(&x, 1, {}).type;
        f.what = to == dtype::boolean    ? meaning::to_boolean
                 : to == dtype::float32  ? meaning::to_float
                 : to == dtype::bfloat16 ? meaning::to_bfloat16
                 : to == dtype::float16  ? meaning::to_float16
                                         : meaning::convert;
    }
    xg::value_info const b{dtype::boolean, {}, xg::fault::none}, r[3]{b, b, b}, i{dtype::int32, {}, xg::fault::none}, n[2]{i, i};
    bool const logical = op.name.starts_with("logical");
    f.boolean = op.infer(logical ? r : n, op.name == "logical_not" ? 1 : 2, {}).type == dtype::boolean;
    for (std::uint64_t k = 0; k < 4; ++k) f.c[k] = 0.4 + unit(mix(op.hash, k));
    return f;
}
inline operation_facts const& facts_of(xg::op_info const* op) {
    static operation_facts known[96];
    static int count = 0;
    for (int k = 0; k < count; ++k)
        if (known[k].op == op) return known[k];
    if (count == 96) std::abort();
    known[count] = make_facts(*op);
    return known[count++];
}

/// An operation on elements of type `type` (in which its loop computes).
inline double apply(operation_facts const& f, dtype type, double const* x, int count) {
    bool const integer = xg::is_integer(type);
    switch (f.what) {
    case meaning::add: return integer ? wrap(bits_of(x[0]) + bits_of(x[1])) : x[0] + x[1];
    case meaning::sub: return integer ? wrap(bits_of(x[0]) - bits_of(x[1])) : x[0] - x[1];
    case meaning::mul: return integer ? wrap(bits_of(x[0]) * bits_of(x[1])) : x[0] * x[1];
    case meaning::neg: return integer ? wrap(0 - bits_of(x[0])) : -x[0];
    case meaning::select: return x[0] != 0 ? x[1] : x[2];
    case meaning::unless_empty: return x[1] > 0 ? x[0] : 0;
    case meaning::to_boolean: return grain(x[0]) != grain(0) ? 1 : 0;
    case meaning::to_float: return static_cast<double>(static_cast<float>(x[0]));
    case meaning::to_bfloat16: return rounded(dtype::bfloat16, x[0]);
    case meaning::to_float16: return rounded(dtype::float16, x[0]);
    case meaning::convert: return x[0];
    case meaning::own: break;
    }
    if (integer || f.boolean) {
        std::uint64_t h = f.op->hash;
        for (int k = 0; k < count; ++k) h = mix(h, static_cast<std::uint64_t>(integer ? static_cast<std::int64_t>(x[k]) : grain(x[k])));
        return f.boolean ? static_cast<double>(h & 1) : static_cast<double>(static_cast<int>(h % 21) - 10);
    }
    double t = f.c[0];
    for (int k = 0; k < count; ++k) t += f.c[k + 1] * x[k];
    return std::abs(t) < 1e300 ? t / (1 + std::abs(t)) : 0.25;
}
inline double combine(xg::monoid m, dtype type, double a, double b) {
    if (m == xg::monoid::sum) return xg::is_integer(type) ? wrap(bits_of(a) + bits_of(b)) : a + b;
    return b != b || b > a ? b : a;
}
inline double identity(xg::monoid m, dtype type) { return m == xg::monoid::sum ? 0 : xg::is_integer(type) ? -2147483648.0 : -HUGE_VAL; }
inline double random_number(std::uint64_t name, std::uint64_t turn, std::int64_t element) {
    return unit(mix(mix(name, turn), static_cast<std::uint64_t>(element)));
}

}   // namespace random_graphs
