// SPDX-License-Identifier: MIT
// One time step of recurrent networks, for loops by scan: rnn_cell, lstm_cell, gru_cell.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/arithmetic.hpp>
#include <xgrad/ops/exponential.hpp>
#include <xgrad/ops/matmul.hpp>
#include <xgrad/ops/slice.hpp>

XGRAD_NAMESPACE_BEGIN

/// Whether the reset gate of a GRU multiplies the product of the state (Keras, cuDNN, PyTorch), or the state before the product
/// (Cho et al. 2014).
enum class gru_reset { after_product, before_product };
/// The activation of a simple recurrent network.
enum class rnn_activation { tanh, relu };

namespace detail {
enum class cell_slip { none, no_expression, wrong, types, matrix, gates, in, state, vectors };
/// U: the matrix [state, gates · units] of the product in the loop.
template<int Gates, class In, class U, class H, class... Unit>
constexpr cell_slip cell_slip_of() {
    if constexpr (!((Expr<In> && Expr<U> && Expr<H>)&&... && Expr<Unit>)) return cell_slip::no_expression;
    else {
        value_info const &in = value_of<In>, &u = value_of<U>, &h = value_of<H>;
        if (in.wrong != fault::none || u.wrong != fault::none || h.wrong != fault::none || ((value_of<Unit>.wrong != fault::none) || ...))
            return cell_slip::wrong;
        if (!is_floating(in.type) || u.type != in.type || h.type != in.type || ((value_of<Unit>.type != in.type) || ...))
            return cell_slip::types;
        if (u.dims.rank != 2 || !u.dims.extents[0].is_static() || !u.dims.extents[1].is_static()) return cell_slip::matrix;
        if (u.dims.extents[1].constant % Gates != 0) return cell_slip::gates;
        if (in.dims.rank < 2 || !(in.dims.extents[in.dims.rank - 1] == u.dims.extents[1])) return cell_slip::in;
        auto const is_state = [&](value_info const& v, extent const& features) {
            shape s = in.dims;
            s.extents[s.rank - 1] = features;
            return v.dims == s;
        };
        extent const units = static_extent(u.dims.extents[1].constant / Gates);
        return is_state(h, u.dims.extents[0]) && (is_state(value_of<Unit>, units) && ...) ? cell_slip::none : cell_slip::state;
    }
}
template<cell_slip Slip>
constexpr void check_cell() {
    static_assert(Slip != cell_slip::types,
        "xgrad: an argument of lstm_cell, gru_cell or rnn_cell has another element type than the first, or is neither float nor double; "
        "write cast<float>(x)");
    static_assert(Slip != cell_slip::matrix && Slip != cell_slip::gates,
        "xgrad: the matrix u of lstm_cell, gru_cell or rnn_cell has another shape; declare it with integers as [state, gates * units]: 4 gates "
        "for LSTM, 3 for GRU, 1 for rnn_cell");
    static_assert(Slip != cell_slip::in,
        "xgrad: the input of lstm_cell, gru_cell or rnn_cell does not end with the columns of u; give matmul(x, w) + b, for all gates");
    static_assert(Slip != cell_slip::state,
        "xgrad: a state of lstm_cell, gru_cell or rnn_cell is not [batch, state], like the input before its last axis; write "
        "broadcast_to<batch, units>(state)");
    static_assert(Slip != cell_slip::vectors,
        "xgrad: the peepholes of lstm_cell are not [3, units], or the bias of gru_cell is not [3 * units], in the type of the input; declare "
        "them so");
}
/// What a cell returns that refused its arguments.
template<cell_slip Slip, class... A>
constexpr auto refuse_cell() {
    check_cell<Slip>();
    if constexpr (Slip == cell_slip::no_expression) return refuse_operand<A...>();
    else return refused{};
}
template<class E>
inline constexpr std::int64_t last_extent = value_of<E>.dims.extents[value_of<E>.dims.rank - 1].constant;
/// Columns of a gate.
template<int Gate, std::int64_t Units, int Count = 1, class A>
constexpr auto gate(A const& all) {
    return slice<-1, Gate * Units, (Gate + Count) * Units>(all);
}
template<class P, class In>
constexpr bool is_of_gates(shape const& s) {
    return value_of<P>.wrong != fault::none || (value_of<P>.type == value_of<In>.type && value_of<P>.dims == s);
}
/// The next states by the gates before their activations, of which `before` and `after` may see c and the next c too.
template<std::int64_t units, class All, class C>
constexpr auto lstm_states(All const& all, C const& c, auto const& before, auto const& after) {
    auto const input = sigmoid(before(gate<0, units>(all), std::integral_constant<int, 0>{}));
    auto const forget = sigmoid(before(gate<1, units>(all), std::integral_constant<int, 1>{}));
    auto const next = forget * c + input * tanh(gate<2, units>(all));
    return std::tuple{sigmoid(after(gate<3, units>(all), next)) * tanh(next), next};
}
template<class In, class H, class C, class U>
constexpr auto lstm_gates(In const& in, H const& h, C const& c, U const& u, auto const& before, auto const& after) {
    return lstm_states<last_extent<U> / 4>(in + matmul(h, u), c, before, after);
}
}

