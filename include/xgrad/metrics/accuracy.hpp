// SPDX-License-Identifier: MIT
// The share of correct predictions.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/metrics/reading.hpp>

XGRAD_NAMESPACE_BEGIN
namespace metrics {

/// For labels 0 and 1: the share of predictions equal to their label. A prediction counts as 1 if it is above the
/// threshold, else as 0. For logits the threshold is 0.
class binary_accuracy {
    double threshold_;
    std::int64_t right_ = 0, count_ = 0;

public:
    /// Throws value_error for a threshold of NaN.
    explicit binary_accuracy(double threshold = 0.5) : threshold_(threshold) {
        if (threshold != threshold)
            raise<value_error>("xgrad: metrics::binary_accuracy: the threshold is NaN; it is a number, 0 for logits");
    }
    /// Takes the same number of predictions and labels, in any shapes. Throws shape_error, and value_error for NaN and
    /// for labels other than 0 and 1; nothing has changed then.
    template<class P, class L>
    void update(P const& predictions, L const& labels) {
        detail::read_predictions("binary_accuracy", predictions, labels, [&](auto const& p, auto const& y) {
            detail::check_binary(p, y);
            for (std::int64_t i = 0; i < p.size; ++i) right_ += (p[i] > threshold_) == (y[i] == 1);
            count_ += p.size;
        });
    }
    /// NaN if there were no predictions.
    double result() const { return detail::share(static_cast<double>(right_), static_cast<double>(count_)); }
    void reset() { right_ = count_ = 0; }
};

/// The share of rows in which the prediction for the label is among the k largest. Of equal ones the first count, as in
/// xgrad's top_k.
class top_k_accuracy {
    std::int64_t k_, right_ = 0, count_ = 0;

protected:
    template<class P, class L>
    void update_as(std::string_view metric, P const& predictions, L const& labels) {
        detail::read_predictions(metric, predictions, labels, [&](auto const& p, auto const& y) {
            std::int64_t const classes = detail::check_rows(p, y);
            if (k_ > classes)
                raise_parts<value_error>({"xgrad: metrics::", metric, ": k is ", k_, ", and the predictions have ", classes, " classes"});
            for (std::int64_t row = 0; row < y.size; ++row) {
                std::int64_t const at = row * classes, mine = at + static_cast<std::int64_t>(y.first[row]);
                double const value = p[mine];
                std::int64_t before = 0;
                for (std::int64_t i = at; i < at + classes; ++i) before += p[i] > value || (i < mine && p[i] == value);
                right_ += before < k_;
            }
            count_ += y.size;
        });
    }

public:
    template<class R = void>
    top_k_accuracy() : k_(1) {
        static_assert(!std::is_void_v<R>, "xgrad::metrics::top_k_accuracy: k is missing; write top_k_accuracy best(5)");
    }
    /// Throws value_error for k < 1.
    explicit top_k_accuracy(std::int64_t k) : k_(k) {
        if (k < 1) raise_parts<value_error>({"xgrad: metrics::top_k_accuracy: k is ", k, ", which must be at least 1"});
    }
    /// Takes logits or probabilities [..., classes] and integer labels [...]. Throws shape_error, and value_error for
    /// NaN, a label that is not a class, and k above the number of classes. Nothing has changed then.
    template<class P, class L>
    void update(P const& predictions, L const& labels) {
        update_as("top_k_accuracy", predictions, labels);
    }
    /// NaN if there were no rows.
    double result() const { return detail::share(static_cast<double>(right_), static_cast<double>(count_)); }
    void reset() { right_ = count_ = 0; }
};

/// The share of rows in which the prediction for the label is the largest. Of equal ones the first counts.
class accuracy : public top_k_accuracy {
public:
    accuracy() : top_k_accuracy(1) {}
    /// Like top_k_accuracy.
    template<class P, class L>
    void update(P const& predictions, L const& labels) {
        update_as("accuracy", predictions, labels);
    }
};

}   // namespace metrics
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
