// SPDX-License-Identifier: MIT
// What a layer function returns for arguments that it refuses.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operands.hpp>

#include <cstddef>
#include <tuple>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// A refused layer. It has the variables of all layers, so that `layer.w` gives no second sentence.
struct refused_layer : refused {
    static constexpr refused w{}, b{}, u{}, p{}, peepholes{}, recurrent_b{}, table{}, gamma{}, beta{}, moving_mean{}, moving_variance{};
    static constexpr refused query_kernel{}, query_bias{}, key_kernel{}, key_bias{}, value_kernel{}, value_bias{}, output_kernel{},
        output_bias{};
};
/// A refused recurrent layer with this number of states.
template<int States>
struct refused_recurrent : refused_layer {
    static constexpr refused_layer forward{}, backward{};
    template<int>
    static constexpr refused_layer layer{};
    static constexpr auto state() {
        return []<std::size_t... K>(std::index_sequence<K...>) { return std::tuple{(static_cast<void>(K), refused{})...}; }(
                   std::make_index_sequence<static_cast<std::size_t>(States > 0 ? States : 0)>{});
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
