// SPDX-License-Identifier: MIT
// An operation's own function on each row of its operands.
#pragma once

#include <xgrad/kernels/arguments.hpp>

#include <span>
#include <type_traits>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

/// T...: element types of the operands, of which there are `Operands`, then of the outputs. extent[0]: how many rows; of a slot, inner: their
/// length, stride[0]: their distance (0 where the row is scratch memory).
template<class Op, int Operands, class... T>
struct row_function {
    template<std::size_t K, class E>
    XGRAD_INLINE static auto row(step_arguments const& a, std::int64_t i) {
        using M = std::conditional_t<(K < static_cast<std::size_t>(Operands)), E const, E>;
        slot_argument const& s = a.slots[K];
        return std::span<M>(reinterpret_cast<M*>(s.data) + i * s.stride[0], static_cast<std::size_t>(s.inner));
    }
    template<std::size_t... K>
    XGRAD_INLINE static void rows(step_arguments const& a, std::index_sequence<K...>) {
        for (std::int64_t i = 0; i < a.extent[0]; ++i) Op::row(row<K, T>(a, i)...);
    }
    XGRAD_NOINLINE static void run(step_arguments const& a) { rows(a, std::index_sequence_for<T...>{}); }
};

}   // namespace kernels
XGRAD_NAMESPACE_END
