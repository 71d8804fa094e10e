// SPDX-License-Identifier: MIT
// Sums of products of tensors with named axes, which einsum, tensordot and others share. Two factors become a product of matrices
// where they have a common axis that is summed, else an element-wise product.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/diagonals.hpp>
#include <xgrad/ops/matmul_stacks.hpp>

#include <tuple>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The names of axes, outermost first: letters, and 1 to 6 for the axes under "...", counted from the last one.
struct axis_names {
    static constexpr int room = 2 * max_rank;
    int count;
    char at[room];
    constexpr void push(char name) { at[count++] = name; }
    constexpr int find(char name) const {
        for (int i = 0; i < count; ++i)
            if (at[i] == name) return i;
        return -1;
    }
    constexpr bool has(char name) const { return find(name) >= 0; }
    constexpr bool operator==(axis_names const&) const = default;
};
/// The names of `a` that `b` has, or has not.
constexpr axis_names common_names(axis_names const& a, axis_names const& b, bool has = true) {
    axis_names r{};
    for (int i = 0; i < a.count; ++i)
        if (b.has(a.at[i]) == has) r.push(a.at[i]);
    return r;
}
constexpr axis_names without(axis_names const& a, axis_names const& b) { return common_names(a, b, false); }
constexpr axis_names followed_by(axis_names a, axis_names const& b) {
    for (int i = 0; i < b.count; ++i) a.push(b.at[i]);
    return a;
}
/// The extents of the axes in another order. An axis that the tensor does not have gets 1.
constexpr shape extents_of(axis_names const& which, axis_names const& own, shape const& s) {
    shape r{};
    for (int i = 0; i < which.count && i < max_rank; ++i) {
        int const from = own.find(which.at[i]);
        r.extents[r.rank++] = from < 0 ? static_extent(1) : s.extents[from];
    }
    return r;
}
/// The number of elements in sizes that decide an order. A named dimension counts as 128.
constexpr double likely_size(
    axis_names const& which, axis_names const& a, shape const& of_a, axis_names const& b = {}, shape const& of_b = {}) {
    double n = 1;
    for (int i = 0; i < which.count; ++i) {
        int const k = a.find(which.at[i]);
        n *= (k >= 0 ? of_a.extents[k] : of_b.extents[b.find(which.at[i])]).evaluate([](dim_info const&) { return 128.0; });
    }
    return n;
}

/// Whether products of these have a meaning: numbers of one element type.
template<class... A>
constexpr bool are_factors() {
    dtype const types[]{computed_type(value_of<A>.type)..., dtype::float32};
    for (std::size_t k = 0; k < sizeof...(A); ++k)
        if (types[k] != types[0] || !(is_floating(types[k]) || is_integer(types[k]))) return false;
    return true;
}
template<class... A>
constexpr refused refuse_factors() {
    static_assert((never<A> && ...),
        "xgrad: the operands of einsum, tensordot, dot or another product are not numbers of one element type; write cast<float>(x)");
    return {};
}
/// 16-bit types as float, in which products are computed.
template<bool Computed = true, class E>
constexpr auto as_factor(E const& e) {
    if constexpr (Computed && is_half(value_of<E>.type)) return cast<float>(e);
    else return e;
}

/// An expression and the names of its axes.
template<class E, axis_names Names>
struct factor {
    using expression = E;
    static constexpr axis_names names = Names;
    static constexpr shape const& dims = value_of<E>.dims;
};
template<axis_names Names, class E>
constexpr auto factor_of(E const&) {
    return factor<E, Names>{};
}

