// SPDX-License-Identifier: MIT
// Rows by index: gather, sums of bags, and scatter into a dense tensor. An index out of range reads nothing and is reported.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/simd.hpp>
#include <xgrad/kernels/kernel.hpp>
#include <xgrad/kernels/long_sums.hpp>
#include <xgrad/meta/row_registers.hpp>

#include <algorithm>
#include <cstring>
#include <limits>

XGRAD_NAMESPACE_BEGIN
namespace op {
struct gather;
struct embedding_bag;
struct scatter;
}
namespace kernels {

/// Adds n elements of x to y; n may be static.
template<class T, long long N, class M>
XGRAD_KERNEL void add_row(T* XGRAD_RESTRICT y, M const* XGRAD_RESTRICT x, std::int64_t n) {
    n = N >= 0 ? N : n;
    if constexpr (std::is_same_v<T, M>) {
        constexpr std::int64_t block = 16;   // a constant length, of which -O2 makes SIMD
        std::int64_t j = 0;
        for (; j + block <= n; j += block)
            for (std::int64_t e = 0; e < block; ++e) y[j + e] += x[j + e];
        for (; j < n; ++j) y[j] += x[j];
    } else {
        constexpr std::int64_t width = static_cast<std::int64_t>(simd::width<T>);
        std::int64_t j = 0;
        for (; j + width <= n; j += width) simd::store(y + j, simd::load(y + j) + simd::load_as<T>(x + j));
        for (; j < n; ++j) y[j] += static_cast<T>(x[j]);
    }
}

/// The sum of rows of M in out: in memory, or in registers from begin() to end().
template<class T, class M, long long N, bool InRegisters = std::is_same_v<T, M>&& xgrad::detail::fits_registers<T, N>>
class row_sum {
    T* out_;
    std::int64_t length_;

public:
    XGRAD_KERNEL row_sum(T* out, std::int64_t length) : out_(out), length_(length) {}
    XGRAD_KERNEL void begin() { std::fill_n(out_, length_, T(0)); }
    XGRAD_KERNEL void add(M const* row) { add_row<T, N>(out_, row, length_); }
    XGRAD_KERNEL void end() {}
};
template<class T, class M, long long N>
class row_sum<T, M, N, true> {
    T* out_;
    xgrad::detail::row_registers<T, N> sum_;

public:
    XGRAD_KERNEL row_sum(T* out, std::int64_t) : out_(out) {}
    XGRAD_KERNEL void begin() { sum_.clear(); }
    XGRAD_KERNEL void add(M const* row) { sum_.add(row); }
    XGRAD_KERNEL void end() { sum_.store(out_); }
};

/// The distance of the rows of a result with one row per index. It is the stride of the first axis if that axis has one entry per index.
inline std::int64_t distance_of_rows(operand_argument const& out, std::int64_t length) {
    return out.inner == length ? out.stride[0] : length;
}

/// Prefetches rows of a table that are read a few rows later.
/// A small table is in a cache anyway, and for single elements a load is as fast as a prefetch.
template<class T, class Index, long long Row>
class row_prefetch {
    static constexpr std::int64_t ahead = 16;
    std::uintptr_t table_;
    Index const* ids_;
    std::uint64_t bytes_, apart_;   // of a row, and from a row to the next
    // End of the ids whose rows are prefetched; 0: none.
    std::int64_t end_;

