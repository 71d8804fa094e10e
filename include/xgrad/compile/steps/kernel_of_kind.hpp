// SPDX-License-Identifier: MIT
// What the compiler is told of a kind of step: the type of its kernel and what that needs.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/compile/loop_types.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// One specialisation for each kind. type<P, S, T>: the kernel of step S of P, which computes in T. scratch(step): what the kernel needs of scratch
/// memory beside its operands, or null; a kernel that says so itself has a member `scratch`.
template<planner::step_kind K>
struct kernel_of_kind;

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
