// SPDX-License-Identifier: MIT
// GradBench's lstm: the loss of a recurrent net of LSTM cells with diagonal weights, and its gradient.
#include "protocol.hpp"

#include <xgrad/xgrad.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim l{"l"};
inline constexpr xg::dim c{"c"};
inline constexpr xg::dim b{"b"};
constexpr auto main_params = xg::input<"main_params", double, l, 8, b>;   // weights, then biases: forget, in, out, change
constexpr auto extra_params = xg::input<"extra_params", double, 3, b>;
constexpr auto state = xg::input<"state", double, l, 2, b>;
constexpr auto sequence = xg::input<"sequence", double, c, b>;

/// Row I of a matrix.
template<int I>
constexpr auto row(auto matrix) {
    return xg::squeeze<0>(xg::slice<0, I, I + 1>(matrix));
}

struct layer : xg::region {
    static constexpr auto value(auto in, auto hidden, auto cell, auto p) {
        auto const forget = xg::sigmoid(in * row<0>(p) + row<4>(p));
        auto const ingate = xg::sigmoid(hidden * row<1>(p) + row<5>(p));
        auto const outgate = xg::sigmoid(in * row<2>(p) + row<6>(p));
        auto const change = xg::tanh(hidden * row<3>(p) + row<7>(p));
        auto const next_cell = cell * forget + ingate * change;
        auto const next_hidden = outgate * xg::tanh(next_cell);
        return xg::carry(next_hidden).emit(next_hidden, next_cell);
    }
};
struct turn : xg::region {
    static constexpr auto value(auto hidden, auto cell, auto in) {
        auto const [out, next_hidden, next_cell] = xg::scan<layer>(xg::carry(in), hidden, cell, main_params);
        return xg::carry(next_hidden, next_cell).emit(out);
    }
};
constexpr auto in = xg::slice<0, 0, c - 1>(sequence) * row<0>(extra_params);
constexpr auto hidden = xg::squeeze<1>(xg::slice<1, 0, 1>(state));
constexpr auto cell = xg::squeeze<1>(xg::slice<1, 1, 2>(state));
constexpr auto out = std::get<2>(xg::scan<turn>(xg::carry(hidden, cell), in));   // [c - 1, b]
constexpr auto predicted = out * row<1>(extra_params) + row<2>(extra_params);
constexpr auto normalized = predicted - xg::log(xg::sum<1>(xg::exp(predicted), xg::keep_dims) + 2_c);
constexpr auto loss = -xg::mean(xg::slice<0, 1, c>(sequence) * normalized);
constexpr auto slopes = std::apply([](auto... slope) { return xg::outputs(slope...); }, xg::gradients(loss, main_params, extra_params));

struct input {
    std::int64_t l, c, b;
    std::vector<double> main_params, extra_params, state, sequence;
    explicit input(gradbench::json const& j)
        : l(static_cast<std::int64_t>(j.at("main_params").size() / 2)), c(static_cast<std::int64_t>(j.at("sequence").size())),
          b(static_cast<std::int64_t>(j.at("sequence").at(0).size())), main_params(gradbench::flat(j.at("main_params"))),
          extra_params(gradbench::flat(j.at("extra_params"))), state(gradbench::flat(j.at("state"))),
          sequence(gradbench::flat(j.at("sequence"))) {}
    auto operator()(auto& f) const {
        return f(::main_params = xg::array(main_params, l, 8, b), ::extra_params = xg::array(extra_params, 3, b),
            ::state = xg::array(state, l, 2, b), ::sequence = xg::array(sequence, c, b));
    }
};

struct objective {
    input const& given;
    xg::function<decltype(loss)> f{loss};
    double result = 0;

    explicit objective(input const& i) : given(i) { f.reserve(l = i.l, c = i.c, b = i.b); }
    void compute() { result = given(f); }
    gradbench::json output() const { return result; }
};

struct jacobian {
    input const& given;
    xg::function<decltype(slopes)> f{slopes};
    std::vector<double> result;

    explicit jacobian(input const& i) : given(i) { f.reserve(l = i.l, c = i.c, b = i.b); }
    void compute() {
        std::size_t const main_size = given.main_params.size();
        result.resize(main_size + given.extra_params.size());
        std::span<double> const all(result);
        auto fill = f.into(all.first(main_size), all.subspan(main_size));
        given(fill);
    }
    gradbench::json output() const { return result; }
};
}

int main(int argc, char** argv) {
    return gradbench::answer_all(
        argc, argv, {{"objective", gradbench::run<input, objective>}, {"jacobian", gradbench::run<input, jacobian>}});
}
