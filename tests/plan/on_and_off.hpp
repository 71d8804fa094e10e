// SPDX-License-Identifier: MIT
// A function with the planner on or off, and its results as numbers.
#pragma once

#include <xgrad/xgrad.hpp>

#include <vector>

namespace on_and_off {
namespace xg = xgrad;

template<bool Fuse, class... E>
auto make(xg::expression_list<E...> list) {
    using L = xg::expression_list<E...>;
    return xg::function<L, xg::program<L, xg::no_updates, xg::gating::none, Fuse>>{list};
}

}   // namespace on_and_off
