// SPDX-License-Identifier: MIT
// Op::value of one number and of a batch, compared with the numbers of tests/reference and with edges.
#pragma once
#include "ops/special_reference.hpp"

#include <tuple>

namespace special {
/// Op::value of x... in lane `lane` of a batch whose other lanes are 0.75.
template<class Op, class T, class... A>
T in_lane(std::int64_t lane, A... x) {
    auto const put = [&](T a) {
        std::vector<T> lanes(static_cast<std::size_t>(test::width<T>), T(0.75));
        lanes[static_cast<std::size_t>(lane)] = a;
        return xg::simd::load(lanes.data());
    };
    return Op::value(put(x)...)[static_cast<std::size_t>(lane)];
}
/// Up to `units` of the last place, and of 1 if `absolute`. Numbers below the normal ones may be 0.
template<class T>
bool near(T found, double expected, double units, bool absolute) {
    double const epsilon = static_cast<double>(std::numeric_limits<T>::epsilon()), size = std::abs(expected);
    T const want = static_cast<T>(expected);
    if (found == want || (std::isnan(found) && std::isnan(want))) return true;
    if (size < static_cast<double>(std::numeric_limits<T>::min())) return std::abs(found) <= std::numeric_limits<T>::min();
    return std::abs(static_cast<double>(found) - expected) <= units * epsilon * (absolute ? std::max(1.0, size) : size);
}
// Not in `check_point`: doctest's macros would be compiled again for each operation.
inline void check_near(std::string const& name, double x, double expected, double found, bool is_near) {
    CAPTURE(name);
    CAPTURE(x);
    CAPTURE(expected);
    CAPTURE(found);
    CHECK(is_near);
}
template<class Op, class T, class... A>
void check_point(double expected, double units, bool absolute, std::int64_t lane, A... x) {
    std::string const name(Op::name);
    T const one = Op::value(x...), lanes = in_lane<Op, T>(lane, x...);
    double const last = static_cast<double>(std::get<sizeof...(A) - 1>(std::tuple(x...)));
    check_near(name, last, expected, static_cast<double>(one), near(one, expected, units, absolute));
    check_near(name, last, expected, static_cast<double>(lanes), near(lanes, expected, units, absolute));
}
template<class Op, class T>
void check_table(double units, bool absolute = false) {
    std::string const name(Op::name);
    auto const &x = reference(name + ".x"), &values = reference(name);
    for (std::size_t i = 0; i < x.size(); ++i) {
        auto const lane = static_cast<std::int64_t>(i) % test::width<T>;
        auto const of = [&](char const* axis) { return static_cast<T>(reference(name + axis)[i]); };
        if constexpr (requires(T a) { Op::value(a); }) check_point<Op, T>(values[i], units, absolute, lane, of(".x"));
        else if constexpr (requires(T a) { Op::value(a, a); }) check_point<Op, T>(values[i], units, absolute, lane, of(".x"), of(".y"));
        else check_point<Op, T>(values[i], units, absolute, lane, of(".x"), of(".y"), of(".z"));
    }
}
template<class Op, class T, class... A>
void is(double expected, A... x) {
    check_point<Op, T>(expected, 4, false, test::width<T> - 1, static_cast<T>(x)...);
}
}   // namespace special
