// SPDX-License-Identifier: MIT
// An expression whose numbers are finite, or the call throws.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/meta/fixed_string.hpp>
#include <xgrad/ops/shape_ops.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// x [n], and the end of the call if an element is NaN or infinite.
template<fixed_string Name, bool Gradient>
struct check_numerics : kernel_op {
    static constexpr std::string_view name = "check_numerics";
    static constexpr bool reports_indices = true;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return v[0]; }
    template<class T>
    static void run(kernel_part const& part, tensor_view<T const, 1> x, tensor_view<T, 1> y) {
        bool odd = false;   // without a branch, so that the compiler vectorizes the loop
        for (std::int64_t i = part.first; i < part.last; ++i) {
            y[i] = x[i];
            odd |= !is_finite(x[i]);
        }
        if (!odd) return;
        std::int64_t i = part.first;
        while (is_finite(x[i])) ++i;
        *part.fault = {Name.view(), i, Gradient, true, static_cast<double>(x[i])};
        part.report_bad_index();
    }
    static constexpr void derive(derivation& d) { d.out[0] = apply<check_numerics<Name, true>>(d.gradient); }

private:
    template<class T>
    XGRAD_INLINE static bool is_finite(T x) {
        return x - x == 0;
    }
};
/// Its parts do not run at the same time: they report in one place.
template<class Op>
inline constexpr kernel_info alone = [] {
    kernel_info r = detail::whole_kernel<Op>;
    r.whole = true;
    return r;
}();
template<fixed_string Name, bool Gradient>
constexpr op_info op_description(check_numerics<Name, Gradient> const*) {
    using checked = check_numerics<Name, Gradient>;
    op_info r = make_op("check_numerics", op_kind::kernel, detail::first_output<checked>, checked::derive);
    r.kernel = &alone<checked>;
    detail::take_flops<checked>(r);
    return r;
}
}

namespace detail {
enum class numerics_slip { none, no_expression, wrong, name, type };
template<fixed_string Name, class A>
constexpr numerics_slip slip_of_numerics() {
    if constexpr (!Expr<A>) return numerics_slip::no_expression;
    else if constexpr (value_of<A>.wrong != fault::none) return numerics_slip::wrong;
    else if (Name.view().empty()) return numerics_slip::name;
    else return has_gradient(value_of<A>.type) ? numerics_slip::none : numerics_slip::type;
}
}

/// x, but a call in which an element is NaN or infinite throws value_error before it updates anything: `check_numerics<"loss">(x)`. The
/// message has the text, the element and its position. Updates wait for the check, which reads x once more. A value that the call does not
/// need is not checked (TensorFlow's check_numerics).
/// Gradient: g, which is checked too.
template<fixed_string Name, class A>
constexpr auto check_numerics(A const& x) {
    using detail::numerics_slip;
    constexpr auto slip = detail::slip_of_numerics<Name, A>();
    static_assert(slip != numerics_slip::name,
        "xgrad::check_numerics<\"name\">(x): the name is empty; write the text that the message shows, such as check_numerics<\"loss\">(x)");
    static_assert(slip != numerics_slip::type,
        "xgrad::check_numerics<\"name\">(x): x is neither float nor double, and its numbers are always finite; remove the check");
    if constexpr (slip == numerics_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != numerics_slip::none) return detail::refused{};
    else {
        constexpr shape s = value_of<A>.dims;
        return detail::reshaped_to<s>(apply<op::check_numerics<Name, false>>(detail::reshaped_to<shape{1, {s.size()}}>(x)));
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
