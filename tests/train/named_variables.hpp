// SPDX-License-Identifier: MIT
// A model of variables with named dimensions, and the same with sizes that the compiler knows.
#pragma once

#include <support/copy.hpp>
#include <support/tensor.hpp>

#include <xgrad/inspect/describe.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace named_variables {
namespace xg = xgrad;
using namespace xg::literals;
using test::copy;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim features{"features"};
inline constexpr xg::dim width{"width"};

inline constexpr auto x = xg::input<"x", float, batch, features>;
inline constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
inline constexpr auto y = xg::input<"y", float, batch>;

/// The same model with sizes that a call does not know and with sizes that the compiler knows.
template<auto Features, auto Width>
struct model {
    static constexpr auto in = xg::input<"x", float, batch, Features>;
    static constexpr auto w = xg::variable<"w", float, Features, Width>;
    static constexpr auto b = xg::variable<"b", float, Width>;
    static constexpr auto table = xg::variable<"table", float, Features, Width>;
    static constexpr auto v = xg::variable<"v", float, Width, 1>;
    static constexpr auto hidden = xg::tanh(xg::matmul(in, w) + b) * xg::gather(table, ids);
    static constexpr auto loss = xg::mean(xg::squared_error(xg::squeeze<1>(xg::matmul(hidden, v)), y));
};
using named = model<features, width>;
using fixed = model<11, 5>;

struct data {
    test::tensor<float> in = test::numbers<float>({7, 11});
    test::tensor<std::int32_t> rows = test::list<std::int32_t>({0, 10, 3, 3, 7, 0, 9});
    test::tensor<float> out = test::numbers<float>({7}, -1, 1, 3);
};
template<class M, class T>
float step(T& train, data const& d) {
    return train(M::in = d.in, ids = d.rows, y = d.out);
}
template<class A, class B>
void near(A const& a, B const& b) {
    REQUIRE(a.size() == b.size());
    for (std::int64_t i = 0; i < a.size(); ++i) CHECK(a[i] == doctest::Approx(b[i]).epsilon(1e-4));
}

}   // namespace named_variables
