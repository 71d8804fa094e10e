// SPDX-License-Identifier: MIT
// Losses of ranked lists: pairwise ones with the weights of LambdaRank, ListNet, ListMLE, approximate NDCG.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/diagonals.hpp>
#include <xgrad/ops/index/take.hpp>
#include <xgrad/ops/loss.hpp>
#include <xgrad/ops/no_nan.hpp>
#include <xgrad/ops/over_axes/cumulative.hpp>
#include <xgrad/ops/sort.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// The ranks 1 ... n of the elements of a row by descending numbers. Equal ones keep their order, and NaN comes last. Output 1 is memory.
struct descending_ranks : row_op {
    static constexpr std::string_view name = "descending_ranks";
    static constexpr int outputs = 2;
    static constexpr int flops = 8;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int output) {
        value_info r = v[0];
        if (!is_floating(r.type)) r.wrong = fault::not_floating;
        if (output == 1) r.type = dtype::int32;
        return r;
    }
    template<class T>
    static void row(std::span<T const> x, std::span<T> ranks, std::span<std::int32_t> order) {
        for (std::size_t j = 0; j < x.size(); ++j) order[j] = static_cast<std::int32_t>(j);
        std::sort(order.begin(), order.end(), [x](std::int32_t i, std::int32_t k) {
            T const a = x[static_cast<std::size_t>(i)], b = x[static_cast<std::size_t>(k)];
            bool const more = a > b || (a == a && b != b), less = a < b || (a != a && b == b);
            return more || (!less && i < k);
        });
        for (std::size_t j = 0; j < x.size(); ++j) ranks[static_cast<std::size_t>(order[j])] = static_cast<T>(j + 1);
    }
    static constexpr void derive(derivation&) {}
};
}

namespace detail {
// x of the elements i of pairs, [..., n, 1], and of the elements k, [..., 1, n].
template<class A>
constexpr auto of_first(A const& x) {
    return expand_dims<-1>(x);
}
template<class A>
constexpr auto of_second(A const& x) {
    return expand_dims<-2>(x);
}
/// x, and `Other` where the mask is false.
template<std::int64_t Other, class A, class... M>
constexpr auto masked(A const& x, M const&... mask) {
    if constexpr (sizeof...(M) == 0) return x;
    else return select(mask..., x, whole_literal<Other>);
}
inline constexpr std::int64_t beyond_scores = 1000000000000000000;   // still a number of float
/// Whether element i is to be ranked above element k. Elements that the mask excludes lose each comparison.
template<class A, class... M>
constexpr auto ordered_pairs(A const& labels, M const&... mask) {
    return greater(of_first(masked<-beyond_scores>(labels, mask...)), of_second(masked<beyond_scores>(labels, mask...)));
}
/// The ranks 1 ... n by descending numbers.
template<class A, class... M>
constexpr auto descending_ranks(A const& x, M const&... mask) {
    return std::get<0>(row_function<op::descending_ranks>{}(masked<-beyond_scores>(x, mask...)));
}
/// 2^label − 1.
template<class A, class... M>
constexpr auto gains(A const& labels, M const&... mask) {
    return masked<0>(expm1(0.6931471805599453_c * labels), mask...);
}
/// 1 / log₂(1 + rank).
template<class A>
constexpr auto discounts(A const& ranks) {
    return 0.6931471805599453_c / log1p(ranks);
}
/// The gains divided by the DCG of the best order, or 0 if all gains are 0.
template<class A, class... M>
constexpr auto shares_of_best(A const& labels, M const&... mask) {
    auto const gain = gains(labels, mask...);
    return divide_no_nan(gain, sum<-1>(gain * discounts(descending_ranks(labels, mask...)), keep_dims));
}
template<class A, class B, class... M>
constexpr auto delta_ndcg_of(A const& scores, B const& labels, M const&... mask) {
    auto const share = shares_of_best(labels, mask...);
    auto const discount = discounts(descending_ranks(scores, mask...));
    return abs(of_first(share) - of_second(share)) * abs(of_first(discount) - of_second(discount));
}
template<class A, class B, class... M>
constexpr auto list_mle_of(A const& scores, B const& labels, M const&... mask) {
    auto const order = argsort(masked<beyond_scores>(-labels, mask...));
    auto const sorted = take_along_axis<-1>(masked<-beyond_scores>(scores, mask...), order);
    auto const terms = cumulative_logsumexp<-1, cumulative::reverse>(sorted) - sorted;
    if constexpr (sizeof...(M) == 0) return sum<-1>(terms);
    else return sum<-1>(select(take_along_axis<-1>(mask..., order), terms, 0_c));
}
template<class A, class B, class T, class... M>
constexpr auto approx_ndcg_of(A const& scores, B const& labels, T const& temperature, M const&... mask) {
    auto const s = masked<0>(scores, mask...);
    auto const before = sigmoid((of_second(s) - of_first(s)) / temperature);
    auto const ranks = [&] {
        if constexpr (sizeof...(M) == 0) return sum<-1>(before);
        else return sum<-1>(select(of_second(mask...), before, 0_c));
    }();
    return -sum<-1>(shares_of_best(labels, mask...) * discounts(ranks + 0.5_c));
}
/// Whether all are expressions with axes, for functions that look at their shapes.
template<class A, class B, class... M>
constexpr bool are_lists() {
    if constexpr (!Expr<A> || !Expr<B> || !(Expr<M> && ...)) return true;   // the caller refuses it
    else {
        bool const wrong =
            value_of<A>.wrong != fault::none || value_of<B>.wrong != fault::none || ((value_of<M>.wrong != fault::none) || ...);
        return wrong ||
               (value_of<A>.dims.rank > 0 && value_of<A>.dims == value_of<B>.dims && ((value_of<M>.dims == value_of<A>.dims) && ...) &&
                   is_floating(value_of<A>.type) && value_of<B>.type == value_of<A>.type && ((value_of<M>.type == dtype::boolean) && ...));
    }
}
template<class A, class B, class... M>
constexpr bool check_lists() {
    static_assert(are_lists<A, B, M...>(),
        "xgrad: a loss of ranked lists needs scores and labels [..., n] of one float type, and a mask [..., n] of bool; write cast<float>(labels), "
        "or sequence_mask<n>(lengths)");
    return are_lists<A, B, M...>() && value_of<A>.wrong == fault::none && value_of<B>.wrong == fault::none &&
           ((value_of<M>.wrong == fault::none) && ...);
}
}

