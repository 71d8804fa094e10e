// SPDX-License-Identifier: MIT
// How good the logits of a binary classifier are, and the points of its ROC curve.
#pragma once

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

namespace detail {
inline std::vector<std::size_t> by_logit(std::span<float const> logits) {
    std::vector<std::size_t> rows(logits.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return logits[a] < logits[b]; });
    return rows;
}
}   // namespace detail

/// Labels are 0 or 1. The area is NaN if all labels are equal.
inline binary_metrics evaluate_binary(std::span<float const> logits, std::span<float const> labels) {
    double const n = static_cast<double>(logits.size());
    double right = 0, loss = 0, positives = 0, rank_sum = 0;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        double const z = logits[i], y = labels[i];
        right += (z > 0) == (y > 0);
        loss += std::max(z, 0.0) - z * y + std::log1p(std::exp(-std::abs(z)));
        positives += y > 0;
    }
    auto const rows = detail::by_logit(logits);
    for (std::size_t begin = 0, end; begin < rows.size(); begin = end) {
        for (end = begin + 1; end < rows.size() && logits[rows[end]] == logits[rows[begin]];) ++end;
        double const rank = (static_cast<double>(begin + end) + 1) / 2;   // mean of begin + 1 ... end
        for (std::size_t i = begin; i < end; ++i) rank_sum += labels[rows[i]] > 0 ? rank : 0;
    }
    return {right / n, (rank_sum - positives * (positives + 1) / 2) / (positives * (n - positives)), loss / n};
}

/// (false positive rate, true positive rate) from (0, 0) to (1, 1), thinned to about `limit` points.
inline std::vector<std::pair<double, double>> roc_curve(
    std::span<float const> logits, std::span<float const> labels, std::size_t limit = 500) {
    auto rows = detail::by_logit(logits);
    std::reverse(rows.begin(), rows.end());
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
