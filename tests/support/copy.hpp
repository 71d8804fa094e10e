// SPDX-License-Identifier: MIT
// The elements of a view, kept while a program writes into its memory.
#pragma once

#include <iterator>
#include <type_traits>
#include <vector>

namespace test {
/// The elements of a view or an array, as numbers of T, or of the type of the view if T is not given.
template<class T = void, class View>
auto copy(View const& view) {
    using own = std::remove_cvref_t<decltype(*std::begin(view))>;
    using number = std::conditional_t<std::is_void_v<T>, own, T>;
    std::vector<number> all;
    for (auto const& element : view) all.push_back(static_cast<number>(element));
    return all;
}
}   // namespace test
