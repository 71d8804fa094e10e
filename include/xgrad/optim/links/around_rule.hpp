// SPDX-License-Identifier: MIT
// Shared parts of rules that wrap another rule.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The hyper-parameters of a rule, if it lists any, followed by `own`.
template<class Rule, class... Own>
auto hypers_and(Rule const& rule, Own const&... own) {
    if constexpr (SaysHypers<Rule>) {
        return [&]<std::size_t... K>(std::index_sequence<K...>, auto const& base) {
            return std::array{base[K]..., own...};
        }(std::make_index_sequence<std::tuple_size_v<decltype(rule.hypers())>>{}, rule.hypers());
    } else {
        return std::array{own...};
    }
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
