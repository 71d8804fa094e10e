// SPDX-License-Identifier: MIT
// The mean of values that come in batches.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/metrics/reading.hpp>

#include <limits>

XGRAD_NAMESPACE_BEGIN
namespace metrics {

/// The mean of all values, with weights or without:
///
///     xg::metrics::mean losses;
///     losses.update(train(x = images, y = labels), labels.size());   // a batch counts by its rows
class mean {
    double sum_ = 0, weight_ = 0;

public:
    /// Takes numbers or arrays; one weight may be for all values. Throws shape_error if there are several weights and
    /// another number of values. Throws value_error if a value is NaN, or a weight is negative or not finite. Nothing
    /// has changed then.
    template<class Values, class Weights = double>
    void update(Values const& values, Weights const& weights = 1) {
        detail::read_metric("mean", "value", values, "weight", weights, [&](auto const& v, auto const& w) {
            if (w.size != 1 && w.size != v.size)
                raise_parts<shape_error>({"xgrad: metrics::mean: there are ", v.size, " values and ", w.size, " weights"});
            v.check_numbers();
            w.check_within(0, std::numeric_limits<double>::max(), "finite and not negative");
            double sum = 0, weight = 0;
            for (std::int64_t i = 0; i < v.size; ++i) {
                double const own = w[w.size == 1 ? 0 : i];
                if (own == 0) continue;   // even if the value is infinite
                sum += own * v[i];
                weight += own;
            }
            sum_ += sum;
            weight_ += weight;
        });
    }
    /// NaN if all weights are 0.
    double result() const { return detail::share(sum_, weight_); }
    void reset() { *this = {}; }
};

}   // namespace metrics
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
