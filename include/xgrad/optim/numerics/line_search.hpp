// SPDX-License-Identifier: MIT
// Line search of quasi-Newton methods: finds a step length that satisfies the strong Wolfe conditions, by bracketing
// and zooming.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <algorithm>
#include <cmath>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The loss at x + t d and its slope along d. If the loss or a gradient is not finite, they are ∞ and NaN.
struct line_point {
    double t, loss, slope;
};
/// The minimum between `low` and `high` of the cubic with these values and slopes at two points (Nocedal & Wright,
/// equation 3.59).
/// If it does not exist, for example next to a point that is not finite, the middle.
inline double cubic_minimum(line_point const& a, line_point const& b, double low, double high) {
    line_point const &left = a.t <= b.t ? a : b, &right = a.t <= b.t ? b : a;
    double const d1 = left.slope + right.slope - 3 * (left.loss - right.loss) / (left.t - right.t);
    double const square = d1 * d1 - left.slope * right.slope;
    if (!(square >= 0)) return (low + high) / 2;
    double const d2 = std::sqrt(square);
    double const t = right.t - (right.t - left.t) * ((right.slope + d2 - d1) / (right.slope - left.slope + 2 * d2));
    return std::isnan(t) ? (low + high) / 2 : std::min(std::max(t, low), high);
}

/// Conditions on a step length t: loss(t) ≤ loss(0) + decrease · t · slope(0) and |slope(t)| ≤ curvature · |slope(0)|.
struct strong_wolfe {
    double decrease, curvature;
    int most;           // limit of evaluations
    double narrowest;   // brackets of t up to this width are not searched further

    bool descends(line_point const& start, line_point const& p) const { return p.loss <= start.loss + decrease * p.t * start.slope; }
    bool is_flat(line_point const& start, line_point const& p) const { return std::abs(p.slope) <= -curvature * start.slope; }

    /// Searches from `start`, beginning with t = `first`. `line.at(t)` evaluates a point, `line.keep()` keeps the point
    /// evaluated last.
    /// Returns the start if no lower loss was found, else the point evaluated last or kept last. If no point satisfies
    /// the conditions, it is the lowest point found.
    /// Source: Nocedal & Wright, algorithms 3.5 and 3.6, with two safeguards of torch.optim.LBFGS:
    ///
    /// * Without a bracket, the next t is beyond the last one: at least 0.01 times the last interval, at most 10 times
    ///   the last t.
    /// * With a bracket, a trial at an end, or a second one in sequence near an end, is moved inwards to a tenth of the
    ///   bracket.
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
