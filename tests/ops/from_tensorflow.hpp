// SPDX-License-Identifier: MIT
// The arrays of tests/reference/from_tensorflow.py, and those of sparse_tensors.py with "sparse:" before their names.
#pragma once
#include <support/reference.hpp>
#include <support/tensor.hpp>

#include <string>

namespace from_tensorflow {
namespace xg = xgrad;
using namespace xg::literals;

inline std::vector<double> const& line(std::string const& name) {
    static auto const all = [] {
        auto r = test::read_reference("from_tensorflow.txt");
        for (auto& [key, numbers] : test::read_reference("sparse_tensors.txt")) r.emplace("sparse:" + key, numbers);
        return r;
    }();
    auto const found = all.find(name);
    REQUIRE_MESSAGE(found != all.end(), name);
    return found->second;
}
template<class T>
test::tensor<T> known(std::string const& name, std::vector<std::int64_t> shape) {
    test::tensor<T> r(std::move(shape));
    std::vector<double> const& numbers = line(name);
    REQUIRE(static_cast<std::int64_t>(numbers.size()) == r.size());
    for (std::int64_t i = 0; i < r.size(); ++i) r[i] = static_cast<T>(numbers[static_cast<std::size_t>(i)]);
    return r;
}
template<class T>
void compare(std::string const& name, T const* result, std::int64_t size, double tolerance) {
    std::vector<double> const& e = line(name);
    REQUIRE(static_cast<std::int64_t>(e.size()) == size);
    double worst = 0;
    for (std::int64_t i = 0; i < size; ++i) {
        auto const is = static_cast<double>(result[i]), should = e[static_cast<std::size_t>(i)];
        double const off = std::abs(is - should) / std::max(1.0, std::abs(should));
        bool const same = is == should || (std::isnan(is) && std::isnan(should));
        if (!(off <= worst) && !same) worst = off;
    }
    CHECK_MESSAGE(worst <= tolerance, name << ": " << worst);
}
template<class Results, std::size_t... K>
void compare_each(std::vector<std::string> const& names, Results const& r, double tolerance, std::index_sequence<K...>) {
    REQUIRE(names.size() == sizeof...(K));
    auto const one = [&](std::string const& name, auto const& view) {
        if constexpr (requires { view.data(); }) compare(name, view.data(), view.size(), tolerance);
        else compare(name, &view, 1, tolerance);
    };
    (one(names[K], std::get<K>(r)), ...);
}
/// The results of a function against lines of the file.
template<class Results>
void compare_all(std::vector<std::string> const& names, Results const& r, double tolerance) {
    compare_each(names, r, tolerance, std::make_index_sequence<std::tuple_size_v<Results>>{});
}
}
