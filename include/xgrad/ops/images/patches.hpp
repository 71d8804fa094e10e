// SPDX-License-Identifier: MIT
// Windows of images as rows of numbers, and their sums back in images.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/pooling/pool_loops.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Calls f(offset in the image, offset in the patch, in the array) for each element of the window at (i, j): channels are together.
template<class F>
XGRAD_INLINE void each_patch_element(window_axes const& a, std::int64_t i, std::int64_t j, std::int64_t h, std::int64_t w, F const& f) {
    for (std::int64_t k = 0, at = 0; k < a.at[0].size; ++k)
        for (std::int64_t l = 0; l < a.at[1].size; ++l, ++at) {
            std::int64_t const y = i * a.at[0].stride + k * a.at[0].dilation - a.at[0].before;
            std::int64_t const x = j * a.at[1].stride + l * a.at[1].dilation - a.at[1].before;
            f(y * w + x, at, y >= 0 && y < h && x >= 0 && x < w);
        }
}
struct extract_patches;
/// The sums of patches [b, m, n, k] in images of the extents in the attributes.
struct fold_patches : kernel_op {
    using attributes = window_axes;
    static constexpr std::string_view name = "fold_patches";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a, int) {
        return {v[0].type, a.target(), fault::none};
    }
    template<class T>
    XGRAD_FLATTEN static void run(attributes const& a, kernel_part const& part, tensor_view<T const, 4> p, tensor_view<T, 4> x) {
        std::int64_t const h = x.shape(1), w = x.shape(2), c = x.shape(3), m = p.shape(1), n = p.shape(2), size = p.shape(3);
        for (std::int64_t b = part.first; b < part.last; ++b) {
            T* const image = x.data() + b * h * w * c;
            std::fill(image, image + h * w * c, T(0));
            for (std::int64_t i = 0; i < m; ++i)
                for (std::int64_t j = 0; j < n; ++j) {
                    T const* const from = p.data() + ((b * m + i) * n + j) * size;
                    each_patch_element(a, i, j, h, w, [&](std::int64_t pixel, std::int64_t at, bool inside) {
                        if (!inside) return;
                        xgrad::detail::each_block<T>(c, [&](std::int64_t k, auto block) {
                            T* const to = image + pixel * c + k;
                            block.store(to, block.load(to) + block.load(from + at * c + k));
                        });
                    });
                }
        }
    }
    static constexpr void derive(derivation& d);
};
/// The patches of images [b, h, w, c]: [b, m, n, rows · columns · c].
struct extract_patches : kernel_op {
    using attributes = window_axes;
    static constexpr std::string_view name = "extract_patches";
    static constexpr bool in_order = true, half_operands = true;
    static constexpr int flops = 0;
    static constexpr extent turns(kernel_operands const& v) { return v.dims(1).extents[0] * v.dims(1).extents[1]; }
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& attrs, int) {
        window_axes const a = attrs.as<attributes>();
        value_info r = v[0];
        for (int i = 0; i < 2; ++i) r.dims.extents[1 + i] = a.at[i].places(r.dims.extents[1 + i]);
        r.dims.extents[3] = r.dims.extents[3] * static_extent(a.at[0].size * a.at[1].size);
        return r;
    }
    template<class T>
    XGRAD_FLATTEN static void run(attributes const& a, kernel_part const& part, tensor_view<T const, 4> x, tensor_view<T, 4> p) {
        std::int64_t const h = x.shape(1), w = x.shape(2), c = x.shape(3), m = p.shape(1), n = p.shape(2), size = p.shape(3);
        for (std::int64_t row = part.first; row < part.last; ++row) {
            T const* const image = x.data() + row / m * h * w * c;
            for (std::int64_t j = 0; j < n; ++j) {
                T* const to = p.data() + (row * n + j) * size;
                each_patch_element(a, row % m, j, h, w, [&](std::int64_t pixel, std::int64_t at, bool inside) {
                    if (inside) std::copy_n(image + pixel * c, c, to + at * c);
                    else std::fill_n(to + at * c, c, T(0));
                });
            }
        }
    }
    static constexpr void derive(derivation& d) {
        auto const w = to_words(d.attrs->as<attributes>());
        shape const& s = d.info(0).dims;
        d.out[0] = apply_with<fold_patches>(w.view(s.extents, s.rank), d.gradient);
    }
};
constexpr void fold_patches::derive(derivation& d) {
    d.out[0] = apply_with<extract_patches>(to_words(d.attrs->as<attributes>()).view(), d.gradient);
}
}

