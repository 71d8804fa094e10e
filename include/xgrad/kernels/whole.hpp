// SPDX-License-Identifier: MIT
// Kernels of operations that receive whole tensors.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/kernels/kernel.hpp>

#include <array>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

/// Operands: those of the operation, its outputs, and scratch memory if it is requested.
/// Extents: iterations, then those of operands and outputs.
template<class Op, class Form, class... T>
struct whole_kernel {
    template<int K, class E>
    XGRAD_KERNEL static auto view(step_arguments const& a) {
        constexpr int rank = Form::rank(K), first = [] {
            int n = 1;
            for (int k = 0; k < K; ++k) n += Form::rank(k);
            return n;
        }();
        using M = std::conditional_t<(K < Form::operands), E const, E>;
        std::array<std::int64_t, rank> shape{};
        for (int d = 0; d < rank; ++d) shape[static_cast<std::size_t>(d)] = a.size(first + d);
        return tensor_view<M, rank>(reinterpret_cast<M*>(a.operands[K].data), shape);
    }
    template<std::size_t... K>
    XGRAD_KERNEL static void run_turns(step_arguments const& a, std::index_sequence<K...>) {
        constexpr bool asks = op_instance<Op>.kernel->scratch_of != nullptr;
        kernel_part const part{
            a.first, a.first + a.extent[0], asks ? a.operands[sizeof...(K)].data : nullptr, a.bad_index, a.fault, Op::name};
        if constexpr (std::is_same_v<decltype(Form::attributes), no_attributes const>) Op::run(part, view<static_cast<int>(K), T>(a)...);
        else if constexpr (requires { Op::template known<Form::attributes>; })   // its type tells which loops are needed
            Op::run(Op::template known<Form::attributes>, part, view<static_cast<int>(K), T>(a)...);
        else Op::run(Form::attributes, part, view<static_cast<int>(K), T>(a)...);
    }
    XGRAD_NOINLINE static void run(step_arguments const& a) { run_turns(a, std::index_sequence_for<T...>{}); }
};

template<class Op>
    requires __is_base_of(kernel_op, Op)
struct kernel_of<Op> {
    template<class Form, class Operands>
    struct of;
    template<class Form, class... T>
    struct of<Form, types<T...>> {
        using type = whole_kernel<Op, Form, T...>;
    };
    template<class Form>
    using type = typename of<Form, typename Form::tensors>::type;
};

}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
