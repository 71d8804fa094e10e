// SPDX-License-Identifier: MIT
// Linear-chain conditional random fields: the log-likelihood of tags, and the best path.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/ops/reduce.hpp>
#include <xgrad/ops/sequences/crf_loops.hpp>
#include <xgrad/ops/sequences/padding.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
constexpr extent crf_scratch(extent const& tags, std::int64_t pairs, std::int64_t rows) {
    extent const width = tags + static_extent(detail::log_loops::most_padding);
    return (static_extent(pairs) * tags * width + static_extent(rows) * width) * static_extent(8);
}
/// Operands: inputs [batch, time, tags], transitions [tags, tags], path [batch, time], lengths [batch], alpha [batch, time, tags], g
/// [batch]. Outputs: the gradient of the inputs, and those of the transitions by each row, [batch, tags, tags].
struct crf_gradient : kernel_op {
    static constexpr std::string_view name = "crf_gradient";
    static constexpr int outputs = 2;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int output) {
        if (output == 0) return v[0];
        extent const &batch = v[0].dims.extents[0], &tags = v[0].dims.extents[2];
        return {v[0].type, {3, {batch, tags, tags}}, fault::none};
    }
    static constexpr extent scratch_bytes(kernel_operands const& v) { return crf_scratch(v.dims(1).extents[0], 2, 6); }
    static constexpr extent flops(kernel_operands const& v) { return v.dims(0).size() * v.dims(1).extents[0] * static_extent(6); }
    template<class T, class I, class L>
    static void run(kernel_part const& part, tensor_view<T const, 3> inputs, tensor_view<T const, 2> transitions,
        tensor_view<I const, 2> path, tensor_view<L const, 1> lengths, tensor_view<T const, 3> alpha, tensor_view<T const, 1> g,
        tensor_view<T, 3> of_inputs, tensor_view<T, 3> of_transitions) {
        namespace loops = detail::crf_loops;
        std::int64_t const time = inputs.shape(1), tags = inputs.shape(2);
        loops::rows_of_scratch<T> memory{part.scratch};
        loops::chain<T> const c(transitions.data(), tags, memory);
        loops::backward_memory<T> const rows(c, memory);
        for (std::int64_t b = part.first; b < part.last; ++b) {
            I const* const tag = path.data() + b * time;
            std::int64_t const n = valid_length(lengths[b], time);
            loops::backward_row(c, inputs.data() + b * time * tags, tag, all_below(tag, n, tags) ? n : 0, time,
                alpha.data() + b * time * tags, g[b], of_inputs.data() + b * time * tags, of_transitions.data() + b * tags * tags, rows);
        }
    }
};
constexpr op_info op_description(crf_gradient const* op) { return last_gradient(op); }

