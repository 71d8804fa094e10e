// SPDX-License-Identifier: MIT
// Protects a factor that is taken out of a sum.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/elementwise.hpp>
#include <xgrad/core/math.hpp>

XGRAD_NAMESPACE_BEGIN
namespace op {

/// x, or 0 if a sum has no terms. A factor c that is taken out of a sum passes through it. So Σ x c is 0 for an empty
/// sum, even if c is infinite or NaN, such as one over the number of terms.
struct unless_empty : elementwise_op {
    static constexpr std::string_view name = "unless_empty";
    static constexpr int flops = 0;   // evaluated once per row
    XGRAD_INLINE static auto value(auto x, auto terms) {
        using V = decltype(x);
        return math::where(math::greater(terms, V(0)), x, V(0));
    }
    static constexpr symbols derivative(symbol, symbol terms, symbol, symbol g) { return {{apply<unless_empty>(g, terms), {}}}; }
};

}   // namespace op
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
