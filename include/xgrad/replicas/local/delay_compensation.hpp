// SPDX-License-Identifier: MIT
// Corrects stale gradients for the distance that the variables have moved since.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/simd.hpp>
#include <xgrad/core/error.hpp>
#include <xgrad/core/math.hpp>
#include <xgrad/replicas/accumulators/element_loop.hpp>

#include <cmath>

XGRAD_NAMESPACE_BEGIN

/// DC-ASGD (Zheng et al., 2017, arXiv 1609.08326). A gradient g was computed at v₀, and the variables are v by now. They move, element by
/// element, by
///
///     g + λ g·g·(v − v₀)
///
/// With `decay` m above 0 each element has its own λ (the paper's DC-ASGD-a). The mean squares s are stored at the centre and begin with 0:
///
///     λ / √(s + 1e-7)   with   s ← m·s + (1 − m) g·g
///
/// The paper used λ = 0.04 without decay, and λ = 2 with m = 0.95.
struct delay_compensation {
    double lambda = 0;   // 0: no compensation
    double decay = 0;

    /// Throws value_error if lambda is negative, infinite or NaN, if decay is not in [0, 1), or if there is a decay without a lambda.
    void check() const {
        if (!(lambda >= 0 && std::isfinite(lambda)))
            raise<value_error>("xgrad: delay_compensation: lambda is negative, NaN or infinite; write a finite number of at least 0");
        if (!(decay >= 0 && decay < 1))
            raise<value_error>("xgrad: delay_compensation: decay is outside of [0, 1); write a number such as 0.9");
        if (decay > 0 && lambda == 0)
            raise<value_error>("xgrad: delay_compensation: decay has no effect, because lambda is 0; write a lambda above 0");
    }
};

namespace detail {

/// g ← g + λ g·g·(now − then) on n elements. `squares` are their mean squares, or null if λ is the same for all.
template<class T, class M>
void compensate(T* g, M const* now, M const* then, T* squares, delay_compensation const& by, std::int64_t n) {
    simd::batch<T> const lambda(static_cast<T>(by.lambda)), m(static_cast<T>(by.decay)), rest(static_cast<T>(1 - by.decay)),
        epsilon(T(1e-7));
    each_batch<T>(n, [&](auto at) {
        auto const x = at.load(g), square = x * x;
        auto strength = lambda;
        if (squares != nullptr) {
            auto const s = m * at.load(squares) + rest * square;
            at.store(squares, s);
            strength = lambda / math::sqrt(s + epsilon);
        }
        at.store(g, x + strength * square * (at.load(now) - at.load(then)));
    });
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