/// The logistic loss of pairs in lists: Σ log(1 + e^(s_k − s_i)) over pairs with label_i > label_k, of scores s and labels [..., n],
/// result [...] (RankNet). With a mask [..., n] of bool only elements where it is true count; for lists of different lengths it is
/// `sequence_mask<n>(lengths)`. The other scores may be anything, also NaN. A list without such pairs has the loss 0. Without overflow.
/// Nothing of n × n elements is in memory.
/// Gradient: for each pair, −g sigmoid(s_k − s_i) to s_i and its opposite to s_k; of the labels none.
template<class A, class B, class... M>
    requires(sizeof...(M) < 2)
constexpr auto pairwise_logistic(A const& scores, B const& labels, M const&... mask) {
    if constexpr (!Expr<A> || !Expr<B> || !(Expr<M> && ...)) return detail::refuse_operand<A, B, M...>();
    else if constexpr (detail::check_lists<A, B, M...>()) {
        auto const s = detail::masked<0>(scores, mask...);
        return sum<-2, -1>(select(detail::ordered_pairs(labels, mask...), softplus(detail::of_second(s) - detail::of_first(s)), 0_c));
    } else return detail::refused{};
}
/// The hinge loss of pairs in lists: Σ max(0, 1 − (s_i − s_k)) over pairs with label_i > label_k. Operands and result are those of
/// pairwise_logistic.
/// Gradient: for each pair with a positive term, −g to s_i and g to s_k; of the labels none.
template<class A, class B, class... M>
    requires(sizeof...(M) < 2)
constexpr auto pairwise_hinge(A const& scores, B const& labels, M const&... mask) {
    if constexpr (!Expr<A> || !Expr<B> || !(Expr<M> && ...)) return detail::refuse_operand<A, B, M...>();
    else if constexpr (detail::check_lists<A, B, M...>()) {
        auto const s = detail::masked<0>(scores, mask...);
        return sum<-2, -1>(select(detail::ordered_pairs(labels, mask...), relu(1_c - detail::of_first(s) + detail::of_second(s)), 0_c));
    } else return detail::refused{};
}
/// By how much the NDCG of lists changes if elements i and k change places: |2^label_i − 2^label_k| |D_i − D_k| / best DCG, [..., n, n] of
/// scores and labels [..., n]. D is 1 / log₂(1 + rank), with ranks by descending scores. Equal scores keep their order. These are the
/// weights of LambdaRank. All are 0 in a list whose labels are 0. Pairs with an element that the mask excludes have no meaning.
/// Gradient: of the scores none; of the labels, by the chain rule.
template<class A, class B, class... M>
    requires(sizeof...(M) < 2)
