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
// Not in `check`: doctest's macros would be compiled again for each operation.
template<class T>
void check_results(std::string const& name, T x, T one, T lane, double expected, bool one_is_near, bool lane_is_near) {
    CAPTURE(name);
    CAPTURE(x);
    CAPTURE(expected);
    CAPTURE(one);
    CHECK(one_is_near);
    CAPTURE(lane);
    CHECK(lane_is_near);
}
template<class T>
void check_moved(std::string const& name, T x, T moved, T lane) {   // the same element in another lane
    CAPTURE(name);
    CAPTURE(x);
    CHECK((test::same_bits(moved, lane) || (std::isnan(lane) && std::isnan(moved))));
}
template<class Op, class T, class F>
void check(F const& expected, double ulps, test::tensor<T> const& x, test::tensor<T> const* y = nullptr) {
    std::string const name(Op::name);
    for (std::int64_t i = 0; i < x.size(); ++i) {
        auto const of = [&](auto const& f) {
            if constexpr (requires { f(x[i]); }) return f(x[i]);
            else return f(x[i], (*y)[i]);
        };
        real const e = of(expected);
        T const one = [&] {
            if constexpr (requires { Op::value(x[i]); }) return static_cast<T>(Op::value(x[i]));
            else return static_cast<T>(Op::value(x[i], (*y)[i]));
        }();
        auto const lanes = batch_of<Op>(x, i, y);
        check_results(name, x[i], one, lanes[0], static_cast<double>(e), near(one, e, ulps), near(lanes[0], e, ulps));
        for (std::int64_t l = 1; l < test::width<T>; ++l)
            check_moved(
                name, x[i], batch_of<Op>(x, (i - l + x.size() * test::width<T>) % x.size(), y)[static_cast<std::size_t>(l)], lanes[0]);
    }
}
}   // namespace op_values
