// SPDX-License-Identifier: MIT
// The instructions of loops as types, properties of them, and their memory accesses.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/simd.hpp>
#include <xgrad/core/math.hpp>
#include <xgrad/core/op.hpp>
#include <xgrad/core/random.hpp>
#include <xgrad/kernels/arguments.hpp>

#include <array>
#include <limits>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

// Instructions, one type for each ins_kind of a plan. The names are short because they are part of symbol names.
//
//     ld   load          an operand
//     ac   accumulator   the tile of a matrix product
//     pa   parameter     a constant or a size
//     ix   index         the position along an operand that has no memory
//     rn   random        a number of the stream of an operand
//     ap   apply         an operation on registers A...
//     rd   reduce        register A over the inner dimension (if Inner) and the outer dimensions in the mask Outer
//     st   store         register A to an operand
//
// The result of rd is kept in an operand or in a register.
// - Level: 0 once, 1 for each row, 2 for each element.
// - Phase: the pass over the row.
// - Inner of accesses: 0 uniform, 1 contiguous, 2 strided; +4: the lanes are adjacent in memory (lane_nest).
template<int Operand, class Memory, int Level, int Phase, int Inner>
struct ld {};
template<int Operand, int Level, int Phase>
struct ix {};
template<int Operand, int Level, int Phase>
struct rn {};
template<int Param>
struct pa {};
struct ac {};
template<class Op, int Level, int Phase, int... A>
struct ap {};
template<monoid M, int A, int Level, int Phase, bool Inner, int Outer, int Operand, class Memory>
struct rd {};
template<int A, int Operand, class Memory, int Level, int Phase, int Inner>
struct st {};

