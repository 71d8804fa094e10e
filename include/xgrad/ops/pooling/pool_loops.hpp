// SPDX-License-Identifier: MIT
// What pools and operations on images share: registers of channels, and the places of windows.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/simd.hpp>
#include <xgrad/core/math.hpp>
#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/ops/convolution/window.hpp>
#include <xgrad/ops/shape_ops.hpp>

#include <algorithm>
#include <utility>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// A whole register of channels.
template<class T>
struct whole_block {
    using V = simd::batch<T>;
    XGRAD_INLINE V load(T const* p) const { return simd::load(p); }
    XGRAD_INLINE void store(T* p, V x) const { simd::store(p, x); }
    XGRAD_INLINE T sum(V x) const { return simd::sum(x); }
};
/// The first n lanes of a register.
template<class T>
struct part_block {
    using V = simd::batch<T>;
    std::size_t n;
    XGRAD_INLINE V load(T const* p) const { return simd::load_partial(p, n); }
    XGRAD_INLINE void store(T* p, V x) const { simd::store_partial(p, x, n); }
    XGRAD_INLINE T sum(V x) const { return simd::sum(x); }   // all loads of it have zeros in the other lanes
};
/// One channel.
template<class T>
struct single_block {
    using V = T;
    XGRAD_INLINE T load(T const* p) const { return *p; }
    XGRAD_INLINE void store(T* p, T x) const { *p = x; }
    XGRAD_INLINE T sum(T x) const { return x; }
};
/// Calls f(first channel, block) for all of c channels.
template<class T, class F>
XGRAD_INLINE void each_block(std::int64_t c, F const& f) {
    constexpr auto lanes = static_cast<std::int64_t>(simd::width<T>);
    std::int64_t k = 0;
    for (; k + lanes <= c; k += lanes) f(k, whole_block<T>{});
    if (c - k > 3) f(k, part_block<T>{static_cast<std::size_t>(c - k)});
    else
        for (; k < c; ++k) f(k, single_block<T>{});
}
}

namespace op {
/// A window along one axis. With size 0 the axis is cut into `places` parts as equal as possible, which may overlap by one element.
struct pool_axis {
    window_axis window;
    std::int64_t places;

