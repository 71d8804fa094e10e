// SPDX-License-Identifier: MIT
// The numbers of tests/reference/indexing.py.
#pragma once
#include <support/reference.hpp>
#include <support/tensor.hpp>

#include <limits>

namespace indexing {
inline std::vector<double> const& reference(std::string const& name) {
    static auto const all = test::read_reference("indexing.txt");
    return all.at(name);
}
template<class T>
test::tensor<T> given(std::string const& name, std::vector<std::int64_t> shape) {
    test::tensor<T> r(std::move(shape));
    for (std::int64_t k = 0; k < r.size(); ++k) r[k] = static_cast<T>(reference(name)[static_cast<std::size_t>(k)]);
    return r;
}
/// The limits of double are those of the element type.
void compare(std::string const& name, auto const& y) {
    CAPTURE(name);
    auto const& e = reference(name);
    REQUIRE(static_cast<std::size_t>(y.size()) == e.size());
    using limits = std::numeric_limits<std::remove_cvref_t<decltype(y.data()[0])>>;
    for (std::size_t k = 0; k < e.size(); ++k)
        if (e[k] == std::numeric_limits<double>::max()) CHECK(y.data()[k] == limits::max());
        else if (e[k] == std::numeric_limits<double>::lowest()) CHECK(y.data()[k] == limits::lowest());
        else CHECK(y.data()[k] == doctest::Approx(e[k]).epsilon(1e-6));
}
}
