// SPDX-License-Identifier: MIT
// Random numbers of more distributions than ops/random.hpp has, choices of classes, permutations. All are functions of uniform
// streams: they depend only on seed, name, step and position.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/over_axes/arg_reduce.hpp>
#include <xgrad/ops/special/erfc.hpp>
#include <xgrad/ops/gather.hpp>
#include <xgrad/ops/random.hpp>
#include <xgrad/ops/rounding.hpp>
#include <xgrad/ops/sort.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// Whether a stream can be drawn with the shape of A.
template<fixed_string Name, class A>
constexpr bool draws_like() {
    if constexpr (!Expr<A>) return false;
    else return fault_of<with<op::uniform_like, Name>, A>() == fault::none && value_of<A>.wrong == fault::none;
}
template<class A>
constexpr auto refuse_draw() {
    if constexpr (!Expr<A>) return refuse_operand<A>();
    else {
        static_assert(is_floating(value_of<A>.type) || value_of<A>.wrong != fault::none,
            "xgrad: the operand of a random number, such as gumbel_like<\"name\">(x) or categorical<\"name\">(logits), is neither float nor "
            "double; write cast<float>(x)");
        return refused{};
    }
}
/// Uniform numbers in (0, 1): the middles of 2^24 or 2^53 intervals.
template<fixed_string Name, class A, class... Shared>
constexpr auto inner_uniform(A const& x, Shared... shared) {
    using namespace literals;
    if constexpr (value_of<A>.type == dtype::float32) return uniform_like<Name>(x, shared...) + 2.98023223876953125e-8_c;
    else return uniform_like<Name>(x, shared...) + 1.11022302462515654e-16_c;
}
}

