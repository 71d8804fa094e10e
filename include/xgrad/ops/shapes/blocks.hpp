// SPDX-License-Identifier: MIT
// Blocks of pixels as channels or as separate images; matrices along a diagonal. Each is made of reshape, transpose and pad.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/arrange.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
enum class block_slip { none, no_expression, wrong, rank, block, divides, types };
constexpr bool divides(std::int64_t n, extent const& e) { return (e / n) * static_extent(n) == e; }
/// Axes of `by_block` must be multiples of the block, and the axis `by_square` of its square; -1 means none.
template<class A>
constexpr block_slip slip_of_blocks(std::int64_t block, axis_set by_block, int by_square = -1) {
    if constexpr (!Expr<A>) return block_slip::no_expression;
    else {
        shape const& s = value_of<A>.dims;
        if (value_of<A>.wrong != fault::none) return block_slip::wrong;
        if (s.rank != 4) return block_slip::rank;
        if (block < 1) return block_slip::block;
        for (int i = 0; i < 4; ++i)
            if ((by_block.has(i) && !divides(block, s.extents[i])) || (i == by_square && !divides(block * block, s.extents[i])))
                return block_slip::divides;
        return block_slip::none;
    }
}
template<block_slip Slip>
constexpr void check_blocks() {
    static_assert(Slip != block_slip::rank,
        "xgrad: a function of blocks such as space_to_depth<block>(x) gets an x that does not have four axes; give it images, or write "
        "expand_dims<0>(x)");
    static_assert(Slip != block_slip::block && Slip != block_slip::divides,
        "xgrad: the block of space_to_depth<block>(x), pixel_shuffle<block>(x) and the like is below 1, or does not divide the axes; pad x, or "
        "write another");
}
/// x in the shape Wide, with its axes permuted, then in the shape Whole.
template<shape Wide, shape Whole, int... Order, class A>
constexpr auto rearranged(A const& x) {
    return reshaped_to<Whole>(transpose<Order...>(reshaped_to<Wide>(x)));
}
// The extents of A, times or divided by a block.
template<class A>
constexpr extent extent_at(int axis) {
    return value_of<A>.dims.extents[axis];
}
template<class A>
constexpr extent times(int axis, std::int64_t by) {
    return extent_at<A>(axis) * static_extent(by);
}
template<class A>
constexpr extent part_of(int axis, std::int64_t by) {
    return extent_at<A>(axis) / by;
}
}