    // An index out of range is harmless.
    XGRAD_KERNEL void ask(std::int64_t i) const {
        std::uintptr_t const row = table_ + static_cast<std::uint64_t>(ids_[i]) * apart_;
        for (std::uint64_t at = 0; at < bytes_; at += 64) simd::prefetch(reinterpret_cast<void const*>(row + at));
    }

public:
    /// The rows of ids [first, end) are read in this order.
    XGRAD_KERNEL row_prefetch(
        T const* table, std::int64_t rows, std::int64_t length, std::int64_t apart, Index const* ids, std::int64_t first, std::int64_t end)
        : table_(reinterpret_cast<std::uintptr_t>(table)), ids_(ids), bytes_(static_cast<std::uint64_t>(length) * sizeof(T)),
          apart_(static_cast<std::uint64_t>(apart) * sizeof(T)),
          end_(Row != 1 && static_cast<std::uint64_t>(rows) * bytes_ > (1u << 18) ? end : 0) {
        for (std::int64_t i = first; i < std::min(end_, first + ahead); ++i) ask(i);
    }
    /// Call before the row of id i is read.
    XGRAD_KERNEL void operator()(std::int64_t i) const {
        if (i + ahead < end_) ask(i + ahead);
    }
};

/// Operands: table (its rows may have any distance), ids, result. Extents: number of ids, row length, rows of the table.
template<class T, class Index, long long Row>
struct gather_rows {
    static void run(step_arguments const& a) {
        std::int64_t const n = a.first + a.extent[0], length = Row >= 0 ? Row : a.size(1), rows = a.size(2),
                           step = distance_of_rows(a.operands[2], length), apart = a.operands[0].stride[0];
        T const* table = reinterpret_cast<T const*>(a.operands[0].data);
        Index const* ids = reinterpret_cast<Index const*>(a.operands[1].data);
        T* out = reinterpret_cast<T*>(a.operands[2].data);
        row_prefetch<T, Index, Row> const prefetch(table, rows, length, apart, ids, a.first, n);
        for (std::int64_t i = a.first; i < n; ++i) {
            prefetch(i);
            if (!is_position(ids[i], rows)) return report_index(a.bad_index, a.fault, "gather", ids[i], rows);
            T const* const row = table + static_cast<std::int64_t>(ids[i]) * apart;
            if constexpr (Row == 1) out[i * step] = *row;
            else if constexpr (xgrad::detail::fits_registers<T, Row>) {   // g++ copies a constant length by registers of 128 bits
                xgrad::detail::row_registers<T, Row> copy;
                copy.load(row);
                copy.store(out + i * step);
            } else std::memcpy(out + i * step, row, static_cast<std::size_t>(length) * sizeof(T));
        }
    }
};

/// Operands: table (M in memory), ids, result. Extents: bags, row length, rows of the table, ids per bag.
template<class T, class M, class Index, long long Row>
struct sum_bags {
    static constexpr bool is_long(std::int64_t bag) { return sums_in_double<T> && bag > terms_in_float; }
    static std::size_t scratch(step_arguments const& a) {
        return Row != 1 && is_long(a.size(3)) ? static_cast<std::size_t>(a.size(1)) * sizeof(double) : 0;
    }
    static void run(step_arguments const& a) {
        std::int64_t const n = a.first + a.extent[0], length = Row >= 0 ? Row : a.size(1), rows = a.size(2), bag = a.size(3),
                           step = distance_of_rows(a.operands[2], length), apart = a.operands[0].stride[0];
        M const* table = reinterpret_cast<M const*>(a.operands[0].data);
        Index const* ids = reinterpret_cast<Index const*>(a.operands[1].data);
        auto* const totals = static_cast<double*>(a.scratch);
        row_prefetch<M, Index, Row> const prefetch(table, rows, length, apart, ids, a.first * bag, n * bag);
        for (std::int64_t i = a.first; i < n; ++i) {
            T* out = reinterpret_cast<T*>(a.operands[2].data) + i * step;
            T sum = 0;
            double total = 0;
            row_sum<T, M, Row> of_rows(out, length);
            for (std::int64_t k = 0, end = bag;;) {
                if constexpr (sums_in_double<T>) end = bag - k > terms_in_float ? k + terms_in_float : bag;
                bool const first = k == 0;
                if constexpr (Row != 1) of_rows.begin();
                for (; k < end; ++k) {
                    if constexpr (Row != 1) prefetch(i * bag + k);
                    Index const id = ids[i * bag + k];
                    if (!is_position(id, rows)) return report_index(a.bad_index, a.fault, "embedding_bag", ids[i * bag + k], rows);
                    M const* const row = table + static_cast<std::int64_t>(id) * apart;
                    if constexpr (Row == 1) sum += static_cast<T>(*row);
                    else of_rows.add(row);
                }
                if constexpr (Row != 1) of_rows.end();
                if (end == bag) break;
                if constexpr (Row == 1) total += static_cast<double>(detail::taken(sum));
                else if constexpr (sums_in_double<T>) detail::add_to_doubles(out, totals, length, first);
            }
            if constexpr (Row == 1) *out = is_long(bag) ? static_cast<T>(total + static_cast<double>(sum)) : sum;
            else if (is_long(bag)) detail::take_from_doubles(out, totals, length);
        }
    }
};

/// Terms of a scatter that nothing counts.
struct uncounted {
    /// How many terms of this row may come before added().
    XGRAD_KERNEL static constexpr std::int64_t left(std::int64_t) { return std::numeric_limits<std::int64_t>::max(); }
    /// Call after n terms have been added to a row. True if the scatter must stop here.
    template<class S>
    XGRAD_KERNEL static constexpr bool added(std::int64_t, std::int64_t, S*) {
        return false;
    }
};
/// How many terms of a scatter went to each group of rows. While no group has many, no row has many.
class grouped_counts {
    std::uint8_t* counts_;   // 0 after as many terms as a float accumulates
    std::int64_t mask_;

public:
    /// For n terms: one or two of them for each group if they are spread evenly.
    static constexpr std::size_t bytes(std::int64_t n) {
        std::size_t r = 512;
        while (r < static_cast<std::uint64_t>(n) / 2) r *= 2;
        return r;
    }
    grouped_counts(void* memory, std::int64_t n)
        : counts_(static_cast<std::uint8_t*>(memory)), mask_(static_cast<std::int64_t>(bytes(n)) - 1) {
        std::memset(counts_, 256 - terms_in_float, bytes(n));
    }
    XGRAD_KERNEL std::int64_t left(std::int64_t row) const { return 256 - counts_[row & mask_]; }
    /// True if a row may have as many terms as a float accumulates.
    template<class S>
    XGRAD_KERNEL bool added(std::int64_t row, std::int64_t n, S*) const {
        return (counts_[row & mask_] = static_cast<std::uint8_t>(counts_[row & mask_] + n)) == 0;
    }
};

/// The rows of a scatter that get more terms than a float accumulates. Their sums are moved to doubles.
template<class T>
class crowded_rows {
    static constexpr std::uint8_t fresh = 256 - terms_in_float;
    // Of each row:
    // - terms_: counts the terms since its sum was moved. It starts at `fresh`, and 0 means that the sum must be moved.
    // - moved_: whether it has a place among the doubles.
    std::uint8_t *terms_, *moved_;
    std::int32_t *place_, *row_;
    double* totals_;
    std::int64_t length_;
    std::int32_t count_ = 0;