/// Exponential numbers of mean 1 with the shape of x (float or double): −log(1 − u). For another rate divide by it.
/// Gradient: none.
template<fixed_string Name, class A, std::same_as<nn::shared_tag>... Shared>
constexpr auto exponential_like(A const& x, Shared... shared) {
    if constexpr (!detail::draws_like<Name, A>()) return detail::refuse_draw<A>();
    else return -log1p(-uniform_like<Name>(x, shared...));
}
/// Gumbel's numbers with the shape of x: −log(−log u). The largest of logits plus such numbers is a choice by softmax.
/// Source: Gumbel 1954; Maddison, Mnih, Teh 2017, arXiv 1611.00712.
/// Gradient: none.
template<fixed_string Name, class A, std::same_as<nn::shared_tag>... Shared>
constexpr auto gumbel_like(A const& x, Shared... shared) {
    if constexpr (!detail::draws_like<Name, A>()) return detail::refuse_draw<A>();
    else return -log(-log(detail::inner_uniform<Name>(x, shared...)));
}
/// Logistic numbers with the shape of x: log u − log(1 − u).
/// Gradient: none.
template<fixed_string Name, class A, std::same_as<nn::shared_tag>... Shared>
constexpr auto logistic_like(A const& x, Shared... shared) {
    if constexpr (!detail::draws_like<Name, A>()) return detail::refuse_draw<A>();
    else {
        auto const u = detail::inner_uniform<Name>(x, shared...);
        return log(u) - log1p(-u);
    }
}
/// Laplace's numbers of scale 1 with the shape of x: −sign(u − ½) log(1 − 2 |u − ½|).
/// Gradient: none.
template<fixed_string Name, class A, std::same_as<nn::shared_tag>... Shared>
constexpr auto laplace_like(A const& x, Shared... shared) {
    using namespace literals;
    if constexpr (!detail::draws_like<Name, A>()) return detail::refuse_draw<A>();
    else {
        auto const u = detail::inner_uniform<Name>(x, shared...) - 0.5_c;
        return -(sign(u) * log1p(-2_c * abs(u)));
    }
}
/// Normal numbers of mean 0 and variance 1 that are not beyond ±2, with the shape of x: TensorFlow's truncated_normal,
/// by the inverse of the distribution.
/// Gradient: none.
template<fixed_string Name, class A, std::same_as<nn::shared_tag>... Shared>
constexpr auto truncated_normal_like(A const& x, Shared... shared) {
    using namespace literals;
    if constexpr (!detail::draws_like<Name, A>()) return detail::refuse_draw<A>();
    else return ndtri(0.02275013194817920720_c + 0.95449973610364158560_c * detail::inner_uniform<Name>(x, shared...));
}
/// 1 with probability p and 0 else, in the element type of p (PyTorch's bernoulli): 1 where a uniform number is below p. It
/// is 0 where p is NaN.
/// Gradient: none.
template<fixed_string Name, class A, std::same_as<nn::shared_tag>... Shared>
constexpr auto bernoulli(A const& p, Shared... shared) {
    if constexpr (!detail::draws_like<Name, A>()) return detail::refuse_draw<A>();
    else return cast<cpp_type_t<value_of<A>.type>>(less(uniform_like<Name>(p, shared...), stop_gradient(p)));
}
/// Whole numbers Low ... High − 1 with the shape of x: int32.
/// Gradient: none.
template<fixed_string Name, std::int64_t Low, std::int64_t High, class A, std::same_as<nn::shared_tag>... Shared>
constexpr auto integers_like(A const& x, Shared... shared) {
    constexpr bool range =
        Low < High && Low >= std::numeric_limits<std::int32_t>::min() && High - 1 <= std::numeric_limits<std::int32_t>::max();
    static_assert(range,
        "xgrad::integers_like<\"name\", low, high>(x): low is not below high, or they are not in the range of int32; write "
        "integers_like<\"name\", 0, 10>(x)");
    if constexpr (!Operand<A>) return detail::refuse_operand<A>();
    else if constexpr (!range) return detail::refused{};
    else {
        return cast<std::int32_t>(
            floor(detail::whole_literal<Low> + detail::whole_literal<High - Low> * uniform_like<Name>(cast<double>(x), shared...)));
    }
}
/// A class for each row of logits, drawn with the probabilities softmax(logits): int32 [...] of [..., classes] (TensorFlow's
/// categorical). Logits of −inf are never drawn. In float a probability below 2^−24 is not resolved.
/// Gradient: none.
template<fixed_string Name, class A, std::same_as<nn::shared_tag>... Shared>
constexpr auto categorical(A const& logits, Shared... shared) {
    if constexpr (!detail::draws_like<Name, A>()) return detail::refuse_draw<A>();
    else {
        static_assert(value_of<A>.dims.rank > 0, "xgrad::categorical<\"name\">(logits): logits have no axis; write expand_dims<0>(logits)");
        if constexpr (value_of<A>.dims.rank == 0) return detail::refused{};
        else return argmax<-1>(stop_gradient(logits) + gumbel_like<Name>(logits, shared...));
    }
}
/// A relaxed choice: softmax((logits + Gumbel's numbers) / temperature) over the last axis.
/// Source: Jang, Gu, Poole 2017, arXiv 1611.01144; Maddison, Mnih, Teh 2017, arXiv 1611.00712.
/// Gradient: that of the softmax.
template<fixed_string Name, class A, class T, std::same_as<nn::shared_tag>... Shared>
constexpr auto gumbel_softmax(A const& logits, T const& temperature, Shared... shared) {
    if constexpr (!detail::draws_like<Name, A>()) return detail::refuse_draw<A>();
    else if constexpr (!Operand<T>) return detail::refuse_operand<T>();
    else return softmax((logits + gumbel_like<Name>(logits, shared...)) / temperature);
}
/// The numbers 0 ... N − 1 in a random order: int32 [N]. N is an integer or a named dimension.
/// Gradient: none.
template<fixed_string Name, auto N>
constexpr auto permutation() {
    constexpr bool length = detail::are_extents<N>;
    static_assert(length, "xgrad::permutation<\"name\", n>(): n is not an integer of at least 0, or a named dimension; write "
                          "permutation<\"order\", 10>()");
    if constexpr (!length) return detail::refused{};
    else return argsort(uniform_like<Name>(broadcast_to<N>(constant<double, 0>)));
}
/// The rows of x, along its first axis, in a random order (TensorFlow's random_shuffle).
/// Gradient: the rows of g in their places in x.
template<fixed_string Name, class A>
constexpr auto shuffle(A const& x) {
    if constexpr (!Expr<A>) return detail::refuse_operand<A>();
    else {
        static_assert(value_of<A>.wrong != fault::none || value_of<A>.dims.rank > 0,
            "xgrad::shuffle<\"name\">(x): x has no axis; write expand_dims<0>(x)");
        if constexpr (value_of<A>.wrong != fault::none || value_of<A>.dims.rank == 0) return detail::refused{};
        else {
            constexpr shape rows{1, {value_of<A>.dims.extents[0]}};
            return gather(x, argsort(uniform_like<Name>(detail::repeated_to<rows>(constant<double, 0>))));
        }
    }
}
namespace detail {
template<std::int64_t Range>
inline constexpr bool is_range = Range >= 1 && Range <= std::numeric_limits<std::int32_t>::max();
/// log(Range + 1), which the compiler has no function for.
template<std::int64_t Range, Element T>
constexpr auto log_of_range() {
    return log1p(cast<T>(whole_literal<Range>));
}
}
/// Classes 0 ... Range − 1 for sampled losses, int32 with the shape of x: P(k) = log((k + 2) / (k + 1)) / log(Range + 1). The
/// classes should be sorted by decreasing frequency; a class may be drawn several times (TensorFlow's
/// log_uniform_candidate_sampler(unique=False)). distinct_log_uniform<"name", Range, Draws> draws different ones.
/// Gradient: none.
template<fixed_string Name, std::int64_t Range, class A, std::same_as<nn::shared_tag>... Shared>
constexpr auto log_uniform_like(A const& x, Shared... shared) {
    using namespace literals;
    constexpr bool range = detail::is_range<Range>;
    static_assert(range, "xgrad::log_uniform_like<\"name\", range>(x): the range is not in 1 ... 2^31 - 1; write the number of classes");
    if constexpr (!Operand<A>) return detail::refuse_operand<A>();
    else if constexpr (!range) return detail::refused{};
    else {
        auto const drawn = floor(exp(uniform_like<Name>(cast<double>(x), shared...) * detail::log_of_range<Range, double>())) - 1_c;
        return cast<std::int32_t>(minimum(drawn, detail::whole_literal<Range - 1>));
    }
}
/// The probability with which log_uniform_like<"name", Range> draws the classes `ids`, in element type T. Sampled losses subtract
/// log(count P) from the logits of candidates.
/// Gradient: none.
template<std::int64_t Range, Element T = float, class A>
constexpr auto log_uniform_probability(A const& ids) {
    using namespace literals;
    constexpr bool range = detail::is_range<Range>;
    static_assert(range, "xgrad::log_uniform_probability<range>(ids): the range is not in 1 ... 2^31 - 1; write the number of classes");
    if constexpr (!Operand<A>) return detail::refuse_operand<A>();
    else if constexpr (!range) return detail::refused{};
    else return log1p(1_c / (cast<T>(ids) + 1_c)) / detail::log_of_range<Range, T>();
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