    struct part {
        std::int64_t first, count;   // in the array, `window.dilation` apart
    };
    constexpr extent places_in(extent const& n) const { return window.size == 0 ? static_extent(places) : window.places(n); }
    /// The elements of the window at place p that an axis of n elements has.
    XGRAD_INLINE part at(std::int64_t p, std::int64_t n) const {
        if (window.size == 0) {
            std::int64_t const first = p * n / places;
            return {first, ((p + 1) * n + places - 1) / places - first};
        }
        std::int64_t const d = window.dilation, begin = p * window.stride - window.before;
        if (begin >= 0 && begin + window.span() <= n) return {begin, window.size};
        std::int64_t const from = begin < 0 ? (-begin + d - 1) / d : 0;
        std::int64_t const to = begin < n ? std::min(window.size, (n - begin + d - 1) / d) : 0;
        return {begin + from * d, std::max<std::int64_t>(to - from, 0)};
    }
    /// Whether `m` places have each of n elements exactly once.
    XGRAD_INLINE bool covers(std::int64_t n, std::int64_t m) const {
        if (window.size == 0) return n % places == 0;
        return window.size == window.stride && window.dilation == 1 && window.before == 0 && n == m * window.stride;
    }
};
/// The windows of a pool over [batch, depth, height, width, channels].
struct pool_axes {
    pool_axis at[3];
    constexpr shape places_in(shape s) const {
        for (int i = 0; i < 3; ++i) s.extents[1 + i] = at[i].places_in(s.extents[1 + i]);
        return s;
    }
};
/// What is known of the windows of a pool. Loops for windows that do not occur are not compiled.
struct pool_kinds {
    bool two = true, three = true, others = true;   // windows of 2 x 2 and 3 x 3 elements, and others
    bool apart = true, overlapping = true;          // no element is in two windows, or some are
};
constexpr pool_kinds kinds_of(pool_axes const& a) {
    bool equal_parts = false, whole = true, apart = true;
    for (pool_axis const& e : a.at) {
        window_axis const& w = e.window;
        equal_parts = equal_parts || w.size == 0;
        whole = whole && w.before <= 0 && w.after <= 0;
        apart = apart && w.stride >= w.span();
    }
    if (equal_parts) return {};
    auto const is = [&](std::int64_t n) { return a.at[0].window.size == 1 && a.at[1].window.size == n && a.at[2].window.size == n; };
    return {is(2), is(3), !whole || !(is(2) || is(3)), apart, !apart};
}
/// Attributes of a pool together with what is known of its windows.
template<class Attributes, pool_kinds Kinds>
struct known_pool : Attributes {};
template<class Attributes>
inline constexpr pool_kinds kinds_in{};
template<class Attributes, pool_kinds Kinds>
inline constexpr pool_kinds kinds_in<known_pool<Attributes, Kinds>> = Kinds;

/// One window in memory: its elements along three axes and the distances between them.
struct window_elements {
    std::int64_t count[3], step[3];
    XGRAD_INLINE std::int64_t size() const { return count[0] * count[1] * count[2]; }
};
/// Calls g(offset) for each element of a window. H and W are its counts if they are known.
template<int H, int W>
struct known_window {
    template<class G>
    XGRAD_INLINE static void each(window_elements const& e, G const& g) {
        [&]<int... K>(std::integer_sequence<int, K...>) { (g(K / W * e.step[1] + K % W * e.step[2]), ...); }(
            std::make_integer_sequence<int, H * W>{});
    }
    template<class G>
    XGRAD_INLINE static void each_backwards(window_elements const& e, G const& g) {
        each(e, [&](std::int64_t offset) { g((H - 1) * e.step[1] + (W - 1) * e.step[2] - offset); });
    }
};
struct any_window {
    template<class G>
    XGRAD_INLINE static void each(window_elements const& e, G const& g) {
        for (std::int64_t i = 0; i < e.count[0]; ++i)
            for (std::int64_t j = 0; j < e.count[1]; ++j)
                for (std::int64_t k = 0; k < e.count[2]; ++k) g(i * e.step[0] + j * e.step[1] + k * e.step[2]);
    }
    template<class G>
    XGRAD_INLINE static void each_backwards(window_elements const& e, G const& g) {
        for (std::int64_t i = e.count[0]; i-- > 0;)
            for (std::int64_t j = e.count[1]; j-- > 0;)
                for (std::int64_t k = e.count[2]; k-- > 0;) g(i * e.step[0] + j * e.step[1] + k * e.step[2]);
    }
};
/// Neighbouring places whose windows have equally many elements.
struct window_run {
    window_elements e;
    std::int64_t from, at;        // offsets of the first window in the array, and of its place
    std::int64_t places, apart;   // apart: from one window to the next
};
/// Calls f(window kind, run) for the places of rows first ... last − 1. `n` is the shape of the array, `m` that of the places.
template<pool_kinds Kinds, class F>
XGRAD_INLINE void each_window(pool_axes const& a, std::array<std::int64_t, 5> const& n, std::array<std::int64_t, 5> const& m,
    std::int64_t first, std::int64_t last, F const& f) {
    std::int64_t const c = n[4], width = m[3];
    window_axis const& across = a.at[2].window;
    // Places inner ... outer − 1 have whole windows.
    std::int64_t const inner = across.size == 0 ? width : std::min(width, (across.before + across.stride - 1) / across.stride);
    std::int64_t const room = n[3] - across.span() + across.before;
    std::int64_t const outer = across.size == 0 || room < 0 ? inner : std::max(inner, std::min(width, room / across.stride + 1));
    if (first == last) return;
    std::int64_t y = first % m[2], z = first / m[2] % m[1], image = first / m[2] / m[1];   // counted along: divisions are slow
    for (std::int64_t row = first; row < last; ++row) {
        pool_axis::part const d = a.at[0].at(z, n[1]), h = a.at[1].at(y, n[2]);
        std::int64_t const base = ((image * n[1] + d.first) * n[2] + h.first) * n[3];
        window_run r{
            {{d.count, h.count, 0}, {a.at[0].window.dilation * n[2] * n[3] * c, a.at[1].window.dilation * n[3] * c, across.dilation * c}},
            0, 0, 1, across.stride * c};
        for (std::int64_t p = 0; p < width; p += r.places) {
            pool_axis::part const w = a.at[2].at(p, n[3]);
            r.places = p == inner && outer > inner ? outer - inner : 1;
            r.e.count[2] = w.count;
            r.from = (base + w.first) * c;
            r.at = (row * width + p) * c;
            auto const has = [&](std::int64_t k) { return d.count == 1 && h.count == k && w.count == k; };
            if (Kinds.two && (!(Kinds.three || Kinds.others) || has(2))) {
                if constexpr (Kinds.two) f(known_window<2, 2>{}, r);
            } else if (Kinds.three && (!Kinds.others || has(3))) {
                if constexpr (Kinds.three) f(known_window<3, 3>{}, r);
            } else if constexpr (Kinds.others) f(any_window{}, r);
        }
        if (++y < m[2]) continue;
        y = 0;
        if (++z < m[1]) continue;
        z = 0;
        ++image;
    }
}
/// Calls g(offset of a window, offset of its place, block, elements) for all places and channels of a run. Pairs of registers halve
/// the number of addresses; where windows overlap and are written, a single register is faster.
template<class T, bool Pairs = true, class G>
XGRAD_INLINE void each_place(window_run const& r, std::int64_t c, G const& g) {
    // Copies: as far as the compiler knows, a store to an array may change r.
    std::int64_t const places = r.places, apart = r.apart;
    window_elements const e = r.e;
    constexpr auto lanes = static_cast<std::int64_t>(simd::width<T>);
    constexpr xgrad::detail::whole_block<T> whole{};
    std::int64_t k = 0;
    for (; Pairs && k + 2 * lanes <= c; k += 2 * lanes)
        for (std::int64_t p = 0, from = r.from + k, at = r.at + k; p < places; ++p, from += apart, at += c) {
            g(from, at, whole, e);
            g(from + lanes, at + lanes, whole, e);
        }
    xgrad::detail::each_block<T>(c - k, [&](std::int64_t i, auto block) {
        for (std::int64_t p = 0, from = r.from + k + i, at = r.at + k + i; p < places; ++p, from += apart, at += c) g(from, at, block, e);
    });
}
/// Rows of all places.
constexpr extent pool_rows(shape const& s) { return s.extents[0] * s.extents[1] * s.extents[2]; }
/// The elements that all windows of the places m have, about.
constexpr extent pool_flops(pool_axes const& a, shape const& m) {
    std::int64_t n = 1;
    for (pool_axis const& e : a.at) n *= std::max<std::int64_t>(e.window.size, 1);
    return m.size() * static_extent(n);
}
}