namespace detail {
template<class I>
struct about;
template<int S, class M, int L, int P, int N>
struct about<ld<S, M, L, P, N>> {
    static constexpr int level = L, phase = P, operand = S;
    static constexpr bool reduces = false;
};
template<int S, int L, int P>
struct about<ix<S, L, P>> {
    static constexpr int level = L, phase = P, operand = S;
    static constexpr bool reduces = false;
};
template<int S, int L, int P>
struct about<rn<S, L, P>> {
    static constexpr int level = L, phase = P, operand = S;
    static constexpr bool reduces = false;
};
template<int N>
struct about<pa<N>> {
    static constexpr int level = 0, phase = 0, operand = -1;
    static constexpr bool reduces = false;
};
template<>
struct about<ac> {
    static constexpr int level = 2, phase = 0, operand = -1;
    static constexpr bool reduces = false;
};
template<class O, int L, int P, int... A>
struct about<ap<O, L, P, A...>> {
    static constexpr int level = L, phase = P, operand = -1;
    static constexpr bool reduces = false;
};
template<monoid C, int A, int L, int P, bool N, int O, int S, class M>
struct about<rd<C, A, L, P, N, O, S, M>> {
    static constexpr int level = L, phase = P, operand = O != 0 || !N ? S : -1;
    static constexpr bool reduces = true;
};
template<int A, int S, class M, int L, int P, int N>
struct about<st<A, S, M, L, P, N>> {
    static constexpr int level = L, phase = P, operand = S;
    static constexpr bool reduces = false;
};

// Finds instructions of a list by number, and the numbers of instructions with some property. Code then loops over these numbers only.
// A function per instruction that tests the property would be most of what the compiler instantiates for a nest.
template<int K, class J>
struct numbered_instruction {};
template<class Numbers, class... I>
struct instruction_list;
template<int... K, class... I>
struct instruction_list<std::integer_sequence<int, K...>, I...> : numbered_instruction<K, I>... {};
template<int K, class J>
J instruction_at(numbered_instruction<K, J> const*);

/// Which of N instructions have some property.
template<int N>
struct choice {
    bool of[N > 0 ? N : 1];
    constexpr int count() const {
        int n = 0;
        for (int k = 0; k < N; ++k) n += of[k];
        return n;
    }
    constexpr int nth(int n) const {
        int k = 0;
        while (!of[k] || n-- > 0) ++k;
        return k;
    }
};
template<choice C, class Places>
struct chosen_numbers;
template<choice C, int... P>
struct chosen_numbers<C, std::integer_sequence<int, P...>> {
    using type = std::integer_sequence<int, C.nth(P)...>;
};
template<choice C>
using chosen = typename chosen_numbers<C, std::make_integer_sequence<int, C.count()>>::type;
// First, First + 1, ... below End, but at most Most of them.
template<int First, int... K>
std::integer_sequence<int, First + K...> moved_by(std::integer_sequence<int, K...>);
template<int First, int End, int Most>
using integers_from = decltype(moved_by<First>(std::make_integer_sequence<int, (End - First < Most ? End - First : Most)>{}));
template<int... K>
constexpr std::array<int, sizeof...(K)> places_of(std::integer_sequence<int, K...>) {
    return {K...};
}
// Instructions that run once, for each row of a pass, or for its elements.
template<int Level, int Phase, class... I>
using chosen_at = chosen<choice<sizeof...(I)>{{(about<I>::level == Level && (Level == 0 || about<I>::phase == Phase))...}}>;
template<int Phase, class... I>   // over elements
using chosen_sums = chosen<choice<sizeof...(I)>{{(about<I>::reduces && about<I>::level == 2 && about<I>::phase == Phase)...}}>;
template<class... I>
using chosen_reductions = chosen<choice<sizeof...(I)>{{about<I>::reduces...}}>;

// One register of T: a SIMD batch for floating types, a single number for integers.
template<class T>
struct lanes {
    using type = simd::batch<T>;
    static constexpr std::int64_t width = static_cast<std::int64_t>(simd::width<T>);
};
template<std::integral T>
struct lanes<T> {
    using type = T;
    static constexpr std::int64_t width = 1;
};

template<class V, class M>
XGRAD_KERNEL V load_full(M const* p) {
    if constexpr (math::Scalar<V>) return math::converted<V>(*p);
    else return simd::load_as<typename V::value_type>(p);
}
template<class V, class M>
XGRAD_KERNEL V load_some(M const* p, std::size_t n) {
    return simd::load_partial_as<typename V::value_type>(p, n);
}
template<class M, class V>
XGRAD_KERNEL void store_full(M* p, V x) {
    if constexpr (math::Scalar<V>) *p = std::is_same_v<M, bool> ? static_cast<M>(x != V(0)) : static_cast<M>(x);
    else simd::store_as(p, x);
}
template<class V>
XGRAD_KERNEL auto first_lane(V x) {
    if constexpr (math::Scalar<V>) return x;
    else return x[0];
}
template<monoid M, class V>
XGRAD_KERNEL V combine(V a, V b) {
    if constexpr (M == monoid::sum && std::is_integral_v<V>) return math::add(a, b);
    else if constexpr (M == monoid::sum) return a + b;
    else return math::select(b == b, math::max(b, a), b);   // NaN is kept: max returns its second operand if one is NaN
}
template<monoid M, class T>
constexpr T identity() {
    if constexpr (M == monoid::sum) return T(0);
    else if constexpr (std::numeric_limits<T>::has_infinity) return -std::numeric_limits<T>::infinity();
    else return std::numeric_limits<T>::lowest();
}
/// Replaces the lanes from n on by the identity of the reduction.
template<monoid M, class V>
XGRAD_KERNEL V first_lanes(V x, std::int64_t n) {
    if constexpr (math::Scalar<V>) return x;
    else {
        using T = typename V::value_type;
        return math::select(simd::iota<V>() < V(static_cast<T>(n)), x, V(identity<M, T>()));
    }
}
template<monoid M, class V>
XGRAD_KERNEL auto across(V x) {
    if constexpr (math::Scalar<V>) return x;
    else if constexpr (M == monoid::sum) return simd::sum(x);
    else {
        using T = typename V::value_type;
        if (simd::sum(math::select(x == x, V(T(0)), V(T(1)))) == T(0)) return simd::max(x);   // no NaN
        auto r = x[0];
        for (std::size_t i = 1; i < V::size; ++i) r = combine<M>(r, static_cast<typename V::value_type>(x[i]));
        return r;
    }
}
template<class T>
XGRAD_KERNEL T random_number(step_arguments const& a, int operand, std::int64_t element) {
    random_key key;
    key.seed = a.random->seed;
    key.name_hash = a.names[operand];
    key.step = a.random->step;
    key.worker = a.random->worker;
    key.iteration = a.random->iteration;
    return static_cast<T>(uniform01(random_bits(key, static_cast<std::uint64_t>(element))));
}
template<class Op, class V, int... A>
XGRAD_KERNEL V apply_op(V const* r) {
    return Op::value(r[A]...);
}
template<class I>
inline constexpr std::int64_t memory_bytes = 0;   // size of an element in memory; 0 for positions
template<int S, class M, int L, int P, int N>
inline constexpr std::int64_t memory_bytes<ld<S, M, L, P, N>> = sizeof(M);
template<int A, int S, class M, int L, int P, int N>
inline constexpr std::int64_t memory_bytes<st<A, S, M, L, P, N>> = sizeof(M);
template<monoid C, int A, int L, int P, bool N, int O, int S, class M>
inline constexpr std::int64_t memory_bytes<rd<C, A, L, P, N, O, S, M>> = sizeof(M);
/// The last one is 0 and belongs to no operand.
template<int Operands>
struct element_bytes {
    std::int64_t of[Operands + 1];
};
/// The operands of the instructions, for row_position.
template<class... I>
struct operands_of {
    static constexpr int count = [] {
        int n = 0;
        ((n = about<I>::operand + 1 > n ? about<I>::operand + 1 : n), ...);
        return n;
    }();
    static constexpr element_bytes<count> bytes = [] {   // of an element; 0 for positions
        element_bytes<count> list{};
        ((list.of[about<I>::operand < 0 ? count : about<I>::operand] = about<I>::operand < 0 ? 0 : memory_bytes<I>), ...);
        return list;
    }();
};
template<class I>
inline constexpr int outer_of = 0;
template<monoid C, int A, int L, int P, bool N, int O, int S, class M>
inline constexpr int outer_of<rd<C, A, L, P, N, O, S, M>> = O;
template<class I>
inline constexpr bool sums_columns = false;
template<monoid C, int A, int P, int O, int S, class M>
inline constexpr bool sums_columns<rd<C, A, 2, P, false, O, S, M>> = true;
template<class I>
inline constexpr bool sums_row = false;   // of the elements of a row, possibly over outer dimensions too
template<int A, int P, int O, int S, class M>
inline constexpr bool sums_row<rd<monoid::sum, A, 2, P, true, O, S, M>> = true;
template<class I>
inline constexpr bool sums_up = false;   // a sum, not another reduction
template<int A, int L, int P, bool N, int O, int S, class M>
inline constexpr bool sums_up<rd<monoid::sum, A, L, P, N, O, S, M>> = true;
template<int K, class... I>
inline constexpr int reductions_before = [] {
    constexpr bool reduces[] = {about<I>::reduces...};
    int n = 0;
    for (int k = 0; k < K; ++k) n += reduces[k];
    return n;
}();
template<class I>
inline constexpr bool costly = false;
template<class O, int L, int P, int... A>
inline constexpr bool costly<ap<O, L, P, A...>> = op_instance<O>.transcendental;
/// Number of expensive operations per element in pass `Phase`.
template<int Phase, class... I>
inline constexpr int costly_count = ((costly<I> && about<I>::level == 2 && about<I>::phase == Phase ? 1 : 0) + ... + 0);
}

}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
