// SPDX-License-Identifier: MIT
// Connectionist temporal classification: the loss, and greedy decoding.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/ops/sequences/ctc_loops.hpp>
#include <xgrad/ops/sequences/padding.hpp>

XGRAD_NAMESPACE_BEGIN

/// Options of ctc_loss, written `ctc_loss<ctc_options{.blank = -1}>(...)`.
struct ctc_options {
    std::int64_t blank = 0;       // the class that means no label; a negative one counts from the end
    bool zero_infinity = false;   // labels without a path have the loss 0 instead of infinity
};
/// Options of ctc_greedy_decode.
struct ctc_decode_options {
    std::int64_t blank = 0;
    bool merge_repeated = true;   // equal classes of adjacent time steps are one label
};

namespace op {
struct ctc_attributes {
    std::int64_t blank;   // at least 0
    flag zero_infinity, unused;
};
constexpr extent ctc_states(value_info const& labels) { return static_extent(2) * labels.dims.extents[1] + static_extent(1); }
constexpr extent ctc_scratch(value_info const& labels) {
    using states = detail::ctc_loops::states<float>;
    return (static_extent(states::elements_each) * labels.dims.extents[1] + static_extent(states::elements_more)) * static_extent(8);
}
/// Operands: logits [batch, time, classes], labels [batch, length], lengths of the logits and of the labels [batch], alpha [batch, time,
/// states], norms [batch, time], log probabilities [batch], g [batch].
struct ctc_gradient : kernel_op {
    using attributes = ctc_attributes;
    static constexpr std::string_view name = "ctc_gradient";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const&, int) { return v[0]; }
    static constexpr extent scratch_bytes(kernel_operands const& v) { return ctc_scratch(v[1]); }
    static constexpr extent flops(kernel_operands const& v) {
        return v.dims(0).size() * static_extent(20) + v.dims(4).size() * static_extent(60);
    }
    template<class T, class I, class L, class N>
    static void run(attributes const& how, kernel_part const& part, tensor_view<T const, 3> logits, tensor_view<I const, 2> labels,
        tensor_view<L const, 1> steps, tensor_view<N const, 1> lengths, tensor_view<T const, 3> alpha, tensor_view<T const, 2> norms,
        tensor_view<T const, 1> log_probability, tensor_view<T const, 1> g, tensor_view<T, 3> slopes) {
        namespace loops = detail::ctc_loops;
        std::int64_t const time = logits.shape(1), classes = logits.shape(2), longest = labels.shape(1);
        loops::rows_of_scratch<T> memory{part.scratch};
        loops::states<T> s(longest, memory);
        for (std::int64_t b = part.first; b < part.last; ++b) {
            I const* const label = labels.data() + b * longest;
            std::int64_t const length = valid_length(lengths[b], longest), n = valid_length(steps[b], time);
            bool const good = all_below(label, length, classes);
            s.begin(label, good ? length : 0);
            loops::backward_row(s, logits.data() + b * time * classes, good ? n : 0, time, classes, label, how.blank,
                alpha.data() + b * time * s.most, norms.data() + b * time, log_probability[b], g[b], slopes.data() + b * time * classes);
        }
    }
};
constexpr op_info op_description(ctc_gradient const* op) { return last_gradient(op); }

