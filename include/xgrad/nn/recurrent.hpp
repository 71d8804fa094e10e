// SPDX-License-Identifier: MIT
// Recurrent layers with their own variables: rnn, lstm, gru.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/nn/recurrent_layer.hpp>

XGRAD_NAMESPACE_BEGIN
namespace nn {

/// Options of rnn, which are written after the units: `rnn<"name", 32, rnn_options{.activation = rnn_activation::relu}>(x)`.
struct rnn_options {
    rnn_activation activation = rnn_activation::tanh;
    int layers = 1;                 // one on top of the other
    bool bidirectional = false;     // a second one reads each row from its end; the outputs of both are side by side
    double dropout = 0;             // of x: the mask of a row is that of all time steps; eval is without it
    double recurrent_dropout = 0;   // of h before the product h u, in the same way
};
/// Options of lstm.
struct lstm_options {
    bool peepholes = false;        // the gates see c, times a variable "Name/peepholes" [3, units]
    std::int64_t projection = 0;   // h is o tanh(c) times a variable "Name/p" [units, projection]; 0: it is o tanh(c)
    int layers = 1;
    bool bidirectional = false;
    double dropout = 0;             // of x: the mask of a row is that of all time steps; eval is without it
    double recurrent_dropout = 0;   // of h before the product h u, in the same way
};
/// Options of gru.
struct gru_options {
    gru_reset reset = gru_reset::after_product;
    int layers = 1;
    bool bidirectional = false;
    double dropout = 0;             // of x: the mask of a row is that of all time steps; eval is without it
    double recurrent_dropout = 0;   // of h before the product h u, in the same way
};

}   // namespace nn

