// SPDX-License-Identifier: MIT
// The size of a trainer's gradients in bytes: what workers that train together exchange in each step.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/inspect/cost.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
template<class P>
constexpr cost_polynomial add_gradients(bool sparse) {
    cost_polynomial bytes{};
    for (int k = 0; k < P::plan.step_count; ++k) {
        planner::plan_step const& s = P::plan.steps[k];
        if (!planner::facts_of(s.kind).updates_variable || s.sparse != sparse) continue;
        element_count rows, elements = P::plan.polynomials[s.inner];
        if (sparse) {
            rows.multiply(P::plan.polynomials[s.extent[0]]);
            elements.multiply(P::plan.polynomials[s.extent[0]]);
            rows.add_to(bytes, static_cast<std::int64_t>(size_of(s.index_type)));
        }
        elements.add_to(bytes, static_cast<std::int64_t>(size_of(s.type)));
    }
    return bytes;
}
}   // namespace detail

/// The gradients of one step of a trainer: `gradient_bytes_of<decltype(train)>.slices(batch = 64)`. Sizes are given as for cost_of.
///
/// dense: for variables whose gradient is a tensor: elements × the size of the type in which the rule computes.
///
/// slices: for tables that are only read by index: rows × (elements of a row and their index). Rows count as often as indices name them.
template<class X>
struct program_gradient_bytes {
    using program = program_type_of<X>;
    static constexpr cost_polynomial dense_polynomial = detail::add_gradients<program>(false);
    static constexpr cost_polynomial slice_polynomial = detail::add_gradients<program>(true);

    template<class... D>
    static constexpr std::int64_t dense(D const&... sizes) {
        return value(dense_polynomial, sizes...);
    }
    template<class... D>
    static constexpr std::int64_t slices(D const&... sizes) {
        return value(slice_polynomial, sizes...);
    }
    /// The number of gradients of both kinds.
    static constexpr int count() {
        int n = 0;
        for (int k = 0; k < program::plan.step_count; ++k) n += planner::facts_of(program::plan.steps[k].kind).updates_variable;
        return n;
    }

private:
    template<class... D>
    static constexpr std::int64_t value(cost_polynomial const& p, D const&... sizes) {
        static_assert(
            detail::are_sizes<D...>, "xgrad: an argument is not the size of a named dimension; write its name and size: batch = 64");
        if constexpr (detail::are_sizes<D...>) {
            dim_size const list[]{sizes..., {}};
            return detail::evaluate(p, list);
        } else return 0;
    }
};
/// The gradients of a trainer, by its type.
template<class X>
inline constexpr program_gradient_bytes<X> gradient_bytes_of{};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
