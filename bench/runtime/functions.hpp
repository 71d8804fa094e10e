// SPDX-License-Identifier: MIT
// Ordinary functions in double with their gradients, at any size, as one would write them: xgrad's side of hand/functions.hpp. Each has
// its inputs and `all`, the value and the gradients that one xg::function hands out.
#pragma once

#include <xgrad/xgrad.hpp>

namespace ours {
namespace xg = xgrad;
using namespace xg::literals;

template<int Size = 10000>
struct log_sum_exp {
    static constexpr auto x = xg::input<"x", double, Size>;
    static constexpr auto value = xg::log_sum_exp(x);
    static constexpr auto all = xg::outputs(value, std::get<0>(xg::gradients(value, x)));
};

/// What becomes of the mean of the squared errors.
enum class loss { plain, with_term, root };
template<loss Kind>
constexpr auto loss_of(auto e, auto w) {
    if constexpr (Kind == loss::with_term) return e + 0.01_c * xg::sum(xg::square(w));
    else if constexpr (Kind == loss::root) return xg::sqrt(e);
    else return e;
}
template<loss Kind = loss::plain, int Rows = 1000, int Columns = 100>
struct linear_regression {
    static constexpr auto x = xg::input<"x", double, Rows, Columns>;
    static constexpr auto y = xg::input<"y", double, Rows>;
    static constexpr auto w = xg::input<"w", double, Columns>;
    static constexpr auto b = xg::input<"b", double>;
    static constexpr auto error = xg::mean(xg::squared_error(xg::squeeze<1>(xg::matmul(x, xg::expand_dims<1>(w))) + b, y));
    static constexpr auto value = loss_of<Kind>(error, w);
    static constexpr auto gradients = xg::gradients(value, w, b);
    static constexpr auto all = xg::outputs(value, std::get<0>(gradients), std::get<1>(gradients));
};

/// Of any number of points, which are the columns.
template<int Columns = 100>
struct regression_in_columns {
    static constexpr xg::dim points{"points"};
    static constexpr auto x = xg::input<"x", double, Columns, points>;
    static constexpr auto y = xg::input<"y", double, points>;
    static constexpr auto w = xg::input<"w", double, Columns>;
    static constexpr auto b = xg::input<"b", double>;
    static constexpr auto value = xg::mean(xg::squared_error(xg::squeeze<0>(xg::matmul(xg::expand_dims<0>(w), x)) + b, y));
    static constexpr auto gradients = xg::gradients(value, w, b);
    static constexpr auto all = xg::outputs(value, std::get<0>(gradients), std::get<1>(gradients));
};

template<int Points = 1000, int Dimensions = 10, int Components = 25>
struct gaussian_mixture {
    static constexpr auto x = xg::input<"x", double, Points, Dimensions>;
    static constexpr auto a = xg::input<"a", double, Components>;
    static constexpr auto m = xg::input<"m", double, Components, Dimensions>;
    static constexpr auto q = xg::input<"q", double, Components, Dimensions>;
    static constexpr auto t = xg::exp(q) * (xg::expand_dims<1>(x) - m);   // [N][K][d]
    static constexpr auto exponent = a + xg::sum<1>(q) - xg::sum<2>(xg::square(t)) * 0.5_c;
    static constexpr auto value = xg::sum(xg::log_sum_exp<1>(exponent)) - xg::log_sum_exp(a) * xg::constant<double, Points>;
    static constexpr auto gradients = xg::gradients(value, a, m, q);
    static constexpr auto all = xg::outputs(value, std::get<0>(gradients), std::get<1>(gradients), std::get<2>(gradients));
};

template<class U>
constexpr auto ten_operations(U u) {
    auto const t = xg::tanh(u * 0.8_c + 0.3_c);
    auto const l = xg::log(xg::exp(t) + 1_c);
    return xg::sigmoid(xg::sqrt(xg::square(l) + 0.5_c));
}
template<int Size = 1000>
struct chain {
    static constexpr auto x = xg::input<"x", double, Size>;
    static constexpr auto value = xg::sum(ten_operations(ten_operations(x)));
    static constexpr auto all = xg::outputs(value, std::get<0>(xg::gradients(value, x)));
};

}   // namespace ours
