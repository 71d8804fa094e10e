// SPDX-License-Identifier: MIT
// Computes a small body in registers: a row for each node that is needed, in the order of the table.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/compile/number_body.hpp>
#include <xgrad/compile/number_row.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

template<class Body, int I>
struct inner_step;   // defined in number_loop.hpp

template<class Body, int I>
constexpr auto type_of_row() {
    constexpr table_view t = Body::table;
    if constexpr (t.kind(I) == op_kind::region) return std::type_identity<inner_step<Body, I>>{};
    else return std::type_identity<number_row<cpp_type_t<type_in_registers(t, I)>, Body::elements(I)>>{};
}
/// The value of node I. For a step over inner bodies: the memory of its outputs.
template<class Body, int I>
struct number_node {
    typename decltype(type_of_row<Body, I>())::type row;
};
template<class Body, class Numbers>
struct number_nodes;
template<class Body, int... N>
struct number_nodes<Body, std::integer_sequence<int, N...>> : number_node<Body, Body::needed.numbers[N]>... {
    template<int I>
    XGRAD_KERNEL auto& at() {
        return static_cast<number_node<Body, I>&>(*this).row;
    }
    /// Computes all nodes that are no leaves.
    XGRAD_KERNEL bool run(call_fault& fault) { return (compute<Body::needed.numbers[N]>(fault) && ...); }

private:
    static constexpr table_view t = Body::table;

    template<int I, int... K>
    XGRAD_KERNEL void apply(std::integer_sequence<int, K...>) {
        using T = cpp_type_t<type_of_operation(t, I)>;
        at<I>() = elementwise_row<op_at<t[I].op>, t[I].op->transcendental, T, Body::elements(I)>(converted<T>(at<t.operand(I, K)>())...);
    }
    template<int I>
    XGRAD_KERNEL bool compute(call_fault& fault) {
        constexpr op_kind kind = t.kind(I);
        if constexpr (kind == op_kind::elementwise) apply<I>(std::make_integer_sequence<int, t[I].count>{});
        else if constexpr (kind == op_kind::constant)
            at<I>().fill(static_cast<cpp_type_t<t.type(I)>>(t.attrs(I).template as<constant_attributes>().value));
        else if constexpr (kind == op_kind::alias || kind == op_kind::composite) at<I>() = at<t.operand(I, Body::first_operand(I))>();
        else if constexpr (kind == op_kind::broadcast) repeat<I>();
        else if constexpr (kind == op_kind::reduce) {
            auto const x = converted<cpp_type_t<t.type(I)>>(at<t.operand(I, 0)>());
            at<I>().at[0] = reduced<t[I].op->combine>(x);
        } else if constexpr (kind == op_kind::part)
            at<I>().load(at<t.operand(I, 0)>().template output<t.attrs(I).template as<part_attributes>().output>());
        else if constexpr (kind == op_kind::region) return at<I>().run(*this, fault);
        return true;
    }
    template<int I>
    XGRAD_KERNEL void repeat() {
        auto const& x = at<t.operand(I, 0)>();
        using row = std::remove_cvref_t<decltype(at<I>())>;
        for (int i = 0; i < row::parts; ++i) at<I>().at[i] = part_of_operand<row::count>(x, i);
    }
};
/// The registers of a body.
template<class Body>
using number_registers = number_nodes<Body, std::make_integer_sequence<int, Body::needed.count>>;

/// A value of a body in the type of its memory.
template<class Body, int I>
XGRAD_KERNEL auto value_of_node(number_registers<Body>& r) {
    return converted<cpp_type_t<Body::table.type(I)>>(r.template at<I>());
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