/// Operands: inputs, transitions, path, lengths. Outputs: the log-likelihood [batch], and alpha [batch, time, tags] for the gradient.
struct crf_log_likelihood : kernel_op {
    static constexpr std::string_view name = "crf_log_likelihood";
    static constexpr int outputs = 2;
    static constexpr index_bound indices{.operand = 2, .of = 0, .axis = -1};
    static constexpr bool reports_indices = true;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int output) {
        return output == 0 ? value_info{v[0].type, {1, {v[0].dims.extents[0]}}, fault::none} : v[0];
    }
    static constexpr extent scratch_bytes(kernel_operands const& v) { return crf_scratch(v.dims(1).extents[0], 1, 2); }
    static constexpr extent flops(kernel_operands const& v) { return v.dims(0).size() * v.dims(1).extents[0] * static_extent(2); }
    template<class T, class I, class L>
    static void run(kernel_part const& part, tensor_view<T const, 3> inputs, tensor_view<T const, 2> transitions,
        tensor_view<I const, 2> path, tensor_view<L const, 1> lengths, tensor_view<T, 1> y, tensor_view<T, 3> alpha) {
        namespace loops = detail::crf_loops;
        std::int64_t const time = inputs.shape(1), tags = inputs.shape(2);
        loops::rows_of_scratch<T> memory{part.scratch};
        loops::chain<T> const c(transitions.data(), tags, memory);
        T* const weights = memory.take(tags);
        for (std::int64_t b = part.first; b < part.last; ++b) {
            I const* const tag = path.data() + b * time;
            T const* const in = inputs.data() + b * time * tags;
            T* const sums = alpha.data() + b * time * tags;
            std::int64_t const n = valid_length(lengths[b], time);
            y[b] = T(0);
            if (!all_below(tag, n, tags)) part.report_first_of(tag, n, tags);
            else if (n > 0) {
                loops::forward_row(c, in, n, sums, weights);
                y[b] = loops::score_of_path(c, in, tag, n) - loops::log_of_sum(sums + (n - 1) * tags, tags);
            }
        }
    }
    static constexpr void derive(derivation& d) {
        if (!d.gradients[0].exists()) return;
        auto const [inputs, transitions] =
            apply_all<crf_gradient>(d.operands[0], d.operands[1], d.operands[2], d.operands[3], d.output(1), d.gradients[0]);
        if (d.wanted[0]) d.out[0] = inputs;
        if (d.wanted[1]) d.out[1] = sum_over(transitions, axis_set::of(0), false);
    }
};
/// Operands: inputs, transitions, lengths. Outputs: the best paths [batch, time] and their scores [batch].
struct crf_decode : kernel_op {
    static constexpr std::string_view name = "crf_decode";
    static constexpr int outputs = 2;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int output) {
        extent const &batch = v[0].dims.extents[0], &time = v[0].dims.extents[1];
        if (output == 0) return {dtype::int32, {2, {batch, time}}, fault::none};
        return {v[0].type, {1, {batch}}, fault::none};
    }
    static constexpr extent scratch_bytes(kernel_operands const& v) {
        extent const width = v.dims(1).extents[0] + static_extent(detail::log_loops::most_padding);
        return (v.dims(0).extents[1] + static_extent(2)) * width * static_extent(8);
    }
    static constexpr extent flops(kernel_operands const& v) { return v.dims(0).size() * v.dims(1).extents[0] * static_extent(2); }
    template<class T, class L>
    static void run(kernel_part const& part, tensor_view<T const, 3> inputs, tensor_view<T const, 2> transitions,
        tensor_view<L const, 1> lengths, tensor_view<std::int32_t, 2> path, tensor_view<T, 1> score) {
        namespace loops = detail::crf_loops;
        std::int64_t const time = inputs.shape(1), tags = inputs.shape(2);
        loops::rows_of_scratch<T> memory{part.scratch};
        T *const best = memory.take(tags), *const next = memory.take(tags), *const from = memory.take(time * loops::padded<T>(tags));
        for (std::int64_t b = part.first; b < part.last; ++b) {
            std::int64_t const n = tags == 0 ? 0 : valid_length(lengths[b], time);
            score[b] = loops::best_path(
                inputs.data() + b * time * tags, transitions.data(), n, time, tags, path.data() + b * time, best, next, from);
        }
    }
};
}