constexpr permutation_attributes order_from(axis_names const& from, axis_names const& to) {
    permutation_attributes r{};
    for (int i = 0; i < to.count; ++i) r.order.push(from.find(to.at[i]));
    return r;
}
constexpr axis_set axes_not_in(axis_names const& from, axis_names const& to) {
    axis_set r{};
    for (int i = 0; i < from.count; ++i)
        if (!to.has(from.at[i])) r.add(i);
    return r;
}
template<axis_names From, axis_names To, class E>
constexpr auto in_order(E const& e) {
    if constexpr (From == To) return e;
    else return apply<with<op::transpose, order_from(From, To)>>(e);
}
/// The axes that are not in To summed, and the others in the order of From.
template<axis_names From, axis_names To, class E>
constexpr auto summed(E const& e) {
    constexpr axis_set axes = axes_not_in(From, To);
    if constexpr (axes.bits == 0) return e;
    else return apply<with<op::sum, reduction_attributes{axes, false}>>(e);
}
/// The axes From as axes All, with extents of 1 for those that are not there.
template<axis_names From, axis_names All, class E>
constexpr auto spread(E const& e) {
    return reshaped_to<extents_of(All, From, value_of<E>.dims)>(in_order<From, common_names(All, From)>(e));
}
/// The first axis whose name is there before, or 0.
constexpr int repeated_axis(axis_names const& names) {
    for (int i = 1; i < names.count; ++i)
        if (names.find(names.at[i]) < i) return i;
    return 0;
}
constexpr axis_names without_axis(axis_names const& names, int axis) {
    axis_names r{};
    for (int i = 0; i < names.count; ++i)
        if (i != axis) r.push(names.at[i]);
    return r;
}
/// The elements whose places along axes of one name are equal: a factor whose names differ.
template<class E, axis_names Names>
constexpr auto diagonal(factor<E, Names> whole) {
    constexpr int second = repeated_axis(Names), first = Names.find(Names.at[second]);
    if constexpr (second == 0) return whole;
    else {
        constexpr extent n = value_of<E>.dims.extents[second];
        auto const kept = select(equal(places_along<n, Names.count, first>(), places_along<n, Names.count, second>()), E{}, literal<0>{});
        return diagonal(factor_of<without_axis(Names, second)>(sum<second>(kept)));
    }
}

