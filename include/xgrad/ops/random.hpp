// SPDX-License-Identifier: MIT
// Random numbers in a graph: named streams of a counter-based generator, and dropout.
#pragma once

#include <xgrad/ops/select.hpp>
#include <xgrad/ops/arithmetic.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Uniform in [0, 1), of the shape and element type of the operand, whose values are not read. Depends on seed, name, step and position alone.
struct uniform_like {
    static constexpr value_info infer(value_info const* v, int, attributes const&) {
        return {v[0].type, v[0].dims, is_floating(v[0].type) ? fault::none : fault::not_floating};
    }
    static constexpr op_info describe() {
        op_info r = make_op("uniform_like", op_kind::random, infer, nullptr);
        r.flops = 12;
        r.transcendental = true;   // not to be drawn again
        return r;
    }
};
}

/// Uniform numbers in [0, 1) of the shape of `x`, from the stream `Name` of Philox4x32-10 (Salmon et al. 2011): they depend on the seed of the
/// variable store, the name, the global step and the position of the element, on nothing else.
template<fixed_string Name, class A>
constexpr auto uniform_like(A const& x) {
    static_assert(detail::fault_of<with<op::uniform_like, Name>, A>() != fault::not_floating,
        "xgrad::uniform_like<\"name\">(x): x must be float or double");
    return apply<with<op::uniform_like, Name>>(x);
}
/// Zeroes a share `rate` (an expression of rank 0: a constant such as 0.5_c or a named scalar input) of the elements and scales the rest by
/// 1 / (1 - rate). The name makes the stream: two dropouts of one graph need two names.
template<fixed_string Name, class A, class R>
constexpr auto dropout(A const& x, R const& rate) {
    using namespace literals;
    constexpr bool floating = detail::fault_of<with<op::uniform_like, Name>, A>() == fault::none;
    static_assert(floating, "xgrad::dropout<\"name\">(x, rate): x must be float or double; write cast<float>(x)");
    if constexpr (!Operand<A> || !Operand<R>) return detail::refuse_operand<A, R>();
    else if constexpr (floating) return select(greater_equal(uniform_like<Name>(x), rate), x / (1_c - rate), 0_c);
    else return detail::refused{};
}

XGRAD_NAMESPACE_END
