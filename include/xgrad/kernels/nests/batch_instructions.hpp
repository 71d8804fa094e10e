// SPDX-License-Identifier: MIT
// What each instruction of a nest, other than a sum, does to registers and memory: once, for each row, or for a batch of elements.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/nests/instructions.hpp>
#include <xgrad/kernels/nests/row_position.hpp>

XGRAD_NAMESPACE_BEGIN
namespace kernels {
namespace detail {

/// The base of the sums of all nests. The functions of batch_instructions take it and ignore it: they are called like those of sums.
struct nest_sums {};

/// A register. A value for the whole row is in [0]; otherwise there is one batch for each interleaved batch.
template<class V, int Most>
struct nest_register {
    V lane[Most];
};

/// Register A, or ~A if it has one value for the whole row.
constexpr int place_of(int a, bool const* by_element) { return by_element[a] ? a : ~a; }

/// Instruction I without what its function need not know at compile time: equal forms share one function. `source` is that register or
/// number, where there is one. `by_element` says which registers have a value for each element.
template<class I, bool const* ByElement>
struct shared_form {
    using type = I;
    static constexpr int source = 0;
};
template<int S, class M, int L, int P, int N, bool const* ByElement>
struct shared_form<ld<S, M, L, P, N>, ByElement> {
    using type = ld<S, M, L, 0, N>;
    static constexpr int source = 0;
};
template<int S, int L, int P, bool const* ByElement>
struct shared_form<ix<S, L, P>, ByElement> {
    using type = ix<S, L, 0>;
    static constexpr int source = 0;
};
template<int S, int L, int P, bool const* ByElement>
struct shared_form<rn<S, L, P>, ByElement> {
    using type = rn<S, L, 0>;
    static constexpr int source = 0;
};
template<int N, bool const* ByElement>
struct shared_form<pa<N>, ByElement> {
    using type = pa<0>;
    static constexpr int source = N;
};
template<class O, int L, int P, int... A, bool const* ByElement>
struct shared_form<ap<O, L, P, A...>, ByElement> {
    using type = ap<O, L == 2 ? 2 : 0, 0, place_of(A, ByElement)...>;
    static constexpr int source = 0;
};
template<monoid M, int A, int L, int P, bool N, int O, int S, class Memory, bool const* ByElement>
struct shared_form<rd<M, A, L, P, N, O, S, Memory>, ByElement> {
    using type = rd<M, A, L, P, N, O, S, Memory>;
    static constexpr int source = place_of(A, ByElement);
};
template<int A, int S, class M, int L, int P, int N, bool const* ByElement>
struct shared_form<st<A, S, M, L, P, N>, ByElement> {
    using type = st<0, S, M, L, 0, N>;
    static constexpr int source = place_of(A, ByElement);
};

}   // namespace detail

/// The functions of instructions in loops over elements of type T with up to Most interleaved batches. They depend on nothing else of the
/// loop, so loops share them. In their parameters
/// - k is the register of the result;
/// - a is the `source` of the instruction: a place_of a register, or the number of a parameter;
/// - j is the element, u the interleaved batch.
template<class T, int Most, int OuterRank, int Operands>
struct batch_instructions {
    using V = typename detail::lanes<T>::type;
    static constexpr std::int64_t W = detail::lanes<T>::width;
    using reg = detail::nest_register<V, Most>;
    using state = row_position<OuterRank, Operands>;
    using nest_sums = detail::nest_sums;

    /// The value at a place_of a register, for interleaved batch u.
    XGRAD_KERNEL static V const& value(reg const* r, int place, int u) { return place < 0 ? r[~place].lane[0] : r[place].lane[u]; }

