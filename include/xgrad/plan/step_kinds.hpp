// SPDX-License-Identifier: MIT
// The kinds of steps, what is true of each, and lists with one type for each kind.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// What a step does. The comment of each kind says what the `extent` array of plan_step holds.
enum class step_kind : unsigned char {
    // Loops over outer dimensions and one inner dimension that run instructions. Extents: the outer dimensions.
    nest,
    // A matrix product whose tiles pass through instructions. Extents: m, n, k.
    matmul,
    // A kernel that an operation defines itself. Extents: iterations of its outermost loop; see also plan_step::loop_at.
    // Everything else that the kernel needs is passed as parameters.
    kernel,
    // Runs the bodies of a region, each of which has a separate plan. Extents: iterations.
    region,
    // The rule of an optimizer on one variable. Extents: see update_whole and update_sparse.
    update,
    // A range check of the indices of an update that no lookup checks. Extents: number of indices, number of rows.
    check
};

/// What is true of all steps of a kind. Code that depends on one of these facts asks for the fact, not for the kind.
struct kind_facts {
    step_kind kind;
    // Instructions say what it computes, reads and writes. Operations that fit can become part of it.
    bool runs_instructions = false;
    bool over_elements = false;      // its instructions run in loops over elements, row by row
    bool in_tiles = false;           // its instructions run in the tiles of a matrix product
    bool has_own_kernel = false;     // the operation of its node defines the kernel
    bool runs_bodies = false;        // it runs the plans of bodies, which can read any variable
    bool updates_variable = false;   // it changes plan_step::variable
    bool may_end_call = false;       // it may find an index out of range
};
/// One row for each kind, in the order of step_kind.
inline constexpr kind_facts all_kind_facts[]{
    {.kind = step_kind::nest, .runs_instructions = true, .over_elements = true},
    {.kind = step_kind::matmul, .runs_instructions = true, .in_tiles = true},
    {.kind = step_kind::kernel, .has_own_kernel = true, .may_end_call = true},
    {.kind = step_kind::region, .runs_bodies = true, .may_end_call = true},
    {.kind = step_kind::update, .updates_variable = true},
    {.kind = step_kind::check, .may_end_call = true},
};
inline constexpr int step_kind_count = static_cast<int>(sizeof(all_kind_facts) / sizeof(kind_facts));
constexpr kind_facts const& facts_of(step_kind kind) { return all_kind_facts[static_cast<int>(kind)]; }
static_assert([] {
    int row = 0;
    for (kind_facts const& f : all_kind_facts)
        if (static_cast<int>(f.kind) != row++) return false;
    return true;
}());

/// A type for each kind of step. `K::kind` names the kind that the type describes. A list that lacks a kind does not compile.
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
