// SPDX-License-Identifier: MIT
// The members of a rule that moves matrices by products of matrices.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/updates/update_matrix.hpp>

#include <concepts>

XGRAD_NAMESPACE_BEGIN

// A matrix rule has the members of every rule (optim/rule.hpp) and these. Muon (optim/rules/muon.hpp) is an example.
//
//     static constexpr bool moves_matrices = true;
//     template<class T, class V> static V matrix_of(scalars<T> const&, V param, V grad, V* slot);
//     template<class T> static constexpr std::size_t workspace(std::int64_t rows, std::int64_t columns);
//     template<class T> static T const* transform(scalars<T> const&, kernels::matrix_work<T> const& work);
//
// A step of a variable [rows, columns] makes three passes:
//
// 1. `matrix_of` moves the slots of each element and returns that element of a matrix. V is T or a SIMD batch of T.
// 2. `transform` computes a new matrix by the products of `work` (kernels/updates/update_matrix.hpp) and returns its
//    address. It may use workspace<T>(rows, columns) bytes of scratch memory.
// 3. `update` gets the elements of the new matrix in place of the gradient.
//
// Limits:
//
// * Variables have two axes and dense gradients.
// * The rule has no reductions and cannot be a link of a chain.
// * Its slots are per::element, per::optimizer, per::row_pair [rows, rows] or per::column_pair [columns, columns].
//   `transform` moves the last two through work.slots; other bodies do not see them.

namespace detail {
template<class R, class T>
concept MatrixRuleFor = requires(typename R::template scalars<T> const& s, T x, T* slot, kernels::matrix_work<T> const& work) {
    { R::matrix_of(s, x, x, slot) } -> std::same_as<T>;
    { R::transform(s, work) } -> std::same_as<T const*>;
    { R::template workspace<T>(1, 1) } -> std::same_as<std::size_t>;
};
template<class R>
constexpr bool matrix_rule_is_sound() {
    if constexpr (!xgrad::moves_matrices<R>) return true;
    else
        return rule_reductions<R>.count == 0 && rule_slots<R>.count_of(per::element) + pair_count<R> == slot_count<R> &&
               MatrixRuleFor<R, float> && MatrixRuleFor<R, double>;
}
}   // namespace detail

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
