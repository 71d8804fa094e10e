// SPDX-License-Identifier: MIT
// Detects when a metric has stopped improving.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/error.hpp>

#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

XGRAD_NAMESPACE_BEGIN
namespace metrics {

struct early_stopping_options {
    int patience = 0;                                ///< allowed number of epochs without improvement
    double min_delta = 0;                            ///< an improvement must be larger than this
    bool higher_is_better = false;                   ///< true for an accuracy
    std::optional<double> baseline = std::nullopt;   ///< only a value better than this resets the count of epochs without improvement
    int start_from_epoch = 0;                        ///< earlier epochs are ignored
};

/// Decides when training should stop: after `patience` epochs without improvement.
///
///     xg::metrics::early_stopping stop{{.patience = 5}};
///     xg::snapshot best;
///     while (!stop.should_stop()) {
///         train_an_epoch();
///         if (stop.update(validation_loss())) best.take(train);
///     }
///     best.restore(train);
///
/// NaN is never an improvement. Where XGRAD_CHECKS is on, it warns if all values after the first were worse: the direction may be wrong.
/// Source: Keras' EarlyStopping.
class early_stopping {
    early_stopping_options options_;
    double best_;
    int epoch_ = 0, best_epoch_ = -1, wait_ = 0;
    bool stop_ = false, all_worse_ = true;   // than the first value

    bool better(double value, double than) const {
        return options_.higher_is_better ? value - options_.min_delta > than : value + options_.min_delta < than;
    }
    void stop() {
        if constexpr (XGRAD_CHECKS != 0)
            if (!stop_ && all_worse_ && best_epoch_ == options_.start_from_epoch)
                warning_handler(
                    options_.higher_is_better
                        ? "metrics::early_stopping: all values are lower than the first; if lower is better, remove .higher_is_better"
                        : "metrics::early_stopping: all values are higher than the first; if higher is better, as of an accuracy, write "
                          ".higher_is_better = true");
        stop_ = true;
    }

public:
    /// Throws value_error for a negative patience, min_delta or first epoch, and for numbers that are not finite.
    explicit early_stopping(early_stopping_options options = {}) : options_(options) {
        auto const check = [](bool right, char const* option, double value, char const* allowed) {
            if (right) return;
            char text[32];
            std::snprintf(text, sizeof text, "%g", value);
            raise_parts<value_error>({"xgrad: metrics::early_stopping: ", option, " is ", text, "; it must be ", allowed});
        };
        check(options.patience >= 0, "patience", options.patience, "0 or more epochs");
        check(options.start_from_epoch >= 0, "start_from_epoch", options.start_from_epoch, "0 or more");
        check(options.min_delta >= 0 && std::isfinite(options.min_delta), "min_delta", options.min_delta, "finite and not negative");
        if (options.baseline) check(std::isfinite(*options.baseline), "baseline", *options.baseline, "finite");
        reset();
    }
    /// Takes the metric of one more epoch. Returns true if it is the best so far: then keep the weights.
    bool update(double value) {
        int const epoch = epoch_++;
        if (epoch < options_.start_from_epoch) return false;
        ++wait_;
        if (better(value, best_)) {
            best_ = value;
            best_epoch_ = epoch;
            if (!options_.baseline || better(value, *options_.baseline)) wait_ = 0;
            return true;
        }
        all_worse_ = all_worse_ && (options_.higher_is_better ? value < best_ : value > best_);
        if (wait_ >= options_.patience && epoch > 0) stop();
        return false;
    }
    bool should_stop() const { return stop_; }
    /// The best value so far; infinite at first.
    double best() const { return best_; }
    /// The epoch of the best value, counted from 0; -1 at first.
    int best_epoch() const { return best_epoch_; }
    void reset() {
        double const infinity = std::numeric_limits<double>::infinity();
        best_ = options_.higher_is_better ? -infinity : infinity;
        epoch_ = wait_ = 0;
        best_epoch_ = -1;
        stop_ = false;
        all_worse_ = true;
    }
};

}   // namespace metrics
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
