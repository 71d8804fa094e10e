// SPDX-License-Identifier: MIT
// Functions of several expressions, with the planner on or off.
#pragma once

#include <xgrad/exec/function.hpp>

#include <tuple>

namespace test {
template<class... E>
constexpr auto list_of(std::tuple<E...> const&) {
    return xgrad::expression_list<E...>{};
}
/// The function of an expression_list, planned if `Fuse`.
template<class List, bool Fuse>
using function_of = xgrad::function<List, xgrad::program<List, xgrad::no_updates, xgrad::gating::none, Fuse>>;
}   // namespace test
