// SPDX-License-Identifier: MIT
// A list with one type for each kind of step. Each folder has such a list; a list that lacks a kind does not compile.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/plan.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// A type for each kind of step. `K::kind` names the kind that the type describes.
template<class... K>
struct step_kinds {
    static constexpr bool each_stands_here_once =
        sizeof...(K) == step_kind_count && ((1u << static_cast<int>(K::kind)) | ...) == (1u << step_kind_count) - 1;
    static_assert(each_stands_here_once);
    /// Calls f with an object of the type for this kind.
    template<class F>
    static constexpr void visit(step_kind kind, F const& f) {
        static_cast<void>(((K::kind == kind && (f(K{}), true)) || ...));
    }
    /// Calls f with an object of each type, in the order of the list.
    template<class F>
    static constexpr void each(F const& f) {
        (f(K{}), ...);
    }
};

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