constexpr auto delta_ndcg(A const& scores, B const& labels, M const&... mask) {
    if constexpr (!Expr<A> || !Expr<B> || !(Expr<M> && ...)) return detail::refuse_operand<A, B, M...>();
    else if constexpr (detail::check_lists<A, B, M...>()) return detail::delta_ndcg_of(scores, labels, mask...);
    else return detail::refused{};
}
/// pairwise_logistic with the weight delta_ndcg for each pair, which is a constant for the gradient: LambdaRank. Operands and result are
/// those of pairwise_logistic. Source: Burges 2010, "From RankNet to LambdaRank to LambdaMART".
/// Gradient: for each pair, −g times its weight times sigmoid(s_k − s_i) to s_i and its opposite to s_k; of the labels none.
template<class A, class B, class... M>
    requires(sizeof...(M) < 2)
constexpr auto lambda_rank(A const& scores, B const& labels, M const&... mask) {
    if constexpr (!Expr<A> || !Expr<B> || !(Expr<M> && ...)) return detail::refuse_operand<A, B, M...>();
    else if constexpr (detail::check_lists<A, B, M...>()) {
        auto const weights = stop_gradient(detail::delta_ndcg_of(scores, labels, mask...));
        auto const s = detail::masked<0>(scores, mask...);
        auto const losses = weights * softplus(detail::of_second(s) - detail::of_first(s));
        return sum<-2, -1>(select(detail::ordered_pairs(labels, mask...), losses, 0_c));
    } else return detail::refused{};
}
/// −Σ label log softmax(scores) over lists, the softmax loss: scores and labels [..., n], result [...], mask as in pairwise_logistic.
/// The labels are used as they are: TensorFlow Ranking divides them by their sum.
/// Gradient: of the scores, g (softmax(scores) Σ labels − labels); of the labels, −g log softmax(scores).
template<class A, class B, class... M>
    requires(sizeof...(M) < 2)
constexpr auto ranking_softmax(A const& scores, B const& labels, M const&... mask) {
    if constexpr (!Expr<A> || !Expr<B> || !(Expr<M> && ...)) return detail::refuse_operand<A, B, M...>();
    else if constexpr (detail::check_lists<A, B, M...>())
        return -sum<-1>(detail::masked<0>(labels, mask...) * log_softmax(detail::masked<-detail::beyond_scores>(scores, mask...)));
    else return detail::refused{};
}
/// ListNet: −Σ softmax(labels) log softmax(scores) over lists. Operands and result are those of ranking_softmax; only elements of the
/// mask are in both softmaxes. A list without elements has the loss 0. Source: Cao et al. 2007.
/// Gradient: of the scores, g (softmax(scores) − softmax(labels)); of the labels, by the chain rule.
template<class A, class B, class... M>
    requires(sizeof...(M) < 2)
constexpr auto list_net(A const& scores, B const& labels, M const&... mask) {
    if constexpr (!Expr<A> || !Expr<B> || !(Expr<M> && ...)) return detail::refuse_operand<A, B, M...>();
    else if constexpr (detail::check_lists<A, B, M...>())
        return ranking_softmax(scores, softmax(detail::masked<-detail::beyond_scores>(labels, mask...)), mask...);
    else return detail::refused{};
}
/// ListMLE: the negative log-likelihood of the order of the labels under the model of Plackett and Luce, Σ_i log Σ_{k ≥ i} e^(s_k) − s_i
/// with the scores in descending order of their labels. Equal labels keep their order. Operands and result are those of
/// pairwise_logistic. Source: Xia et al. 2008.
/// Gradient: of the scores, by the chain rule; of the labels none.
template<class A, class B, class... M>
    requires(sizeof...(M) < 2)
constexpr auto list_mle(A const& scores, B const& labels, M const&... mask) {
    if constexpr (!Expr<A> || !Expr<B> || !(Expr<M> && ...)) return detail::refuse_operand<A, B, M...>();
    else if constexpr (detail::check_lists<A, B, M...>()) return detail::list_mle_of(scores, labels, mask...);
    else return detail::refused{};
}
/// The negative of an approximate NDCG, [...] of scores and labels [..., n]: −Σ (2^label − 1) / log₂(1 + r), divided by the best DCG. The
/// rank r_i is 1/2 + Σ sigmoid((s_k − s_i) / temperature) over all k, as in TensorFlow Ranking, whose temperature is 0.1_c. A mask is the
/// fourth operand, with the meaning that it has in pairwise_logistic. A list whose labels are all 0 has the loss 0. Source: Qin et al.
/// 2010.
/// Gradient: by the chain rule.
template<class A, class B, class T, class... M>
    requires(sizeof...(M) < 2)
constexpr auto approx_ndcg(A const& scores, B const& labels, T const& temperature, M const&... mask) {
    if constexpr (!Expr<A> || !Expr<B> || !Operand<T> || !(Expr<M> && ...)) return detail::refuse_operand<A, B, T, M...>();
    else if constexpr (detail::check_lists<A, B, M...>()) return detail::approx_ndcg_of(scores, labels, temperature, mask...);
    else return detail::refused{};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