namespace detail {
enum class patch_slip { none, no_expression, wrong, rank, type, numbers, unknown_extent, too_large, patches };
struct patch_plan {
    patch_slip slip;
    window_axes axes;
};
constexpr patch_plan plan_of_patches(shape const& images, per_axis const& size, window const& w) {
    patch_plan r{patch_slip::numbers, {}};
    if (!size.fits(2) || !size.at_least(1)) return r;
    xgrad::window_slip const slip = resolve_window(w, size, 2, images.extents + 1, r.axes);
    r.slip = slip == xgrad::window_slip::none             ? patch_slip::none
             : slip == xgrad::window_slip::unknown_extent ? patch_slip::unknown_extent
             : slip == xgrad::window_slip::too_large      ? patch_slip::too_large
                                                          : patch_slip::numbers;
    return r;
}
template<patch_slip Slip>
constexpr void check_patches() {
    static_assert(Slip != patch_slip::rank,
        "xgrad: extract_patches<size>(x) or fold_patches<height, width, size>(p) gets an operand without four axes; give [batch, height, "
        "width, channels]");
    static_assert(Slip != patch_slip::type,
        "xgrad: extract_patches<size>(x) or fold_patches<height, width, size>(p) gets an operand that is not floating; write cast<float>(x)");
    static_assert(Slip != patch_slip::numbers,
        "xgrad: the size, strides, dilations or padding of extract_patches<size, window{...}>(x) or fold_patches are too small, or not one or "
        "two numbers; write per_axis{2, 3}");
    static_assert(Slip != patch_slip::unknown_extent,
        "xgrad: extract_patches or fold_patches with a stride above 1 gets a height or width that is a named dimension; write integers");
    static_assert(Slip != patch_slip::too_large,
        "xgrad: the window of extract_patches or fold_patches is longer than an axis of the image with its padding; write a smaller size");
    static_assert(Slip != patch_slip::patches,
        "xgrad::fold_patches<height, width, size>(p): the patches are not those of such images; p is [batch, rows, columns, size · channels] as "
        "extract_patches makes it");
}
template<class A>
constexpr patch_slip slip_of_patch_operand() {
    switch (slip_of_images<A>(2)) {
    case pool_slip::no_expression: return patch_slip::no_expression;
    case pool_slip::wrong: return patch_slip::wrong;
    case pool_slip::rank: return patch_slip::rank;
    case pool_slip::type: return patch_slip::type;
    default: return patch_slip::none;
    }
}
template<class A, per_axis Size, window W>
constexpr patch_plan plan_of_extract() {
    if constexpr (slip_of_patch_operand<A>() != patch_slip::none) return {slip_of_patch_operand<A>(), {}};
    else return plan_of_patches(value_of<A>.dims, Size, W);
}
struct fold_plan {
    patch_plan plan;
    shape images;
};
template<class A, auto Height, auto Width, per_axis Size, window W>
constexpr fold_plan plan_of_fold() {
    fold_plan r{{slip_of_patch_operand<A>(), {}}, {}};
    if constexpr (slip_of_patch_operand<A>() == patch_slip::none) {
        shape const& p = value_of<A>.dims;
        r.plan.slip = patch_slip::patches;
        if (!are_extents<Height, Width>) return r;
        std::int64_t const n = Size[0] * Size[1];
        if (n < 1 || !((p.extents[3] / n) * static_extent(n) == p.extents[3])) return r;
        shape const sizes = make_shape<Height, Width>();
        r.images = {4, {p.extents[0], sizes.extents[0], sizes.extents[1], p.extents[3] / n}};
        r.plan = plan_of_patches(r.images, Size, W);
        if (r.plan.slip == patch_slip::none && !(r.plan.axes.at[0].places(r.images.extents[1]) == p.extents[1] &&
                                                   r.plan.axes.at[1].places(r.images.extents[2]) == p.extents[2]))
            r.plan.slip = patch_slip::patches;
    }
    return r;
}
}

/// The windows of images [batch, height, width, channels] as rows: [batch, rows, columns, size · channels], ordered by row in the window,
/// column, channel (TensorFlow's tf.image.extract_patches). `extract_patches<3, window{.strides = 2, .padding = window_padding::same}>(x)`;
/// dilations are TensorFlow's rates. Elements of the padding are 0. PyTorch's unfold orders by channel first.
/// Gradient: the sums of g in images, which fold_patches is.
template<per_axis Size, window W = window{}, class A>
constexpr auto extract_patches(A const& x) {
    using detail::patch_slip;
    constexpr detail::patch_plan p = detail::plan_of_extract<A, Size, W>();
    detail::check_patches<p.slip>();
    if constexpr (p.slip == patch_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (p.slip != patch_slip::none) return detail::refused{};
    else return apply<with<op::extract_patches, p.axes>>(x);
}
/// Images [batch, Height, Width, channels], each element the sum of its copies in the patches that extract_patches<Size, W> would make of
/// them (PyTorch's fold, with the order of extract_patches).
/// Gradient: the patches of g.
template<auto Height, auto Width, per_axis Size, window W = window{}, class A>
constexpr auto fold_patches(A const& p) {
    using detail::patch_slip;
    constexpr detail::fold_plan f = detail::plan_of_fold<A, Height, Width, Size, W>();
    detail::check_patches<f.plan.slip>();
    if constexpr (f.plan.slip == patch_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (f.plan.slip != patch_slip::none) return detail::refused{};
    else return apply<detail::with_both<op::fold_patches, f.plan.axes, f.images>>(p);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