    // ---- One instruction on interleaved batch u, at element j. If Partial, on n <= W elements, as padded lanes.
    // `step` is the stride of an operand along the inner dimension, in elements.
    template<bool Partial, int S, class M, int N>
    XGRAD_KERNEL static void element(
        ld<S, M, 2, 0, N>, reg* r, nest_sums&, state const& s, int k, int, std::int64_t j, std::int64_t n, int u) {
        M const* p = reinterpret_cast<M const*>(s.at[S]);
        std::int64_t const step = s.a.operands[S].inner;
        if constexpr (N == 1 && Partial) r[k].lane[u] = detail::load_some<V>(p + j, static_cast<std::size_t>(n));
        else if constexpr (N == 1) r[k].lane[u] = detail::load_full<V>(p + j);
        else if constexpr (W == 1) r[k].lane[u] = math::converted<T>(p[j * step]);
        else {
            T lane[W]{};
            for (std::int64_t l = 0; l < (Partial ? n : W); ++l) lane[l] = static_cast<T>(p[(j + l) * step]);
            r[k].lane[u] = simd::load(lane);
        }
    }
    template<bool, int S>
    XGRAD_KERNEL static void element(ix<S, 2, 0>, reg* r, nest_sums&, state const& s, int k, int, std::int64_t j, std::int64_t, int u) {
        std::int64_t const step = s.inner[S];
        if constexpr (W == 1) r[k].lane[u] = static_cast<T>(s.offset[S] + j * step);
        else r[k].lane[u] = simd::iota<V>() * V(static_cast<T>(step)) + V(static_cast<T>(s.offset[S] + j * step));
    }
    template<bool Partial, int S>
    XGRAD_KERNEL static void element(rn<S, 2, 0>, reg* r, nest_sums&, state const& s, int k, int, std::int64_t j, std::int64_t n, int u) {
        std::int64_t const step = s.a.operands[S].inner, from = s.offset[S] + j * step;
        if constexpr (W == 1) r[k].lane[u] = detail::random_number<T>(s.a, S, from);
        else {
            T lane[W]{};
            for (std::int64_t l = 0; l < (Partial ? n : W); ++l) lane[l] = detail::random_number<T>(s.a, S, from + l * step);
            r[k].lane[u] = simd::load(lane);
        }
    }
    template<bool, class O, int... A>
    XGRAD_KERNEL static void element(ap<O, 2, 0, A...>, reg* r, nest_sums&, state const&, int k, int, std::int64_t, std::int64_t, int u) {
        r[k].lane[u] = static_cast<V>(O::value(static_cast<math::promoted<V> const&>(value(r, A, u))...));
        if constexpr (W > 1 && Most > 4 && detail::costly<ap<O, 2, 0, A...>>) simd::keep_place(r[k].lane[u]);
    }
    template<bool Partial, int S, class M, int N>
    XGRAD_KERNEL static void element(
        st<0, S, M, 2, 0, N>, reg* r, nest_sums&, state const& s, int, int a, std::int64_t j, std::int64_t n, int u) {
        V const x = value(r, a, u);
        M* p = reinterpret_cast<M*>(s.at[S]);
        std::int64_t const step = s.a.operands[S].inner;
        if constexpr (N == 1 && Partial) simd::store_partial_as(p + j, x, static_cast<std::size_t>(n));
        else if constexpr (N == 1) detail::store_full(p + j, x);
        else if constexpr (W == 1) detail::store_full(p + j * step, x);
        else
            for (std::int64_t l = 0; l < (Partial ? n : W); ++l)
                detail::store_full(p + (j + l) * step, static_cast<T>(x[static_cast<std::size_t>(l)]));
    }
    // ---- once, or once for each row
    template<int S, class M, int L, int N>
    XGRAD_KERNEL static void single(ld<S, M, L, 0, N>, reg* r, nest_sums&, state const& s, int k, int) {
        r[k].lane[0] = V(math::converted<T>(*reinterpret_cast<M const*>(L == 0 ? s.a.operands[S].data : s.at[S])));
    }
    template<int S, int L>
    XGRAD_KERNEL static void single(ix<S, L, 0>, reg* r, nest_sums&, state const& s, int k, int) {
        r[k].lane[0] = V(static_cast<T>(L == 0 ? 0 : s.offset[S]));
    }
    template<int S, int L>
    XGRAD_KERNEL static void single(rn<S, L, 0>, reg* r, nest_sums&, state const& s, int k, int) {
        r[k].lane[0] = V(detail::random_number<T>(s.a, S, L == 0 ? 0 : s.offset[S]));
    }
    XGRAD_KERNEL static void single(pa<0>, reg* r, nest_sums&, state const& s, int k, int a) {
        r[k].lane[0] = V(math::converted<T>(s.a.params[a]));
    }
    template<class O, int... A>
    XGRAD_KERNEL static void single(ap<O, 0, 0, A...>, reg* r, nest_sums&, state const&, int k, int) {
        r[k].lane[0] = static_cast<V>(O::value(static_cast<math::promoted<V> const&>(value(r, A, 0))...));
    }
    template<int S, class M, int L, int N>
    XGRAD_KERNEL static void single(st<0, S, M, L, 0, N>, reg* r, nest_sums&, state const& s, int, int a) {
        detail::store_full(reinterpret_cast<M*>(L == 0 ? s.a.operands[S].data : s.at[S]), detail::first_lane(value(r, a, 0)));
    }
};

}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