/// How a window of a pool moves: `max_pool2d<3, pool_window{.strides = 2, .padding = window_padding::same}>(x)`. Strides of 0 are the size
/// of the window, as in Keras. ceil_mode is that of PyTorch, for paddings by number and `valid`.
struct pool_window {
    per_axis strides = 0;
    per_axis dilations = 1;
    window_padding padding = window_padding::valid;
    bool count_padding = false;   // average pools divide by the size of the window, also where it reaches into the padding
    bool ceil_mode = false;       // one more place where the last window would not be whole, unless it begins after the array
    constexpr bool operator==(pool_window const&) const = default;
};

namespace detail {
/// An operation with a struct of attributes and a shape after it.
template<class Op, auto Attributes, shape S>
struct with_both {};
template<class Op, auto Attributes, shape S>
struct op_traits<with_both<Op, Attributes, S>> {
    using op = Op;
    static constexpr shape extents = S;
    static constexpr auto words = to_words(Attributes);
    static constexpr attributes attrs = words.view(extents.extents, S.rank);
};
enum class pool_slip { none, no_expression, wrong, rank, type, numbers, unknown_extent, too_large };
struct pool_plan {
    pool_slip slip;
    op::pool_axes axes;
    shape wide, narrow;   // of the array and of the result, with five axes
    shape result;
};
constexpr shape pool_shape(shape const& s) {
    shape r{5, {s.extents[0], static_extent(1), static_extent(1), static_extent(1), s.extents[s.rank - 1]}};
    for (int i = 1; i + 1 < s.rank; ++i) r.extents[5 - s.rank + i] = s.extents[i];
    return r;
}
template<class A>
constexpr pool_slip slip_of_images(int axes) {
    if constexpr (!Expr<A>) return pool_slip::no_expression;
    else if constexpr (value_of<A>.wrong != fault::none) return pool_slip::wrong;
    else if (value_of<A>.dims.rank != axes + 2) return pool_slip::rank;
    else return has_gradient(value_of<A>.type) ? pool_slip::none : pool_slip::type;
}
/// The places of ceil_mode: the padding after the array grows, or shrinks.
constexpr void last_place(window_axis& a, std::int64_t n) {
    std::int64_t places = (n + a.before + a.after - a.span() + a.stride - 1) / a.stride + 1;
    if ((places - 1) * a.stride >= n + a.before) --places;
    a.after = (places - 1) * a.stride + a.span() - n - a.before;
}
template<class A>
constexpr pool_plan plan_of_pool(int axes, per_axis const& size, pool_window const& w, bool adaptive) {
    pool_plan r{slip_of_images<A>(axes), {}, {}, {}, {}};
    if (r.slip != pool_slip::none) return r;
    if constexpr (Expr<A>) {
        shape const& s = value_of<A>.dims;
        r.slip = pool_slip::numbers;
        if (!size.at_least(1) || !size.fits(axes)) return r;
        window_axes of{axes, {}};
        if (!adaptive) {
            xgrad::window const moves{w.strides == per_axis(0) ? size : w.strides, w.dilations, w.padding};
            switch (resolve_window(moves, size, axes, s.extents + 1, of)) {
            case xgrad::window_slip::none: break;
            case xgrad::window_slip::unknown_extent: r.slip = pool_slip::unknown_extent; return r;
            case xgrad::window_slip::too_large: r.slip = pool_slip::too_large; return r;
            default: return r;
            }
            if (w.ceil_mode && w.padding.how == window_padding::rule::by_number)
                for (int i = 0; i < axes; ++i)
                    if (s.extents[1 + i].is_static()) last_place(of.at[i], s.extents[1 + i].constant);
        }
        r.wide = r.narrow = pool_shape(s);
        r.result = s;
        for (int i = 0; i < 3; ++i) {
            int const axis = i - 3 + axes;
            op::pool_axis& a = r.axes.at[i];
            a = {{1, 1, 1, 0, 0}, 0};
            if (axis < 0) continue;
            if (adaptive) a = {{0, 1, 1, 0, 0}, size[axis]};
            else a.window = of.at[axis];
            r.narrow.extents[1 + i] = r.result.extents[1 + axis] = a.places_in(r.wide.extents[1 + i]);
        }
        r.slip = pool_slip::none;
    }
    return r;
}
template<pool_slip Slip>
constexpr void check_pool() {
    static_assert(Slip != pool_slip::rank,
        "xgrad: a pool such as max_pool2d<size>(x) gets an x with another number of axes than [batch, spatial..., channels]; reshape it, or "
        "take the pool of its number of axes");
    static_assert(
        Slip != pool_slip::type, "xgrad: a pool such as max_pool2d<size>(x) gets an x that is not floating; write cast<float>(x)");
    static_assert(Slip != pool_slip::numbers,
        "xgrad: the size, strides, dilations or padding of a pool are too small, or more or fewer than the spatial axes; write "
        "max_pool2d<per_axis{2, 3}>(x)");
    static_assert(Slip != pool_slip::unknown_extent,
        "xgrad: a pool with a stride above 1 gets a spatial axis that is a named dimension; declare x with an integer there");
    static_assert(Slip != pool_slip::too_large,
        "xgrad: the window of a pool is longer than a spatial axis of x with its padding; write a smaller size, or window_padding::same");
}
/// The adaptive pools, and the others: `Make<A>::op<axes>` is the operation.
template<int Axes, class Make, per_axis Size, pool_window W, bool Adaptive, class A>
constexpr auto pooled(A const& x) {
    constexpr pool_plan p = plan_of_pool<A>(Axes, Size, W, Adaptive);
    check_pool<p.slip>();
    if constexpr (p.slip == pool_slip::no_expression) return refuse_operand<A>();
    else if constexpr (p.slip != pool_slip::none) return refused{};
    else return reshaped_to<p.result>(Make::template of<p.axes>(reshaped_to<p.wide>(x)));
}
template<class A>
constexpr refused refuse_pool_argument() {
    static_assert(sizeof(A) == 0,
        "xgrad: the size and the window of a pool are arguments; write them in angle brackets: max_pool2d<2, pool_window{.strides = 1}>(x)");
    return {};
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