/// How two factors are a product of stacks of matrices: [batch, rows, inner] and [batch, inner, columns].
struct product_plan {
    axis_names a, b, result;             // the orders in which the axes are read, and that of the result
    bool exchanged;                      // the second factor is on the left
    bool transpose_a, transpose_b;       // the matrices of the left and the right factor
    int batch, first_of_a, first_of_b;   // numbers of axes in stacks, and in the rows of a stored matrix of each factor
};
/// The plan that moves the fewest elements. `wanted` is the order of the result, empty if any will do.
constexpr product_plan plan_product(
    axis_names const& a, shape const& of_a, axis_names const& b, shape const& of_b, axis_names const& kept, axis_names const& wanted) {
    product_plan best{};
    double least = -1;
    for (int choice = 0; choice < 48; ++choice) {
        bool const exchanged = choice % 2 != 0;
        axis_names const &x = exchanged ? b : a, &y = exchanged ? a : b;
        shape const &of_x = exchanged ? of_b : of_a, &of_y = exchanged ? of_a : of_b;
        int const stack = choice / 2 % 3;
        bool const inner_of_y = choice / 6 % 2 != 0, wanted_rows = choice / 12 % 2 != 0, wanted_columns = choice / 24 % 2 != 0;
        if (wanted.count == 0 && (stack == 2 || wanted_rows || wanted_columns)) continue;
        axis_names const both = common_names(x, y), batch_names = common_names(both, kept);
        axis_names const batch = common_names(stack == 0 ? x : stack == 1 ? y : wanted, batch_names);
        axis_names const inner = without(inner_of_y ? common_names(y, x) : both, kept);
        axis_names const rows = common_names(wanted_rows ? wanted : x, without(x, y)),
                         columns = common_names(wanted_columns ? wanted : y, without(y, x));
        product_plan p{};
        axis_names const turned_x = followed_by(followed_by(batch, inner), rows),
                         turned_y = followed_by(followed_by(batch, columns), inner);
        axis_names const straight_x = followed_by(followed_by(batch, rows), inner),
                         straight_y = followed_by(followed_by(batch, inner), columns);
        p.transpose_a = x == turned_x && !(x == straight_x);
        p.transpose_b = y == turned_y && !(y == straight_y);
        p.a = p.transpose_a ? turned_x : straight_x;
        p.b = p.transpose_b ? turned_y : straight_y;
        p.result = followed_by(followed_by(batch, rows), columns);
        p.exchanged = exchanged;
        p.batch = batch.count;
        p.first_of_a = p.transpose_a ? inner.count : rows.count;
        p.first_of_b = p.transpose_b ? columns.count : inner.count;
        double moved = rows.count == 0 && columns.count > 0 ? 0.5 : 0;   // a vector is on the right if nothing else decides
        if (!(x == p.a)) moved += likely_size(x, x, of_x);
        if (!(y == p.b)) moved += likely_size(y, y, of_y);
        if (wanted.count > 0 && !(p.result == wanted)) moved += likely_size(p.result, x, of_x, y, of_y);
        if (least < 0 || moved < least) {
            best = p;
            least = moved;
        }
        if (least == 0) break;
    }
    return best;
}
/// Axes joined: those of stacks, then `first` axes, then the others. Without axes of stacks it is one matrix.
constexpr shape as_matrices(shape const& s, int batch, int first) {
    shape r{3, {static_extent(1), static_extent(1), static_extent(1)}};
    for (int i = 0; i < s.rank; ++i) {
        extent& e = r.extents[i < batch ? 0 : i < batch + first ? 1 : 2];
        e = e * s.extents[i];
    }
    if (batch == 0) r = {2, {r.extents[1], r.extents[2]}};
    return r;
}
constexpr shape extents_of_product(
    axis_names const& which, axis_names const& a, shape const& of_a, axis_names const& b, shape const& of_b) {
    shape r{};
    for (int i = 0; i < which.count; ++i) {
        int const k = a.find(which.at[i]);
        r.extents[r.rank++] = k >= 0 ? of_a.extents[k] : of_b.extents[b.find(which.at[i])];
    }
    return r;
}
constexpr bool overflows(shape const& s) {
    for (int i = 0; i < s.rank; ++i)
        if (s.extents[i].overflow) return true;
    return false;
}
template<class E>
constexpr auto last_axes_exchanged(E const& e) {
    if constexpr (value_of<E>.dims.rank == 3) return transpose<0, 2, 1>(e);
    else return transpose<1, 0>(e);
}
/// matmul has no integers. Their products are summed by a loop.
template<bool TransposeA, bool TransposeB, class A, class B>
constexpr auto multiply_matrices(A const& a, B const& b) {
    if constexpr (is_floating(value_of<A>.type)) return matmul<TransposeA, TransposeB>(a, b);
    else if constexpr (TransposeA) return multiply_matrices<false, TransposeB>(last_axes_exchanged(a), b);
    else if constexpr (TransposeB) return sum<-1>(expand_dims<-2>(a) * expand_dims<-3>(b));
    else return sum<-2>(expand_dims<-1>(a) * expand_dims<-3>(b));
}
template<product_plan P, axis_names A, axis_names B, class X, class Y>
constexpr auto product_of_matrices(X const& x, Y const& y) {
    auto const left = in_order<A, P.a>(x);
    auto const right = in_order<B, P.b>(y);
    constexpr shape a = as_matrices(value_of<decltype(left)>.dims, P.batch, P.first_of_a);
    constexpr shape b = as_matrices(value_of<decltype(right)>.dims, P.batch, P.first_of_b);
    constexpr bool fits = !overflows(a) && !overflows(b);
    static_assert(fits, "xgrad: einsum or tensordot joins axes with more than three named dimensions; write integers for some of their "
                        "extents, or a named dimension for a product of extents");
    if constexpr (!fits) return factor_of<P.result>(refused{});
    else {
        constexpr shape whole = extents_of_product(P.result, A, value_of<X>.dims, B, value_of<Y>.dims);
        return factor_of<P.result>(
            reshaped_to<whole>(multiply_matrices<P.transpose_a, P.transpose_b>(reshaped_to<a>(left), reshaped_to<b>(right))));
    }
}
/// The sum of products of two factors over their common axes that are not in Kept, which has no other axes than theirs.
template<axis_names Kept, axis_names Wanted, class X, axis_names A, class Y, axis_names B>
constexpr auto product(factor<X, A>, factor<Y, B>) {
    constexpr axis_names both = common_names(A, B), inner = without(both, Kept), all = A.count >= B.count ? A : B;
    // One factor may have no axis that the other one lacks. Then a sum of products is faster than a loop over small matrices.
    constexpr bool vectors = A.count == both.count || B.count == both.count;
    constexpr bool small =
        inner.count < both.count && likely_size(without(all, common_names(both, Kept)), A, value_of<X>.dims, B, value_of<Y>.dims) <= 1024;
    if constexpr (inner.count == 0 && Wanted.count > 0) return factor_of<Wanted>(spread<A, Wanted>(X{}) * spread<B, Wanted>(Y{}));
    else if constexpr (inner.count == 0) {
        constexpr axis_names joint = followed_by(A, without(B, A));
        return factor_of<joint>(spread<A, joint>(X{}) * spread<B, joint>(Y{}));
    } else if constexpr (vectors && (A.count == B.count || small)) {
        return factor_of<common_names(all, Kept)>(summed<all, Kept>(spread<A, all>(X{}) * spread<B, all>(Y{})));
    } else {
        constexpr product_plan plan = plan_product(A, value_of<X>.dims, B, value_of<Y>.dims, Kept, Wanted);
        if constexpr (plan.exchanged) return product_of_matrices<plan, B, A>(Y{}, X{});
        else return product_of_matrices<plan, A, B>(X{}, Y{});
    }
}

