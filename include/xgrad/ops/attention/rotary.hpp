// SPDX-License-Identifier: MIT
// Rotary position embeddings of queries and keys.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/ops/attention/positions.hpp>
#include <xgrad/ops/shape_ops.hpp>

XGRAD_NAMESPACE_BEGIN

/// Options of rotary_embedding.
struct rotary_options {
    bool interleaved = false;    ///< pairs are elements 2i and 2i + 1 (RoFormer, GPT-J); otherwise i and i + width / 2 (GPT-NeoX, LLaMA)
    bool length_first = false;   ///< x is [batch, length, heads, width] in place of [batch, heads, length, width]
    std::int64_t width = 0;      ///< how many elements of a row are rotated, an even number; 0 means all
    double base = 10000;         ///< pair i of n turns by position · base^(−i / n)
};

namespace op {
/// x [outer, length, inner, width] with cosines and sines [tables, length, pairs]; outer is a multiple of tables. Elements after the
/// pairs stay as they are.
struct rotate_pairs : kernel_op {
    struct attributes {
        flag interleaved, padding;
    };
    static constexpr std::string_view name = "rotate_pairs";
    static constexpr bool in_order = true;
    static constexpr int flops = 3;
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const&, int) { return v[0]; }
    template<class T>
    static void run(attributes const& how, kernel_part const& part, tensor_view<T const, 4> x, tensor_view<T const, 3> cosines,
        tensor_view<T const, 3> sines, tensor_view<T, 4> y) {
        std::int64_t const length = x.shape(1), inner = x.shape(2), width = x.shape(3), pairs = cosines.shape(2);
        std::int64_t const each = cosines.shape(0) == 0 ? 1 : x.shape(0) / cosines.shape(0);
        for (std::int64_t o = part.first; o < part.last; ++o)
            for (std::int64_t i = 0; i < length; ++i) {
                std::int64_t const table = (o / each * length + i) * pairs;
                T const* from = x.data() + (o * length + i) * inner * width;
                T* to = y.data() + (o * length + i) * inner * width;
                for (std::int64_t h = 0; h < inner; ++h, from += width, to += width) {
                    if (how.interleaved) rotate<2, true>(to, from, cosines.data() + table, sines.data() + table, pairs);
                    else rotate<1, false>(to, from, cosines.data() + table, sines.data() + table, pairs);
                    for (std::int64_t c = 2 * pairs; c < width; ++c) to[c] = from[c];
                }
            }
    }
    static constexpr void derive(derivation& d) {
        d.out[0] = apply_with<rotate_pairs>(d.attrs->as<attributes>(), d.gradient, d.operands[1], -d.operands[2]);
    }

private:
    // The blocks have a constant length, so -O2 makes SIMD of them.
    template<int Step, bool Adjacent, class T>
    XGRAD_INLINE static void rotate(
        T* XGRAD_RESTRICT y, T const* XGRAD_RESTRICT x, T const* XGRAD_RESTRICT c, T const* XGRAD_RESTRICT s, std::int64_t pairs) {
        constexpr std::int64_t block = 8;
        std::int64_t const other = Adjacent ? 1 : pairs;
        auto const turn = [&](std::int64_t i) {
            T const a = x[i * Step], b = x[i * Step + other];
            y[i * Step] = a * c[i] - b * s[i];
            y[i * Step + other] = b * c[i] + a * s[i];
        };
        std::int64_t i = 0;
        for (; i + block <= pairs; i += block)
            for (std::int64_t e = 0; e < block; ++e) turn(i + e);
        for (; i < pairs; ++i) turn(i);
    }
};
}

