// SPDX-License-Identifier: MIT
// matmul of two stacks of matrices: a loop whose body is the product of two matrices.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/layers.hpp>
#include <xgrad/ops/matmul.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

template<bool TransposeA, bool TransposeB>
struct product_of_two : region {
    static constexpr auto value(auto a, auto b) { return matmul<TransposeA, TransposeB>(a, b); }
};
// One side is the same matrix for all: the body reads it from outside.
template<bool TransposeA, bool TransposeB, class A>
struct product_after : region {
    static constexpr auto value(auto b) { return matmul<TransposeA, TransposeB>(A{}, b); }
};
template<bool TransposeA, bool TransposeB, class B>
struct product_before : region {
    static constexpr auto value(auto a) { return matmul<TransposeA, TransposeB>(a, B{}); }
};
/// The axes before the last two, and the last two alone.
constexpr value_info axes_before(value_info v) {
    v.dims.rank -= 2;
    return v;
}
constexpr value_info matrix_of(value_info const& v) {
    return {v.type, {2, {v.dims.extents[v.dims.rank - 2], v.dims.extents[v.dims.rank - 1]}}, v.wrong};
}
/// [..., m, k] as [number of matrices, m, k].
constexpr shape as_stack(value_info const& v) {
    shape r{1, {static_extent(1)}};
    for (int i = 0; i + 2 < v.dims.rank; ++i) r.extents[0] = r.extents[0] * v.dims.extents[i];
    return joined(r, matrix_of(v).dims);
}

template<bool TransposeA, bool TransposeB, class A, class B>
struct product_of_stacks {
    static constexpr value_info a = value_of<A>, b = value_of<B>;
    static constexpr value_info product = [] {
        value_info const matrices[]{matrix_of(a), matrix_of(b)};
        return op::matmul::infer(matrices, 2, to_words(product_attributes{TransposeA, TransposeB}).view());
    }();
    static constexpr value_info before = [] {
        value_info const all[]{axes_before(a), axes_before(b)};
        return broadcast_operands(all, 2);
    }();
    // With 1 in place of what the other side has more.
    template<class E>
    static constexpr auto stack(E const& e) {
        constexpr shape whole = joined(before.dims, matrix_of(value_of<E>).dims);
        return reshaped_to<as_stack({value_of<E>.type, whole, fault::none})>(repeated_to<whole>(e));
    }
    static constexpr auto loop() {
        if constexpr (a.dims.rank == 2) return map<product_after<TransposeA, TransposeB, A>>(stack(B{}));
        else if constexpr (b.dims.rank == 2) return map<product_before<TransposeA, TransposeB, B>>(stack(A{}));
        else return map<product_of_two<TransposeA, TransposeB>>(stack(A{}), stack(B{}));
    }
    static constexpr auto value() {
        constexpr fault f = a.wrong != fault::none ? a.wrong : b.wrong != fault::none ? b.wrong : product.wrong;
        static_assert(f != fault::dtypes, "xgrad::matmul(a, b): a and b have different element types; write cast<float>(a)");
        static_assert(f != fault::not_floating, "xgrad::matmul(a, b): a and b are neither float nor double; write cast<float>(a)");
        static_assert(f != fault::inner,
            "xgrad::matmul(a, b): in the last two axes, the last extent of a differs from the first extent of b; write matmul<false, "
            "true>(a, b) for the transposed matrices of b");
        static_assert(f != fault::none || before.wrong == fault::none,
            "xgrad::matmul(a, b): the axes before the last two differ; give both the same extents there, or extents of 1: "
            "expand_dims<0>(a)");
        if constexpr (f != fault::none || before.wrong != fault::none) return refused{};
        else return reshaped_to<joined(before.dims, product.dims)>(loop());
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
