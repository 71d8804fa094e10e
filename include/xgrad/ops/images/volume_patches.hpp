// SPDX-License-Identifier: MIT
// Windows of volumes as rows of numbers.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/images/patches.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Calls f(offset in the volume, offset in the patch, whether it is in the volume) for each element of the window at (h, i, j). Channels
/// are together, and n is the shape of the volumes.
template<class F>
XGRAD_INLINE void each_volume_patch_element(
    window_axes const& a, std::int64_t h, std::int64_t i, std::int64_t j, std::array<std::int64_t, 5> const& n, F const& f) {
    std::int64_t const place[3]{h, i, j};
    std::int64_t from[3];
    for (int d = 0; d < 3; ++d) from[d] = place[d] * a.at[d].stride - a.at[d].before;
    std::int64_t at = 0;
    for (std::int64_t p = 0, z = from[0]; p < a.at[0].size; ++p, z += a.at[0].dilation)
        for (std::int64_t k = 0, y = from[1]; k < a.at[1].size; ++k, y += a.at[1].dilation)
            for (std::int64_t l = 0, x = from[2]; l < a.at[2].size; ++l, x += a.at[2].dilation, ++at)
                f((z * n[2] + y) * n[3] + x, at, z >= 0 && z < n[1] && y >= 0 && y < n[2] && x >= 0 && x < n[3]);
}
struct extract_volume_patches;
/// The sums of patches [b, o, m, n, k] in volumes of the extents in the attributes.
struct fold_volume_patches : kernel_op {
    using attributes = window_axes;
    static constexpr std::string_view name = "fold_volume_patches";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a, int) {
        return {v[0].type, a.target(), fault::none};
    }
    template<class T>
    XGRAD_FLATTEN static void run(attributes const& a, kernel_part const& part, tensor_view<T const, 5> p, tensor_view<T, 5> x) {
        std::array<std::int64_t, 5> const n = x.shape();
        std::int64_t const volume = n[1] * n[2] * n[3] * n[4], c = n[4], size = p.shape(4);
        std::fill(x.data() + part.first * volume, x.data() + part.last * volume, T(0));
        for (std::int64_t b = part.first; b < part.last; ++b)
            for (std::int64_t h = 0, row = b * p.shape(1) * p.shape(2) * p.shape(3); h < p.shape(1); ++h)
                for (std::int64_t i = 0; i < p.shape(2); ++i)
                    for (std::int64_t j = 0; j < p.shape(3); ++j, ++row)
                        each_volume_patch_element(a, h, i, j, n, [&](std::int64_t pixel, std::int64_t at, bool inside) {
                            if (!inside) return;
                            T const* const from = p.data() + row * size + at * c;
                            T* const to = x.data() + b * volume + pixel * c;
                            xgrad::detail::each_block<T>(
                                c, [&](std::int64_t k, auto block) { block.store(to + k, block.load(to + k) + block.load(from + k)); });
                        });
    }
    static constexpr void derive(derivation& d);
};
/// The patches of volumes [b, d, h, w, c]: [b, o, m, n, planes · rows · columns · c].
struct extract_volume_patches : kernel_op {
    using attributes = window_axes;
    static constexpr std::string_view name = "extract_volume_patches";
    static constexpr bool in_order = true, half_operands = true;
    static constexpr int flops = 0;
    static constexpr extent turns(kernel_operands const& v) {
        shape const& s = v.dims(1);
        return s.extents[0] * s.extents[1] * s.extents[2];
    }
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& attrs, int) {
        window_axes const a = attrs.as<attributes>();
        value_info r = v[0];
        for (int i = 0; i < 3; ++i) r.dims.extents[1 + i] = a.at[i].places(r.dims.extents[1 + i]);
        r.dims.extents[4] = r.dims.extents[4] * static_extent(a.at[0].size * a.at[1].size * a.at[2].size);
        return r;
    }
    template<class T>
    XGRAD_FLATTEN static void run(attributes const& a, kernel_part const& part, tensor_view<T const, 5> x, tensor_view<T, 5> p) {
        std::array<std::int64_t, 5> const n = x.shape();
        std::int64_t const volume = n[1] * n[2] * n[3] * n[4], c = n[4], planes = p.shape(1), rows = p.shape(2), columns = p.shape(3);
        for (std::int64_t row = part.first; row < part.last; ++row) {
            T const* const from = x.data() + row / (planes * rows) * volume;
            for (std::int64_t j = 0; j < columns; ++j) {
                T* const to = p.data() + (row * columns + j) * p.shape(4);
                each_volume_patch_element(a, row / rows % planes, row % rows, j, n, [&](std::int64_t pixel, std::int64_t at, bool inside) {
                    if (inside) std::copy_n(from + pixel * c, c, to + at * c);
                    else std::fill_n(to + at * c, c, T(0));
                });
            }
        }
    }
    static constexpr void derive(derivation& d) {
        auto const w = to_words(d.attrs->as<attributes>());
        shape const& s = d.info(0).dims;
        d.out[0] = apply_with<fold_volume_patches>(w.view(s.extents, s.rank), d.gradient);
    }
};
constexpr void fold_volume_patches::derive(derivation& d) {
    d.out[0] = apply_with<extract_volume_patches>(to_words(d.attrs->as<attributes>()).view(), d.gradient);
}
}

