// SPDX-License-Identifier: MIT
// How often each class was predicted for each class, and scores of classes.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/arrays/array.hpp>
#include <xgrad/metrics/precision_recall.hpp>

#include <algorithm>
#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace metrics {

/// Counts [label, prediction].
class confusion_matrix {
    std::int64_t classes_;
    std::vector<std::int64_t> counts_;

    std::int64_t& count(std::int64_t label, std::int64_t predicted) {
        return counts_[static_cast<std::size_t>(label * classes_ + predicted)];
    }

public:
    template<class R = void>
    confusion_matrix() : classes_(1) {
        static_assert(
            !std::is_void_v<R>, "xgrad::metrics::confusion_matrix: the number of classes is missing; write confusion_matrix matrix(10)");
    }
    /// Throws value_error for less than one class.
    explicit confusion_matrix(std::int64_t classes) : classes_(classes) {
        if (classes < 1)
            raise_parts<value_error>({"xgrad: metrics::confusion_matrix: there are ", classes, " classes, at least 1 is needed"});
        counts_.resize(static_cast<std::size_t>(classes * classes));
    }
    /// Takes predictions and integer labels. There are two forms of predictions:
    /// * logits or probabilities [..., classes]: the largest is predicted, of equal ones the first;
    /// * predicted classes: integers in the shape of the labels.
    ///
    /// Throws shape_error, and value_error for NaN and for numbers that are not a class. Nothing has changed then.
    template<class P, class L>
    void update(P const& predictions, L const& labels) {
        detail::read_predictions("confusion_matrix", predictions, labels, [&](auto const& p, auto const& y) {
            if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(*p.first)>>) {
                if (p.size != y.size) detail::raise_lengths(p.metric, p.size, y.size);
                p.check_classes(classes_);
                y.check_classes(classes_);
                for (std::int64_t i = 0; i < y.size; ++i)
                    ++count(static_cast<std::int64_t>(y.first[i]), static_cast<std::int64_t>(p.first[i]));
            } else {
                std::int64_t const n = detail::check_rows(p, y);
                if (n != classes_)
                    raise_parts<shape_error>(
                        {"xgrad: metrics::confusion_matrix: the predictions have ", n, " classes, expected are ", classes_});
                for (std::int64_t row = 0; row < y.size; ++row) {
                    auto const* const first = p.first + row * n;
                    ++count(static_cast<std::int64_t>(y.first[row]), std::max_element(first, first + n) - first);
                }
            }
        });
    }
    /// The counts [label, prediction], as in scikit-learn. Valid during the lifetime of the object.
    tensor_view<std::int64_t const, 2> result() const { return {counts_.data(), {classes_, classes_}}; }
    /// The share of the diagonal; NaN if there were no rows.
    double accuracy() const {
        std::int64_t right = 0, all = 0;
        for (std::int64_t c = 0; c < classes_; ++c) right += result()(c, c);
        for (std::int64_t const n : counts_) all += n;
        return detail::share(static_cast<double>(right), static_cast<double>(all));
    }
    /// The scores of one class compared with all others. Throws value_error if `c` is not a class.
    scores of(std::int64_t c) const {
        if (c < 0 || c >= classes_)
            raise_parts<value_error>({"xgrad: metrics::confusion_matrix: there is no class ", c, " among ", classes_});
        std::int64_t predicted = 0, there = 0;
        for (std::int64_t other = 0; other < classes_; ++other) {
            predicted += result()(other, c);
            there += result()(c, other);
        }
        std::int64_t const right = result()(c, c);
        return detail::scores_of(right, predicted - right, there - right);
    }
    /// The means of the scores over all classes, with equal weights: scikit-learn's average="macro" with
    /// labels=range(classes).
    scores macro() const {
        scores sum;
        for (std::int64_t c = 0; c < classes_; ++c) {
            scores const s = of(c);
            sum.precision += s.precision;
            sum.recall += s.recall;
            sum.f1 += s.f1;
        }
        double const n = static_cast<double>(classes_);
        return {sum.precision / n, sum.recall / n, sum.f1 / n};
    }
    void reset() { std::fill(counts_.begin(), counts_.end(), 0); }
};

}   // namespace metrics
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