    static constexpr std::size_t padded(std::int64_t bytes) { return static_cast<std::size_t>((bytes + 63) / 64 * 64); }

public:
    static constexpr std::size_t bytes(std::int64_t n, std::int64_t length, std::int64_t rows) {
        std::int64_t const most = n / terms_in_float;
        return padded(most * length * 8) + padded(most * 4) + padded(rows * 4) + 2 * padded(rows);
    }
    crowded_rows(void* memory, std::int64_t n, std::int64_t length, std::int64_t rows) : length_(length) {
        std::int64_t const most = n / terms_in_float;
        totals_ = static_cast<double*>(memory);
        row_ = reinterpret_cast<std::int32_t*>(static_cast<std::byte*>(memory) + padded(most * length * 8));
        place_ = row_ + padded(most * 4) / 4;
        terms_ = reinterpret_cast<std::uint8_t*>(place_ + padded(rows * 4) / 4);
        moved_ = terms_ + padded(rows);
        std::memset(terms_, fresh, static_cast<std::size_t>(rows));
        std::memset(moved_, 0, static_cast<std::size_t>(rows));
    }
    XGRAD_KERNEL std::int64_t left(std::int64_t row) const { return 256 - terms_[row]; }
    XGRAD_KERNEL bool added(std::int64_t row, std::int64_t n, T* sum) {
        terms_[row] = static_cast<std::uint8_t>(terms_[row] + n);
        if (terms_[row] == 0) move(row, sum);
        return false;
    }
    void finish(T* out) const {
        for (std::int32_t k = 0; k < count_; ++k) detail::take_from_doubles(out + row_[k] * length_, totals_ + k * length_, length_);
    }

private:
    XGRAD_NOINLINE void move(std::int64_t row, T* sum) {
        bool const first = moved_[row] == 0;
        moved_[row] = 1;
        if (first) {
            row_[count_] = static_cast<std::int32_t>(row);
            place_[row] = count_++;
        }
        terms_[row] = fresh;
        detail::add_to_doubles(sum, totals_ + place_[row] * length_, length_, first);
        std::fill_n(sum, length_, T(0));
    }
};

/// Operands: values, ids, result. Extents: number of ids, row length, rows of the result. Duplicates are summed in order.
template<class T, class Index, long long Row>
struct scatter_rows {
    static constexpr bool in_doubles(std::int64_t n, std::int64_t rows) { return Row == 1 && 2 * n > rows; }
    static std::size_t scratch(step_arguments const& a) {
        std::int64_t const n = a.extent[0], rows = a.size(2);
        if (!sums_in_double<T>) return 0;
        if (in_doubles(n, rows)) return static_cast<std::size_t>(rows) * sizeof(double);
        return n <= terms_in_float ? 0 : std::max(crowded_rows<T>::bytes(n, a.size(1), rows), grouped_counts::bytes(n));
    }
    static void run(step_arguments const& a) {
        std::int64_t const n = a.extent[0], length = Row >= 0 ? Row : a.size(1), rows = a.size(2);
        T* const out = reinterpret_cast<T*>(a.operands[2].data);
        if constexpr (Row == 1 && sums_in_double<T>)
            if (in_doubles(n, rows)) {
                auto* const totals = static_cast<double*>(a.scratch);
                std::memset(totals, 0, static_cast<std::size_t>(rows) * sizeof(double));
                add_all(a, 0, totals, uncounted{});
                return detail::round_doubles(out, totals, rows);
            }
        std::fill_n(out, rows * length, T(0));
        std::int64_t first = 0;
        if (!sums_in_double<T> || n <= terms_in_float) first = add_all(a, 0, out, uncounted{});
        else if (rows > 4 * n)   // of fewer rows the counts of each are filled as fast
            first = add_all(a, 0, out, grouped_counts(a.scratch, n));
        if constexpr (sums_in_double<T>)
            if (first < n) count_all(a, first, out);
    }

private:
    /// Adds the terms from the first one on, until `counts` stop it. Returns how many have been added, or all if an index is outside.
    template<class S, class C>
    static std::int64_t add_all(step_arguments const& a, std::int64_t first, S* out, C&& counts) {
        std::int64_t const n = a.extent[0], length = Row >= 0 ? Row : a.size(1), rows = a.size(2), step = a.operands[0].stride[0];
        Index const* const ids = reinterpret_cast<Index const*>(a.operands[1].data);
        T const* const values = reinterpret_cast<T const*>(a.operands[0].data);
        for (std::int64_t i = first; i < n;) {
            Index const id = ids[i];
            if (!is_position(id, rows)) {
                report_index(a.bad_index, a.fault, "segment_sum or scatter_nd", ids[i], rows);
                return n;
            }
            auto const row = static_cast<std::int64_t>(id);
            S* const sum = out + row * length;
            std::int64_t const begin = i;
            if constexpr (std::is_same_v<S, T> && xgrad::detail::fits_registers<T, Row>) {   // a run of terms of one row
                std::int64_t const end = std::min(n - i, counts.left(row)) + i;
                xgrad::detail::row_registers<T, Row> part;
                part.load(sum);
                do part.add(values + i * step);
                while (++i < end && ids[i] == id);
                part.store(sum);
            } else {
                if constexpr (Row == 1) *sum += static_cast<S>(values[i * step]);
                else add_row<S, Row>(sum, values + i * step, length);
                ++i;
            }
            if (counts.added(row, i - begin, sum)) return i;
        }
        return n;
    }
    /// Adds the terms from the first one on and counts those of each row. Before it a float has taken all terms of each.
    static void count_all(step_arguments const& a, std::int64_t first, T* out) {
        std::int64_t const n = a.extent[0], length = Row >= 0 ? Row : a.size(1), rows = a.size(2);
        Index const* ids = reinterpret_cast<Index const*>(a.operands[1].data);
        crowded_rows<T> crowded(a.scratch, n, length, rows);
        for (std::int64_t i = 0; i < first; ++i)
            crowded.added(static_cast<std::int64_t>(ids[i]), 1, out + static_cast<std::int64_t>(ids[i]) * length);
        add_all(a, first, out, crowded);
        crowded.finish(out);
    }
};

template<>
struct kernel_of<op::gather> {
    template<class Form>
    using type = gather_rows<typename Form::template element<0>, typename Form::template element<1>, Form::static_extent(0)>;
};
template<>
struct kernel_of<op::embedding_bag> {
    template<class Form>
    using type = sum_bags<typename Form::template element<2>, typename Form::template element<0>, typename Form::template element<1>,
        Form::static_extent(0)>;
};
template<>
struct kernel_of<op::scatter> {
    template<class Form>
    using type = scatter_rows<typename Form::template element<0>, typename Form::template element<1>, Form::static_extent(0)>;
};

}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