/// Blocks of Block × Block pixels as channels: [n, h / b, w / b, b·b·c] of images [n, h, w, c]. Channels are ordered by row in
/// the block, column, channel (TensorFlow's space_to_depth). Block divides height and width.
/// Gradient: g with its blocks put back.
template<std::int64_t Block, class A>
constexpr auto space_to_depth(A const& x) {
    using detail::block_slip;
    constexpr block_slip slip = detail::slip_of_blocks<A>(Block, {0b0110});
    detail::check_blocks<slip>();
    if constexpr (slip == block_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != block_slip::none) return detail::refused{};
    else {
        constexpr extent n = detail::extent_at<A>(0), c = detail::extent_at<A>(3), b = static_extent(Block);
        constexpr extent h = detail::part_of<A>(1, Block), w = detail::part_of<A>(2, Block);
        return detail::rearranged<shape{6, {n, h, b, w, b, c}}, shape{4, {n, h, w, c * static_extent(Block * Block)}}, 0, 1, 3, 2, 4, 5>(x);
    }
}
/// Channels as blocks of Block × Block pixels: [n, h·b, w·b, c] of images [n, h, w, b·b·c]. The inverse of space_to_depth
/// (TensorFlow's depth_to_space). PyTorch's order of channels is that of pixel_shuffle.
/// Gradient: g with its blocks as channels.
template<std::int64_t Block, class A>
constexpr auto depth_to_space(A const& x) {
    using detail::block_slip;
    constexpr block_slip slip = detail::slip_of_blocks<A>(Block, {}, 3);
    detail::check_blocks<slip>();
    if constexpr (slip == block_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != block_slip::none) return detail::refused{};
    else {
        constexpr extent n = detail::extent_at<A>(0), h = detail::extent_at<A>(1), w = detail::extent_at<A>(2), b = static_extent(Block);
        constexpr extent c = detail::part_of<A>(3, Block * Block);
        return detail::rearranged<shape{6, {n, h, w, b, b, c}}, shape{4, {n, h * b, w * b, c}}, 0, 1, 3, 2, 4, 5>(x);
    }
}
/// Channels as blocks of Block × Block pixels, channels first: [n, c, h·b, w·b] of images [n, c·b·b, h, w]. Channels are ordered
/// by channel of the result, row in the block, column (PyTorch's pixel_shuffle).
/// Gradient: g with its blocks as channels.
template<std::int64_t Block, class A>
constexpr auto pixel_shuffle(A const& x) {
    using detail::block_slip;
    constexpr block_slip slip = detail::slip_of_blocks<A>(Block, {}, 1);
    detail::check_blocks<slip>();
    if constexpr (slip == block_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != block_slip::none) return detail::refused{};
    else {
        constexpr extent n = detail::extent_at<A>(0), h = detail::extent_at<A>(2), w = detail::extent_at<A>(3), b = static_extent(Block);
        constexpr extent c = detail::part_of<A>(1, Block * Block);
        return detail::rearranged<shape{6, {n, c, b, b, h, w}}, shape{4, {n, c, h * b, w * b}}, 0, 1, 4, 2, 5, 3>(x);
    }
}
/// Images [n, c, h, w] whose channels are Groups groups, with the first channel of each group first, then the second ones (PyTorch's
/// channel_shuffle): `channel_shuffle<2>(x)`. Groups divides c.
/// Gradient: g with its channels put back.
template<std::int64_t Groups, class A>
constexpr auto channel_shuffle(A const& x) {
    using detail::block_slip;
    constexpr block_slip slip = detail::slip_of_blocks<A>(Groups, {0b10});
    detail::check_blocks<slip>();
    if constexpr (slip == block_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != block_slip::none) return detail::refused{};
    else {
        constexpr shape s = value_of<A>.dims;
        constexpr extent pixels = s.extents[2] * s.extents[3], each = detail::part_of<A>(1, Groups);
        return detail::rearranged<shape{4, {s.extents[0], static_extent(Groups), each, pixels}}, s, 0, 2, 1, 3>(x);
    }
}
/// Blocks of Block × Block pixels as channels, channels first: [n, c·b·b, h / b, w / b] of images [n, c, h, w]. The inverse of
/// pixel_shuffle (PyTorch's pixel_unshuffle). Block divides height and width.
/// Gradient: g with its blocks put back.
template<std::int64_t Block, class A>
constexpr auto pixel_unshuffle(A const& x) {
    using detail::block_slip;
    constexpr block_slip slip = detail::slip_of_blocks<A>(Block, {0b1100});
    detail::check_blocks<slip>();
    if constexpr (slip == block_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != block_slip::none) return detail::refused{};
    else {
        constexpr extent n = detail::extent_at<A>(0), c = detail::extent_at<A>(1), b = static_extent(Block);
        constexpr extent h = detail::part_of<A>(2, Block), w = detail::part_of<A>(3, Block);
        return detail::rearranged<shape{6, {n, c, h, b, w, b}}, shape{4, {n, c * static_extent(Block * Block), h, w}}, 0, 1, 3, 5, 2, 4>(x);
    }
}
/// Each place in blocks of Block × Block pixels as a separate image: [b·b·n, h / b, w / b, c] of images [n, h, w, c]. Zeros
/// surround the images first: Top, Bottom, Left and Right of them. Block divides the padded height and width (TensorFlow's
/// space_to_batch; a convolution with holes becomes one without).
/// Gradient: g with its blocks put back, without the padding.
template<std::int64_t Block, std::int64_t Top = 0, std::int64_t Bottom = 0, std::int64_t Left = 0, std::int64_t Right = 0, class A>
constexpr auto space_to_batch(A const& x) {
    using detail::block_slip;
    constexpr block_slip rank = detail::slip_of_blocks<A>(1, {});
    detail::check_blocks<rank>();
    constexpr bool pads = Block >= 1 && Top >= 0 && Bottom >= 0 && Left >= 0 && Right >= 0;
    static_assert(
        pads, "xgrad::space_to_batch<block, top, bottom, left, right>(x): block is below 1 or a padding is negative; write such integers");
    if constexpr (rank == block_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (rank != block_slip::none || !pads) return detail::refused{};
    else {
        auto const padded = pad<Left, Right, 2>(pad<Top, Bottom, 1>(x));
        using P = std::remove_const_t<decltype(padded)>;
        constexpr block_slip slip = detail::slip_of_blocks<P>(Block, {0b0110});
        detail::check_blocks<slip>();
        if constexpr (slip != block_slip::none) return detail::refused{};
        else {
            constexpr extent n = detail::extent_at<P>(0), c = detail::extent_at<P>(3), b = static_extent(Block);
            constexpr extent h = detail::part_of<P>(1, Block), w = detail::part_of<P>(2, Block);
            return detail::rearranged<shape{6, {n, h, b, w, b, c}}, shape{4, {n * static_extent(Block * Block), h, w, c}}, 2, 4, 0, 1, 3,
                5>(padded);
        }
    }
}
/// Images of the places in blocks as images again: [n, h·b − top − bottom, w·b − left − right, c] of [b·b·n, h, w, c]. The
/// inverse of space_to_batch; Top, Bottom, Left and Right rows and columns are removed (TensorFlow's batch_to_space).
/// Gradient: g with zeros around it, its blocks as images.
template<std::int64_t Block, std::int64_t Top = 0, std::int64_t Bottom = 0, std::int64_t Left = 0, std::int64_t Right = 0, class A>
constexpr auto batch_to_space(A const& x) {
    using detail::block_slip;
    constexpr block_slip slip = detail::slip_of_blocks<A>(Block, {}, 0);
    detail::check_blocks<slip>();
    if constexpr (slip == block_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != block_slip::none) return detail::refused{};
    else {
        constexpr extent n = detail::part_of<A>(0, Block * Block), h = detail::extent_at<A>(1), w = detail::extent_at<A>(2);
        constexpr extent c = detail::extent_at<A>(3), b = static_extent(Block), rows = h * b - static_extent(Bottom),
                         columns = w * b - static_extent(Right);
        constexpr bool fits = Top >= 0 && Bottom >= 0 && Left >= 0 && Right >= 0 && (!rows.is_static() || rows.constant >= Top) &&
                              (!columns.is_static() || columns.constant >= Left);
        static_assert(fits,
            "xgrad::batch_to_space<block, top, bottom, left, right>(x): a margin is negative, or more is removed than there is; remove less");
        if constexpr (!fits) return detail::refused{};
        else {
            auto const whole = detail::rearranged<shape{6, {b, b, n, h, w, c}}, shape{4, {n, h * b, w * b, c}}, 2, 3, 0, 4, 1, 5>(x);
            auto const high = [&] {
                if constexpr (Top == 0 && Bottom == 0) return whole;
                else return slice<1, Top, rows>(whole);
            }();
            if constexpr (Left == 0 && Right == 0) return high;
            else return slice<2, Left, columns>(high);
        }
    }
}

namespace detail {
template<class... A>
constexpr block_slip slip_of_diagonal_blocks() {
    if constexpr (!(Expr<A> && ...)) return block_slip::no_expression;
    else {
        if (((value_of<A>.wrong != fault::none) || ...)) return block_slip::wrong;
        if (((value_of<A>.dims.rank != 2) || ...)) return block_slip::rank;
        if (sizeof...(A) > max_operands) return block_slip::block;
        if (((!value_of<A>.dims.extents[1].is_static()) || ...)) return block_slip::divides;
        dtype const types[]{value_of<A>.type...};
        return ((value_of<A>.type == types[0]) && ...) ? block_slip::none : block_slip::types;
    }
}
template<std::int64_t Columns, std::int64_t Before, class... Done, class A, class... Rest>
constexpr auto diagonal_blocks(std::tuple<Done...> const&, A const& a, Rest const&... rest) {
    constexpr std::int64_t n = value_of<A>.dims.extents[1].constant;
    using row = decltype(pad<Before, Columns - Before - n, 1>(a));
    if constexpr (sizeof...(Rest) == 0) return concat<0>(Done{}..., row{});
    else return diagonal_blocks<Columns, Before + n>(std::tuple<Done..., row>{}, rest...);
}
}
/// Matrices along the diagonal of a matrix, zeros elsewhere: [a + c, b + d] of [a, b] and [c, d]. The numbers of columns are
/// integers (SciPy's block_diag).
/// Gradient: of each operand, its block of g.
template<class A, class... B>
constexpr auto block_diag(A const& first, B const&... rest) {
    using detail::block_slip;
    constexpr block_slip slip = detail::slip_of_diagonal_blocks<A, B...>();
    static_assert(slip != block_slip::rank, "xgrad::block_diag(a, b...): an operand is not a matrix; write expand_dims<0>(x) for a row");
    static_assert(slip != block_slip::block, "xgrad::block_diag(a, b...): more than 32 operands are given; join groups of them first");
    static_assert(
        slip != block_slip::divides, "xgrad::block_diag(a, b...): a number of columns is a named dimension; declare it as an integer");
    static_assert(slip != block_slip::types, "xgrad::block_diag(a, b...): operands have different element types; write cast<float>(x)");
    if constexpr (slip == block_slip::no_expression) return detail::refuse_operand<A, B...>();
    else if constexpr (slip != block_slip::none) return detail::refused{};
    else {
        constexpr std::int64_t columns = (value_of<A>.dims.extents[1].constant + ... + value_of<B>.dims.extents[1].constant);
        return detail::diagonal_blocks<columns, 0>(std::tuple<>{}, first, rest...);
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
