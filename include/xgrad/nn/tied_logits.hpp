// SPDX-License-Identifier: MIT
// Logits over the rows of an embedding table: the weights of the first and of the last layer are tied.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/nn/embedding.hpp>
#include <xgrad/ops/matmul.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {
template<class E>
inline constexpr bool is_faulty_operand = false;
template<Expr E>
inline constexpr bool is_faulty_operand<E> = value_of<E>.wrong != fault::none;
}
namespace nn {

/// matmul<false, true>(h, table) of h [..., width] with the table [rows, width] of nn::embedding: [..., rows], the logits of all rows
/// (Press and Wolf 2017; Inan and others 2017). `tied_logits(h, words)` has no variables, and `words` is the embedding:
///
///     constexpr auto words = xg::nn::embedding<"words", 1000, 16>(ids);
///     constexpr auto logits = xg::nn::tied_logits(hidden(words), words);
///
/// Gradient: the table gets that of both uses, which is dense.
template<class H, class E>
constexpr auto tied_logits(H const& h, E const& embedding) {
    constexpr bool table = requires { E::table; }, wrong = detail::is_faulty_operand<E>;
    static_assert(table || wrong || !Expr<H>,
        "xgrad::nn::tied_logits(h, words): words is not an nn::embedding; write the expression that nn::embedding<...>(ids) returned");
    if constexpr (!Expr<H>) return detail::refuse_operand<H>();
    else if constexpr (!table || wrong) return static_cast<void>(embedding), detail::refused{};
    else {
        constexpr bool fits = [] {
            constexpr value_info v = value_of<H>;
            if (v.wrong != fault::none) return true;
            return v.dims.rank >= 2 && v.dims.extents[v.dims.rank - 1] == value_of<decltype(E::table)>.dims.extents[1] &&
                   v.type == computed_type(value_of<decltype(E::table)>.type);
        }();
        static_assert(fits,
            "xgrad::nn::tied_logits(h, words): h is not [..., width] in the width and element type of the embedding; write a dense layer of "
            "that width before");
        if constexpr (fits) return matmul<false, true>(h, E::table);
        else return detail::refused{};
    }
}

}   // namespace nn
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
