// SPDX-License-Identifier: MIT
// Small arrays, reference loops and comparisons for the tests of operations.
#pragma once

#include <doctest/doctest.h>

#include <support/same_bits.hpp>

#include <xgrad/core/random.hpp>
#include <xgrad/xgrad.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <valarray>
#include <vector>

namespace test {
namespace xg = xgrad;

/// A row-major array with the interface of a container that has a shape; also of bool.
template<class T>
class tensor {
    std::valarray<T> elements_;
    std::vector<std::int64_t> shape_;

public:
    using value_type = T;
    explicit tensor(std::vector<std::int64_t> shape, T fill = T(0))
        : elements_(fill, static_cast<std::size_t>(std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>{}))),
          shape_(std::move(shape)) {}
    std::vector<std::int64_t> const& shape() const { return shape_; }
    std::int64_t size() const { return static_cast<std::int64_t>(elements_.size()); }
    T const* data() const { return std::begin(elements_); }
    T* data() { return std::begin(elements_); }
    T& operator[](std::int64_t i) { return elements_[static_cast<std::size_t>(i)]; }
    T const& operator[](std::int64_t i) const { return elements_[static_cast<std::size_t>(i)]; }
    T const* begin() const { return data(); }
    T const* end() const { return data() + size(); }
};

/// Numbers in [low, high) that depend on the seed and their position.
template<class T>
tensor<T> numbers(std::vector<std::int64_t> shape, double low = -1, double high = 1, std::uint64_t seed = 1) {
    tensor<T> r(std::move(shape));
    for (std::int64_t i = 0; i < r.size(); ++i)
        r[i] = static_cast<T>(
            low + (high - low) * static_cast<double>(xg::mix_bits(seed * 7919 + static_cast<std::uint64_t>(i)) >> 11) * 0x1p-53);
    return r;
}
template<class T>
tensor<T> list(std::initializer_list<T> values) {
    tensor<T> r({static_cast<std::int64_t>(values.size())});
    std::copy(values.begin(), values.end(), r.data());
    return r;
}

/// The element of `t` that broadcasting puts at `index` (of the last axes of `shape`).
template<class T>
T broadcast_at(tensor<T> const& t, std::vector<std::int64_t> const& shape, std::int64_t flat) {
    std::vector<std::int64_t> index(shape.size());
    for (std::size_t d = shape.size(); d-- > 0;) {
        index[d] = flat % shape[d];
        flat /= shape[d];
    }
    std::int64_t at = 0;
    std::size_t const shift = shape.size() - t.shape().size();
    for (std::size_t d = 0; d < t.shape().size(); ++d) at = at * t.shape()[d] + (t.shape()[d] == 1 ? 0 : index[d + shift]);
    return t[at];
}

/// |a - e| in units of the last place of e in type T (at least of the smallest normal number); 0 for equal infinities and for two NaN.
template<class T>
double ulps(T a, long double e) {
    if (std::isnan(a) || std::isnan(e)) return std::isnan(a) && std::isnan(e) ? 0 : std::numeric_limits<double>::infinity();
    if (static_cast<long double>(a) == e || a == static_cast<T>(e)) return 0;
    if (std::isinf(a) || std::isinf(static_cast<T>(e))) return std::numeric_limits<double>::infinity();
    long double const size = std::max(std::abs(e), static_cast<long double>(std::numeric_limits<T>::min()));
    return static_cast<double>(
        std::abs(static_cast<long double>(a) - e) / std::exp2(std::floor(std::log2(size))) * (sizeof(T) == 4 ? 0x1p23L : 0x1p52L));
}
// The part of the checks below that does not depend on types, in support.cpp.
void check_worst_of_each(char const* what, std::int64_t where, double value, double expected, double worst, double allowed);
void check_worst(char const* what, double worst, double allowed);

/// All elements of a result against `expected(i)`.
template<class View, class F>
void check_each(char const* what, View const& view, F const& expected, double allowed) {
    using T = std::remove_cvref_t<decltype(view[0])>;
    double worst = 0;
    std::int64_t where = 0;
    for (std::int64_t i = 0; i < view.size(); ++i) {
        double const u = ulps(static_cast<T>(view[i]), expected(i));
        if (!(u <= worst)) {
            worst = u;
            where = i;
        }
    }
    if (view.size() > 0)
        check_worst_of_each(what, where, static_cast<double>(view[where]), static_cast<double>(expected(where)), worst, allowed);
}
/// |a - e| <= tolerance max(1, |e|).
template<class View, class F>
void check_near(char const* what, View const& view, F const& expected, double tolerance) {
    double worst = 0;
    for (std::int64_t i = 0; i < view.size(); ++i) {
        long double const e = expected(i);
        double const off = static_cast<double>(std::abs(static_cast<long double>(view[i]) - e) / std::max(1.0L, std::abs(e)));
        bool const equal = static_cast<long double>(view[i]) == e || (std::isnan(view[i]) && std::isnan(e));
        if (!(off <= worst) && !equal) worst = off;
    }
    check_worst(what, worst, tolerance);
}
/// Lanes of one batch.
template<class T>
inline constexpr std::int64_t width = static_cast<std::int64_t>(xg::simd::width<T>);

}   // namespace test
