// SPDX-License-Identifier: MIT
// Which elements are NaN, infinite or finite; the exclusive or.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/select.hpp>

#include <limits>

XGRAD_NAMESPACE_BEGIN

namespace op {
struct classifies : comparison {
    static constexpr operand_types accepts = operand_types::floating;
};
struct isnan : classifies {
    static constexpr std::string_view name = "isnan";
    XGRAD_INLINE static auto value(auto x) { return math::not_equal(x, x); }
};
struct isinf : classifies {
    static constexpr std::string_view name = "isinf";
    XGRAD_INLINE static auto value(auto x) {
        using V = decltype(x);
        return math::equal(math::abs(x), V(std::numeric_limits<math::scalar_of<V>>::infinity()));
    }
};
struct isfinite : classifies {
    static constexpr std::string_view name = "isfinite";
    XGRAD_INLINE static auto value(auto x) {
        using V = decltype(x);
        return math::less(math::abs(x), V(std::numeric_limits<math::scalar_of<V>>::infinity()));
    }
};
struct logical_xor : logical {
    static constexpr std::string_view name = "logical_xor";
    XGRAD_INLINE static auto value(auto a, auto b) { return math::not_equal(a, b); }
};
}

/// Whether an element is NaN: bool.
inline constexpr elementwise<op::isnan> isnan{};
/// Whether an element is inf or −inf: bool.
inline constexpr elementwise<op::isinf> isinf{};
/// Whether an element is neither NaN nor infinite: bool.
inline constexpr elementwise<op::isfinite> isfinite{};
/// Whether exactly one of two holds.
inline constexpr elementwise<op::logical_xor> logical_xor{};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