namespace detail {
enum class crf_slip { none, no_expression, wrong, types, inputs, transitions, lengths, tags };
template<class X, class M, class L>
constexpr crf_slip crf_slip_of() {
    if constexpr (!Expr<X> || !Expr<M> || !Expr<L>) return crf_slip::no_expression;
    else {
        value_info const &x = value_of<X>, &m = value_of<M>, &n = value_of<L>;
        if (x.wrong != fault::none || m.wrong != fault::none || n.wrong != fault::none) return crf_slip::wrong;
        if (x.dims.rank != 3) return crf_slip::inputs;
        if (!is_floating(computed_type(x.type)) || computed_type(x.type) != computed_type(m.type)) return crf_slip::types;
        extent const& tags = x.dims.extents[2];
        if (!(m.dims == shape{2, {tags, tags}})) return crf_slip::transitions;
        return is_integer(n.type) && n.dims == shape{1, {x.dims.extents[0]}} ? crf_slip::none : crf_slip::lengths;
    }
}
template<class X, class Y, class M, class L>
constexpr crf_slip crf_slip_with_tags() {
    if constexpr (!Expr<Y>) return crf_slip::no_expression;
    else {
        constexpr crf_slip slip = crf_slip_of<X, M, L>();
        if constexpr (slip != crf_slip::none) return slip;
        else if constexpr (value_of<Y>.wrong != fault::none) return crf_slip::wrong;
        else {
            constexpr shape wanted{2, {value_of<X>.dims.extents[0], value_of<X>.dims.extents[1]}};
            return is_integer(value_of<Y>.type) && value_of<Y>.dims == wanted ? crf_slip::none : crf_slip::tags;
        }
    }
}
template<crf_slip Slip>
constexpr void check_crf() {
    static_assert(Slip != crf_slip::inputs,
        "xgrad::crf_log_likelihood(inputs, tags, lengths, transitions) or crf_decode(inputs, transitions, lengths): inputs are not [batch, "
        "time, tags]; write reshape or expand_dims");
    static_assert(Slip != crf_slip::types,
        "xgrad::crf_log_likelihood(inputs, tags, lengths, transitions) or crf_decode(inputs, transitions, lengths): inputs and transitions are "
        "not both float or both double; write cast<float>(x)");
    static_assert(Slip != crf_slip::transitions,
        "xgrad::crf_log_likelihood(inputs, tags, lengths, transitions) or crf_decode(inputs, transitions, lengths): transitions are not [tags, "
        "tags], with the last extent of the inputs; declare them so");
    static_assert(Slip != crf_slip::lengths,
        "xgrad::crf_log_likelihood(inputs, tags, lengths, transitions) or crf_decode(inputs, transitions, lengths): lengths are not an integer "
        "for each row; write input<\"n\", std::int32_t, batch>");
    static_assert(Slip != crf_slip::tags,
        "xgrad::crf_log_likelihood(inputs, tags, lengths, transitions): tags are not integers [batch, time]; give the number of a tag for each "
        "time step");
}
}

/// The log-likelihood of each row's tags in a linear-chain conditional random field (Lafferty et al. 2001; TensorFlow Addons'
/// crf_log_likelihood): its score − log Σ exp(score) over all paths, [batch]. The score of a path is the sum of its inputs and of
/// the transitions [from, to] between its tags. Inputs [batch, time, tags] and transitions [tags, tags] are both float or both
/// double. Tags [batch, time] are integers in 0 ... tags − 1; another one before the end of its row is a value_error. Lengths
/// [batch] are integers. One below 0 counts as 0, and one above time as time. The rest of a row is not read, and a row of length 0
/// gives 0. A loss is `-mean(crf_log_likelihood(...))`.
///
/// Gradient: of the inputs, g (one_hot(tags) − the probability of each tag). Of the transitions, the sum over rows of g (the number of
/// each pair of tags − its expected number). Of second order none: it is an error.
template<class X, class Y, class L, class M>
constexpr auto crf_log_likelihood(X const& inputs, Y const& tags, L const& lengths, M const& transitions) {
    constexpr auto slip = detail::crf_slip_with_tags<X, Y, M, L>();
    detail::check_crf<slip>();
    if constexpr (slip == detail::crf_slip::no_expression) return detail::refuse_operand<X, Y, L, M>();
    else if constexpr (slip != detail::crf_slip::none) return detail::refused{};
    else {
        auto const n = detail::as_index(lengths);
        return std::get<0>(apply_all<op::crf_log_likelihood>(inputs, transitions, detail::without_padding(detail::as_index(tags), n), n));
    }
}
/// The path with the highest score of each row, by Viterbi's algorithm: `auto const [tags, score] = crf_decode(inputs, transitions,
/// lengths)`. Tags [batch, time] are int32, and 0 after the end of a row; the scores are [batch]. Of paths with equal scores it is
/// the one whose tags are the smallest, from the last time step on. Operands are those of crf_log_likelihood (TensorFlow Addons'
/// crf_decode). Gradient: none.
template<class X, class M, class L>
constexpr auto crf_decode(X const& inputs, M const& transitions, L const& lengths) {
    constexpr auto slip = detail::crf_slip_of<X, M, L>();
    detail::check_crf<slip>();
    if constexpr (slip == detail::crf_slip::no_expression)
        return std::tuple{detail::refuse_operand<X, M, L>(), detail::refuse_operand<X, M, L>()};
    else if constexpr (slip != detail::crf_slip::none) return std::tuple{detail::refused{}, detail::refused{}};
    else return apply_all<op::crf_decode>(inputs, transitions, detail::as_index(lengths));
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