struct pair_of_factors {
    int first, second;
};
/// The pair whose product has the fewest elements, less those of its factors: a greedy order. Then the pair with the fewest products.
template<axis_names Out, class... F>
constexpr pair_of_factors cheapest_pair() {
    constexpr int n = sizeof...(F);
    axis_names const names[]{F::names...};
    shape const dims[]{F::dims...};
    pair_of_factors best{0, 1};
    double least = 0, fewest = 0;
    for (int i = 0; i < n; ++i)
        for (int k = i + 1; k < n; ++k) {
            axis_names const all = followed_by(names[i], without(names[k], names[i]));
            axis_names left = common_names(all, Out);
            for (int m = 0; m < n; ++m)
                if (m != i && m != k) left = followed_by(left, without(common_names(all, names[m]), left));
            double const products = likely_size(all, names[i], dims[i], names[k], dims[k]);
            double const more = likely_size(left, names[i], dims[i], names[k], dims[k]) - likely_size(names[i], names[i], dims[i]) -
                                likely_size(names[k], names[k], dims[k]);
            if ((i == 0 && k == 1) || more < least || (more == least && products < fewest)) {
                best = {i, k};
                least = more;
                fewest = products;
            }
        }
    return best;
}
template<class... F>
struct factors {};
/// Factor K of a list, and the others in order.
template<int K, class... F>
using factor_at = std::tuple_element_t<static_cast<std::size_t>(K), std::tuple<F...>>;
template<pair_of_factors Pair, class... F, int... K>
constexpr auto factors_but(std::integer_sequence<int, K...>) {
    return factors<factor_at<K + (K >= Pair.first) + (K + 1 >= Pair.second), F...>...>{};
}
/// The axes of a pair of factors that the result or another factor has.
template<axis_names Out, class A, class B, class... F>
constexpr axis_names names_kept(factors<F...>) {
    axis_names const both = followed_by(A::names, without(B::names, A::names));
    axis_names r = common_names(both, Out);
    ((r = followed_by(r, without(common_names(both, F::names), r))), ...);
    return r;
}
/// The sum of products of all factors over the axes that are not in Out.
template<axis_names Out, class F>
constexpr auto contraction(factors<F>) {
    return in_order<F::names, Out>(typename F::expression{});
}
template<axis_names Out, class F, class G, class... More>
constexpr auto contraction(factors<F, G, More...>) {
    constexpr pair_of_factors pair = sizeof...(More) == 0 ? pair_of_factors{0, 1} : cheapest_pair<Out, F, G, More...>();
    using first = factor_at<pair.first, F, G, More...>;
    using second = factor_at<pair.second, F, G, More...>;
    constexpr auto others = factors_but<pair, F, G, More...>(std::make_integer_sequence<int, sizeof...(More)>{});
    constexpr axis_names kept = names_kept<Out, first, second>(others);
    static_assert(kept.count <= max_rank,
        "xgrad::einsum<subscripts>(x...): a product of two of the operands has more than six axes; join axes that all operands have with reshape");
    if constexpr (kept.count > max_rank) return refused{};
    else {
        using done = decltype(product < kept, sizeof...(More) == 0 ? Out : axis_names{} > (first{}, second{}));
        return [&]<class... O>(factors<O...>) { return contraction<Out>(factors<done, O...>{}); }(others);
    }
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
