// SPDX-License-Identifier: MIT
// Arrays of tests/reference/shapes.txt, with their shapes.
#pragma once
#include <support/reference.hpp>
#include <support/tensor.hpp>

#include <initializer_list>
#include <utility>

namespace test {
/// Line `name` of the file: rank, extents, elements.
template<class T>
tensor<T> reference_tensor(char const* name) {
    static auto const lines = read_reference("shapes.txt");
    auto const found = lines.find(name);
    REQUIRE_MESSAGE(found != lines.end(), std::string(name));
    auto number = found->second.begin();
    std::vector<std::int64_t> shape(static_cast<std::size_t>(*number++));
    for (auto& e : shape) e = static_cast<std::int64_t>(*number++);
    tensor<T> r(shape);
    for (std::int64_t i = 0; i < r.size(); ++i) r[i] = static_cast<T>(*number++);
    return r;
}
/// A result against the line `name`.
template<class View>
void check_against(View const& view, char const* name) {
    using T = std::remove_cvref_t<decltype(view[0])>;
    auto const expected = reference_tensor<T>(name);
    bool same = std::vector<std::int64_t>(view.shape().begin(), view.shape().end()) == expected.shape();
    for (std::int64_t i = 0; same && i < expected.size(); ++i)
        same = ulps(static_cast<T>(view[i]), static_cast<long double>(expected[i])) <= 1;
    CHECK_MESSAGE(same, std::string(name));
}
/// All results of a call, in the order of the names.
template<class Results>
void check_all(Results const& results, std::initializer_list<char const*> names) {
    auto name = names.begin();
    REQUIRE(names.size() == std::tuple_size_v<Results>);
    [&]<std::size_t... K>(std::index_sequence<K...>) { (check_against(std::get<K>(results), *name++), ...); }(
        std::make_index_sequence<std::tuple_size_v<Results>>{});
}
}   // namespace test
