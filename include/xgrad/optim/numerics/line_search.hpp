// SPDX-License-Identifier: MIT
// The line search of quasi-Newton methods: a step length that satisfies the strong Wolfe conditions, by bracketing and zooming.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <algorithm>
#include <cmath>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The loss at x + t d and its slope along d. Where the loss or a gradient is not finite: ∞ and NaN.
struct line_point {
    double t, loss, slope;
};
/// The minimum of the cubic through two points with these slopes, between `low` and `high`; the middle where there is none, as beside a point that is not
/// finite (Nocedal & Wright, equation 3.59).
inline double cubic_minimum(line_point const& a, line_point const& b, double low, double high) {
    line_point const &left = a.t <= b.t ? a : b, &right = a.t <= b.t ? b : a;
    double const d1 = left.slope + right.slope - 3 * (left.loss - right.loss) / (left.t - right.t);
    double const square = d1 * d1 - left.slope * right.slope;
    if (!(square >= 0)) return (low + high) / 2;
    double const d2 = std::sqrt(square);
    double const t = right.t - (right.t - left.t) * ((right.slope + d2 - d1) / (right.slope - left.slope + 2 * d2));
    return std::isnan(t) ? (low + high) / 2 : std::min(std::max(t, low), high);
}

/// What a step length t must satisfy: loss(t) ≤ loss(0) + decrease · t · slope(0) and |slope(t)| ≤ curvature · |slope(0)|.
struct strong_wolfe {
    double decrease, curvature;
    int most;           // evaluations
    double narrowest;   // a bracket of t that is not worth more of them

    bool descends(line_point const& start, line_point const& p) const { return p.loss <= start.loss + decrease * p.t * start.slope; }
    bool is_flat(line_point const& start, line_point const& p) const { return std::abs(p.slope) <= -curvature * start.slope; }

    /// `line.at(t)` evaluates; `line.keep()` keeps what belongs to the point evaluated last. What is returned is the start where no lower loss was found,
    /// else the point evaluated last or the one kept last; without the conditions it is the lowest one found. (Nocedal & Wright, algorithms 3.5 and 3.6, with the
    /// safeguards of torch.optim.LBFGS: a trial lies at 1.01 to 10 times the last one while there is no bracket, then, where two trials have come too near to an
    /// end of it, a tenth of the bracket away from that.)
    template<class Line>
    line_point search(Line& line, line_point const& start, double first) const {
        line_point low = start, high = line.at(first);
        int evaluations = 1;
        while (descends(start, high) && (evaluations == 1 || high.loss < low.loss)) {
            if (is_flat(start, high)) return high;
            if (high.slope >= 0 || evaluations == most) break;
            double const t = cubic_minimum(low, high, high.t + .01 * (high.t - low.t), 10 * high.t);
            line.keep();
            low = high;
            high = line.at(t);
            ++evaluations;
        }
        if (high.loss < low.loss) {
            line.keep();
            std::swap(low, high);
        }
        bool near_end = false;
        while (evaluations < most && std::abs(high.t - low.t) > narrowest) {
            double const left = std::min(low.t, high.t), right = std::max(low.t, high.t), margin = .1 * (right - left);
            double t = cubic_minimum(low, high, left, right);
            bool const near = std::min(right - t, t - left) < margin;
            if (near && (near_end || t >= right || t <= left)) {
                t = std::abs(t - right) < std::abs(t - left) ? right - margin : left + margin;
                near_end = false;
            } else near_end = near;
            line_point const trial = line.at(t);
            ++evaluations;
            if (descends(start, trial) && trial.loss < low.loss) {
                if (is_flat(start, trial)) return trial;
                if (trial.slope * (high.t - low.t) >= 0) high = low;
                line.keep();
                low = trial;
            } else if (trial.loss < low.loss) {
                line.keep();
                high = low;
                low = trial;
            } else high = trial;
        }
        return low;
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
