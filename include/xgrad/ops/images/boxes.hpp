// SPDX-License-Identifier: MIT
// Boxes in images: those that remain if overlapping ones are dropped.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/ops/shape_ops.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Operands: boxes [n, 4], scores [n], the largest overlap [1] and the score [1] that is exceeded. Outputs: numbers of boxes [places], and
/// how many there are [1]. The number of places is the extent in the attributes.
struct non_max_suppression : kernel_op {
    static constexpr std::string_view name = "non_max_suppression";
    static constexpr int outputs = 2;
    static constexpr value_info infer(value_info const*, int, attributes const& a, int output) {
        return {dtype::int32, output == 0 ? a.target() : shape{1, {static_extent(1)}}, fault::none};
    }
    static constexpr extent turns(kernel_operands const&) { return static_extent(1); }
    static constexpr extent scratch_bytes(kernel_operands const& v) { return v.dims(1).size() * static_extent(4); }
    static constexpr extent flops(kernel_operands const& v) { return v.dims(0).size() * static_extent(16); }
    template<class T>
    static void run(kernel_part const& part, tensor_view<T const, 2> boxes, tensor_view<T const, 1> scores, tensor_view<T const, 1> most,
        tensor_view<T const, 1> least, tensor_view<std::int32_t, 1> chosen, tensor_view<std::int32_t, 1> counts) {
        if (part.first == part.last) return;
        auto* const order = reinterpret_cast<std::int32_t*>(part.scratch);
        std::int64_t const places = chosen.size();
        std::int64_t n = 0, count = 0;
        for (std::int64_t i = 0; i < scores.size(); ++i)
            if (scores[i] > least[0]) order[n++] = static_cast<std::int32_t>(i);
        std::sort(
            order, order + n, [&](std::int32_t a, std::int32_t b) { return scores[a] > scores[b] || (scores[a] == scores[b] && a < b); });
        for (std::int64_t i = 0; i < n && count < places; ++i) {
            bool alone = true;
            for (std::int64_t k = 0; k < count && alone; ++k)
                alone = !(overlap(boxes.data() + 4 * order[i], boxes.data() + 4 * chosen[k]) > most[0]);
            if (alone) chosen[count++] = order[i];
        }
        counts[0] = static_cast<std::int32_t>(count);
        std::fill(chosen.data() + count, chosen.data() + places, 0);
    }

private:
    /// The common area divided by that of both together, 0 for a box without area. The corners of a box may be any two opposite ones.
    template<class T>
    static T overlap(T const* a, T const* b) {
        T sides[2], area_a = 1, area_b = 1;
        for (int axis = 0; axis < 2; ++axis) {
            T const low_a = std::min(a[axis], a[axis + 2]), high_a = std::max(a[axis], a[axis + 2]);
            T const low_b = std::min(b[axis], b[axis + 2]), high_b = std::max(b[axis], b[axis + 2]);
            area_a *= high_a - low_a;
            area_b *= high_b - low_b;
            sides[axis] = std::max(std::min(high_a, high_b) - std::max(low_a, low_b), T(0));
        }
        T const both = sides[0] * sides[1];
        return area_a <= 0 || area_b <= 0 ? T(0) : both / (area_a + area_b - both);
    }
};
}

namespace detail {
template<auto Capacity, class A, class B, class C, class D>
constexpr bool are_boxes() {
    if constexpr (!Expr<A> || !Expr<B> || !Expr<C> || !Expr<D>) return true;
    else {
        value_info const &boxes = value_of<A>, &scores = value_of<B>, &most = value_of<C>, &least = value_of<D>;
        auto const number = [&](value_info const& v) { return v.dims.rank == 0 && (v.type == dtype::literal || v.type == boxes.type); };
        return boxes.wrong != fault::none || scores.wrong != fault::none ||
               (are_extents<Capacity> && is_floating(boxes.type) && scores.type == boxes.type && boxes.dims.rank == 2 &&
                   scores.dims.rank == 1 && boxes.dims.extents[1] == static_extent(4) && boxes.dims.extents[0] == scores.dims.extents[0] &&
                   number(most) && number(least));
    }
}
}

/// The boxes that remain if those are dropped that overlap a better one, best first, and how many there are: `auto const [chosen, count] =
/// non_max_suppression<10>(boxes, scores, 0.5_c, 0_c)`. `chosen` is int32 [Capacity], with zeros after the last one. Boxes [n, 4] are two
/// opposite corners. One is dropped if its common area with a chosen one is more than 0.5 of the area of both together, or if its score is
/// not above 0. Of equal scores the first one counts as better (TensorFlow's image.non_max_suppression_padded, torchvision's nms).
/// Gradient: none.
template<auto Capacity, class A, class B, class C, class D>
constexpr auto non_max_suppression(A const& boxes, B const& scores, C const& most_overlap, D const& least_score) {
    constexpr bool fits = detail::are_boxes<Capacity, A, B, C, D>();
    static_assert(fits,
        "xgrad::non_max_suppression<capacity>(boxes, scores, overlap, score): boxes are not [n, 4] and scores [n] of one floating type, or a "
        "bound is no number; write reshape or cast");
    if constexpr (!Expr<A> || !Expr<B> || !Expr<C> || !Expr<D>) return std::tuple{detail::refuse_operand<A, B, C, D>(), detail::refused{}};
    else if constexpr (!fits || value_of<A>.wrong != fault::none || value_of<B>.wrong != fault::none)
        return std::tuple{detail::refused{}, detail::refused{}};
    else {
        using T = cpp_type_t<value_of<A>.type>;
        constexpr shape one{1, {static_extent(1)}};
        auto const [chosen, counts] = apply_all<detail::with_shape<op::non_max_suppression, make_shape<Capacity>()>>(
            boxes, scores, detail::repeated_to<one>(cast<T>(most_overlap)), detail::repeated_to<one>(cast<T>(least_score)));
        return std::tuple{chosen, detail::reshaped_to<shape{}>(counts)};
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
