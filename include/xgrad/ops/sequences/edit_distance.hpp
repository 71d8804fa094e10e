// SPDX-License-Identifier: MIT
// How many insertions, deletions and replacements make one sequence another one.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/index/take.hpp>
#include <xgrad/ops/sequences/padding.hpp>

#include <algorithm>
#include <limits>

XGRAD_NAMESPACE_BEGIN

namespace op {
struct edit_distance_attributes {
    flag normalize, unused;
};
/// Operands: two arrays of rows and their lengths. Output: a float for each row.
struct edit_distance : kernel_op {
    using attributes = edit_distance_attributes;
    static constexpr std::string_view name = "edit_distance";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const&, int) {
        return {dtype::float32, {1, {v[0].dims.extents[0]}}, fault::none};
    }
    static constexpr extent scratch_bytes(kernel_operands const& v) {
        return v.dims(2).extents[1] * static_extent(sizeof(std::int32_t)) + static_extent(sizeof(std::int32_t));
    }
    static constexpr extent flops(kernel_operands const& v) { return v.dims(0).size() * v.dims(2).extents[1] * static_extent(4); }
    template<class A, class N, class B, class M>
    static void run(attributes const& how, kernel_part const& part, tensor_view<A const, 2> guess, tensor_view<N const, 1> guess_lengths,
        tensor_view<B const, 2> truth, tensor_view<M const, 1> truth_lengths, tensor_view<float, 1> y) {
        auto* const row = reinterpret_cast<std::int32_t*>(part.scratch);
        for (std::int64_t b = part.first; b < part.last; ++b) {
            std::int64_t const n = valid_length(guess_lengths[b], guess.shape(1)), m = valid_length(truth_lengths[b], truth.shape(1));
            auto const distance =
                static_cast<float>(of_rows(guess.data() + b * guess.shape(1), n, truth.data() + b * truth.shape(1), m, row));
            if (!how.normalize || distance == 0) y[b] = distance;
            else y[b] = m == 0 ? std::numeric_limits<float>::infinity() : distance / static_cast<float>(m);
        }
    }
    static constexpr void derive(derivation&) {}

private:
    /// row[j] is the distance of the first elements of a, as many as have been read, and the first j of b.
    template<class A, class B>
    static std::int32_t of_rows(A const* a, std::int64_t n, B const* b, std::int64_t m, std::int32_t* row) {
        for (std::int64_t j = 0; j <= m; ++j) row[j] = static_cast<std::int32_t>(j);
        for (std::int64_t i = 0; i < n; ++i) {
            std::int32_t replaced = row[0];
            row[0] = static_cast<std::int32_t>(i + 1);
            for (std::int64_t j = 1; j <= m; ++j) {
                bool const differ = static_cast<std::int64_t>(a[i]) != static_cast<std::int64_t>(b[j - 1]);
                std::int32_t const best = std::min(replaced + (differ ? 1 : 0), std::min(row[j], row[j - 1]) + 1);
                replaced = row[j];
                row[j] = best;
            }
        }
        return row[m];
    }
};
}

namespace detail {
enum class edit_slip { none, no_expression, wrong, rows, lengths };
template<class A, class N, class B, class M>
constexpr edit_slip slip_of_edit() {
    if constexpr (!Expr<A> || !Expr<N> || !Expr<B> || !Expr<M>) return edit_slip::no_expression;
    else {
        value_info const &a = value_of<A>, &n = value_of<N>, &b = value_of<B>, &m = value_of<M>;
        for (value_info const* v : {&a, &n, &b, &m})
            if (v->wrong != fault::none) return edit_slip::wrong;
        bool const rows = a.dims.rank == 2 && b.dims.rank == 2 && a.dims.extents[0] == b.dims.extents[0];
        if (!rows || !is_integer(a.type) || !is_integer(b.type)) return edit_slip::rows;
        shape const each{1, {a.dims.extents[0]}};
        bool const lengths = is_integer(n.type) && is_integer(m.type) && n.dims == each && m.dims == each;
        return lengths ? edit_slip::none : edit_slip::lengths;
    }
}
}

/// How many insertions, deletions and replacements of elements make rows of x the rows of y at least (Levenshtein's distance). They are
/// divided by the lengths of the rows of y, float [batch]. x [batch, n] and y [batch, m] are integers, such as results of
/// ctc_greedy_decode and labels. Both lengths are integers [batch]; one below 0 counts as 0, and one above its axis as the axis. The
/// distance to an empty row is infinite, or 0 for two empty rows. `edit_distance<false>(...)` does not divide (TensorFlow's
/// edit_distance).
/// Gradient: none.
template<bool Normalize = true, class A, class N, class B, class M>
constexpr auto edit_distance(A const& x, N const& x_lengths, B const& y, M const& y_lengths) {
    using detail::edit_slip;
    constexpr auto slip = detail::slip_of_edit<A, N, B, M>();
    static_assert(slip != edit_slip::rows,
        "xgrad::edit_distance(x, x_lengths, y, y_lengths): x or y is not integers [batch, length] of one batch; write reshape or "
        "cast<std::int32_t>(x)");
    static_assert(slip != edit_slip::lengths,
        "xgrad::edit_distance(x, x_lengths, y, y_lengths): lengths are not an integer for each row; write input<\"n\", std::int32_t, batch>");
    if constexpr (slip == edit_slip::no_expression) return detail::refuse_operand<A, N, B, M>();
    else if constexpr (slip != edit_slip::none) return detail::refused{};
    else
        return apply<with<op::edit_distance, op::edit_distance_attributes{Normalize, false}>>(
            detail::as_index(x), detail::as_index(x_lengths), detail::as_index(y), detail::as_index(y_lengths));
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
