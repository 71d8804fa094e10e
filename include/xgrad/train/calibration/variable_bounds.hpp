// SPDX-License-Identifier: MIT
// Lower and upper bounds of the variables of a calibration, element by element.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/train/flat_gradients.hpp>

#include <algorithm>
#include <limits>

XGRAD_NAMESPACE_BEGIN
namespace detail {

class variable_bounds {
    struct bound {
        std::uint64_t variable;
        double lower, upper;
    };
    sequence<bound> given_;
    aligned_buffer<double> memory_;   // the lower bounds of all elements, then the upper bounds
    std::int64_t n_ = 0;

public:
    bool any() const { return given_.count > 0; }
    /// Replaces the bounds of the variable. Infinite bounds do not bound.
    void set(std::uint64_t variable, double lower, double upper) {
        for (bound& b : given_)
            if (b.variable == variable) return void(b = {variable, lower, upper});
        given_.push({variable, lower, upper});
    }
    /// Makes the bounds of the n elements of these variables. They are rounded to the type of the variable.
    void lay_out(flat_gradients const& variables, std::int64_t n) {
        if (!any()) return;
        n_ = n;
        memory_.grow_to(static_cast<std::size_t>(2 * n));
        std::fill_n(memory_.data(), n, -std::numeric_limits<double>::infinity());
        std::fill_n(memory_.data() + n, n, std::numeric_limits<double>::infinity());
        variables.each([&](stored_variable const& v, std::int64_t first) {
            for (bound const& b : given_) {
                if (b.variable != v.hash) continue;
                bool const coarse = v.type == dtype::float32;
                std::fill_n(memory_.data() + first, v.size, coarse ? static_cast<double>(static_cast<float>(b.lower)) : b.lower);
                std::fill_n(memory_.data() + n + first, v.size, coarse ? static_cast<double>(static_cast<float>(b.upper)) : b.upper);
            }
        });
    }
    double clip(std::int64_t i, double x) const { return any() ? std::min(std::max(x, memory_.data()[i]), memory_.data()[n_ + i]) : x; }
    /// Whether both bounds of element i are the same number.
    bool fixes(std::int64_t i) const { return any() && memory_.data()[i] == memory_.data()[n_ + i]; }
    /// Whether element i is at a bound and the loss would fall beyond the bound.
    bool stops(std::int64_t i, double x, double gradient) const {
        return any() && ((gradient > 0 && x <= memory_.data()[i]) || (gradient < 0 && x >= memory_.data()[n_ + i]));
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
