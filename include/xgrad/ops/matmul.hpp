// SPDX-License-Identifier: MIT
// Matrix products.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/factor.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// `a` may have more than two axes. All but the last are rows, and then `a` cannot be transposed.
struct matmul {
    using attributes = product_attributes;
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& how) {
        bool const ta = how.as<attributes>().transpose_a, tb = how.as<attributes>().transpose_b;
        value_info r{v[0].type, {}, fault::none};
        shape const &a = v[0].dims, &b = v[1].dims;
        if (v[0].type != v[1].type) return {r.type, {}, fault::dtypes};
        if (!is_floating(r.type)) return {r.type, {}, fault::not_floating};
        if (a.rank < 2 || b.rank != 2 || (a.rank > 2 && ta)) return {r.type, {}, fault::rank};
        if (!(a.extents[a.rank - (ta ? 2 : 1)] == b.extents[tb ? 1 : 0])) return {r.type, {}, fault::inner};
        r.dims = a;
        if (ta) r.dims.extents[a.rank - 2] = a.extents[a.rank - 1];
        r.dims.extents[a.rank - 1] = b.extents[tb ? 0 : 1];
        return r;
    }
    static constexpr void derive(derivation& d);
    static constexpr op_info describe() {
        op_info r = make_op("matmul", op_kind::matmul, infer, derive);
        r.flops = 2;
        return r;
    }
};
/// A column of sums of float products, in double.
struct matmul_in_double : matmul {
    static constexpr value_info infer(value_info const* v, int count, xgrad::attributes const& how) {
        value_info r = matmul::infer(v, count, how);
        r.type = dtype::float64;
        return r;
    }
    static constexpr op_info describe() {
        op_info r = make_op("matmul_in_double", op_kind::matmul, infer, derive);
        r.flops = 2;
        return r;
    }
};
constexpr symbol multiply(symbol a, symbol b, bool ta, bool tb) { return apply_with<matmul>({ta, tb}, a, b); }
constexpr symbol as_matrix(symbol s) {   // all axes but the last become rows
    shape const& x = s.table->info(s).dims;
    if (x.rank == 2) return s;
    shape m{2, {static_extent(1), x.extents[x.rank - 1]}};
    for (int i = 0; i + 1 < x.rank; ++i) m.extents[0] = m.extents[0] * x.extents[i];
    return reshape_to(s, m);
}
constexpr void matmul::derive(derivation& d) {
    auto const how = d.attrs->as<attributes>();
    bool const ta = how.transpose_a, tb = how.transpose_b;
    symbol const a = as_matrix(d.operands[0]), b = d.operands[1];
    symbol g = as_matrix(d.gradient);
    if (d.table->info(g).type != d.info(1).type) g = apply<cast<float>>(g);   // of a product in double
    // A factor is taken out of a vector of many elements that is summed to few.
    // Of floats this is done where the product may run in one pass with the one whose gradient it is.
    shape const s = d.table->info(g).dims;
    extent const inner = d.info(1).dims.extents[tb ? 1 : 0];
    auto vector_along = [&](int axis, bool in_double) {
        extent const& e = s.extents[axis];
        bool const fewer = !e.is_static() || (inner.is_static() && inner.constant < e.constant);
        return fewer && is_one(s.extents[1 - axis]) ? take_factor(g, axis_set::of(axis), in_double) : scaled{g, {}};
    };
    // The gradient of a is computed first, because it reads b before b is updated.
    if (d.wanted[0]) {
        scaled const v = vector_along(1, false);
        symbol const ga = ta ? multiply(b, v.rest, tb, true) : multiply(v.rest, b, false, !tb);
        d.out[0] = reshape_to(times(ga, v), d.info(0).dims);
    }
    if (d.wanted[1]) {
        scaled const v = vector_along(0, !ta && !tb);
        bool const in_double = v.factor.exists() && d.table->info(g).type == dtype::float32;
        if (in_double) d.out[1] = apply<cast<float>>(times(apply_with<matmul_in_double>({!ta, false}, a, v.rest), v));
        else d.out[1] = times(tb ? multiply(v.rest, a, true, ta) : multiply(a, v.rest, !ta, false), v);
    }
}
}

namespace detail {
/// The product of two stacks of matrices, in ops/matmul_stacks.hpp.
template<bool TransposeA, bool TransposeB, class A, class B>
struct product_of_stacks;
// Whether a product has more than one matrix on both sides, or a transposed stack: its axes before the last two belong together.
template<bool TransposeA, class A, class B>
constexpr bool has_stacks() {
    if constexpr (Expr<A> && Expr<B>) {
        int const a = value_of<A>.dims.rank, b = value_of<B>.dims.rank;
        return a >= 2 && b >= 2 && (b > 2 || (a > 2 && TransposeA));
    } else return false;
}
}

/// The product of `a` [..., m, k] and `b` [k, n] or [..., k, n]: [..., m, n], in float or double. The axes before the last
/// two broadcast, as in NumPy. `matmul<true, false>` uses aᵀ, `matmul<false, true>` uses bᵀ, each of the last two axes.
///
/// If b is one matrix, the rows of all matrices of a are one product. Stacks on both sides are a loop over the pairs of
/// matrices, such as map's. It cannot hold bfloat16 and float16.
///
/// Gradient: of a, g bᵀ; of b, aᵀ g, summed over the further axes of a.
template<bool TransposeA = false, bool TransposeB = false, class A, class B>
constexpr auto matmul(A const& a, B const& b) {
    using O = with<op::matmul, product_attributes{TransposeA, TransposeB}>;
    if constexpr (detail::Fits<O, A, B>) return node<O, A, B>{};
    else if constexpr (detail::has_stacks<TransposeA, A, B>()) return detail::product_of_stacks<TransposeA, TransposeB, A, B>::value();
    else {
        constexpr fault f = detail::fault_of<O, A, B>();
        static_assert(f != fault::dtypes, "xgrad::matmul(a, b): a and b have different element types; write cast<float>(a)");
        static_assert(f != fault::not_floating, "xgrad::matmul(a, b): a and b are neither float nor double; write cast<float>(a)");
        static_assert(
            f != fault::rank, "xgrad::matmul(a, b): a or b has fewer than two axes; write expand_dims<0>(x) to make a row of a vector");
        static_assert(f != fault::inner,
            "xgrad::matmul(a, b): the last extent of a differs from the first extent of b; transpose one side, or "
            "check the shapes of input and weights");
        return apply<O>(a, b);
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
