// SPDX-License-Identifier: MIT
// The loops of cumulative operations: over rows, and over the columns of stacks of matrices.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/ops/over_axes/recurrence.hpp>
#include <xgrad/ops/shape_ops.hpp>

#include <cstring>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// y of each row. A rule joins what it has so far with one more element, or with several that are joined already.
template<class Rule, cumulative How>
struct cumulative_row : row_op {
    static constexpr std::string_view name = Rule::name;
    static constexpr int flops = Rule::flops;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return v[0]; }
    /// The number of elements before the first NaN, in the order of visits.
    template<class T>
    static std::size_t numbers(std::span<T const> x) {
        constexpr std::size_t lanes = 32;
        std::int32_t nan[lanes]{};
        std::size_t const n = x.size();
        std::size_t i = 0;
        bool found = false;
        for (std::size_t const whole = n / lanes * lanes; i < whole; i += lanes)
            for (std::size_t k = 0; k < lanes; ++k) nan[k] |= x[i + k] == x[i + k] ? 0 : 1;
        for (std::size_t k = 0; k < lanes; ++k) found = found || nan[k] != 0;
        for (; i < n; ++i) found = found || x[i] != x[i];
        std::size_t end = found ? 0 : n;
        while (end < n && x[visited<How>(end, n)] == x[visited<How>(end, n)]) ++end;
        return end;
    }
    // Eight elements in a register join those before them. Only one step of these is in the chain. With a NaN nothing is done: 0.
    template<class T>
    static std::size_t join_lanes(T const* x, T* y, std::size_t end, T& so_far) {
        using V [[gnu::vector_size(32)]] = T;
        static_assert(sizeof(V) == 8 * sizeof(T));
        V const first = Rule::template start<T>() - V{};
        V before = so_far - V{};
        auto nan = before != before;
        std::size_t k = 0;
        for (; k + 8 <= end; k += 8) {
            V v;
            std::memcpy(&v, x + k, sizeof v);
            nan |= v != v;
            v = Rule::join(__builtin_shufflevector(v, first, 8, 0, 1, 2, 3, 4, 5, 6), v);
            v = Rule::join(__builtin_shufflevector(v, first, 8, 8, 0, 1, 2, 3, 4, 5), v);
            v = Rule::join(__builtin_shufflevector(v, first, 8, 8, 8, 8, 0, 1, 2, 3), v);
            V const joined = Rule::join(before, v);
            before = Rule::join(before, V(__builtin_shufflevector(v, v, 7, 7, 7, 7, 7, 7, 7, 7)));
            std::memcpy(y + k, &joined, sizeof joined);
        }
        std::int32_t any = 0;
        for (std::size_t e = 0; e < 8; ++e) any |= nan[e];
        if (any != 0) return 0;
        so_far = before[0];
        return k;
    }
    template<class T>
    static void row(std::span<T const> x, std::span<T> y) {
        auto so_far = Rule::template start<T>();
        std::size_t const n = x.size();
        std::size_t k = 0;
        if constexpr (How == cumulative::inclusive && Rule::template by_lanes<T>) k = join_lanes(x.data(), y.data(), n, so_far);
        std::size_t const end = Rule::nan_remains ? k + numbers(x.subspan(How == cumulative::inclusive ? k : 0)) : n;
        if constexpr (Rule::template regroups<T>) {
            using S = decltype(so_far);
            for (std::size_t const whole = n / 4 * 4; k < whole; k += 4) {   // one step of the chain for four elements
                S const a = static_cast<S>(x[visited<How>(k, n)]), b = static_cast<S>(x[visited<How>(k + 1, n)]);
                S const c = static_cast<S>(x[visited<How>(k + 2, n)]), d = static_cast<S>(x[visited<How>(k + 3, n)]);
                S const two = Rule::join(a, b),
                        parts[]{so_far, Rule::join(so_far, a), Rule::join(so_far, two), Rule::join(so_far, Rule::join(two, c)),
                            Rule::join(so_far, Rule::join(two, Rule::join(c, d)))};
                for (std::size_t i = 0; i < 4; ++i) y[visited<How>(k + i, n)] = Rule::template value<T>(parts[excludes(How) ? i : i + 1]);
                so_far = parts[4];
            }
        }
        for (; k < end; ++k) {
            std::size_t const j = visited<How>(k, n);
            if constexpr (excludes(How)) y[j] = Rule::template value<T>(so_far);
            so_far = Rule::join(so_far, static_cast<typename Rule::template element<T>>(x[j]));
            if constexpr (!excludes(How)) y[j] = Rule::template value<T>(so_far);
        }
        if (end < n) {
            T const nan = x[visited<How>(end, n)];
            if constexpr (excludes(How)) y[visited<How>(k++, n)] = Rule::template value<T>(so_far);
            for (; k < n; ++k) y[visited<How>(k, n)] = nan;
        }
    }
    static constexpr void derive(derivation& d) { d.out[0] = Rule::template slope<How>(d.operands[0], d.result, d.gradient); }
};
/// The same along the middle axis of three. Adjacent columns run together.
template<class Rule, cumulative How>
struct cumulative_columns : kernel_op {
    static constexpr std::string_view name = Rule::name;
    static constexpr int flops = Rule::flops;
    static constexpr std::int64_t most = 1024;   // columns
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) {
        return v[0].dims.rank == 3 ? v[0] : value_info{v[0].type, {}, fault::rank};
    }
    static constexpr extent turns(kernel_operands const& v) { return v.dims(0).extents[0] * v.dims(0).extents[2]; }
    // An array holds what the rule has so far.
    template<class T>
    static void kept(T const* x, T* y, std::size_t n, std::int64_t between, std::int64_t columns) {
        decltype(Rule::template start<T>()) so_far[most];
        for (std::int64_t c = 0; c < columns; ++c) so_far[c] = Rule::template start<T>();
        for (std::size_t k = 0; k < n; ++k) {
            std::int64_t const at = static_cast<std::int64_t>(visited<How>(k, n)) * between;
            T const* XGRAD_RESTRICT const from = x + at;
            T* XGRAD_RESTRICT const to = y + at;
            for (std::int64_t c = 0; c < columns; ++c) {
                if constexpr (excludes(How)) to[c] = Rule::template value<T>(so_far[c]);
                so_far[c] = Rule::join(so_far[c], static_cast<typename Rule::template element<T>>(from[c]));
                if constexpr (!excludes(How)) to[c] = Rule::template value<T>(so_far[c]);
            }
        }
    }
    template<class T>
    static void join_rows(T const* XGRAD_RESTRICT before, T const* XGRAD_RESTRICT x, T* XGRAD_RESTRICT y, std::int64_t columns) {
        for (std::int64_t c = 0; c < columns; ++c) y[c] = Rule::join_or_nan(before[c], x[c]);
    }
    // The row before is what a rule has so far.
    template<class T>
    static void from_row_before(T const* x, T* y, std::size_t n, std::int64_t between, std::int64_t columns) {
        auto const row = [&](std::size_t k) { return static_cast<std::int64_t>(visited<How>(k, n)) * between; };
        T first[most];
        T* const to = excludes(How) ? y + row(0) : first;
        for (std::int64_t c = 0; c < columns; ++c) to[c] = static_cast<T>(Rule::template start<T>());
        if constexpr (!excludes(How)) join_rows(first, x + row(0), y + row(0), columns);
        for (std::size_t k = 1; k < n; ++k) join_rows(y + row(k - 1), x + row(excludes(How) ? k - 1 : k), y + row(k), columns);
    }
    static void add_rows(float const* XGRAD_RESTRICT x, float* XGRAD_RESTRICT y, float* XGRAD_RESTRICT part,
        float const* XGRAD_RESTRICT before, std::int64_t columns) {
        for (std::int64_t c = 0; c < columns; ++c) {
            float const old = part[c], sum = old + x[c];
            part[c] = sum;
            y[c] = before[c] + (excludes(How) ? old : sum);
        }
    }
    // Sums of many floats: of 16 rows in float, of these sums in double.
    static void long_sums(float const* x, float* y, std::size_t n, std::int64_t between, std::int64_t columns) {
        float part[most]{}, before[most]{};
        double total[most]{};
        for (std::size_t k = 0; k < n; ++k) {
            std::int64_t const at = static_cast<std::int64_t>(visited<How>(k, n)) * between;
            add_rows(x + at, y + at, part, before, columns);
            if (k % 16 != 15) continue;
            for (std::int64_t c = 0; c < columns; ++c) {
                total[c] += static_cast<double>(part[c]);
                before[c] = static_cast<float>(total[c]);
                part[c] = 0;
            }
        }
    }
    template<class T>
    static void run(kernel_part const& part, tensor_view<T const, 3> x, tensor_view<T, 3> y) {
        std::int64_t const n = x.shape(1), inner = x.shape(2);
        if (n == 0) return;
        for (std::int64_t t = part.first, columns = 0; t < part.last; t += columns) {
            std::int64_t const outer = t / inner, first = t % inner, rest = part.last - t;
            columns = inner - first < most ? inner - first : most;
            if (columns > rest) columns = rest;
            T const* const from = x.data() + outer * n * inner + first;
            T* const to = y.data() + outer * n * inner + first;
            auto const rows = static_cast<std::size_t>(n);
            constexpr bool float_sums = Rule::linear && std::is_same_v<T, float>;
            if constexpr (!float_sums && !std::is_same_v<decltype(Rule::template start<T>()), T>) kept(from, to, rows, inner, columns);
            else {
                if constexpr (float_sums)
                    if (n > 1024) {
                        long_sums(from, to, rows, inner, columns);
                        continue;
                    }
                from_row_before(from, to, rows, inner, columns);
            }
        }
    }
    static constexpr void derive(derivation& d) {
        if constexpr (Rule::linear) d.out[0] = applied<cumulative_columns<Rule, turned(How)>>(d.gradient);
        else {
            auto const rows = [](symbol s) { return axis_to_end(s, 1); };
            d.out[0] = axis_from_end(Rule::template slope<How>(rows(d.operands[0]), rows(d.result), rows(d.gradient)), 1);
        }
    }
};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