/// Whether the blank is one of n labels.
template<class I>
bool has_blank(I const* label, std::int64_t n, std::int64_t blank) {
    bool found = false;
    for (std::int64_t i = 0; i < n; ++i) found = found || static_cast<std::int64_t>(label[i]) == blank;
    return found;
}
/// Operands: logits, labels, lengths of the logits and of the labels. Outputs: the loss [batch]; for the gradient alpha [batch, time,
/// states], norms [batch, time] and log probabilities [batch].
struct ctc_loss : kernel_op {
    using attributes = ctc_attributes;
    static constexpr std::string_view name = "ctc_loss";
    static constexpr int outputs = 4;
    static constexpr index_bound indices{.operand = 1, .of = 0, .axis = -1};
    static constexpr bool reports_indices = true;
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const&, int output) {
        extent const &batch = v[0].dims.extents[0], &time = v[0].dims.extents[1];
        if (output == 1) return {v[0].type, {3, {batch, time, ctc_states(v[1])}}, fault::none};
        if (output == 2) return {v[0].type, {2, {batch, time}}, fault::none};
        return {v[0].type, {1, {batch}}, fault::none};
    }
    static constexpr extent scratch_bytes(kernel_operands const& v) { return ctc_scratch(v[1]); }
    static constexpr extent flops(kernel_operands const& v) {
        return v.dims(0).size() * static_extent(20) + v.dims(5).size() * static_extent(60);
    }
    template<class T, class I, class L, class N>
    static void run(attributes const& how, kernel_part const& part, tensor_view<T const, 3> logits, tensor_view<I const, 2> labels,
        tensor_view<L const, 1> steps, tensor_view<N const, 1> lengths, tensor_view<T, 1> y, tensor_view<T, 3> alpha,
        tensor_view<T, 2> norms, tensor_view<T, 1> log_probability) {
        namespace loops = detail::ctc_loops;
        std::int64_t const time = logits.shape(1), classes = logits.shape(2), longest = labels.shape(1);
        loops::rows_of_scratch<T> memory{part.scratch};
        loops::states<T> s(longest, memory);
        for (std::int64_t b = part.first; b < part.last; ++b) {
            I const* const label = labels.data() + b * longest;
            std::int64_t const length = valid_length(lengths[b], longest), n = valid_length(steps[b], time);
            bool const good = all_below(label, length, classes);
            if (!good) part.report_first_of(label, length, classes);
            else if (has_blank(label, length, how.blank)) {
                std::int64_t i = 0;
                while (static_cast<std::int64_t>(label[i]) != how.blank) ++i;
                part.report_bad_index(label[i], classes, "is the blank, which is no label");
            }
            s.begin(label, good ? length : 0);
            T const p = loops::forward_row(s, logits.data() + b * time * classes, good ? n : 0, classes, label, how.blank,
                alpha.data() + b * time * s.most, norms.data() + b * time);
            log_probability[b] = p;
            y[b] = how.zero_infinity && p == loops::minus_infinity<T> ? T(0) : T(0) - p;
        }
    }
    static constexpr void derive(derivation& d) {
        if (!d.gradients[0].exists()) return;
        d.out[0] = apply_with<ctc_gradient>(
            *d.attrs, d.operands[0], d.operands[1], d.operands[2], d.operands[3], d.output(1), d.output(2), d.output(3), d.gradients[0]);
    }
};
struct ctc_decode_attributes {
    std::int64_t blank;
    flag merge_repeated, unused;
};
/// Operands: logits, lengths. Outputs: labels [batch, time], their number [batch], and minus the sum of the largest logits [batch].
struct ctc_greedy_decode : kernel_op {
    using attributes = ctc_decode_attributes;
    static constexpr std::string_view name = "ctc_greedy_decode";
    static constexpr int outputs = 3;
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const&, int output) {
        extent const &batch = v[0].dims.extents[0], &time = v[0].dims.extents[1];
        if (output == 0) return {dtype::int32, {2, {batch, time}}, fault::none};
        return {output == 1 ? dtype::int32 : v[0].type, {1, {batch}}, fault::none};
    }
    template<class T, class L>
    static void run(attributes const& how, kernel_part const& part, tensor_view<T const, 3> logits, tensor_view<L const, 1> steps,
        tensor_view<std::int32_t, 2> labels, tensor_view<std::int32_t, 1> lengths, tensor_view<T, 1> score) {
        std::int64_t const time = logits.shape(1), classes = logits.shape(2);
        for (std::int64_t b = part.first; b < part.last; ++b) {
            std::int64_t const n = valid_length(steps[b], time);
            std::int64_t found = 0, before = -1;
            T sum = 0;
            for (std::int64_t t = 0; t < n; ++t) {
                T const* const x = logits.data() + (b * time + t) * classes;
                std::int64_t best = 0;
                for (std::int64_t c = 1; c < classes; ++c)
                    if (x[c] > x[best]) best = c;
                sum += x[best];
                if (best != how.blank && !(how.merge_repeated && best == before)) labels(b, found++) = static_cast<std::int32_t>(best);
                before = best;
            }
            lengths[b] = static_cast<std::int32_t>(found);
            score[b] = T(0) - sum;
            for (std::int64_t t = found; t < time; ++t) labels(b, t) = -1;
        }
    }
};
}

namespace detail {
enum class ctc_slip { none, no_expression, wrong, type, logits, blank, labels, lengths };
template<class X, class... N>
constexpr ctc_slip ctc_slip_of(std::int64_t blank) {
    if constexpr (!(Expr<X> && ... && Expr<N>)) return ctc_slip::no_expression;
    else {
        value_info const& x = value_of<X>;
        if (x.wrong != fault::none || ((value_of<N>.wrong != fault::none) || ...)) return ctc_slip::wrong;
        if (x.dims.rank != 3 || !x.dims.extents[2].is_static()) return ctc_slip::logits;
        if (!is_floating(computed_type(x.type))) return ctc_slip::type;
        std::int64_t const classes = x.dims.extents[2].constant;
        if (blank >= classes || blank < -classes) return ctc_slip::blank;
        shape const rows{1, {x.dims.extents[0]}};
        return ((is_integer(value_of<N>.type) && value_of<N>.dims == rows) && ...) ? ctc_slip::none : ctc_slip::lengths;
    }
}
template<class X, class Y, class N, class M>
constexpr ctc_slip ctc_slip_with_labels(std::int64_t blank) {
    if constexpr (!Expr<Y>) return ctc_slip::no_expression;
    else {
        ctc_slip const slip = ctc_slip_of<X, N, M>(blank);
        if (slip != ctc_slip::none) return slip;
        value_info const& y = value_of<Y>;
        if (y.wrong != fault::none) return ctc_slip::wrong;
        bool const rows = is_integer(y.type) && y.dims.rank == 2 && y.dims.extents[0] == value_of<X>.dims.extents[0];
        return rows ? ctc_slip::none : ctc_slip::labels;
    }
}
template<ctc_slip Slip>
constexpr void check_ctc() {
    static_assert(Slip != ctc_slip::type,
        "xgrad::ctc_loss(logits, labels, logit_lengths, label_lengths), ctc_greedy_decode or ctc_beam_search(logits, lengths): logits are neither float nor "
        "double; write cast<float>(logits)");
    static_assert(Slip != ctc_slip::logits,
        "xgrad::ctc_loss(logits, labels, logit_lengths, label_lengths), ctc_greedy_decode or ctc_beam_search(logits, lengths): logits are not [batch, time, "
        "classes] with an integer as their last extent; write transpose or reshape");
    static_assert(Slip != ctc_slip::blank,
        "xgrad::ctc_loss<ctc_options{.blank = b}>(...), ctc_greedy_decode or ctc_beam_search: the blank is outside of -classes ... classes-1; write a class "
        "of the logits");
    static_assert(Slip != ctc_slip::lengths,
        "xgrad::ctc_loss(logits, labels, logit_lengths, label_lengths), ctc_greedy_decode or ctc_beam_search(logits, lengths): lengths are not an integer for "
        "each row; write input<\"n\", std::int32_t, batch>");
    static_assert(Slip != ctc_slip::labels,
        "xgrad::ctc_loss(logits, labels, logit_lengths, label_lengths): labels are not integers [batch, length], padded with anything; write "
        "the logits first, then labels");
}
template<class X>
constexpr std::int64_t ctc_class(std::int64_t blank) {
    return blank < 0 ? blank + value_of<X>.dims.extents[2].constant : blank;
}
}

