// SPDX-License-Identifier: MIT
// Maxima and means over parts of images, whose places are sequences of computed or of random numbers.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/over_axes/cumulative.hpp>
#include <xgrad/ops/pooling/max_pool.hpp>
#include <xgrad/ops/random/distributions.hpp>
#include <xgrad/ops/rounding.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// The windows that two sequences make of images [batch, height, width, channels]. Part i is sequence[i] to before sequence[i + 1], with
/// one element more if parts overlap. Numbers outside of the axis count as its ends.
struct image_parts {
    tensor_view<std::int32_t const, 1> rows, columns;
    std::int64_t height, width, channels;
    bool overlapping;

    pool_axis::part at(tensor_view<std::int32_t const, 1> const& sequence, std::int64_t i, std::int64_t n) const {
        std::int64_t const first = std::clamp<std::int64_t>(sequence[i], 0, n);
        return {first, std::clamp<std::int64_t>(sequence[i + 1] + (overlapping ? 1 : 0), first, n) - first};
    }
    /// Calls f(offset of the window, offset of its place, block of channels, elements) for the places of rows first ... last − 1.
    template<class T, class F>
    void each(std::int64_t first, std::int64_t last, F const& f) const {
        std::int64_t const c = channels, down = rows.size() - 1, across = columns.size() - 1;
        for (std::int64_t row = first; row < last; ++row) {
            pool_axis::part const h = at(rows, row % down, height);
            std::int64_t const base = row / down * height + h.first;
            for (std::int64_t p = 0; p < across; ++p) {
                pool_axis::part const w = at(columns, p, width);
                window_run const r{{{1, h.count, w.count}, {0, width * c, c}}, (base * width + w.first) * c, (row * across + p) * c, 1, 0};
                each_place<T, false>(r, c, f);
            }
        }
    }
};
template<class T>
image_parts parts_of_image(tensor_view<T, 4> const& x, tensor_view<std::int32_t const, 1> const& rows,
    tensor_view<std::int32_t const, 1> const& columns, bool overlapping) {
    return {rows, columns, x.shape(1), x.shape(2), x.shape(3), overlapping};
}
/// What the pools share. The last two operands are the sequences.
struct fractional_pool_op : kernel_op {
    static constexpr extent flops(kernel_operands const& v) { return v.dims(0).size(); }
    static constexpr shape places_in(value_info const& x, value_info const& rows, value_info const& columns) {
        shape s = x.dims;
        s.extents[1] = rows.dims.extents[0] - static_extent(1);
        s.extents[2] = columns.dims.extents[0] - static_extent(1);
        return s;
    }
};
/// x, y = the pool of x and g like y: g at the first maximum of each window, summed.
template<bool Overlapping>
struct fractional_max_spread : fractional_pool_op {
    static constexpr std::string_view name = "fractional_max_pool_gradient";
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return v[0]; }
    template<class T>
    static void run(kernel_part const& part, tensor_view<T const, 4> x, tensor_view<T const, 4> y, tensor_view<T const, 4> g,
        tensor_view<std::int32_t const, 1> rows, tensor_view<std::int32_t const, 1> columns, tensor_view<T, 4> out) {
        std::int64_t const image = x.shape(1) * x.shape(2) * x.shape(3), down = y.shape(1);
        std::fill(out.data() + part.first * image, out.data() + part.last * image, T(0));
        parts_of_image(x, rows, columns, Overlapping)
            .template each<T>(
                part.first * down, part.last * down, [&](std::int64_t from, std::int64_t at, auto block, window_elements const& e) {
                    using V = typename decltype(block)::V;
                    V const most = block.load(y.data() + at), zero(T(0));
                    V rest = block.load(g.data() + at);
                    any_window::each(e, [&](std::int64_t o) {
                        auto const here = block.load(x.data() + from + o) == most;
                        block.store(out.data() + from + o, block.load(out.data() + from + o) + math::select(here, rest, zero));
                        rest = math::select(here, zero, rest);
                    });
                });
    }
    static constexpr void derive(derivation& d);
};
/// x, y = the pool of x and z like x: z at the first maximum of each window.
template<bool Overlapping>
struct fractional_max_pick : fractional_pool_op {
    static constexpr std::string_view name = "fractional_max_pool_pick";
    static constexpr bool in_order = true;
    static constexpr extent turns(kernel_operands const& v) { return v.dims(1).extents[0] * v.dims(1).extents[1]; }
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return v[1]; }
    template<class T>
    static void run(kernel_part const& part, tensor_view<T const, 4> x, tensor_view<T const, 4> y, tensor_view<T const, 4> z,
        tensor_view<std::int32_t const, 1> rows, tensor_view<std::int32_t const, 1> columns, tensor_view<T, 4> out) {
        parts_of_image(x, rows, columns, Overlapping)
            .template each<T>(part.first, part.last, [&](std::int64_t from, std::int64_t at, auto block, window_elements const& e) {
                using V = typename decltype(block)::V;
                V const most = block.load(y.data() + at);
                V r(T(0));
                any_window::each_backwards(e, [&](std::int64_t o) {
                    r = math::select(block.load(x.data() + from + o) == most, V(block.load(z.data() + from + o)), r);
                });
                block.store(out.data() + at, r);
            });
    }
    static constexpr void derive(derivation& d) {
        if (d.wanted[2])
            d.out[2] = apply<fractional_max_spread<Overlapping>>(d.operands[0], d.operands[1], d.gradient, d.operands[3], d.operands[4]);
    }
};
template<bool Overlapping>
constexpr void fractional_max_spread<Overlapping>::derive(derivation& d) {
    if (d.wanted[2])
        d.out[2] = apply<fractional_max_pick<Overlapping>>(d.operands[0], d.operands[1], d.gradient, d.operands[3], d.operands[4]);
}
template<bool Overlapping>
struct fractional_max_pool : fractional_pool_op {
    static constexpr std::string_view name = "fractional_max_pool2d";
    static constexpr bool in_order = true;
    static constexpr extent turns(kernel_operands const& v) { return v.dims(3).extents[0] * v.dims(3).extents[1]; }
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) {
        return {v[0].type, places_in(v[0], v[1], v[2]), fault::none};
    }
    template<class T>
    static void run(kernel_part const& part, tensor_view<T const, 4> x, tensor_view<std::int32_t const, 1> rows,
        tensor_view<std::int32_t const, 1> columns, tensor_view<T, 4> y) {
        parts_of_image(x, rows, columns, Overlapping)
            .template each<T>(part.first, part.last, [&](std::int64_t from, std::int64_t at, auto block, window_elements const& e) {
                using V = typename decltype(block)::V;
                V most(-std::numeric_limits<T>::infinity());
                any_window::each(e, [&](std::int64_t o) { most = math::max(V(block.load(x.data() + from + o)), most); });
                block.store(y.data() + at, most);
            });
    }
    static constexpr void derive(derivation& d) {
        d.out[0] = apply<fractional_max_spread<Overlapping>>(d.operands[0], d.result, d.gradient, d.operands[1], d.operands[2]);
    }
};
/// g of the places, divided by the number of elements of each window, to these elements, summed. The attributes are the array's extents.
template<bool Overlapping>
struct fractional_average_spread : fractional_pool_op {
    static constexpr std::string_view name = "fractional_average_pool_gradient";
    static constexpr value_info infer(value_info const* v, int, attributes const& a, int) { return {v[0].type, a.target(), fault::none}; }
    template<class T>
    static void run(kernel_part const& part, tensor_view<T const, 4> g, tensor_view<std::int32_t const, 1> rows,
        tensor_view<std::int32_t const, 1> columns, tensor_view<T, 4> out) {
        std::int64_t const image = out.shape(1) * out.shape(2) * out.shape(3), down = g.shape(1);
        std::fill(out.data() + part.first * image, out.data() + part.last * image, T(0));
        parts_of_image(out, rows, columns, Overlapping)
            .template each<T>(
                part.first * down, part.last * down, [&](std::int64_t from, std::int64_t at, auto block, window_elements const& e) {
                    using V = typename decltype(block)::V;
                    if (e.size() == 0) return;
                    V const add = block.load(g.data() + at) * V(T(1) / static_cast<T>(e.size()));
                    any_window::each(
                        e, [&](std::int64_t o) { block.store(out.data() + from + o, block.load(out.data() + from + o) + add); });
                });
    }
    static constexpr void derive(derivation& d);
};
template<bool Overlapping>
struct fractional_average_pool : fractional_pool_op {
    static constexpr std::string_view name = "fractional_average_pool2d";
    static constexpr bool in_order = true;
    static constexpr extent turns(kernel_operands const& v) { return v.dims(3).extents[0] * v.dims(3).extents[1]; }
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) {
        return {v[0].type, places_in(v[0], v[1], v[2]), fault::none};
    }
    template<class T>
    static void run(kernel_part const& part, tensor_view<T const, 4> x, tensor_view<std::int32_t const, 1> rows,
        tensor_view<std::int32_t const, 1> columns, tensor_view<T, 4> y) {
        parts_of_image(x, rows, columns, Overlapping)
            .template each<T>(part.first, part.last, [&](std::int64_t from, std::int64_t at, auto block, window_elements const& e) {
                using V = typename decltype(block)::V;
                V sum(T(0));
                any_window::each(e, [&](std::int64_t o) { sum = sum + block.load(x.data() + from + o); });
                block.store(y.data() + at, sum * V(T(1) / static_cast<T>(std::max<std::int64_t>(e.size(), 1))));
            });
    }
    static constexpr void derive(derivation& d) {
        d.out[0] =
            apply_with<fractional_average_spread<Overlapping>>(shape_attributes(d.info(0).dims), d.gradient, d.operands[1], d.operands[2]);
    }
};
template<bool Overlapping>
constexpr void fractional_average_spread<Overlapping>::derive(derivation& d) {
    if (d.wanted[0]) d.out[0] = apply<fractional_average_pool<Overlapping>>(d.gradient, d.operands[1], d.operands[2]);
}
}

