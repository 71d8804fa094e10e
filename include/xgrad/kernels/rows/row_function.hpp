// SPDX-License-Identifier: MIT
// Runs the function of an operation on each row of its operands.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/row_function.hpp>
#include <xgrad/kernels/kernel.hpp>

#include <span>
#include <type_traits>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

/// T...: element types of the `Operands` operands, then of the outputs.
/// Extents: number of rows, then the row length of each operand and output.
/// An unused output is a single row of scratch memory with stride 0.
template<class Op, int Operands, class... T>
struct row_function {
    template<std::size_t K, class E>
    XGRAD_KERNEL static auto row(step_arguments const& a, std::int64_t i) {
        using M = std::conditional_t<(K < static_cast<std::size_t>(Operands)), E const, E>;
        operand_argument const& s = a.operands[K];
        std::int64_t const length = a.size(static_cast<int>(K) + 1);
        return std::span<M>(reinterpret_cast<M*>(s.data) + (s.stride[0] != 0 ? i * length : 0), static_cast<std::size_t>(length));
    }
    template<std::size_t... K>
    XGRAD_KERNEL static void rows(step_arguments const& a, std::index_sequence<K...>) {
        for (std::int64_t i = a.first; i < a.first + a.extent[0]; ++i) Op::row(row<K, T>(a, i)...);
    }
    XGRAD_NOINLINE static void run(step_arguments const& a) { rows(a, std::index_sequence_for<T...>{}); }
};

template<class Op>
    requires __is_base_of(row_op, Op)
struct kernel_of<Op> {
    template<class Form>
    struct of;
    template<int Operands, auto Attributes, std::uint64_t Ranks, long long E0, long long E1, long long E2, long long E3, class... T>
    struct of<kernel_form<Operands, Attributes, Ranks, E0, E1, E2, E3, T...>> {
        using type = row_function<Op, Operands, T...>;
    };
    template<class Form>
    using type = typename of<Form>::type;
};

}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
