// SPDX-License-Identifier: MIT
// Precision, recall and F1 of two classes.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/metrics/reading.hpp>

XGRAD_NAMESPACE_BEGIN
namespace metrics {

/// A score is 0 if its divisor is 0, such as for a class that was never predicted. This is as in scikit-learn and
/// TensorFlow.
struct scores {
    double precision = 0;   ///< share of the predictions of the class that are correct
    double recall = 0;      ///< share of the rows of the class that are predicted as it
    double f1 = 0;          ///< harmonic mean of both

    friend bool operator==(scores const&, scores const&) = default;
};

}   // namespace metrics
namespace detail {
/// The scores of a class from counts: correctly predicted, wrongly predicted as it, and wrongly predicted as another
/// class.
inline metrics::scores scores_of(std::int64_t right, std::int64_t wrongly, std::int64_t missed) {
    auto const ratio = [](std::int64_t a, std::int64_t b) { return b != 0 ? static_cast<double>(a) / static_cast<double>(b) : 0.0; };
    return {ratio(right, right + wrongly), ratio(right, right + missed), ratio(2 * right, 2 * right + wrongly + missed)};
}
}   // namespace detail
namespace metrics {

/// For labels 0 and 1: the scores of the class 1. It is predicted if the prediction is above the threshold. For logits
/// the threshold is 0.
class precision_recall {
    double threshold_;
    std::int64_t counts_[2][2]{};   // label, prediction

public:
    /// Throws value_error for a threshold of NaN.
    explicit precision_recall(double threshold = 0.5) : threshold_(threshold) {
        if (threshold != threshold)
            raise<value_error>("xgrad: metrics::precision_recall: the threshold is NaN; it is a number, 0 for logits");
    }
    /// Takes the same number of predictions and labels, in any shapes. Throws shape_error, and value_error for NaN and
    /// for labels other than 0 and 1; nothing has changed then.
    template<class P, class L>
    void update(P const& predictions, L const& labels) {
        detail::read_predictions("precision_recall", predictions, labels, [&](auto const& p, auto const& y) {
            detail::check_binary(p, y);
            for (std::int64_t i = 0; i < p.size; ++i) ++counts_[y[i] == 1][p[i] > threshold_];
        });
    }
    scores result() const { return detail::scores_of(counts_[1][1], counts_[0][1], counts_[1][0]); }
    void reset() { *this = precision_recall(threshold_); }
};

}   // namespace metrics
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
