// SPDX-License-Identifier: MIT
// Losses over many classes, of which each step reads the true ones and a few that are drawn.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/gather.hpp>
#include <xgrad/ops/matmul.hpp>
#include <xgrad/ops/random/distinct_draws.hpp>
#include <xgrad/ops/slice.hpp>

XGRAD_NAMESPACE_BEGIN

namespace nn {
/// What a sampled loss does with a drawn class that is a true one: its last argument.
template<bool Kept>
struct accidental_hits_tag {};
inline constexpr accidental_hits_tag<true> keep_accidental_hits{};
inline constexpr accidental_hits_tag<false> remove_accidental_hits{};
/// Last argument of a sampled loss whose draws may have a class several times (TensorFlow's unique=False).
struct with_replacement_tag {};
inline constexpr with_replacement_tag with_replacement{};
}

namespace detail {
template<class Tag, class... Tags>
inline constexpr int times_among = (0 + ... + static_cast<int>(std::same_as<Tags, Tag>));
template<class... Tags>
inline constexpr int kept_hits = times_among<nn::accidental_hits_tag<true>, Tags...>;
template<class... Tags>
inline constexpr int removed_hits = times_among<nn::accidental_hits_tag<false>, Tags...>;
template<class... Tags>
inline constexpr int replacements = times_among<nn::with_replacement_tag, Tags...>;
/// Whether these are the tags of a sampled loss, in any order, each at most once and no contradiction.
template<class... Tags>
inline constexpr bool are_sampled_tags = kept_hits<Tags...> + removed_hits<Tags...> <= 1 && replacements<Tags...> <= 1 &&
                                         kept_hits<Tags...> + removed_hits<Tags...> + replacements<Tags...> == sizeof...(Tags);
/// Whether a hit counts: as the tag says, or the default without one.
template<bool Default, class... Tags>
inline constexpr bool hits_count = kept_hits<Tags...> == 1 || (Default && removed_hits<Tags...> == 0);
enum class sampled_slip { none, no_expression, wrong, weights, input, labels, classes, draws, candidates, replacement };
template<class A>
constexpr bool begins_like(shape const& s, int axes) {
    shape const& a = value_of<A>.dims;
    if (a.rank < axes || s.rank < axes) return false;
    for (int k = 0; k < axes; ++k)
        if (!(a.extents[k] == s.extents[k])) return false;
    return true;
}
template<class W, class B, class H, class L>
constexpr sampled_slip slip_of_sampled() {
    if constexpr (!Expr<W> || !Expr<B> || !Expr<H> || !Expr<L>) return sampled_slip::no_expression;
    else {
        value_info const &w = value_of<W>, &b = value_of<B>, &h = value_of<H>, &l = value_of<L>;
        for (value_info const* v : {&w, &b, &h, &l})
            if (v->wrong != fault::none) return sampled_slip::wrong;
        if (w.dims.rank != 2 || b.dims.rank != 1 || !(b.dims.extents[0] == w.dims.extents[0]) || !is_floating(w.type) || b.type != w.type)
            return sampled_slip::weights;
        if (h.dims.rank < 2 || h.dims.rank == max_rank || !(h.dims.extents[h.dims.rank - 1] == w.dims.extents[1]) || h.type != w.type)
            return sampled_slip::input;
        bool const fits = l.dims.rank == h.dims.rank || l.dims.rank == h.dims.rank - 1;
        return fits && is_integer(l.type) && begins_like<L>(h.dims, h.dims.rank - 1) ? sampled_slip::none : sampled_slip::labels;
    }
}
template<class W, class B, class H, class L, class S, class P, class Q>
constexpr sampled_slip slip_of_candidates() {
    constexpr sampled_slip r = slip_of_sampled<W, B, H, L>();
    if constexpr (!Expr<S> || !Expr<P> || !Expr<Q>) return sampled_slip::no_expression;
    else if constexpr (r != sampled_slip::none) return r;
    else {
        value_info const &s = value_of<S>, &p = value_of<P>, &q = value_of<Q>;
        if (s.wrong != fault::none || p.wrong != fault::none || q.wrong != fault::none) return sampled_slip::wrong;
        bool const shapes = s.dims.rank == 1 && q.dims == s.dims && p.dims == value_of<L>.dims;
        bool const types = is_integer(s.type) && p.type == value_of<W>.type && q.type == p.type;
        return shapes && types ? sampled_slip::none : sampled_slip::candidates;
    }
}
template<sampled_slip Slip>
constexpr void check_sampled() {
    static_assert(Slip != sampled_slip::weights,
        "xgrad::nn: the weights of sampled_softmax_loss or nce_loss are not floating [classes, width], or the biases not [classes] of their "
        "type; write variable<\"biases\", float, classes>");
    static_assert(Slip != sampled_slip::input,
        "xgrad::nn: the input of sampled_softmax_loss or nce_loss is not [..., width] in the width and element type of the weights; write a "
        "dense layer of that width before");
    static_assert(Slip != sampled_slip::labels,
        "xgrad::nn: the labels of sampled_softmax_loss or nce_loss are not integers [...] or [..., true classes] of an input [..., width]; "
        "write cast<std::int32_t>(labels)");
    static_assert(Slip != sampled_slip::classes,
        "xgrad::nn: sampled_softmax_loss<\"name\", draws> or nce_loss draws less than one class, or the number of classes is named; write an "
        "integer there, or give the candidates");
    static_assert(Slip != sampled_slip::draws,
        "xgrad::nn: sampled_softmax_loss<\"name\", draws> or nce_loss draws more classes than there are, and no class is drawn twice; write "
        "fewer draws, or nn::with_replacement as last argument");
    static_assert(Slip != sampled_slip::replacement,
        "xgrad::nn: sampled_softmax_loss or nce_loss gets candidates and nn::with_replacement, which is for draws of its own; omit "
        "nn::with_replacement");
    static_assert(Slip != sampled_slip::candidates,
        "xgrad::nn: the candidates of sampled_softmax_loss or nce_loss are not integers [draws], or the expected counts not floating, in the "
        "shapes of labels and candidates; write log_uniform_probability<classes>(labels)");
}
template<sampled_slip Slip, class... A>
constexpr auto refuse_sampled() {
    if constexpr (Slip == sampled_slip::no_expression) return refuse_operand<A...>();
    else return refused{};
}
/// Logits less the logarithms of expected counts: of the true classes, [..., true classes], and of the candidates, [..., draws].
template<class T, class C>
struct sampled_logits {
    T of_true;
    C of_candidates;
};
template<class T, class C>
sampled_logits(T, C) -> sampled_logits<T, C>;   // clang 16 deduces none of an aggregate
template<bool Kept, class W, class B, class H, class L, class S, class P, class Q>
constexpr auto sampled_logits_of(
    W const& weights, B const& biases, H const& input, L const& labels, S const& candidates, P const& label_counts, Q const& counts) {
    constexpr bool one = value_of<L>.dims.rank < value_of<H>.dims.rank;
    auto const listed = [](auto const& x) {
        if constexpr (one) return expand_dims<-1>(x);
        else return x;
    };
    auto const truth = listed(labels);
    auto const of_true =
        sum<-1>(expand_dims<-2>(input) * gather(weights, truth)) + gather(biases, truth) - log(stop_gradient(listed(label_counts)));
    auto const logits = matmul<false, true>(input, gather(weights, candidates)) + gather(biases, candidates) - log(stop_gradient(counts));
    if constexpr (Kept) return sampled_logits{of_true, logits};
    else {
        auto const hits = any<-2>(equal(expand_dims<-1>(truth), cast<cpp_type_t<value_of<L>.type>>(candidates)));
        return sampled_logits{of_true, select(hits, whole_literal<-1000000000000000000>, logits)};   // its exponential is 0
    }
}
inline constexpr auto softmax_of_sampled = []<class T, class C>(sampled_logits<T, C> const& x) {
    return log_sum_exp<-1>(concat<-1>(x.of_true, x.of_candidates)) - mean<-1>(x.of_true);
};
inline constexpr auto logistic_of_sampled = []<class T, class C>(sampled_logits<T, C> const& x) {
    constexpr shape s = value_of<T>.dims;
    if constexpr (s.extents[s.rank - 1] == static_extent(1)) return sum<-1>(softplus(-x.of_true)) + sum<-1>(softplus(x.of_candidates));
    else return sum<-1>(softplus(x.of_true)) - mean<-1>(x.of_true) + sum<-1>(softplus(x.of_candidates));
};
/// The logits for candidates that are drawn here, with their expected counts.
template<fixed_string Name, std::int64_t Draws, bool Kept, bool Replaced, class W, class B, class H, class L>
constexpr auto drawn_logits(W const& weights, B const& biases, H const& input, L const& labels) {
    using T = cpp_type_t<value_of<W>.type>;
    constexpr std::int64_t classes = value_of<W>.dims.extents[0].constant;
    if constexpr (Replaced) {
        constexpr shape row{1, {static_extent(Draws)}};
        auto const candidates = log_uniform_like<Name, classes>(repeated_to<row>(constant<double, 0>));
        auto const expected = [](auto const& ids) { return whole_literal<Draws> * log_uniform_probability<classes, T>(ids); };
        return sampled_logits_of<Kept>(weights, biases, input, labels, candidates, expected(labels), expected(candidates));
    } else {
        auto const [candidates, tries] = distinct_log_uniform<Name, classes, Draws>();
        return sampled_logits_of<Kept>(weights, biases, input, labels, candidates,
            log_uniform_expected_count<classes, Draws, T>(labels, tries), log_uniform_expected_count<classes, Draws, T>(candidates, tries));
    }
}
template<std::int64_t Draws, bool Replaced, class W, class B, class H, class L>
constexpr sampled_slip slip_of_draws() {
    constexpr sampled_slip r = slip_of_sampled<W, B, H, L>();
    if constexpr (r != sampled_slip::none) return r;
    else {
        constexpr extent classes = value_of<W>.dims.extents[0];
        if (Draws < 1 || !classes.is_static() || !is_range<classes.constant>) return sampled_slip::classes;
        return Replaced || Draws <= classes.constant ? sampled_slip::none : sampled_slip::draws;
    }
}
/// `loss` of the logits for drawn candidates.
template<fixed_string Name, std::int64_t Draws, bool Kept, bool Replaced, class F, class W, class B, class H, class L>
constexpr auto drawn_loss(F const& loss, W const& weights, B const& biases, H const& h, L const& labels) {
    constexpr auto slip = slip_of_draws<Draws, Replaced, W, B, H, L>();
    check_sampled<slip>();
    if constexpr (slip != sampled_slip::none) return refuse_sampled<slip, W, B, H, L>();
    else return loss(drawn_logits<Name, Draws, Kept, Replaced>(weights, biases, h, labels));
}
/// `loss` of the logits for given candidates.
template<bool Kept, bool Replaced, class F, class W, class B, class H, class L, class S, class P, class Q>
constexpr auto given_loss(F const& loss, W const& weights, B const& biases, H const& h, L const& labels, S const& candidates,
    P const& label_counts, Q const& candidate_counts) {
    constexpr auto slip = Replaced ? sampled_slip::replacement : slip_of_candidates<W, B, H, L, S, P, Q>();
    check_sampled<slip>();
    if constexpr (slip != sampled_slip::none) return refuse_sampled<slip, W, B, H, L, S, P, Q>();
    else return loss(sampled_logits_of<Kept>(weights, biases, h, labels, candidates, label_counts, candidate_counts));
}
}

