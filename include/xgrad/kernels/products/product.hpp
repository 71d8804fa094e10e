// SPDX-License-Identifier: MIT
// Matrix products whose tiles pass from registers through instructions, or directly into the update of the
// parameters that they are the gradient of.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/products/matmul.hpp>
#include <xgrad/kernels/nests/nest.hpp>
#include <xgrad/kernels/updates/update.hpp>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

/// The epilogue that runs I... on each batch of columns of a row.
template<class T, class... I>
struct tile_instructions {
    static constexpr int count = sizeof...(I);
    static constexpr int operand_count = [] {
        int n = 1;
        ((n = detail::about<I>::operand + 1 > n ? detail::about<I>::operand + 1 : n), ...);
        return n;
    }();
    struct place {   // copies: the originals would be read again after every store
        std::byte* data;
        std::int64_t stride, inner;
    };
    place operands[operand_count];
    double const* params;

    XGRAD_KERNEL explicit tile_instructions(step_arguments const& a) : params(a.params) {
        for (int s = 0; s < operand_count; ++s)
            operands[s] = has_operands ? place{a.operands[s].data, a.operands[s].stride[0], a.operands[s].inner} : place{};
    }
    static constexpr bool has_operands = ((detail::about<I>::operand >= 0) || ...);

    template<class M>
    XGRAD_KERNEL M* address(int k, std::int64_t row, std::int64_t col, bool inner) const {
        return reinterpret_cast<M*>(operands[k].data) + row * operands[k].stride + (inner ? col : 0);
    }
    template<int K, class V, int N>
    XGRAD_KERNEL void full(pa<N>, V* r, std::int64_t, std::int64_t) const {
        r[K] = V(static_cast<T>(params[N]));
    }
    template<int K, class V>
    XGRAD_KERNEL void full(ac, V*, std::int64_t, std::int64_t) const {}
    template<int K, class V, class O, int L, int P, int... A>
    XGRAD_KERNEL void full(ap<O, L, P, A...>, V* r, std::int64_t, std::int64_t) const {
        r[K] = detail::apply_op<O, V, A...>(r);
    }
    template<int K, class V, int S, class M, int L, int P, int N>
    XGRAD_KERNEL void full(ld<S, M, L, P, N>, V* r, std::int64_t row, std::int64_t col) const {
        if constexpr (N == 0) r[K] = V(static_cast<T>(*address<M const>(S, L == 0 ? 0 : row, 0, false)));
        else if constexpr (N == 1) r[K] = detail::load_full<V>(address<M const>(S, row, col, true));
        else part<K>(ld<S, M, L, P, N>{}, r, row, col, static_cast<std::size_t>(V::size));
    }
    template<int K, class V, int A, int S, class M, int L, int P, int N>
    XGRAD_KERNEL void full(st<A, S, M, L, P, N>, V* r, std::int64_t row, std::int64_t col) const {
        if constexpr (N == 1) detail::store_full(address<M>(S, row, col, true), r[A]);
        else part<K>(st<A, S, M, L, P, N>{}, r, row, col, static_cast<std::size_t>(V::size));
    }
    // ---- n lanes
    template<int K, class V, int S, class M, int L, int P, int N>
    XGRAD_KERNEL void part(ld<S, M, L, P, N> i, V* r, std::int64_t row, std::int64_t col, std::size_t n) const {
        if constexpr (N == 0) full<K>(i, r, row, col);
        else if constexpr (N == 1) r[K] = detail::load_some<V>(address<M const>(S, row, col, true), n);
        else {
            T lane[V::size]{};
            M const* p = address<M const>(S, row, 0, false);
            for (std::size_t l = 0; l < n; ++l) lane[l] = static_cast<T>(p[(col + static_cast<std::int64_t>(l)) * operands[S].inner]);
            r[K] = simd::load(lane);
        }
    }
    template<int K, class V, int A, int S, class M, int L, int P, int N>
    XGRAD_KERNEL void part(st<A, S, M, L, P, N>, V* r, std::int64_t row, std::int64_t col, std::size_t n) const {
        if constexpr (N == 1) simd::store_partial_as(address<M>(S, row, col, true), r[A], n);
        else {
            M* p = address<M>(S, row, 0, false);
            for (std::size_t l = 0; l < n; ++l) p[(col + static_cast<std::int64_t>(l)) * operands[S].inner] = static_cast<M>(r[A][l]);
        }
    }
    template<int K, class V, class Other>
    XGRAD_KERNEL void part(Other i, V* r, std::int64_t row, std::int64_t col, std::size_t) const {
        full<K>(i, r, row, col);
    }

