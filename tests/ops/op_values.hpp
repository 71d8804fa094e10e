// SPDX-License-Identifier: MIT
// Op::value of one element and of a batch, compared with an expected function in long double.
#pragma once
#include <support/tensor.hpp>

#include <cmath>
#include <string>

namespace op_values {
namespace xg = xgrad;
using real = long double;

/// Op::value of a batch whose lanes are the elements from `at` on, by turns.
template<class Op, class T>
std::vector<T> batch_of(test::tensor<T> const& x, std::int64_t at, test::tensor<T> const* y = nullptr) {
    constexpr std::int64_t W = test::width<T>;
    std::vector<T> a(W), b(W), r(W);
    for (std::int64_t l = 0; l < W; ++l) {
        a[static_cast<std::size_t>(l)] = x[(at + l) % x.size()];
        if (y) b[static_cast<std::size_t>(l)] = (*y)[(at + l) % x.size()];
    }
    auto const v = xg::simd::load(a.data());
    if constexpr (requires { Op::value(v, v); }) xg::simd::store(r.data(), Op::value(v, xg::simd::load(b.data())));
    else xg::simd::store(r.data(), Op::value(v));
    return r;
}
template<class T>
bool near(T r, real e, double ulps) {
    bool const tiny = std::abs(e) < static_cast<real>(std::numeric_limits<T>::min());   // may be flushed to 0
    return test::ulps(r, e) <= ulps || (tiny && std::abs(r) <= std::numeric_limits<T>::min());
}
template<class Op, class T, class F>
void check(F const& expected, double ulps, test::tensor<T> const& x, test::tensor<T> const* y = nullptr) {
    std::string const name(Op::name);
    CAPTURE(name);
    for (std::int64_t i = 0; i < x.size(); ++i) {
        CAPTURE(x[i]);
        auto const of = [&](auto const& f) {
            if constexpr (requires { f(x[i]); }) return f(x[i]);
            else return f(x[i], (*y)[i]);
        };
        real const e = of(expected);
        T const one = [&] {
            if constexpr (requires { Op::value(x[i]); }) return static_cast<T>(Op::value(x[i]));
            else return static_cast<T>(Op::value(x[i], (*y)[i]));
        }();
        CAPTURE(static_cast<double>(e));
        CAPTURE(one);
        CHECK(near(one, e, ulps));
        auto const lanes = batch_of<Op>(x, i, y);
        CAPTURE(lanes[0]);
        CHECK(near(lanes[0], e, ulps));
        for (std::int64_t l = 1; l < test::width<T>; ++l) {   // the same element in another lane
            auto const moved = batch_of<Op>(x, (i - l + x.size() * test::width<T>) % x.size(), y);
            CHECK((test::same_bits(moved[static_cast<std::size_t>(l)], lanes[0]) ||
                   (std::isnan(lanes[0]) && std::isnan(moved[static_cast<std::size_t>(l)]))));
        }
    }
}
}   // namespace op_values
