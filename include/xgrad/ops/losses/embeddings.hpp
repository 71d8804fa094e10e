// SPDX-License-Identifier: MIT
// Losses of embeddings: cosines, distances, contrastive and triplet losses, InfoNCE.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/row_function.hpp>
#include <xgrad/ops/diagonals.hpp>
#include <xgrad/ops/index/take.hpp>
#include <xgrad/ops/loss.hpp>
#include <xgrad/ops/special/elementary.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Of a row of distances, and of ones where the labels are equal and zeros elsewhere. For each element it is a position: of the smallest
/// distance with another label that is larger than its own, else of the largest with another label. If all labels are equal, it is that
/// of the smallest distance. Output 1 is memory.
struct semi_hard_negative : row_op {
    static constexpr std::string_view name = "semi_hard_negative";
    static constexpr int outputs = 2;
    static constexpr int flops = 16;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) {
        value_info r = v[0];
        r.type = dtype::int32;
        if (!is_floating(v[0].type) || v[1].type != v[0].type) r.wrong = fault::dtypes;
        return r;
    }
    template<class T>
    static void row(std::span<T const> distances, std::span<T const> same, std::span<std::int32_t> chosen, std::span<std::int32_t> order) {
        std::size_t others = 0, least = 0;
        auto const at = [distances](std::int32_t k) { return distances[static_cast<std::size_t>(k)]; };
        for (std::size_t j = 0; j < distances.size(); ++j) {
            if (same[j] == T(0)) order[others++] = static_cast<std::int32_t>(j);
            if (distances[j] < distances[least]) least = j;
        }
        auto const end = order.begin() + static_cast<std::ptrdiff_t>(others);
        std::sort(order.begin(), end, [at](std::int32_t i, std::int32_t k) {   // NaN comes last
            T const a = at(i), b = at(k);
            bool const less = a < b || (a == a && b != b), more = a > b || (a != a && b == b);
            return less || (!more && i < k);
        });
        for (std::size_t j = 0; j < distances.size(); ++j) {
            T const own = distances[j];
            auto const first = std::partition_point(order.begin(), end, [&](std::int32_t k) { return !(at(k) > own); });
            chosen[j] = others == 0 ? static_cast<std::int32_t>(least) : first == end ? order[others - 1] : *first;
        }
    }
};
}

/// The cosine of the angle between a and b along an axis (the last one if none is given), which is removed: Σ a b / (‖a‖ ‖b‖). The
/// squares of both norms count as at least 1e-12, as in TensorFlow's l2_normalize. So it is 0 if one is zero. As a loss take
/// cosine_distance; Keras' loss is −cosine_similarity.
/// Gradient: of a, g (b / ‖b‖ − y a / ‖a‖) / ‖a‖; of b likewise.
template<int Axis = -1, class A, class B>
constexpr auto cosine_similarity(A const& a, B const& b) {
    if constexpr (!Operand<A> || !Operand<B>) return detail::refuse_operand<A, B>();
    else if constexpr (detail::check_ranks<A, B>())
        return sum<Axis>(a * b) *
               (rsqrt(maximum(sum<Axis>(square(a)), 0.000000000001_c)) * rsqrt(maximum(sum<Axis>(square(b)), 0.000000000001_c)));
    else return detail::refused{};
}
/// 1 − cosine_similarity along an axis (the last one if none is given). TensorFlow's tf.losses.cosine_distance is 1 − Σ a b, for operands
/// that are normalized already.
/// Gradient: the opposite of that of cosine_similarity.
template<int Axis = -1, class A, class B>
constexpr auto cosine_distance(A const& a, B const& b) {
    return 1_c - cosine_similarity<Axis>(a, b);
}
/// The squared Euclidean distances of the rows of a [..., n, d] from those of b [..., m, d]: [..., n, m]. They are sums of squared
/// differences, so those of equal rows are 0. `sqrt` of them are distances, with the gradient 0 where they are 0.
/// Gradient: of a, 2 Σ g (a_i − b_k) over k; of b, its opposite over i.
template<class A, class B>
constexpr auto squared_distances(A const& a, B const& b) {
    if constexpr (!Operand<A> || !Operand<B>) return detail::refuse_operand<A, B>();
    else if constexpr (detail::check_ranks<A, B>()) return sum<-1>(square(expand_dims<-2>(a) - expand_dims<-3>(b)));
    else return detail::refused{};
}
/// z d² + (1 − z) max(0, margin − d)² of distances d ≥ 0 and labels z, 1 for similar pairs and 0 for others, element by element. Without
/// margin it is 1. The contrastive loss of Hadsell et al. 2006 is half of it.
/// Gradient: of d, 2 g (z d − (1 − z) max(0, margin − d)); of the others, by the chain rule.
template<class A, class B, class M>
constexpr auto contrastive(A const& distances, B const& labels, M const& margin) {
    if constexpr (!Operand<A> || !Operand<B> || !Operand<M>) return detail::refuse_operand<A, B, M>();
    else if constexpr (detail::check_ranks<A, B>()) return labels * square(distances) + (1_c - labels) * square(relu(margin - distances));
    else return detail::refused{};
}
template<class A, class B>
constexpr auto contrastive(A const& distances, B const& labels) {
    return contrastive(distances, labels, 1_c);
}
/// max(0, ‖a − p‖ − ‖a − n‖ + margin) of anchors, positives and negatives [..., d], result [...]. Without margin it is 1. PyTorch's
/// triplet_margin_loss, without the 1e-6 that it adds to each difference.
/// Gradient: where the loss is positive, of a, g times the difference of the unit vectors of a − p and a − n; of p and n their parts.
/// The unit vector of 0 is 0.
template<class A, class P, class N, class M>
constexpr auto triplet_margin(A const& anchors, P const& positives, N const& negatives, M const& margin) {
    if constexpr (!Operand<A> || !Operand<P> || !Operand<N> || !Operand<M>) return detail::refuse_operand<A, P, N, M>();
    else if constexpr (detail::check_ranks<A, P>() && detail::check_ranks<A, N>())
        return relu(norm<-1>(anchors - positives) - norm<-1>(anchors - negatives) + margin);
    else return detail::refused{};
}
template<class A, class P, class N>
constexpr auto triplet_margin(A const& anchors, P const& positives, N const& negatives) {
    return triplet_margin(anchors, positives, negatives, 1_c);
}