namespace detail {
template<std::int64_t Units, nn::rnn_options Options>
struct rnn_kind {
    static constexpr fixed_string name{"rnn"};
    static constexpr auto const& options = Options;
    static constexpr int gates = 1, states = 1;
    static constexpr std::int64_t units = Units, outputs = Units;
    static constexpr std::int64_t state_width(int) { return Units; }
    template<fixed_string Name, class T>
    struct variables {
        static constexpr recurrent_matrix<Name, T, Units, Units> u{};
    };
    template<class V, bool Emits>
    struct body : region {
        static constexpr auto value(auto h, auto in) {
            auto const next = rnn_cell<Options.activation>(in, h, V::u);
            if constexpr (Emits) return carry(next).emit(next);
            else return carry(next);
        }
        static constexpr auto value(auto h, auto mask, auto in) {
            auto const next = rnn_cell<Options.activation>(in, h * mask, V::u);
            if constexpr (Emits) return carry(next, mask).emit(next);
            else return carry(next, mask);
        }
    };
};
template<std::int64_t Units, nn::lstm_options Options>
struct lstm_kind {
    static constexpr fixed_string name{"lstm"};
    static constexpr auto const& options = Options;
    static constexpr int gates = 4, states = 2;
    static constexpr std::int64_t units = Units, outputs = Options.projection != 0 ? Options.projection : Units;
    static constexpr std::int64_t state_width(int k) { return k == 0 ? outputs : Units; }
    template<fixed_string Name, class T>
    using bias = started_variable<start_at(1, start_form::second_quarter), Name, T, true, 4 * Units>;
    template<class T>
    static constexpr auto unit_forget_bias() {
        std::array<T, static_cast<std::size_t>(4 * Units)> b{};
        for (std::int64_t i = Units; i < 2 * Units; ++i) b[static_cast<std::size_t>(i)] = T(1);
        return b;
    }
    template<fixed_string Name, class T>
    struct recurrent {
        static constexpr recurrent_matrix<Name, T, outputs, 4 * Units> u{};
        /// The start value of b.
        static constexpr auto forget_bias = unit_forget_bias<T>();
    };
    template<class Base, fixed_string Name, class T>
    struct with_peepholes : Base {
        static constexpr variable_type<join_names<Name, "peepholes">(), T, true, 3, Units> peepholes{};
    };
    template<class Base, fixed_string Name, class T>
    struct with_projection : Base {
        static constexpr variable_type<join_names<Name, "p">(), T, true, Units, outputs> p{};
    };
    template<fixed_string Name, class T>
    using seeing = std::conditional_t<Options.peepholes, with_peepholes<recurrent<Name, T>, Name, T>, recurrent<Name, T>>;
    template<fixed_string Name, class T>
    using variables = std::conditional_t<(Options.projection != 0), with_projection<seeing<Name, T>, Name, T>, seeing<Name, T>>;
    template<class V, bool Emits>
    struct body : region {
        template<class Next, class... Mask>
        static constexpr auto next_states(Next const&, Mask... mask) {
            constexpr auto next = Next{};
            auto const h = [&] {
                if constexpr (Options.projection != 0) return matmul(std::get<0>(next), V::p);
                else return std::get<0>(next);
            }();
            if constexpr (Emits) return carry(h, std::get<1>(next), mask...).emit(h);
            else return carry(h, std::get<1>(next), mask...);
        }
        static constexpr auto value(auto h, auto c, auto in) {
            if constexpr (Options.peepholes) return next_states(lstm_cell(in, h, c, V::u, V::peepholes));
            else return next_states(lstm_cell(in, h, c, V::u));
        }
        static constexpr auto value(auto h, auto c, auto mask, auto in) {
            if constexpr (Options.peepholes) return next_states(lstm_cell(in, h * mask, c, V::u, V::peepholes), mask);
            else return next_states(lstm_cell(in, h * mask, c, V::u), mask);
        }
    };
};
template<std::int64_t Units, nn::gru_options Options>
struct gru_kind {
    static constexpr fixed_string name{"gru"};
    static constexpr auto const& options = Options;
    static constexpr int gates = 3, states = 1;
    static constexpr std::int64_t units = Units, outputs = Units;
    static constexpr std::int64_t state_width(int) { return Units; }
    template<fixed_string Name, class T>
    struct recurrent {
        static constexpr recurrent_matrix<Name, T, Units, 3 * Units> u{};
    };
    template<fixed_string Name, class T>
    struct with_bias : recurrent<Name, T> {
        static constexpr variable_type<join_names<Name, "recurrent_b">(), T, true, 3 * Units> recurrent_b{};
    };
    template<fixed_string Name, class T>
    using variables = std::conditional_t<Options.reset == gru_reset::after_product, with_bias<Name, T>, recurrent<Name, T>>;
    template<class V, bool Emits>
    struct body : region {
        static constexpr auto next_of(auto h, auto in) {
            if constexpr (Options.reset == gru_reset::after_product) return gru_cell(in, h, V::u, V::recurrent_b);
            else return gru_cell(in, h, V::u);
        }
        static constexpr auto value(auto h, auto in) {
            auto const next = next_of(h, in);
            if constexpr (Emits) return carry(next).emit(next);
            else return carry(next);
        }
        static constexpr auto masked(auto h, auto mask, auto in) {
            if constexpr (Options.reset == gru_reset::after_product) return gru_of(in, h * mask, h, V::u, V::recurrent_b);
            else return gru_of(in, h * mask, h, V::u);
        }
        static constexpr auto value(auto h, auto mask, auto in) {
            auto const next = masked(h, mask, in);
            if constexpr (Emits) return carry(next, mask).emit(next);
            else return carry(next, mask);
        }
    };
};
}
namespace nn {

/// A simple recurrent network, h = tanh(x w + b + h u) in each time step, over x [batch, time, features]. The result is h after the last
/// time step, [batch, units], or with return_sequences h of all time steps, [batch, time, units]. The variables are "Name/w"
/// [features, units], "Name/u" [units, units] and "Name/b" [units]. The product x w is one product of all time steps.
///
/// Further arguments, in any order:
/// * `return_sequences`;
/// * `lengths(n)`: row i has n[i] time steps, integers [batch] of at least 0 and at most time. After its end the state stays, and
///   outputs are 0. The rest of x is neither read nor differentiated. With length 0 the state is the initial one. Another length is
///   a value_error;
/// * `initial_state(h)`: [batch, units], else zeros. Several layers or directions have one each, in the order of `state()`;
/// * `backwards`: each row is read from its end, and outputs stay in the order of x;
/// * `shared`: the variables are those of another layer of this name.
///
/// Options are those of rnn_options. Several layers are "Name/layer0", "Name/layer1", ...; two directions "Name/forward",
/// "Name/backward". `layer.state()` is the tuple of all states after the last time step: for each layer the forward ones, then the
/// backward ones.
///
/// Dropouts are those of Keras with one mask for all gates: a row has one mask of x and one of h for all time steps. Their random
/// streams are "Name/dropout" and "Name/recurrent_dropout".
///
/// `train.initialize(glorot_uniform{.seed = 1})` is Keras' start: an initializer by fan, such as this one, makes u orthogonal. Another
/// one sets u as every other matrix, and `initial(how, layer.u)` sets it in any case.
///
/// Gradient: that of the operations, of second order too.
template<fixed_string Name, std::int64_t Units, rnn_options Options = rnn_options{}, class X, class... A>
    requires(detail::RecurrentCall<X, A...>)
[[nodiscard("a layer is an expression, which computes nothing alone; give it a name")]] constexpr auto rnn(X const&, A const&...) {
    return detail::recurrent<Name, detail::rnn_kind<Units, Options>, X, A...>();
}
/// A long short-term memory (Hochreiter and Schmidhuber 1997; forget gates by Gers et al. 2000) with Keras' gates i, f, c, o side by
/// side: see lstm_cell. The variables are "Name/w" [features, 4 units], "Name/u" [units, 4 units] and "Name/b" [4 units]. Shapes,
/// results and arguments are those of rnn; options are in lstm_options. Each layer and direction has two states:
/// `initial_state(h, c)`. The forget gates begin open, as in Keras: b is 1 for them and 0 for the others. An initializer for all
/// variables leaves it, and `initial(zeros_initializer{}, layer.b)` closes them. u is as for rnn.
///
/// Gradient: that of the operations, of second order too.
template<fixed_string Name, std::int64_t Units, lstm_options Options = lstm_options{}, class X, class... A>
    requires(detail::RecurrentCall<X, A...>)
[[nodiscard("a layer is an expression, which computes nothing alone; give it a name")]] constexpr auto lstm(X const&, A const&...) {
    return detail::recurrent<Name, detail::lstm_kind<Units, Options>, X, A...>();
}
/// A gated recurrent unit (Cho et al. 2014) with Keras' gates z, r, h side by side: see gru_cell. The variables are "Name/w"
/// [features, 3 units], "Name/u" [units, 3 units] and "Name/b" [3 units]. With the reset gate after the product, the default of Keras,
/// there is also "Name/recurrent_b" [3 units]. Shapes, results and arguments are those of rnn; options are in gru_options.
/// Gradient: that of the operations, of second order too.
template<fixed_string Name, std::int64_t Units, gru_options Options = gru_options{}, class X, class... A>
    requires(detail::RecurrentCall<X, A...>)
[[nodiscard("a layer is an expression, which computes nothing alone; give it a name")]] constexpr auto gru(X const&, A const&...) {
    return detail::recurrent<Name, detail::gru_kind<Units, Options>, X, A...>();
}

// These catch lstm(x, 32), lstm<"name">(x, 32), lstm<"name", 32>(x, n).
#define XGRAD_RECURRENT_MISUSE(layer) \
    template<class X, class... A> \
    constexpr auto layer(X const&, A const&...) { \
        return detail::refuse_recurrent<X, A...>(); \
    } \
    template<fixed_string Name, auto... N, class... A> \
        requires(sizeof...(N) == 0 || !detail::RecurrentCall<A...>) \
    constexpr auto layer(A const&...) { \
        return detail::refuse_recurrent<decltype(Name), A...>(); \
    }
XGRAD_RECURRENT_MISUSE(rnn)
XGRAD_RECURRENT_MISUSE(lstm)
XGRAD_RECURRENT_MISUSE(gru)
#undef XGRAD_RECURRENT_MISUSE

}   // namespace nn
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
