// SPDX-License-Identifier: MIT
// An embedding table with its own variable.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/gather.hpp>

XGRAD_NAMESPACE_BEGIN
namespace nn {

/// Rows of the variable "Name/table" [Rows, Width] at ids: the shape is ids.shape + [Width].
template<fixed_string Name, std::int64_t Rows, std::int64_t Width, MemoryElement T, class Ids>
struct embedding_layer : let<embedding_layer<Name, Rows, Width, T, Ids>> {
    static constexpr variable_type<join_names<Name, "table">(), T, true, Rows, Width> table{};
    static constexpr auto value() { return gather(table, Ids{}); }
};

template<fixed_string Name, std::int64_t Rows, std::int64_t Width, MemoryElement T = float, Expr Ids>
constexpr auto embedding(Ids const&) {
    static_assert(value_of<Ids>.wrong != fault::none || is_integer(value_of<Ids>.type),
        "xgrad::nn::embedding<name, rows, width>(ids): ids are not integers; write cast<std::int32_t>(ids)");
    return embedding_layer<Name, Rows, Width, T, Ids>{};
}
// catches embedding(ids, 10, 8), embedding<"e">(ids, 10, 8), embedding<"e", 10>(ids)
template<class Ids, class... A>
constexpr auto embedding(Ids const&, A const&...) {
    static_assert(detail::never<Ids>,
        "xgrad::nn::embedding: name, rows and width are not all in angle brackets; write embedding<\"words\", 1000, 16>(ids)");
    return detail::refused{};
}
template<fixed_string Name, auto... N, class... A>
    requires(sizeof...(N) < 2 || sizeof...(A) != 1 || !(Expr<A> && ...))
constexpr auto embedding(A const&... arguments) {
    return nn::embedding(Name, arguments...);
}

}   // namespace nn
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