/// How fractional_sequence cuts an axis: into parts of both lengths in any order, or at equal distances from a random place on.
enum class fractional_parts { random, pseudo_random };
/// The last argument of a fractional pool: a window has the first row and column of the next ones too.
struct overlapping_parts_tag {};
inline constexpr overlapping_parts_tag overlapping_parts{};

namespace detail {
enum class fractional_slip { none, no_expression, wrong, sequences, places };
template<class R, class C>
constexpr fractional_slip slip_of_sequences() {
    if constexpr (!Expr<R> || !Expr<C>) return fractional_slip::no_expression;
    else {
        value_info const &r = value_of<R>, &c = value_of<C>;
        if (r.wrong != fault::none || c.wrong != fault::none) return fractional_slip::wrong;
        auto const fits = [](value_info const& v) {
            return is_integer(v.type) && v.dims.rank == 1 && !(v.dims.extents[0].is_static() && v.dims.extents[0].constant < 2);
        };
        return fits(r) && fits(c) ? fractional_slip::none : fractional_slip::sequences;
    }
}
template<class A>
constexpr fractional_slip slip_of_places(per_axis const& places) {
    if constexpr (!Expr<A>) return fractional_slip::no_expression;
    else {
        shape const& s = value_of<A>.dims;
        bool fits = places.fits(2) && places.at_least(1);
        for (int i = 0; i < 2 && fits; ++i) fits = s.extents[1 + i].is_static() && places[i] <= s.extents[1 + i].constant;
        return fits ? fractional_slip::none : fractional_slip::places;
    }
}
template<class Op, class A, class R, class C>
constexpr auto fractional_pooled(A const& x, R const& rows, C const& columns) {
    constexpr pool_slip images = slip_of_images<A>(2);
    constexpr fractional_slip slip = slip_of_sequences<R, C>();
    check_pool<images>();
    static_assert(slip != fractional_slip::sequences,
        "xgrad::fractional_max_pool2d(x, rows, columns) or fractional_average_pool2d: rows or columns are not integers [parts + 1]; write "
        "fractional_sequence<\"rows\", 8, 5>()");
    if constexpr (images == pool_slip::no_expression || slip == fractional_slip::no_expression) return refuse_operand<A, R, C>();
    else if constexpr (images != pool_slip::none || slip != fractional_slip::none) return refused{};
    else {
        constexpr auto narrow = [](auto const& sequence) {
            if constexpr (value_of<std::remove_cvref_t<decltype(sequence)>>.type == dtype::int32) return sequence;
            else return cast<std::int32_t>(sequence);
        };
        return apply<Op>(x, narrow(rows), narrow(columns));
    }
}
template<class... Tags>
inline constexpr bool overlap = sizeof...(Tags) == 1;
template<class... Tags>
inline constexpr bool are_overlapping = sizeof...(Tags) <= 1 && (std::same_as<Tags, overlapping_parts_tag> && ...);
}

