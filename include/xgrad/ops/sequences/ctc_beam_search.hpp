// SPDX-License-Identifier: MIT
// Connectionist temporal classification: the most probable sequences of labels by beam search.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/sequences/ctc.hpp>
#include <xgrad/ops/sequences/ctc_beam_loops.hpp>

XGRAD_NAMESPACE_BEGIN

/// Options of ctc_beam_search.
struct ctc_beam_options {
    std::int64_t beams = 100;   // sequences that are kept in each time step
    std::int64_t paths = 1;     // sequences that are returned, at most `beams`
    std::int64_t blank = 0;     // the class that means no label; a negative one counts from the end
};

namespace op {
struct ctc_beam_attributes {
    std::int64_t beams, paths, blank;
};
/// Operands: logits, lengths. Outputs: labels [batch, paths, time], their number [batch, paths], and log probabilities [batch, paths].
struct ctc_beam_search : kernel_op {
    using attributes = ctc_beam_attributes;
    static constexpr std::string_view name = "ctc_beam_search";
    static constexpr int outputs = 3;
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& attrs, int output) {
        extent const &batch = v[0].dims.extents[0], &time = v[0].dims.extents[1];
        extent const paths = static_extent(attrs.as<attributes>().paths);
        if (output == 0) return {dtype::int32, {3, {batch, paths, time}}, fault::none};
        return {output == 1 ? dtype::int32 : v[0].type, {2, {batch, paths}}, fault::none};
    }
    static constexpr extent scratch_bytes(kernel_operands const& v) {
        namespace loops = detail::ctc_beams;
        std::int64_t const beams = v.attrs.as<attributes>().beams, classes = v.dims(0).extents[2].constant;
        return static_extent(loops::bytes_of_step(beams)) * v.dims(0).extents[1] + static_extent(loops::bytes_of_row(beams, classes));
    }
    static constexpr extent flops(kernel_operands const& v) { return v.dims(0).size() * static_extent(400); }
    template<class T, class L>
    static void run(attributes const& how, kernel_part const& part, tensor_view<T const, 3> logits, tensor_view<L const, 1> steps,
        tensor_view<std::int32_t, 3> labels, tensor_view<std::int32_t, 2> lengths, tensor_view<T, 2> log_probability) {
        std::int64_t const time = logits.shape(1), classes = logits.shape(2);
        detail::ctc_beams::search<T> s(classes, how.blank, how.beams, part.scratch);
        for (std::int64_t b = part.first; b < part.last; ++b) {
            s.run(logits.data() + b * time * classes, valid_length(steps[b], time));
            for (std::int64_t k = 0; k < how.paths; ++k) {
                lengths(b, k) = static_cast<std::int32_t>(s.labels(k, labels.data() + (b * how.paths + k) * time, time));
                log_probability(b, k) = k < s.count ? s.now[k].all() : detail::log_loops::minus_infinity<T>;
            }
        }
    }
};
}

/// The most probable sequences of labels by prefix beam search: `auto const [labels, lengths, log_probabilities] =
/// ctc_beam_search<ctc_beam_options{.beams = 20, .paths = 3}>(logits, steps)`, for logits [batch, time, classes], float or double and
/// before a softmax, and the number of time steps of each row. Source: Graves et al. 2006; TensorFlow's nn.ctc_beam_search_decoder, whose
/// blank is the last class (`.blank = -1`). Its log probabilities can differ where a sequence leaves the beams and comes back.
///
/// In each time step the `beams` most probable sequences are kept; all ways to place a sequence into the time steps count. Labels [batch,
/// paths, time] are int32, the most probable sequence first, and −1 after the last label; lengths [batch, paths] count them. The log
/// probability is that of the ways that the search kept, so it is a lower bound. Of equal ones the earlier sequence is first. Where there
/// are fewer sequences than paths, the rest is empty and has the log probability −infinity. A length below 0 counts as 0, and one above
/// the time axis as the axis. Gradient: none.
template<ctc_beam_options Options = ctc_beam_options{}, class X, class N>
constexpr auto ctc_beam_search(X const& logits, N const& lengths) {
    constexpr auto slip = detail::ctc_slip_of<X, N>(Options.blank);
    constexpr bool paths = Options.beams >= 1 && Options.paths >= 1 && Options.paths <= Options.beams;
    detail::check_ctc<slip>();
    static_assert(paths || !Expr<X>,
        "xgrad::ctc_beam_search<ctc_beam_options{.beams = b, .paths = p}>(logits, lengths): p is not in 1 ... b; write fewer paths or more "
        "beams");
    if constexpr (slip == detail::ctc_slip::no_expression) {
        auto const no = detail::refuse_operand<X, N>();
        return std::tuple{no, no, no};
    } else if constexpr (slip != detail::ctc_slip::none || !paths)
        return std::tuple{detail::refused{}, detail::refused{}, detail::refused{}};
    else {
        using decode =
            with<op::ctc_beam_search, op::ctc_beam_attributes{Options.beams, Options.paths, detail::ctc_class<X>(Options.blank)}>;
        return apply_all<decode>(logits, detail::as_index(lengths));
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
