// SPDX-License-Identifier: MIT
// What a rule has that moves matrices by products of matrices.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/updates/update_matrix.hpp>

#include <concepts>

XGRAD_NAMESPACE_BEGIN

// Beside what each rule has (optim/rule.hpp), as in Muon (optim/rules/muon.hpp):
//
//     static constexpr bool moves_matrices = true;
//     template<class T, class V> static V matrix_of(scalars<T> const&, V param, V grad, V* slot);
//     template<class T> static constexpr std::size_t workspace(std::int64_t rows, std::int64_t columns);
//     template<class T> static T const* transform(scalars<T> const&, kernels::matrix_work<T> const& work);
//
// A step of a variable [rows, columns] is three passes. `matrix_of`, of T or a SIMD batch of T, moves the slots of an element and gives that of a matrix.
// `transform` makes another matrix of this one, by the products of `work` (kernels/updates/update_matrix.hpp), in workspace<T>(rows, columns) bytes that are
// scratch memory of the step, and says where it is. `update` gets its elements in place of the gradient.
//
// Such a rule moves variables of two axes with dense gradients. It has no reductions and stands in no chain. Its slots are per::element, per::optimizer,
// or matrices, per::row_pair [rows, rows] and per::column_pair [columns, columns], which `transform` moves, through work.slots; other bodies do not see them.

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
