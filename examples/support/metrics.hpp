// SPDX-License-Identifier: MIT
// How good the logits of a binary classifier are, and the points of its ROC curve.
#pragma once

#include <xgrad/metrics/accuracy.hpp>
#include <xgrad/metrics/roc_auc.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace examples {

struct binary_metrics {
    double accuracy = 0;   // share of rows with (logit > 0) == label
    double auc = 0;        // area under the ROC curve; ties share their mean rank
    double log_loss = 0;   // mean sigmoid cross-entropy, in nats
};

/// Labels are 0 or 1. The area is NaN if all labels are equal.
inline binary_metrics evaluate_binary(std::span<float const> logits, std::span<float const> labels) {
    xgrad::metrics::binary_accuracy right(0);
    xgrad::metrics::roc_auc area;
    right.update(logits, labels);
    area.update(logits, labels);
    double loss = 0;   // of logits: the library's log_loss takes probabilities, and those far out are 0 or 1
    for (std::size_t i = 0; i < logits.size(); ++i) {
        double const z = logits[i], y = labels[i];
        loss += std::max(z, 0.0) - z * y + std::log1p(std::exp(-std::abs(z)));
    }
    return {right.result(), area.result(), loss / static_cast<double>(logits.size())};
}

/// (false positive rate, true positive rate) from (0, 0) to (1, 1), thinned to about `limit` points.
inline std::vector<std::pair<double, double>> roc_curve(
    std::span<float const> logits, std::span<float const> labels, std::size_t limit = 500) {
    std::vector<std::size_t> rows(logits.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return logits[a] > logits[b]; });
    double positives = 0;
    for (float const y : labels) positives += y > 0;
    double const negatives = static_cast<double>(labels.size()) - positives;
    std::vector<std::pair<double, double>> points{{0, 0}};
    double hits = 0, alarms = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        (labels[rows[i]] > 0 ? hits : alarms) += 1;
        bool const last = i + 1 == rows.size();
        if (!last && logits[rows[i + 1]] == logits[rows[i]]) continue;   // one point for all rows of a tie
        if (last || (hits + alarms) * static_cast<double>(limit) >= static_cast<double>(points.size() * rows.size()))
            points.emplace_back(alarms / negatives, hits / positives);
    }
    return points;
}

}   // namespace examples