/// The CTC loss of each row, [batch]: −log of the probability of its labels, over all ways to place them into the time steps.
/// Source: Graves et al. 2006; TensorFlow's nn.ctc_loss, PyTorch's ctc_loss. In each time step there is one class. Equal classes of
/// adjacent time steps are one label, and the blank is none. Logits [batch, time, classes] are float or double, before a softmax.
/// Labels [batch, length] are integers in 0 ... classes − 1 without the blank; another one before the end of its row is a
/// value_error. Both lengths are integers [batch]: the time steps and the labels of each row. One below 0 counts as 0, and one
/// above its axis as the axis. The rest of a row is not read. `ctc_loss<ctc_options{.blank = -1}>(...)` has another blank than
/// class 0.
///
/// Labels that do not fit into the time steps have the loss infinity, or 0 with `.zero_infinity = true`, and no gradient. Repeated
/// labels need a blank between them. An empty row of labels is −log of the probability of blanks alone. No labels in no time steps
/// have the loss 0.
///
/// Gradient: of the logits, g (softmax(logits) − the probability of each class in each time step, given the labels); after the end
/// of a row 0. Of second order none: it is an error.
template<ctc_options Options = ctc_options{}, class X, class Y, class N, class M>
constexpr auto ctc_loss(X const& logits, Y const& labels, N const& logit_lengths, M const& label_lengths) {
    constexpr auto slip = detail::ctc_slip_with_labels<X, Y, N, M>(Options.blank);
    detail::check_ctc<slip>();
    if constexpr (slip == detail::ctc_slip::no_expression) return detail::refuse_operand<X, Y, N, M>();
    else if constexpr (slip != detail::ctc_slip::none) return detail::refused{};
    else {
        using loss = with<op::ctc_loss, op::ctc_attributes{detail::ctc_class<X>(Options.blank), Options.zero_infinity, false}>;
        auto const length = detail::as_index(label_lengths);
        return std::get<0>(
            apply_all<loss>(logits, detail::without_padding(detail::as_index(labels), length), detail::as_index(logit_lengths), length));
    }
}
/// The labels of the largest logit of each time step: `auto const [labels, lengths, score] = ctc_greedy_decode(logits, steps)`, for
/// logits [batch, time, classes] and the number of time steps of each row. Equal classes of adjacent time steps are one label, and
/// blanks are omitted. Labels [batch, time] are int32, and −1 after the last one; lengths [batch] count them. The score is minus
/// the sum of the largest logits (TensorFlow's nn.ctc_greedy_decoder, whose blank is the last class: `ctc_decode_options{.blank =
/// -1}`). Of equal logits the first is taken. `.merge_repeated = false` keeps repeated classes. Gradient: none.
template<ctc_decode_options Options = ctc_decode_options{}, class X, class N>
constexpr auto ctc_greedy_decode(X const& logits, N const& lengths) {
    constexpr auto slip = detail::ctc_slip_of<X, N>(Options.blank);
    detail::check_ctc<slip>();
    if constexpr (slip == detail::ctc_slip::no_expression) {
        auto const no = detail::refuse_operand<X, N>();
        return std::tuple{no, no, no};
    } else if constexpr (slip != detail::ctc_slip::none) return std::tuple{detail::refused{}, detail::refused{}, detail::refused{}};
    else {
        using decode =
            with<op::ctc_greedy_decode, op::ctc_decode_attributes{detail::ctc_class<X>(Options.blank), Options.merge_repeated, false}>;
        return apply_all<decode>(logits, detail::as_index(lengths));
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