namespace detail {
enum class rotary_slip { none, no_expression, wrong, rank, type, width, positions };
template<rotary_options Options, class A, class... P>
constexpr rotary_slip rotary_slip_of() {
    if constexpr (!Expr<A> || !(Expr<P> && ...)) return rotary_slip::no_expression;
    else {
        value_info const& x = value_of<A>;
        if (x.wrong != fault::none || ((value_of<P>.wrong != fault::none) || ...)) return rotary_slip::wrong;
        if (x.dims.rank != 4) return rotary_slip::rank;
        if (!is_floating(computed_type(x.type))) return rotary_slip::type;
        extent const& width = x.dims.extents[3];
        std::int64_t const turned = Options.width > 0 ? Options.width : width.constant;
        if (!width.is_static() || turned % 2 != 0 || turned > width.constant) return rotary_slip::width;
        extent const& length = x.dims.extents[Options.length_first ? 1 : 2];
        [[maybe_unused]] auto const fits = [&](value_info const& p) {
            if (is_floating(p.type) ? computed_type(p.type) != p.type : !is_integer(p.type)) return false;
            return (p.dims.rank == 1 && p.dims.extents[0] == length) ||
                   (p.dims.rank == 2 && p.dims.extents[0] == x.dims.extents[0] && p.dims.extents[1] == length);
        };
        return (fits(value_of<P>) && ...) ? rotary_slip::none : rotary_slip::positions;
    }
}
template<rotary_options Options, class A, class P>
constexpr auto rotated(A const& x, P const& positions) {
    constexpr auto slip = rotary_slip_of<Options, A, P>();
    static_assert(
        slip != rotary_slip::rank, "xgrad::rotary_embedding(x): x does not have four axes; write reshape to [batch, heads, length, width]");
    static_assert(slip != rotary_slip::type, "xgrad::rotary_embedding(x): x is neither float nor double; write cast<float>(x)");
    static_assert(slip != rotary_slip::width,
        "xgrad::rotary_embedding(x): the width, or its part that turns, is no even integer of at most the last extent; write "
        "rotary_options{.width = 32}");
    static_assert(slip != rotary_slip::positions,
        "xgrad::rotary_embedding(x, positions): positions are not numbers of the shape [length] or [batch, length]; write reshape");
    if constexpr (slip == rotary_slip::no_expression) return refuse_operand<A, P>();
    else if constexpr (slip != rotary_slip::none) return refused{};
    else {
        constexpr shape s = value_of<A>.dims, p = value_of<P>.dims;
        using T = cpp_type_t<computed_type(value_of<A>.type)>;
        constexpr std::int64_t pairs = (Options.width > 0 ? Options.width : s.extents[3].constant) / 2;
        constexpr extent one = static_extent(1), length = s.extents[Options.length_first ? 1 : 2];
        constexpr shape whole = Options.length_first ? s : shape{4, {s.extents[0] * s.extents[1], length, one, s.extents[3]}};
        auto const turns = reshaped_to<shape{3, {p.rank == 2 ? p.extents[0] : one, length, one}}>(cast<double>(positions));
        auto const angles = turns * frequencies<pairs, std::bit_cast<std::uint64_t>(Options.base), pairs>();
        using kernel = with<op::rotate_pairs, op::rotate_pairs::attributes{Options.interleaved, false}>;
        return reshaped_to<s>(apply<kernel>(reshaped_to<whole>(x), cast<T>(cos(angles)), cast<T>(sin(angles))));
    }
}
}

/// Rotary position embedding: pair i of the n pairs of a row at position p turns by the angle p · base^(−i / n) (Su and others 2021,
/// RoFormer). Then the product of a query and a key depends on the difference of their positions only. x is
/// [batch, heads, length, width], in float or double. `rotary_embedding<rotary_options{.interleaved = true}>(x)` takes options: which
/// elements are a pair, the layout, a part of the width, the base. Angles are computed in double.
/// Gradient: g turned back.
template<rotary_options Options = rotary_options{}, class A>
constexpr auto rotary_embedding(A const& x) {
    if constexpr (!Expr<A>) return detail::refuse_operand<A>();
    else if constexpr (value_of<A>.dims.rank != 4) return detail::rotated<Options>(x, x);
    else {
        constexpr detail::positions_along<value_of<A>.dims.extents[Options.length_first ? 1 : 2]> positions{};
        return detail::rotated<Options>(x, positions);
    }
}
/// The same at given positions, numbers [length] or [batch, length]: those of new rows after earlier ones, or of packed sequences.
/// Gradient: of x, g turned back; of the positions none.
template<rotary_options Options = rotary_options{}, class A, class P>
constexpr auto rotary_embedding(A const& x, P const& positions) {
    return detail::rotated<Options>(x, positions);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