namespace detail {
template<class A>
constexpr bool have_columns() {
    if constexpr (!Expr<A>) return true;   // the caller refuses it
    else return value_of<A>.wrong != fault::none || value_of<A>.dims.rank > 1;
}
enum class triplet_slip : unsigned char { none, no_operand, wrong, shapes };
template<class A, class B, class M>
constexpr triplet_slip slip_of_triplets() {
    if constexpr (!Expr<A> || !Expr<B> || !Operand<M>) return triplet_slip::no_operand;
    else {
        value_info const &x = value_of<A>, &z = value_of<B>;
        if (x.wrong != fault::none || z.wrong != fault::none) return triplet_slip::wrong;
        bool const fit =
            x.dims.rank == 2 && z.dims.rank == 1 && x.dims.extents[0] == z.dims.extents[0] && x.dims.extents[1] == z.dims.extents[0];
        return fit ? triplet_slip::none : triplet_slip::shapes;
    }
}
}

/// The triplet loss with semi-hard negatives of a batch, one number: the mean of max(0, margin + d_ap − d_an) over all pairs a ≠ p of equal
/// labels. d_an is the smallest distance of a from another label that is larger than d_ap, else the largest distance from another
/// label. distances are [n, n] and labels [n], of any type. Without margin it is 1. The function of TensorFlow 1.x's contrib takes
/// `semi_hard_triplet(squared_distances(x, x), labels)`, that of TensorFlow Addons the `sqrt` of them. The result is 0 if no two labels
/// are equal; there it is NaN in TensorFlow. Source: Schroff et al. 2015.
/// Gradient: of the distances, for each pair with a positive term, g / pairs to d_ap and its opposite to d_an; of the first element of
/// equal ones.
template<class A, class B, class M>
constexpr auto semi_hard_triplet(A const& distances, B const& labels, M const& margin) {
    constexpr auto slip = detail::slip_of_triplets<A, B, M>();
    static_assert(slip != detail::triplet_slip::shapes,
        "xgrad::semi_hard_triplet(distances, labels, margin): distances are not [n, n] for n "
        "labels; write squared_distances(x, x) for embeddings x [n, d]");
    if constexpr (slip == detail::triplet_slip::no_operand) return detail::refuse_operand<A, B, M>();
    else if constexpr (slip != detail::triplet_slip::none) return detail::refused{};
    else {
        using T = cpp_type_t<value_of<A>.type>;
        auto const [column, row] = detail::columns_and_rows<A>();
        auto const same = equal(expand_dims<0>(labels), expand_dims<1>(labels));
        auto const ids = std::get<0>(row_function<op::semi_hard_negative>{}(distances, cast<T>(same)));
        auto const pairs = logical_and(same, not_equal(column, row));
        auto const losses = select(pairs, relu(distances - take_along_axis<-1>(distances, ids) + margin), 0_c);
        return divide_no_nan(sum(losses), sum(cast<T>(pairs)));
    }
}
template<class A, class B>
constexpr auto semi_hard_triplet(A const& distances, B const& labels) {
    return semi_hard_triplet(distances, labels, 1_c);
}
/// InfoNCE of similarities [..., n, m], m ≥ n, in which the positive of row i is in column i and the others are negatives: −log
/// softmax(similarities / temperature) on the diagonal, result [..., n]. The loss of CLIP is the mean of it and of that of the transposed
/// matrix. The temperature is a number such as 0.07_c, or an expression.
/// Gradient: of the similarities, g (softmax − 1 on the diagonal) / temperature; of the temperature, by the chain rule.
template<class A, class T>
constexpr auto info_nce(A const& similarities, T const& temperature) {
    constexpr bool matrix = detail::have_columns<A>();
    static_assert(matrix,
        "xgrad::info_nce(similarities, temperature): similarities have fewer than two axes; write matmul(a, transpose(b)) of embeddings");
    if constexpr (!Expr<A> || !Operand<T>) return detail::refuse_operand<A, T>();
    else if constexpr (!matrix || value_of<A>.wrong != fault::none) return detail::refused{};
    else {
        auto const [column, row] = detail::columns_and_rows<A>();
        return -sum<-1>(select(equal(column, row), log_softmax(similarities / temperature), 0_c));
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
