// SPDX-License-Identifier: MIT
// The kernel of an operation that defines its loops itself, and what the type of that kernel depends on.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/arguments.hpp>

#include <cstdint>
#include <tuple>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

template<class... T>
struct types {};
/// Used for operations without attributes.
struct no_attributes {};

/// What is known about a kernel at compile time:
/// - how many of its operands are read, and the attributes of the operation;
/// - the extents that kernel_info declares static (-1: known only at run time);
/// - ranks (three bits each) and element types of operands and outputs.
template<int Operands, auto Attributes, std::uint64_t Ranks, long long E0, long long E1, long long E2, long long E3, class... T>
struct kernel_form {
    static constexpr auto attributes = Attributes;
    static constexpr int operands = Operands;
    using tensors = types<T...>;
    template<int K>
    using element = std::tuple_element_t<static_cast<std::size_t>(K), std::tuple<T...>>;
    static constexpr long long static_extent(int k) { return k == 0 ? E0 : k == 1 ? E1 : k == 2 ? E2 : E3; }
    static constexpr int rank(int k) { return static_cast<int>(Ranks >> 3 * k & 7); }
};

/// `kernel_of<Op>::type<Form>` has `static void run(step_arguments const&)`.
template<class Op>
struct kernel_of;

}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
