// SPDX-License-Identifier: MIT
// The error function.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/exponential.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
struct erf : floating_function {
    static constexpr std::string_view name = "erf";
    static constexpr int flops = 24;
    XGRAD_INLINE static auto value(auto a) { return math::erf(a); }
    static constexpr symbol derivative(symbol a, symbol, symbol g) {
        return g * (1.1283791670955126_c * xgrad::exp(-xgrad::square(a)));   // 2 / √π
    }
};
}

/// 2 / √π ∫₀ˣ e^(−t²) dt. GELU uses it: 0.5 x (1 + erf(x / √2)).
inline constexpr elementwise<op::erf> erf{};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