/// N elements cut into Parts parts at random: int32 [Parts + 1] from 0 to N, for fractional pools (Graham 2014, arXiv 1412.6071). A part
/// has N / Parts elements, rounded down or up. With fractional_parts::pseudo_random number i is ceil(N / Parts · (i + u)) − 1 for one
/// random u (TensorFlow's pseudo_random).
/// Gradient: none.
template<fixed_string Name, std::int64_t N, std::int64_t Parts, fractional_parts How = fractional_parts::random>
constexpr auto fractional_sequence() {
    using namespace literals;
    constexpr bool fits = Parts >= 1 && Parts <= N && N < 2147483647;
    static_assert(fits,
        "xgrad::fractional_sequence<\"name\", n, parts>(): parts is below 1, or above n; write fractional_sequence<\"rows\", 8, 5>()");
    if constexpr (!fits) return detail::refused{};
    else if constexpr (How == fractional_parts::random) {
        auto const longer = less(permutation<Name, Parts>(), constant<std::int32_t, N % Parts>);
        auto const lengths = constant<std::int32_t, N / Parts> + cast<std::int32_t>(longer);
        return concat<0>(broadcast_to<1>(constant<std::int32_t, 0>), cumsum<0>(lengths));
    } else {
        // The first part has at most N / Parts + 1 elements, and the last one at least N / Parts.
        auto const distance = constant<double, N> / constant<double, Parts>;
        auto const first = constant<double, N / Parts + 2> / distance - 1_c;
        auto const last = constant<double, N + 1 - N / Parts> / distance - constant<double, Parts - 1>;
        auto const u = uniform_like<Name>(constant<double, 0>) * minimum(first, last);
        constexpr detail::positions_along<static_extent(Parts + 1)> place{};
        auto const inner = cast<std::int32_t>(ceil(distance * (cast<double>(place) + u))) - constant<std::int32_t, 1>;
        return select(equal(place, constant<std::int32_t, 0>), constant<std::int32_t, 0>,
            select(equal(place, constant<std::int32_t, Parts>), constant<std::int32_t, N>, inner));
    }
}
/// The maxima over parts of images x [batch, height, width, channels]: part (i, j) has the rows rows[i] to before rows[i + 1], and the
/// columns likewise. Sequences are integers [parts + 1], such as those of fractional_sequence, an input, or the results of another pool.
/// With overlapping_parts as last argument a window has one row and column more, within the image. Numbers outside of an axis count as its
/// ends. A part without elements is −inf. NaN is skipped (TensorFlow's fractional_max_pool).
/// Gradient: g at the first maximum of each part, in the order of rows.
template<class A, class R, class C, class... Tags>
    requires(detail::are_overlapping<Tags...>)