    template<class V, std::size_t... K>
    XGRAD_KERNEL void all(V sum, std::int64_t row, std::int64_t col, std::index_sequence<K...>) const {
        V r[count];
        r[0] = sum;
        (full<static_cast<int>(K)>(I{}, r, row, col), ...);
    }
    template<class V, std::size_t... K>
    XGRAD_KERNEL void some(V sum, std::int64_t row, std::int64_t col, std::size_t n, std::index_sequence<K...>) const {
        V r[count];
        r[0] = sum;
        (part<static_cast<int>(K)>(I{}, r, row, col, n), ...);
    }
    // ---- rows of a single column: values that depend on the row are `stride[0]` apart
    template<int K, class V, int S, class M, int L, int P, int N>
    XGRAD_KERNEL void down(ld<S, M, L, P, N>, V* r, std::int64_t row, std::size_t n) const {
        std::int64_t const step = operands[S].stride;
        M const* p = address<M const>(S, row, 0, false);
        if (L == 0 || step == 0) r[K] = V(static_cast<T>(*p));
        else if (step == 1) r[K] = n == V::size ? detail::load_full<V>(p) : detail::load_some<V>(p, n);
        else {
            T lane[V::size]{};
            for (std::size_t l = 0; l < n; ++l) lane[l] = static_cast<T>(p[static_cast<std::int64_t>(l) * step]);
            r[K] = simd::load(lane);
        }
    }
    template<int K, class V, int A, int S, class M, int L, int P, int N>
    XGRAD_KERNEL void down(st<A, S, M, L, P, N>, V* r, std::int64_t row, std::size_t n) const {
        std::int64_t const step = operands[S].stride;
        M* p = address<M>(S, row, 0, false);
        if (step == 1 && n == V::size) detail::store_full(p, r[A]);
        else if (step == 1) simd::store_partial_as(p, r[A], n);
        else {   // through memory: g++ takes r[A][l] with a variable l for uninitialized
            T lane[V::size];
            simd::store(lane, r[A]);
            for (std::size_t l = 0; l < n; ++l) detail::store_full(p + static_cast<std::int64_t>(l) * step, lane[l]);
        }
    }
    template<int K, class V, class Other>
    XGRAD_KERNEL void down(Other i, V* r, std::int64_t row, std::size_t) const {
        full<K>(i, r, row, 0);
    }
    template<class V, std::size_t... K>
    XGRAD_KERNEL void rows(V sum, std::int64_t row, std::size_t n, std::index_sequence<K...>) const {
        V r[count];
        r[0] = sum;
        (down<static_cast<int>(K)>(I{}, r, row, n), ...);
    }
    template<class V>
    XGRAD_KERNEL void column(V sum, std::int64_t row) const {
        rows(sum, row, V::size, std::make_index_sequence<sizeof...(I)>{});
    }
    template<class V>
    XGRAD_KERNEL void column_part(V sum, std::int64_t row, std::size_t n) const {
        rows(sum, row, n, std::make_index_sequence<sizeof...(I)>{});
    }
    template<class V>
    XGRAD_KERNEL void tile(V sum, std::int64_t row, std::int64_t col) const {
        all(sum, row, col, std::make_index_sequence<sizeof...(I)>{});
    }
    template<class V>
    XGRAD_KERNEL void partial(V sum, std::int64_t row, std::int64_t col, std::size_t n) const {
        some(sum, row, col, n, std::make_index_sequence<sizeof...(I)>{});
    }
};

/// The epilogue that uses the tile as the gradient of a parameter [_, ld] and updates it directly.
/// The gradient is never stored. M: type in memory.
template<class Rule, class T, class M>
struct tile_update {
    rule_scalars<Rule, T> const scalars;
    M* parameter;
    slot_pointers<Rule, T> slots;
    std::int64_t ld;
    XGRAD_KERNEL explicit tile_update(step_arguments const& a)
        : scalars(*static_cast<rule_scalars<Rule, T> const*>(a.scalars)), parameter(static_cast<M*>(a.parameter) + a.first * a.extent[1]),
          slots(slot_pointers<Rule, T>(a.rule_slots) + a.first * a.extent[1]), ld(a.extent[1]) {}
    template<class V>
    XGRAD_KERNEL void tile(V grad, std::int64_t row, std::int64_t col) const {
        update_batch<Rule, T>(scalars, parameter, grad, slots, row * ld + col);
    }
    template<class V>
    XGRAD_KERNEL void partial(V grad, std::int64_t row, std::int64_t col, std::size_t n) const {
        update_tail<Rule, T>(scalars, parameter, grad, slots, row * ld + col, n);
    }
    template<class V>
    XGRAD_KERNEL void column(V grad, std::int64_t row) const {
        update_batch<Rule, T>(scalars, parameter, grad, slots, row);
    }   // ld is 1
    template<class V>
    XGRAD_KERNEL void column_part(V grad, std::int64_t row, std::size_t n) const {
        update_tail<Rule, T>(scalars, parameter, grad, slots, row, n);
    }
};

template<class T>
std::size_t product_scratch(step_arguments const& a) {
    std::int64_t const m = a.extent[0], n = a.extent[1], k = a.extent[2];
    bool const keeps = a.panels != panel_use::alone && keeps_panels<T>(m, n, k);
    return static_cast<std::size_t>(keeps ? kept_panels_scratch<T>(m, n, k) : matmul_scratch<T>(m, n, k)) * sizeof(T);
}

/// The product of a step: operand number `Operands` is a, the next one is b. Keeps: it may keep copies of b.
template<class T, bool TA, bool TB, long long M, long long N, long long K, int Operands, class Epilogue, bool Keeps>
struct product {
    XGRAD_FLATTEN static void run(step_arguments const& a) {
        operand_argument const &x = a.operands[Operands], &y = a.operands[Operands + 1];
        Epilogue const epilogue(a);
        std::conditional_t<Keeps, panel_use, no_kept_panels> panels{};
        if constexpr (Keeps) panels = a.panels;
        matmul<T, TA, TB, N, K, M>(reinterpret_cast<T const*>(x.data), x.stride[0], reinterpret_cast<T const*>(y.data), y.stride[0],
            a.extent[0], a.extent[1], a.extent[2], epilogue, static_cast<T*>(a.scratch), panels);
    }
};

}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