namespace detail {
// The product reads h, and `state` is the state that the gate z keeps: another one after a dropout of the product.
template<class In, class H, class S, class U>
constexpr auto gru_of(In const& in, H const& h, S const& state, U const& u) {
    constexpr std::int64_t units = last_extent<U> / 3;
    auto const gates = sigmoid(gate<0, units, 2>(in) + matmul(h, gate<0, units, 2>(u)));
    auto const z = gate<0, units>(gates);
    auto const r = gate<1, units>(gates);
    auto const candidate = tanh(gate<2, units>(in) + matmul(r * h, gate<2, units>(u)));
    return candidate + z * (state - candidate);
}
template<class In, class H, class S, class U, class B>
constexpr auto gru_of(In const& in, H const& h, S const& state, U const& u, B const& b) {
    constexpr std::int64_t units = last_extent<U> / 3;
    auto const of_state = matmul(h, u) + b;
    auto const z = sigmoid(gate<0, units>(in) + gate<0, units>(of_state));
    auto const r = sigmoid(gate<1, units>(in) + gate<1, units>(of_state));
    auto const candidate = tanh(gate<2, units>(in) + r * gate<2, units>(of_state));
    return candidate + z * (state - candidate);
}
}

/// The next state of a simple recurrent network: tanh(in + h u), or `rnn_cell<rnn_activation::relu>(in, h, u)`. In is x w + b of
/// this time step, [..., units]. Compute it for all time steps before the loop.
/// Gradient: that of the operations.
template<rnn_activation Activation = rnn_activation::tanh, class In, class H, class U>
constexpr auto rnn_cell(In const& in, H const& h, U const& u) {
    constexpr auto slip = detail::cell_slip_of<1, In, U, H, H>();
    if constexpr (slip != detail::cell_slip::none) return detail::refuse_cell<slip, In, H, U>();
    else if constexpr (Activation == rnn_activation::tanh) return tanh(in + matmul(h, u));
    else return relu(in + matmul(h, u));
}
/// The next states of an LSTM as a tuple: `auto const [h1, c1] = lstm_cell(in, h, c, u)`. In is x w + b of this time step,
/// [..., 4 units], with the gates i, f, c, o side by side as in Keras and PyTorch. Compute it for all time steps before the loop.
/// c1 = σ(f) c + σ(i) tanh(c'), h1 = σ(o) tanh(c1), where the gates are in + h u. The columns of h may be fewer than the units,
/// after a projection `matmul(h1, p)`. Forget gates begin open if their part of b begins at 1.
/// Gradient: that of the operations.
template<class In, class H, class C, class U>
constexpr auto lstm_cell(In const& in, H const& h, C const& c, U const& u) {
    constexpr auto slip = detail::cell_slip_of<4, In, U, H, C>();
    if constexpr (slip != detail::cell_slip::none)
        return std::tuple{detail::refuse_cell<slip, In, H, C, U>(), detail::refuse_cell<slip, In, H, C, U>()};
    else
        return detail::lstm_gates(
            in, h, c, u, [](auto const& x, auto) { return x; }, [](auto const& x, auto const&) { return x; });
}
/// The same with peepholes [3, units]: the gates i and f also see c, times rows 0 and 1, and o sees the next c, times row 2
/// (TensorFlow's LSTMCell).
/// Gradient: that of the operations.
template<class In, class H, class C, class U, class P>
constexpr auto lstm_cell(In const& in, H const& h, C const& c, U const& u, P const& peepholes) {
    constexpr auto slip = [] {
        constexpr auto of_cell = detail::cell_slip_of<4, In, U, H, C>();
        if constexpr (!Expr<P>) return detail::cell_slip::no_expression;
        else if constexpr (of_cell != detail::cell_slip::none) return of_cell;
        else if constexpr (value_of<P>.wrong != fault::none) return detail::cell_slip::wrong;
        else {
            constexpr shape wanted{2, {static_extent(3), static_extent(detail::last_extent<U> / 4)}};
            return detail::is_of_gates<P, In>(wanted) ? detail::cell_slip::none : detail::cell_slip::vectors;
        }
    }();
    if constexpr (slip != detail::cell_slip::none)
        return std::tuple{detail::refuse_cell<slip, In, H, C, U, P>(), detail::refuse_cell<slip, In, H, C, U, P>()};
    else {
        auto const row = [&]<int K>(std::integral_constant<int, K>) { return squeeze<0>(slice<0, K, K + 1>(peepholes)); };
        return detail::lstm_gates(
            in, h, c, u, [&](auto const& x, auto k) { return x + row(k) * c; },
            [&](auto const& x, auto const& next) { return x + row(std::integral_constant<int, 2>{}) * next; });
    }
}
/// The next state of a GRU, h1 = z h + (1 − z) h', with z = σ(in_z + h u_z) and r = σ(in_r + h u_r). In is x w + b of this time step,
/// [..., 3 units], with the gates z, r, h' side by side as in Keras; PyTorch has r, z, h'. Compute it for all time steps
/// before the loop. `gru_cell(in, h, u, b)` has the reset gate after the product: h' = tanh(in_h + r (h u_h + b_h)), where b [3 units] is
/// the bias of the state's product, added in all gates. `gru_cell(in, h, u)` has it before: h' = tanh(in_h + (r h) u_h).
/// Gradient: that of the operations.
template<class In, class H, class U>
constexpr auto gru_cell(In const& in, H const& h, U const& u) {
    constexpr auto slip = detail::cell_slip_of<3, In, U, H, H>();
    if constexpr (slip != detail::cell_slip::none) return detail::refuse_cell<slip, In, H, U>();
    else return detail::gru_of(in, h, h, u);
}
template<class In, class H, class U, class B>
constexpr auto gru_cell(In const& in, H const& h, U const& u, B const& b) {
    constexpr auto slip = [] {
        constexpr auto of_cell = detail::cell_slip_of<3, In, U, H, H>();
        if constexpr (!Expr<B>) return detail::cell_slip::no_expression;
        else if constexpr (of_cell != detail::cell_slip::none) return of_cell;
        else if constexpr (value_of<B>.wrong != fault::none) return detail::cell_slip::wrong;
        else
            return detail::is_of_gates<B, In>(shape{1, {static_extent(detail::last_extent<U>)}}) ? detail::cell_slip::none
                                                                                                 : detail::cell_slip::vectors;
    }();
    if constexpr (slip != detail::cell_slip::none) return detail::refuse_cell<slip, In, H, U, B>();
    else return detail::gru_of(in, h, h, u, b);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
