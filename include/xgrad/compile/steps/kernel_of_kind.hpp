// SPDX-License-Identifier: MIT
// What the compile folder knows about a kind of step: the type of its kernel, and the scratch memory of this kernel.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/compile/loop_types.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// One specialization for each kind.
/// - type<P, S, T>: the kernel of step S of P, which computes in T.
/// - scratch(step): the function for the kernel's scratch memory in addition to its operands, or null.
///   A kernel with a member `scratch` overrides it.
template<planner::step_kind K>
struct kernel_of_kind;

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
