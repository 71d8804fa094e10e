// SPDX-License-Identifier: MIT
// The area under the curve of true positives against false positives.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/metrics/reading.hpp>

#include <algorithm>
#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace metrics {

/// The area under the ROC curve, exact: the probability that a row with label 1 has a larger prediction than a row with
/// label 0. Equal predictions count half. All predictions are kept, 8 bytes each. (TensorFlow's tf.metrics.auc uses 200
/// thresholds instead.)
class roc_auc {
    std::vector<double> kept_[2];   // by label
    bool sorted_ = true;

    static void make_room(std::vector<double>& v, std::size_t more) {
        if (v.capacity() - v.size() < more) v.reserve(std::max(v.size() + more, 2 * v.capacity()));
    }

public:
    /// Takes the same number of predictions and labels, in any shapes. Predictions may be any numbers, even infinite.
    /// Throws shape_error, value_error for NaN and for labels other than 0 and 1, and std::bad_alloc; nothing has
    /// changed then.
    template<class P, class L>
    void update(P const& predictions, L const& labels) {
        detail::read_predictions("roc_auc", predictions, labels, [&](auto const& p, auto const& y) {
            detail::check_binary(p, y);
            std::size_t ones = 0;
            for (std::int64_t i = 0; i < y.size; ++i) ones += y[i] == 1;
            make_room(kept_[1], ones);
            make_room(kept_[0], static_cast<std::size_t>(y.size) - ones);
            for (std::int64_t i = 0; i < y.size; ++i) kept_[y[i] == 1].push_back(p[i]);
            sorted_ = false;
        });
    }
    /// Sorts the kept predictions. NaN if one of the labels has not occurred.
    double result() {
        if (!sorted_)
            for (auto& v : kept_) std::sort(v.begin(), v.end());
        sorted_ = true;
        auto const& [zeros, ones] = kept_;
        std::uint64_t halves = 0;   // below 2^63 for 2^32 predictions
        std::size_t below = 0, up_to = 0;
        for (double const v : ones) {
            while (below < zeros.size() && zeros[below] < v) ++below;
            while (up_to < zeros.size() && zeros[up_to] <= v) ++up_to;
            halves += below + up_to;
        }
        return detail::share(static_cast<double>(halves), 2 * static_cast<double>(ones.size()) * static_cast<double>(zeros.size()));
    }
    /// Keeps the memory for further predictions.
    void reset() {
        for (auto& v : kept_) v.clear();
        sorted_ = true;
    }
};

}   // namespace metrics
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
