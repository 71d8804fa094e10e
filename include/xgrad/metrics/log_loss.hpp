// SPDX-License-Identifier: MIT
// The mean cross-entropy of probabilities.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/metrics/reading.hpp>

#include <cmath>
#include <limits>

XGRAD_NAMESPACE_BEGIN
namespace metrics {

/// For labels 0 and 1: the mean of -log p where the label is 1, and of -log(1 - p) where it is 0. Probabilities are
/// clipped to [eps, 1 - eps], as in scikit-learn. eps is the epsilon of double for double, and of float for other
/// types.
class log_loss {
    double sum_ = 0;
    std::int64_t count_ = 0;

public:
    /// Takes the same number of probabilities and labels, in any shapes. Throws shape_error, and value_error for
    /// numbers that are not probabilities and for labels other than 0 and 1; nothing has changed then.
    template<class P, class L>
    void update(P const& predictions, L const& labels) {
        detail::read_predictions("log_loss", predictions, labels, [&](auto const& p, auto const& y) {
            detail::check_binary(p, y);
            p.check_within(0, 1, "a probability, 0 to 1 (of logits take the sigmoid first)");
            constexpr bool wide = std::is_same_v<std::remove_cvref_t<decltype(*p.first)>, double>;
            constexpr double eps =
                wide ? std::numeric_limits<double>::epsilon() : static_cast<double>(std::numeric_limits<float>::epsilon());
            double sum = 0;
            for (std::int64_t i = 0; i < p.size; ++i) {
                double const own = p[i] < eps ? eps : p[i] > 1 - eps ? 1 - eps : p[i];
                sum -= y[i] == 1 ? std::log(own) : std::log1p(-own);
            }
            sum_ += sum;
            count_ += p.size;
        });
    }
    /// NaN if there were no probabilities.
    double result() const { return detail::share(sum_, static_cast<double>(count_)); }
    void reset() { *this = {}; }
};

}   // namespace metrics
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
