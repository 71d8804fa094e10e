// SPDX-License-Identifier: MIT
// The rows of one table that miss steps, and the powers of an idle step, which bring them up to date.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/aligned_buffer.hpp>
#include <xgrad/kernels/updates/slot_pointers.hpp>
#include <xgrad/store/variable_store.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The rows of one table, with the number of steps that each row has taken. A step without a gradient is a linear map of an element
/// and its slots, so k of them are its kth power. The matrix comes from applying the update body to the unit vectors.
template<class Rule, class T>
class idle_rows {
    static constexpr int n = slot_count<Rule> + 1;   // the element comes first
    using matrix = std::array<double, n * n>;
    std::array<matrix, 63> powers_{};      // the maps of 1, 2, 4 … idle steps
    aligned_buffer<std::int64_t> taken_;   // number of steps that each row has taken

    static matrix product(matrix const& a, matrix const& b) {
        matrix c{};
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                for (int k = 0; k < n; ++k) c[i * n + j] += a[i * n + k] * b[k * n + j];
        return c;
    }
    static matrix idle_step(typename Rule::template scalars<T> const& s) {
        matrix all{};
        for (int j = 0; j < n; ++j) {
            double v[n + 1]{};
            v[j] = 1;
            Rule::update(s, v[0], 0.0, v + 1);
            for (int i = 0; i < n; ++i) all[i * n + j] = v[i];
        }
        return all;
    }
    matrix power(std::int64_t k) const {
        matrix all{};
        for (int i = 0; i < n; ++i) all[i * n + i] = 1;
        for (int bit = 0; k >> bit != 0; ++bit)
            if (k >> bit & 1) all = product(powers_[bit], all);
        return all;
    }

    std::int64_t last_ = 0;   // number of steps of `missed_`
    matrix missed_{};

    void bring(stored_variable const& v, stored_slots const& s, std::int64_t row, std::int64_t now) {
        std::int64_t const k = now - taken_[static_cast<std::size_t>(row)];
        if (k == 0) return;
        if (k != last_) {
            missed_ = power(k);
            last_ = k;
        }
        taken_[static_cast<std::size_t>(row)] = now;
        std::int64_t const length = v.size / v.extents[0];
        T* at[n]{static_cast<T*>(v.data) + row * length};
        for (int i = 1; i < n; ++i) at[i] = static_cast<T*>(s.slots[i - 1]) + row * length;
        using V = simd::batch<T>;
        constexpr auto width = static_cast<std::int64_t>(V::size);
        auto const move = [&, m = missed_](std::int64_t e, auto const& load, auto const& store) {
            V old[n];
            for (int i = 0; i < n; ++i) old[i] = load(at[i] + e);
            for (int i = 0; i < n; ++i) {
                V sum = V(static_cast<T>(m[i * n])) * old[0];
                for (int j = 1; j < n; ++j) sum += V(static_cast<T>(m[i * n + j])) * old[j];
                store(at[i] + e, sum);
            }
        };
        std::int64_t e = 0;
        for (; e + width <= length; e += width)
            move(
                e, [](T const* p) { return simd::load(p); }, [](T* p, V x) { simd::store(p, x); });
        if (auto const rest = static_cast<std::size_t>(length - e); rest > 0)
            move(
                e, [&](T const* p) { return simd::load_partial(p, rest); }, [&](T* p, V x) { simd::store_partial(p, x, rest); });
    }
    void prefetch(stored_variable const& v, stored_slots const& s, std::int64_t row) const {
        std::int64_t const length = v.size / v.extents[0];
        kernels::detail::prefetch_row(static_cast<T const*>(v.data) + row * length, length);
        for (int i = 1; i < n; ++i) kernels::detail::prefetch_row(static_cast<T const*>(s.slots[i - 1]) + row * length, length);
    }

public:
    int variable = -1;   // index in the store

    /// Marks all rows as up to date. Throws std::bad_alloc, and nothing has changed then.
    void start(stored_variable const& v, std::int64_t now) {
        if (auto const count = static_cast<std::size_t>(v.extents[0]); taken_.size() != count) {
            aligned_buffer<std::int64_t> steps(count);
            taken_.swap(steps);
        }
        std::fill(taken_.begin(), taken_.end(), now);
    }
    /// Marks one row as up to date.
    void start_row(std::int64_t row, std::int64_t now) { taken_[static_cast<std::size_t>(row)] = now; }
    /// Brings all rows up to date.
    void bring_all(stored_variable const& v, stored_slots const& s, std::int64_t now) {
        for (std::size_t r = 0; r < taken_.size(); ++r) bring(v, s, static_cast<std::int64_t>(r), now);
    }
    /// To be called when the scalars of a step are known. If they change the idle step, all rows first take the steps they missed
    /// with the old one.
    void begin(typename Rule::template scalars<T> const& scalars, stored_variable const& v, stored_slots const& s, std::int64_t now) {
        matrix const next = idle_step(scalars);
        if (next == powers_[0]) return;
        bring_all(v, s, now);
        powers_[0] = next;
        for (std::size_t bit = 1; bit < powers_.size(); ++bit) powers_[bit] = product(powers_[bit - 1], powers_[bit - 1]);
        last_ = 0;
    }
    template<class Index>
    void bring_those(Index const* rows, std::int64_t count, stored_variable const& v, stored_slots const& s, std::int64_t now) {
        constexpr std::int64_t near = 24, far = 48;   // rows ahead to prefetch: rows that are written, and their counts of steps
        for (std::int64_t k = 0; k < count; ++k) {
            if (k + far < count) __builtin_prefetch(taken_.data() + rows[k + far], 1);
            if (k + near < count && taken_[static_cast<std::size_t>(rows[k + near])] != now)
                prefetch(v, s, static_cast<std::int64_t>(rows[k + near]));
            bring(v, s, static_cast<std::int64_t>(rows[k]), now);
        }
    }
    /// Notes that these rows have taken the step by an update.
    template<class Index>
    void count_those(Index const* rows, std::int64_t count, std::int64_t steps) {
        for (std::int64_t k = 0; k < count; ++k) taken_[static_cast<std::size_t>(rows[k])] = steps;
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