namespace detail {
template<class A, per_axis Size, window W>
constexpr patch_plan plan_of_volume_patches() {
    patch_plan r{patch_slip::none, {}};
    switch (slip_of_images<A>(3)) {
    case pool_slip::none: break;
    case pool_slip::no_expression: r.slip = patch_slip::no_expression; return r;
    case pool_slip::wrong: r.slip = patch_slip::wrong; return r;
    case pool_slip::rank: r.slip = patch_slip::rank; return r;
    default: r.slip = patch_slip::type; return r;
    }
    if constexpr (Expr<A>) {
        r.slip = patch_slip::numbers;
        if (!Size.fits(3) || !Size.at_least(1)) return r;
        switch (resolve_window(W, Size, 3, value_of<A>.dims.extents + 1, r.axes)) {
        case xgrad::window_slip::none: r.slip = patch_slip::none; break;
        case xgrad::window_slip::unknown_extent: r.slip = patch_slip::unknown_extent; break;
        case xgrad::window_slip::too_large: r.slip = patch_slip::too_large; break;
        default: break;
        }
    }
    return r;
}
template<patch_slip Slip>
constexpr void check_volume_patches() {
    static_assert(Slip != patch_slip::rank,
        "xgrad::extract_volume_patches<size>(x): x has not five axes; give [batch, depth, height, width, channels]");
    static_assert(Slip != patch_slip::type, "xgrad::extract_volume_patches<size>(x): x is not floating; write cast<float>(x)");
    static_assert(Slip != patch_slip::numbers,
        "xgrad::extract_volume_patches<size, window{...}>(x): a size, stride, dilation or padding is too small, or they are not one or three "
        "numbers; write per_axis{2, 3, 3}");
    static_assert(Slip != patch_slip::unknown_extent,
        "xgrad::extract_volume_patches<size, window{...}>(x): a stride is above 1 along a named dimension; write integers");
    static_assert(Slip != patch_slip::too_large,
        "xgrad::extract_volume_patches<size, window{...}>(x): the window is longer than an axis of x with its padding; write a smaller size");
}
}

/// The windows of volumes [batch, depth, height, width, channels] as rows: [batch, planes, rows, columns, size · channels], ordered by
/// plane in the window, row, column, channel (TensorFlow's extract_volume_patches). `extract_volume_patches<2, window{.strides = 2,
/// .padding = window_padding::same}>(x)`. Elements of the padding are 0.
/// Gradient: the sums of g in volumes.
template<per_axis Size, window W = window{}, class A>
constexpr auto extract_volume_patches(A const& x) {
    using detail::patch_slip;
    constexpr detail::patch_plan p = detail::plan_of_volume_patches<A, Size, W>();
    detail::check_volume_patches<p.slip>();
    if constexpr (p.slip == patch_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (p.slip != patch_slip::none) return detail::refused{};
    else return apply<with<op::extract_volume_patches, p.axes>>(x);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
