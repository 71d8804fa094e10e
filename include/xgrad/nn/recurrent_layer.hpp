// SPDX-License-Identifier: MIT
// What recurrent layers share: their arguments, one direction, both directions, several layers.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/nn/dense.hpp>
#include <xgrad/ops/index/along_axis.hpp>
#include <xgrad/ops/index/windows.hpp>
#include <xgrad/ops/normalization/in_training.hpp>
#include <xgrad/ops/scan.hpp>
#include <xgrad/ops/sequences/cells.hpp>

#include <array>
#include <bit>

XGRAD_NAMESPACE_BEGIN
namespace nn {

/// Argument of a recurrent layer: the outputs of all time steps are returned.
struct return_sequences_tag {};
inline constexpr return_sequences_tag return_sequences{};
/// Argument of a recurrent layer: each row is read from its end.
struct backwards_tag {};
inline constexpr backwards_tag backwards{};
template<class N>
struct lengths_argument {};
/// Argument of a recurrent layer: the number of time steps of each row.
template<class N>
constexpr auto lengths(N const&) {
    return lengths_argument<N>{};
}
template<class... S>
struct states_argument {};
/// Argument of a recurrent layer: the states before the first time step.
template<class... S>
constexpr auto initial_state(S const&...) {
    return states_argument<S...>{};
}

}   // namespace nn