namespace nn {

/// The softmax cross entropy of rows over the true class and Draws classes that distinct_log_uniform<"name", classes, Draws> draws once for
/// all rows: `nn::sampled_softmax_loss<"draws", 64>(weights, biases, h, labels)`. weights are [classes, width], biases [classes], h [...,
/// width], labels integers [...] or [..., true classes], result [...]. A logit h·w + b is reduced by the logarithm of the class's
/// log_uniform_expected_count. Several true classes share the label equally. The classes should be sorted by decreasing frequency.
/// Tags may follow in any order. With nn::with_replacement log_uniform_like<"name", classes> draws, which may draw a class several
/// times (TensorFlow's unique=False). The expected count is then Draws times log_uniform_probability. A drawn class that is a true one is
/// removed, except with nn::keep_accidental_hits; of a class that is drawn several times TensorFlow removes only one. For predictions
/// write `matmul<false, true>(h, weights) + biases`.
/// Gradient: as of softmax_cross_entropy; of weights and biases it has only the rows of the labels and of the drawn classes.
template<fixed_string Name, std::int64_t Draws, class W, class B, class H, class L, class... Tags>
    requires(detail::are_sampled_tags<Tags...>)
constexpr auto sampled_softmax_loss(W const& weights, B const& biases, H const& h, L const& labels, [[maybe_unused]] Tags... tags) {
    return detail::drawn_loss<Name, Draws, detail::hits_count<false, Tags...>, detail::replacements<Tags...> == 1>(
        detail::softmax_of_sampled, weights, biases, h, labels);
}
/// The same for given candidates, integers [draws]. The counts are how often a draw has each label and each candidate on average. They are
/// floating, in the shapes of labels and candidates (TensorFlow's sampled_values).
/// Gradient: as above; of candidates and counts none.
template<class W, class B, class H, class L, class S, class P, class Q, class... Tags>
    requires(detail::are_sampled_tags<Tags...>)
constexpr auto sampled_softmax_loss(W const& weights, B const& biases, H const& h, L const& labels, S const& candidates,
    P const& label_counts, Q const& candidate_counts, [[maybe_unused]] Tags... tags) {
    return detail::given_loss<detail::hits_count<false, Tags...>, detail::replacements<Tags...> == 1>(
        detail::softmax_of_sampled, weights, biases, h, labels, candidates, label_counts, candidate_counts);
}
/// Noise-contrastive estimation: the sigmoid cross entropies of a row's true classes, whose label is 1 divided by their number, and of
/// Draws drawn classes, whose label is 0, added. Operands, draws and logits are those of sampled_softmax_loss. A drawn class that is a true
/// one counts, except with nn::remove_accidental_hits (TensorFlow's nce_loss).
/// Source: Gutmann and Hyvärinen 2010; Mnih and Teh 2012, arXiv 1206.6426.
/// Gradient: as of sigmoid_cross_entropy; of weights and biases it has only the rows of the labels and of the drawn classes.
template<fixed_string Name, std::int64_t Draws, class W, class B, class H, class L, class... Tags>
    requires(detail::are_sampled_tags<Tags...>)
constexpr auto nce_loss(W const& weights, B const& biases, H const& h, L const& labels, [[maybe_unused]] Tags... tags) {
    return detail::drawn_loss<Name, Draws, detail::hits_count<true, Tags...>, detail::replacements<Tags...> == 1>(
        detail::logistic_of_sampled, weights, biases, h, labels);
}
/// The same for given candidates, as in sampled_softmax_loss.
/// Gradient: as above; of candidates and counts none.
template<class W, class B, class H, class L, class S, class P, class Q, class... Tags>
    requires(detail::are_sampled_tags<Tags...>)
constexpr auto nce_loss(W const& weights, B const& biases, H const& h, L const& labels, S const& candidates, P const& label_counts,
    Q const& candidate_counts, [[maybe_unused]] Tags... tags) {
    return detail::given_loss<detail::hits_count<true, Tags...>, detail::replacements<Tags...> == 1>(
        detail::logistic_of_sampled, weights, biases, h, labels, candidates, label_counts, candidate_counts);
}
// catches sampled_softmax_loss(weights, biases, h, labels) without a name and a number of draws
template<class W, class B, class H, class L>
constexpr auto sampled_softmax_loss(W const&, B const&, H const&, L const&) {
    static_assert(detail::never<W>,
        "xgrad::nn::sampled_softmax_loss<\"name\", draws>(weights, biases, h, labels): there is no name and no number of draws; write "
        "sampled_softmax_loss<\"draws\", 64>(weights, biases, h, labels)");
    return detail::refused{};
}
template<class W, class B, class H, class L>
constexpr auto nce_loss(W const&, B const&, H const&, L const&) {
    static_assert(detail::never<W>,
        "xgrad::nn::nce_loss<\"name\", draws>(weights, biases, h, labels): there is no name and no number of draws; write nce_loss<\"draws\", "
        "64>(weights, biases, h, labels)");
    return detail::refused{};
}

}   // namespace nn
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
