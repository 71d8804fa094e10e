// SPDX-License-Identifier: MIT
// The loops of segments: ids counted, and the extrema of rows.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/index/along_axis.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// How often each of 0 ... N − 1 is among ids [n], int32. N is the extent in the attributes. Others are not counted.
struct bincount : kernel_op {
    static constexpr std::string_view name = "bincount";
    static constexpr value_info infer(value_info const*, int, attributes const& a, int) { return {dtype::int32, a.target(), fault::none}; }
    static constexpr extent turns(kernel_operands const&) { return static_extent(1); }
    template<class I>
    static void run(kernel_part const& part, tensor_view<I const, 1> ids, tensor_view<std::int32_t, 1> y) {
        if (part.first == part.last) return;
        std::int64_t const n = ids.size(), bins = y.size();
        std::fill(y.data(), y.data() + bins, 0);
        if (bins <= few && n >= 4 * bins) return count_apart(ids.data(), n, y.data(), bins);
        for (std::int64_t j = 0; j < n; ++j)
            if (is_position(ids.data()[j], bins)) ++y.data()[static_cast<std::int64_t>(ids.data()[j])];
    }

private:
    static constexpr std::int64_t few = 1024;
    // Four counts of each id: one after the other would wait for the count of equal ids before it.
    template<class I>
    static void count_apart(I const* ids, std::int64_t n, std::int32_t* y, std::int64_t bins) {
        std::int32_t more[3][few + 1];
        for (auto& counts : more) std::fill(counts, counts + bins, 0);
        std::int64_t j = 0;
        for (; j + 4 <= n; j += 4) {
            if (is_position(ids[j], bins)) ++y[static_cast<std::int64_t>(ids[j])];
            for (int k = 0; k < 3; ++k)
                if (is_position(ids[j + k + 1], bins)) ++more[k][static_cast<std::int64_t>(ids[j + k + 1])];
        }
        for (; j < n; ++j)
            if (is_position(ids[j], bins)) ++y[static_cast<std::int64_t>(ids[j])];
        for (std::int64_t b = 0; b < bins; ++b) y[b] += more[0][b] + more[1][b] + more[2][b];
    }
};
/// each(s, j) for the segment s of each row j. False if an id is outside.
template<class I, class F>
XGRAD_INLINE bool each_row_of_segment(I const* XGRAD_RESTRICT ids, std::int64_t rows, std::int64_t segments, F const& each) {
    for (std::int64_t j = 0; j < rows; ++j) {
        if (!is_position(ids[j], segments)) return false;
        each(static_cast<std::int64_t>(ids[j]), j);
    }
    return true;
}
/// Of ids [1, 1, rows, 1], x [1, 1, rows, i] and the extrema y [1, 1, segments, i]: how many rows have the elements of y.
struct count_of_extrema : kernel_op {
    static constexpr std::string_view name = "count_of_extrema";
    static constexpr bool reports_indices = true;
    static constexpr index_bound indices{.operand = 0, .of = 2, .axis = 2};
    static constexpr extent flops(kernel_operands const& v) { return v.dims(1).size(); }
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return v[2]; }
    static constexpr extent turns(kernel_operands const&) { return static_extent(1); }
    template<class T, class I>
    static void run(kernel_part const& part, tensor_view<I const, 4> ids, tensor_view<T const, 4> x, tensor_view<T const, 4> y,
        tensor_view<T, 4> count) {
        if (part.first == part.last) return;
        std::int64_t const inner = y.shape(3);
        std::fill(count.data(), count.data() + count.size(), T(0));
        bool const inside = with_row_length(inner, [&](auto known) {
            std::int64_t const width = known.value > 0 ? known.value : inner;
            return each_row_of_segment(ids.data(), ids.shape(2), y.shape(2), [&](std::int64_t s, std::int64_t j) {
                T const *const u = x.data() + j * width, *const best = y.data() + s * width;
                T* XGRAD_RESTRICT const n = count.data() + s * width;
                for (std::int64_t c = 0; c < width; ++c) n[c] += u[c] == best[c] ? T(1) : T(0);
            });
        });
        if (!inside) part.report_first_of(ids.data(), ids.shape(2), y.shape(2));
    }
    static constexpr void derive(derivation&) {}
};
/// Of the same operands and shares [1, 1, segments, i]: the shares of the segments where a row has the element of y, else 0.
struct shares_of_extrema : kernel_op {
    static constexpr std::string_view name = "shares_of_extrema";
    static constexpr bool reports_indices = true;
    static constexpr index_bound indices{.operand = 0, .of = 2, .axis = 2};
    static constexpr extent flops(kernel_operands const& v) { return v.dims(1).size(); }
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return v[1]; }
    static constexpr extent turns(kernel_operands const&) { return static_extent(1); }
    template<class T, class I>
    static void run(kernel_part const& part, tensor_view<I const, 4> ids, tensor_view<T const, 4> x, tensor_view<T const, 4> y,
        tensor_view<T const, 4> share, tensor_view<T, 4> out) {
        if (part.first == part.last) return;
        std::int64_t const inner = y.shape(3);
        bool const inside = with_row_length(inner, [&](auto known) {
            std::int64_t const width = known.value > 0 ? known.value : inner;
            return each_row_of_segment(ids.data(), ids.shape(2), y.shape(2), [&](std::int64_t s, std::int64_t j) {
                T const *const u = x.data() + j * width, *const best = y.data() + s * width, *const of_s = share.data() + s * width;
                T* XGRAD_RESTRICT const to = out.data() + j * width;
                for (std::int64_t c = 0; c < width; ++c) to[c] = u[c] == best[c] ? of_s[c] : T(0);
            });
        });
        if (!inside) part.report_first_of(ids.data(), ids.shape(2), y.shape(2));
    }
    static constexpr void derive(derivation& d) {
        symbol const zero = d.table->constant(0, d.table->info(d.gradient).type);
        symbol const chosen = xgrad::equal(d.operands[1], take_at(d.operands[2], d.operands[0]));
        d.out[3] = put_from_neutral<combine::add>(d.operands[0], xgrad::select(chosen, d.gradient, zero), d.info(2).dims.extents[2]);
    }
};
/// The extrema of the rows of each segment, 0 for no rows: of ids [1, 1, rows, 1] and x [1, 1, rows, i] it is [1, 1, segments, i]. The
/// number of segments is the extent in the attributes.
template<combine How>
struct segment_extrema : kernel_op {
    static constexpr std::string_view name = How == combine::max ? "segment_max" : "segment_min";
    static constexpr bool reports_indices = true;
    static constexpr index_bound indices{.operand = 0, .of = -1, .axis = 2};
    static constexpr extent flops(kernel_operands const& v) { return v.dims(1).size(); }
    static constexpr value_info infer(value_info const* v, int, attributes const& a, int) {
        value_info r = v[1];
        r.dims.extents[2] = a.extents[0];
        return r;
    }
    static constexpr extent turns(kernel_operands const&) { return static_extent(1); }
    /// Whether a segment has a row.
    static constexpr extent scratch_bytes(kernel_operands const& v) { return v.dims(2).extents[2] + static_extent(1); }
    template<class T, class I>
    static void run(kernel_part const& part, tensor_view<I const, 4> ids, tensor_view<T const, 4> x, tensor_view<T, 4> y) {
        if (part.first == part.last) return;
        std::int64_t const segments = y.shape(2), inner = y.shape(3);
        std::byte* const used = part.scratch;
        std::fill(used, used + segments, std::byte{0});
        bool const inside = with_row_length(inner, [&](auto known) {
            return join_rows<known.value>(
                ids.data(), x.data(), y.data(), used, ids.shape(2), segments, known.value > 0 ? known.value : inner);
        });
        if (!inside) return part.report_first_of(ids.data(), ids.shape(2), segments);
        for (std::int64_t s = 0; s < segments; ++s)
            if (used[s] == std::byte{0}) std::fill(y.data() + s * inner, y.data() + (s + 1) * inner, T(0));
    }
    static constexpr void derive(derivation& d) {
        symbol const ids = d.operands[0], x = d.operands[1], count = apply_with<count_of_extrema>(attributes{}, ids, x, d.result);
        symbol const share = d.gradient / xgrad::maximum(count, d.table->constant(1, d.table->info(d.gradient).type));
        d.out[1] = apply_with<shares_of_extrema>(attributes{}, ids, x, d.result, share);
    }

private:
    template<std::int64_t Known, class T, class I>
    XGRAD_INLINE static bool join_rows(I const* XGRAD_RESTRICT ids, T const* XGRAD_RESTRICT x, T* XGRAD_RESTRICT y,
        std::byte* XGRAD_RESTRICT used, std::int64_t rows, std::int64_t segments, std::int64_t inner) {
        for (std::int64_t j = 0; j < rows;) {
            I const id = ids[j];
            if (!is_position(id, segments)) return false;
            auto const s = static_cast<std::int64_t>(id);
            T* const to = y + s * inner;
            if constexpr (detail::fits_registers<T, Known>) {   // a run of rows of one segment
                detail::row_registers<T, Known> best;
                if (used[s] == std::byte{0}) best.load(x + j++ * inner);
                else best.load(to);
                for (; j < rows && ids[j] == id; ++j)
                    best.join(x + j * inner, [](auto& lanes, auto const& u) { combine_lanes<How>(lanes, u); });
                best.store(to);
            } else {
                if (used[s] == std::byte{0}) copy_bytes(to, x + j * inner, static_cast<std::size_t>(inner) * sizeof(T));
                else combine_row<How>(to, x + j * inner, inner);
                ++j;
            }
            used[s] = std::byte{1};
        }
        return true;
    }
};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