namespace detail {
template<class A>
struct recurrent_argument {
    static constexpr int kind = -1;
};
template<>
struct recurrent_argument<nn::return_sequences_tag> {
    static constexpr int kind = 0;
};
template<>
struct recurrent_argument<nn::shared_tag> {
    static constexpr int kind = 1;
};
template<>
struct recurrent_argument<nn::backwards_tag> {
    static constexpr int kind = 2;
};
template<class N>
struct recurrent_argument<nn::lengths_argument<N>> {
    static constexpr int kind = 3;
};
template<class... S>
struct recurrent_argument<nn::states_argument<S...>> {
    static constexpr int kind = 4;
};
template<int Kind, class... A>
inline constexpr int recurrent_arguments = ((recurrent_argument<A>::kind == Kind ? 1 : 0) + ... + 0);
template<class... A>
inline constexpr bool are_recurrent_arguments =
    ((recurrent_argument<A>::kind >= 0) && ...) && recurrent_arguments<0, A...> <= 1 && recurrent_arguments<1, A...> <= 1 &&
    recurrent_arguments<2, A...> <= 1 && recurrent_arguments<3, A...> <= 1 && recurrent_arguments<4, A...> <= 1;
template<class... A>
inline constexpr bool is_recurrent_call = false;
template<class X, class... A>
inline constexpr bool is_recurrent_call<X, A...> = Expr<X> && are_recurrent_arguments<A...>;
template<class... A>
concept RecurrentCall = is_recurrent_call<A...>;

template<class... A>
struct recurrent_lengths {
    using type = void;
};
template<class N, class... A>
struct recurrent_lengths<nn::lengths_argument<N>, A...> {
    using type = N;
};
template<class First, class... A>
struct recurrent_lengths<First, A...> : recurrent_lengths<A...> {};
template<class... A>
struct recurrent_states {
    using type = nn::states_argument<>;
};
template<class... S, class... A>
struct recurrent_states<nn::states_argument<S...>, A...> {
    using type = nn::states_argument<S...>;
};
template<class First, class... A>
struct recurrent_states<First, A...> : recurrent_states<A...> {};

/// How one direction is run. Lengths: void or integers. States: of this direction, or none.
template<bool Sequences, bool Shared, bool Backwards, class Lengths, class States>
struct recurrent_direction {
    static constexpr bool sequences = Sequences, is_shared = Shared, is_backwards = Backwards, has_lengths = !std::is_void_v<Lengths>;
    using lengths = Lengths;
    using states = States;
};
/// The call of a layer with the lengths N, for errors.
template<fixed_string Layer, fixed_string Name, class N>
struct call_with_lengths {
    static constexpr std::string_view input = N::info.op->kind == op_kind::input ? N::info.attrs.name : std::string_view{};
    static constexpr std::string_view parts[]{"nn::", Layer.view(), "<\"", Name.view(), "\">(x, lengths(n))",
        input.empty() ? "" : ", input \"", input, input.empty() ? "" : "\""};
    static constexpr std::size_t size = [] {
        std::size_t n = 1;
        for (std::string_view const s : parts) n += s.size();
        return n;
    }();
    static constexpr fixed_string<size> text = [] {
        char all[size]{};
        std::size_t n = 0;
        for (std::string_view const s : parts)
            for (char const c : s) all[n++] = c;
        return fixed_string(all);
    }();
};
template<class Body, fixed_string Call>
struct body_of_call : Body {
    static constexpr std::string_view body_name = Call.view();
};
/// The body of the loop. With lengths it is named for errors, without it cannot fail.
template<class Body, fixed_string Layer, fixed_string Name, class N>
struct named_body {
    using type = body_of_call<Body, call_with_lengths<Layer, Name, N>::text>;
};
template<class Body, fixed_string Layer, fixed_string Name>
struct named_body<Body, Layer, Name, void> {
    using type = Body;
};
template<fixed_string Name, class Kind, class X>
using recurrent_variables = typename Kind::template variables<Name, cpp_type_t<computed_type(value_of<X>.type)>>;

/// A value [time, batch, ...] in the order in which the loop reads it, or back.
template<class How, class A>
constexpr auto in_order_read(A const& by_time) {
    if constexpr (!How::is_backwards) return by_time;
    else if constexpr (How::has_lengths) return reverse_sequence<0, 1>(by_time, as_index(typename How::lengths{}));
    else {
        constexpr shape s = value_of<A>.dims;
        return reverse_sequence<0, 1>(by_time, repeated_to<shape{1, {s.extents[1]}}>(number_of<std::int64_t, s.extents[0]>()));
    }
}
/// One mask of a dropout: 0 or 1 / (1 - rate). Rate holds the bits of a double, as clang before 18 takes no double in a template.
template<fixed_string Name, std::uint64_t Rate, bool Shared, class T, shape S>
constexpr auto dropout_mask() {
    constexpr literal<Rate> rate{};
    constexpr auto ones = repeated_to<S>(constant<T, 1>);
    if constexpr (Shared) return dropout<Name>(ones, rate, nn::shared);
    else return dropout<Name>(ones, rate);
}
/// The matrix of a state.
template<fixed_string Name, class T, std::int64_t Rows, std::int64_t Columns>
using recurrent_matrix = started_variable<start_at(1, start_form::orthogonal), join_names<Name, "u">(), T, true, Rows, Columns>;
template<class Kind, fixed_string Name, class T>
struct find_recurrent_bias {
    using type = variable_type<Name, T, true, Kind::gates * Kind::units>;
};
template<class Kind, fixed_string Name, class T>
    requires requires { typename Kind::template bias<Name, T>; }
struct find_recurrent_bias<Kind, Name, T> {
    using type = typename Kind::template bias<Name, T>;
};
template<class Kind, fixed_string Name, class T>
using recurrent_bias = typename find_recurrent_bias<Kind, Name, T>::type;
/// One direction of one layer. It is a separate block, so that compilers print the type of each layer's input only once.
template<fixed_string Name, class Kind, class X, class How>
struct recurrent_layer : let<recurrent_layer<Name, Kind, X, How>>, recurrent_variables<Name, Kind, X> {
    using element = cpp_type_t<computed_type(value_of<X>.type)>;
    static constexpr std::int64_t features = last_extent<X>;
    static constexpr variable_type<join_names<Name, "w">(), element, true, features, Kind::gates * Kind::units> w{};
    static constexpr recurrent_bias<Kind, join_names<Name, "b">(), element> b{};
    static constexpr auto value() {
        if constexpr (How::sequences) return transpose<1, 0, 2>(in_order_read<How>(output<Kind::states>()));
        else return output<0>();
    }
    /// The states after the last time step.
    static constexpr auto state() { return states(std::make_index_sequence<Kind::states>{}); }

private:
    /// x by time. The product with w also reads what is after the end of a row, so it is 0 there: NaN would reach the gradient of w.
    static constexpr auto by_time_without_padding() {
        auto const by_time = transpose<1, 0, 2>(X{});
        if constexpr (How::has_lengths) {
            using namespace literals;
            using N = decltype(as_index(typename How::lengths{}));
            using running = node<with_shape<op::running_rows, shape{1, {value_of<X>.dims.extents[1]}}>, N>;
            return select(expand_dims<-1>(running{}), by_time, 0_c);
        } else return by_time;
    }
    /// x w + b for all time steps.
    static constexpr auto input() {
        auto const by_time = dropped(in_order_read<How>(by_time_without_padding()));
        if constexpr (How::is_shared) return matmul(by_time, w) + b;
        else return apply<op::dense>(by_time, w, b);
    }
    template<class A>
    static constexpr auto dropped(A const& by_time) {
        if constexpr (Kind::options.dropout == 0) return by_time;
        else {
            constexpr shape of_mask{3, {static_extent(1), value_of<X>.dims.extents[0], static_extent(features)}};
            constexpr auto rate = std::bit_cast<std::uint64_t>(double{Kind::options.dropout});
            return in_training(by_time * dropout_mask<join_names<Name, "dropout">(), rate, How::is_shared, element, of_mask>(), by_time);
        }
    }
    static constexpr bool has_mask = Kind::options.recurrent_dropout != 0;
    static constexpr auto mask_of_state() {
        constexpr shape of_mask{2, {value_of<X>.dims.extents[0], static_extent(Kind::outputs)}};
        constexpr auto rate = std::bit_cast<std::uint64_t>(double{Kind::options.recurrent_dropout});
        return dropout_mask<join_names<Name, "recurrent_dropout">(), rate, How::is_shared, element, of_mask>();
    }
    template<class... S, std::size_t... K>
    static constexpr auto start(nn::states_argument<S...>, std::index_sequence<K...>) {
        constexpr extent rows = value_of<X>.dims.extents[0];
        if constexpr (sizeof...(S) > 0) return carry(S{}...);
        else return carry(repeated_to<shape{2, {rows, static_extent(Kind::state_width(K))}}>(constant<element, 0>)...);
    }
    template<class... C>
    static constexpr auto with_mask(carry_list<C...> const&) {
        return carry(C{}..., mask_of_state());
    }
    template<bool Masked>
    static constexpr auto loop() {
        using plain = typename Kind::template body<recurrent_variables<Name, Kind, X>, How::sequences>;
        using body = typename named_body<plain, Kind::name, Name, typename How::lengths>::type;
        auto const first = [] {
            constexpr auto all = start(typename How::states{}, std::make_index_sequence<Kind::states>{});
            if constexpr (Masked) return with_mask(all);
            else return all;
        }();
        if constexpr (How::has_lengths) return scan<body>(first.lengths(typename How::lengths{}), input());
        else return scan<body>(first, input());
    }
    /// State K, or the outputs of all time steps. The mask of a dropout is one more state of the loop in training.
    template<int K>
    static constexpr auto output() {
        if constexpr (has_mask) return in_training(std::get<(K < Kind::states ? K : K + 1)>(loop<true>()), std::get<K>(loop<false>()));
        else return std::get<K>(loop<false>());
    }
    template<std::size_t... K>
    static constexpr auto states(std::index_sequence<K...>) {
        return std::tuple{output<static_cast<int>(K)>()...};
    }
};
/// Two directions, whose outputs are side by side.
template<class Forward, class Backward>
struct two_directions : let<two_directions<Forward, Backward>> {
    static constexpr Forward forward{};
    static constexpr Backward backward{};
    static constexpr auto value() { return concat<-1>(forward, backward); }
    static constexpr auto state() { return std::tuple_cat(Forward::state(), Backward::state()); }
};
/// Layers one on top of the other.
template<class... Layer>
struct recurrent_stack : let<recurrent_stack<Layer...>> {
    template<int K>
    static constexpr auto layer = std::get<K>(std::tuple<Layer...>{});
    static constexpr auto value() { return layer<static_cast<int>(sizeof...(Layer)) - 1>; }
    static constexpr auto state() { return std::tuple_cat(Layer::state()...); }
};

template<int First, int Count, class... S>
constexpr auto recurrent_states_from(nn::states_argument<S...>) {
    if constexpr (sizeof...(S) == 0) return nn::states_argument<>{};
    else
        return []<std::size_t... K>(std::index_sequence<K...>) {
            return nn::states_argument<std::tuple_element_t<First + K, std::tuple<S...>>...>{};
        }(std::make_index_sequence<Count>{});
}
template<fixed_string Name, class Kind, class X, bool Sequences, int State, class... A>
constexpr auto both_directions() {
    constexpr bool is_shared = recurrent_arguments<1, A...> > 0, is_backwards = recurrent_arguments<2, A...> > 0;
    using N = typename recurrent_lengths<A...>::type;
    using states = typename recurrent_states<A...>::type;
    using first = decltype(recurrent_states_from<State, Kind::states>(states{}));
    if constexpr (!Kind::options.bidirectional)
        return recurrent_layer<Name, Kind, X, recurrent_direction<Sequences, is_shared, is_backwards, N, first>>{};
    else {
        using second = decltype(recurrent_states_from<State + Kind::states, Kind::states>(states{}));
        using forward =
            recurrent_layer<join_names<Name, "forward">(), Kind, X, recurrent_direction<Sequences, is_shared, is_backwards, N, first>>;
        using backward =
            recurrent_layer<join_names<Name, "backward">(), Kind, X, recurrent_direction<Sequences, is_shared, !is_backwards, N, second>>;
        return two_directions<forward, backward>{};
    }
}
/// Layers from number sizeof...(Layer) on, on top of these.
template<fixed_string Name, class Kind, class X, class... A, class... Layer>
constexpr auto recurrent_stack_from(std::tuple<Layer...>) {
    constexpr int k = sizeof...(Layer), states = Kind::states * (Kind::options.bidirectional ? 2 : 1);
    constexpr bool last = k == Kind::options.layers - 1;
    using layer = decltype(both_directions < join_names<Name, numbered<"layer", k>>(), Kind, X, !last || (recurrent_arguments<0, A...> > 0),
        k * states, A... > ());
    if constexpr (last) return recurrent_stack<Layer..., layer>{};
    else return recurrent_stack_from<Name, Kind, layer, A...>(std::tuple<Layer..., layer>{});
}

enum class recurrent_slip { none, wrong, element, input, sizes, lengths, states, state, rate };
template<class Kind, class X, class... S>
constexpr recurrent_slip slip_of_states(nn::states_argument<S...>) {
    if constexpr (!(Expr<S> && ...)) return recurrent_slip::state;
    else {
        if (((value_of<S>.wrong != fault::none) || ...)) return recurrent_slip::wrong;
        int const all = Kind::states * (Kind::options.bidirectional ? 2 : 1) * Kind::options.layers;
        if (sizeof...(S) == 0) return recurrent_slip::none;
        if (static_cast<int>(sizeof...(S)) != all) return recurrent_slip::states;
        int k = 0;
        auto const fits = [&](value_info const& v) {
            shape const wanted{2, {value_of<X>.dims.extents[0], static_extent(Kind::state_width(k++ % Kind::states))}};
            return v.type == computed_type(value_of<X>.type) && v.dims == wanted;
        };
        return (fits(value_of<S>) && ...) ? recurrent_slip::none : recurrent_slip::state;
    }
}
template<class Kind, class X, class... A>
constexpr recurrent_slip slip_of_recurrent() {
    value_info const& x = value_of<X>;
    if (x.wrong != fault::none) return recurrent_slip::wrong;
    if (!has_gradient(x.type)) return recurrent_slip::element;
    if (x.dims.rank != 3 || !x.dims.extents[2].is_static()) return recurrent_slip::input;
    if (Kind::units < 1 || Kind::outputs < 1 || Kind::options.layers < 1) return recurrent_slip::sizes;
    constexpr auto is_rate = [](double r) { return r >= 0 && r < 1; };
    if (!is_rate(Kind::options.dropout) || !is_rate(Kind::options.recurrent_dropout)) return recurrent_slip::rate;
    using N = typename recurrent_lengths<A...>::type;
    if constexpr (!std::is_void_v<N>) {
        if constexpr (!Expr<N>) return recurrent_slip::lengths;
        else {
            if (value_of<N>.wrong != fault::none) return recurrent_slip::wrong;
            if (!is_integer(value_of<N>.type) || !(value_of<N>.dims == shape{1, {x.dims.extents[0]}})) return recurrent_slip::lengths;
        }
    }
    return slip_of_states<Kind, X>(typename recurrent_states<A...>::type{});
}
template<recurrent_slip Slip>
constexpr void check_recurrent() {
    static_assert(
        Slip != recurrent_slip::element, "xgrad::nn::lstm<name, units>(x), gru, rnn: x is neither float nor double; write cast<float>(x)");
    static_assert(Slip != recurrent_slip::input,
        "xgrad::nn::lstm<name, units>(x), gru, rnn: x is not [batch, time, features] with an integer as its last extent; write transpose, "
        "expand_dims or reshape");
    static_assert(Slip != recurrent_slip::sizes,
        "xgrad::nn::lstm<name, units, options>(x), gru, rnn: units, layers or the projection are less than 1; write at least 1");
    static_assert(Slip != recurrent_slip::rate,
        "xgrad::nn::lstm<name, units, options>(x), gru, rnn: dropout or recurrent_dropout is outside of [0, 1); write lstm_options{.dropout "
        "= 0.2}");
    static_assert(Slip != recurrent_slip::lengths,
        "xgrad::nn::lstm<name, units>(x, lengths(n)), gru, rnn: n is not one integer for each row of x; write input<\"n\", std::int32_t, "
        "batch>");
    static_assert(Slip != recurrent_slip::states,
        "xgrad::nn::lstm<name, units>(x, initial_state(h, c)), gru, rnn: the number of states is another; give h, or h and c of an lstm, for "
        "each layer and direction");
    static_assert(Slip != recurrent_slip::state,
        "xgrad::nn::lstm<name, units>(x, initial_state(h, c)), gru, rnn: a state is not an expression [batch, units] of x's element type; "
        "write broadcast_to<batch, units>(h)");
}
template<fixed_string Name, class Kind, class X, class... A>
constexpr auto recurrent() {
    constexpr auto slip = slip_of_recurrent<Kind, X, A...>();
    check_recurrent<slip>();
    if constexpr (slip != recurrent_slip::none)
        return refused_recurrent<Kind::states*(Kind::options.bidirectional ? 2 : 1) * Kind::options.layers>{};
    else if constexpr (Kind::options.layers == 1) return both_directions<Name, Kind, X, (recurrent_arguments<0, A...> > 0), 0, A...>();
    else return recurrent_stack_from<Name, Kind, X, A...>(std::tuple<>{});
}
template<class... A>
constexpr refused_recurrent<2> refuse_recurrent() {
    static_assert(sizeof...(A) == 0,
        "xgrad::nn::lstm, gru, rnn: name and units are not alone in angle brackets, or an argument is unknown or twice; write lstm<\"name\", "
        "32>(x, return_sequences, lengths(n))");
    return {};
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