constexpr auto fractional_max_pool2d(A const& x, R const& rows, C const& columns, [[maybe_unused]] Tags... overlapping) {
    return detail::fractional_pooled<op::fractional_max_pool<detail::overlap<Tags...>>>(x, rows, columns);
}
/// The means over the parts of fractional_max_pool2d. A part without elements is 0 (TensorFlow's fractional_avg_pool).
/// Gradient: g divided by the number of elements of the part, to each, summed over parts.
template<class A, class R, class C, class... Tags>
    requires(detail::are_overlapping<Tags...>)
constexpr auto fractional_average_pool2d(A const& x, R const& rows, C const& columns, [[maybe_unused]] Tags... overlapping) {
    return detail::fractional_pooled<op::fractional_average_pool<detail::overlap<Tags...>>>(x, rows, columns);
}

namespace detail {
template<template<bool> class Op, fixed_string Name, per_axis Places, fractional_parts How, bool Overlapping, class A>
constexpr auto fractional_drawn(A const& x) {
    constexpr pool_slip images = slip_of_images<A>(2);
    check_pool<images>();
    if constexpr (images == pool_slip::no_expression) return std::tuple{refuse_operand<A>(), refused{}, refused{}};
    else if constexpr (images != pool_slip::none) return std::tuple{refused{}, refused{}, refused{}};
    else {
        constexpr fractional_slip slip = slip_of_places<A>(Places);
        static_assert(slip != fractional_slip::places,
            "xgrad::fractional_max_pool2d<\"name\", places>(x) or fractional_average_pool2d: places are not from 1 to the extents of the "
            "spatial axes, or such an extent is named; write per_axis{5, 4}");
        if constexpr (slip != fractional_slip::none) return std::tuple{refused{}, refused{}, refused{}};
        else {
            constexpr shape s = value_of<A>.dims;
            auto const rows = fractional_sequence<join_names<Name, "rows">(), s.extents[1].constant, Places[0], How>();
            auto const columns = fractional_sequence<join_names<Name, "columns">(), s.extents[2].constant, Places[1], How>();
            return std::tuple{fractional_pooled<Op<Overlapping>>(x, rows, columns), rows, columns};
        }
    }
}
}
/// The maxima over Places parts of each spatial axis, with sequences that are drawn once for all images: `auto const [y, rows, columns] =
/// fractional_max_pool2d<"pool", per_axis{5, 4}>(x)`. A third template argument is fractional_parts::pseudo_random.
/// Gradient: of y, as above; of the sequences none.
template<fixed_string Name, per_axis Places, fractional_parts How = fractional_parts::random, class A, class... Tags>
    requires(detail::are_overlapping<Tags...>)
constexpr auto fractional_max_pool2d(A const& x, [[maybe_unused]] Tags... overlapping) {
    return detail::fractional_drawn<op::fractional_max_pool, Name, Places, How, detail::overlap<Tags...>>(x);
}
/// The means over such parts: `fractional_average_pool2d<"pool", 5>(x)`.
/// Gradient: of y, that of fractional_average_pool2d; of the sequences none.
template<fixed_string Name, per_axis Places, fractional_parts How = fractional_parts::random, class A, class... Tags>
    requires(detail::are_overlapping<Tags...>)
constexpr auto fractional_average_pool2d(A const& x, [[maybe_unused]] Tags... overlapping) {
    return detail::fractional_drawn<op::fractional_average_pool, Name, Places, How, detail::overlap<Tags...>>(x);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
