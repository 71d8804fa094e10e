// SPDX-License-Identifier: MIT
// Random numbers in a graph: named streams of a counter-based generator, and dropout.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/arithmetic.hpp>
#include <xgrad/ops/exponential.hpp>
#include <xgrad/ops/select.hpp>

#include <concepts>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Uniform numbers in [0, 1) with the shape and element type of the operand. Its values are not read. They depend only
/// on seed, name, step and position.
struct uniform_like {
    static constexpr value_info infer(value_info const* v, int, attributes const&) {
        return {v[0].type, v[0].dims, is_floating(v[0].type) ? fault::none : fault::not_floating};
    }
    static constexpr op_info describe() {
        op_info r = make_op("uniform_like", op_kind::random, infer, nullptr);
        r.flops = 12;
        r.transcendental = true;   // must not be drawn again
        return r;
    }
};
/// The same draws as another uniform_like of this name, for another operand.
struct shared_uniform_like : composite_op {
    static constexpr std::string_view name = "shared_uniform_like";
    static constexpr value_info infer(value_info const* v, int count, attributes const& a) { return uniform_like::infer(v, count, a); }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int count, attributes const& a) {
        return t.add(op_register<uniform_like>::info, x, count, a);
    }
};
/// The elements that a dropout keeps: their uniform number is not below the rate.
struct is_kept : greater_equal {
    static constexpr std::string_view name = "is_kept";
    static constexpr number_bound numbers{.operand = 1, .from = 0, .below = 1};
};
}

namespace nn {
/// Tag of a layer or a random stream: it shares the variables, or the numbers, of another one of its name on another
/// input.
struct shared_tag {};
inline constexpr shared_tag shared{};
}

/// Uniform numbers in [0, 1) with the shape of `x`, from the stream `Name` of Philox4x32-10 (Salmon et al. 2011). They
/// depend only on the seed of the variable store, the name, the global step and the position of the element. Two
/// streams of one program on different inputs need two names. `uniform_like<"name">(x, nn::shared)` requests the same
/// numbers for another input.
/// Gradient: none.
template<fixed_string Name, class A, std::same_as<nn::shared_tag>... Shared>
constexpr auto uniform_like(A const& x, [[maybe_unused]] Shared... shared) {
    using stream = std::conditional_t<(sizeof...(Shared) > 0), op::shared_uniform_like, op::uniform_like>;
    static_assert(detail::fault_of<with<stream, Name>, A>() != fault::not_floating,
        "xgrad::uniform_like<\"name\">(x): x is neither float nor double; write cast<float>(x)");
    return apply<with<stream, Name>>(x);
}
namespace detail {
template<fixed_string Name, fixed_string Part>
inline constexpr auto name_of_part = [] {
    char text[Name.view().size() + Part.view().size() + 1]{};
    for (std::size_t i = 0; i < Name.view().size(); ++i) text[i] = Name.text[i];
    for (std::size_t i = 0; i < Part.view().size(); ++i) text[Name.view().size() + i] = Part.text[i];
    return fixed_string(text);
}();
}
/// Normal numbers of mean 0 and variance 1 with the shape of `x`: √(−2 ln(1 − u)) cos(2πv) (Box and Muller 1958). u and
/// v are the uniform streams `Name/radius` and `Name/angle`. The name has the rules of uniform_like, `nn::shared` too.
/// Gradients with decreasing noise (Neelakantan and others 2015, arXiv 1511.06807; optax.add_noise) are
/// `with_variable(g + scale * normal_like<"noise of w">(g), w)`. The input `scale` then gets
/// annealed_noise{0.01}(train.global_step()).
/// Gradient: none.
template<fixed_string Name, class A, std::same_as<nn::shared_tag>... Shared>
constexpr auto normal_like(A const& x, Shared... shared) {
    using namespace literals;
    constexpr bool floating = detail::fault_of<with<op::uniform_like, Name>, A>() == fault::none;
    static_assert(floating, "xgrad::normal_like<\"name\">(x): x is neither float nor double; write cast<float>(x)");
    if constexpr (!floating) return detail::refused{};
    else
        return sqrt(-2_c * log(1_c - uniform_like<detail::name_of_part<Name, "/radius">>(x, shared...))) *
               cos(6.283185307179586_c * uniform_like<detail::name_of_part<Name, "/angle">>(x, shared...));
}
namespace detail {
template<class R>
consteval bool is_rate() {
    if constexpr (is_literal<R>) return R::number >= 0 && R::number < 1;
    else return true;
}
}
/// Zeroes a share `rate` of the elements and scales the rest by 1 / (1 - rate). The rate is an expression of rank 0: a
/// constant such as 0.5_c or a named scalar input. It must be in [0, 1), as in TensorFlow. A constant is checked by the
/// compiler, an input by each call (value_error). Computed rates, and rates in the body of a loop, are not checked. The
/// name selects the random stream. Two dropouts of one graph need two names, unless one is
/// `dropout<"name">(x, rate, nn::shared)`.
/// Gradient: that of `select(kept, x / (1 - rate), 0)`.
template<fixed_string Name, class A, class R, std::same_as<nn::shared_tag>... Shared>
constexpr auto dropout(A const& x, R const& rate, Shared... shared) {
    using namespace literals;
    constexpr bool floating = detail::fault_of<with<op::uniform_like, Name>, A>() == fault::none;
    static_assert(floating, "xgrad::dropout<\"name\">(x, rate): x is neither float nor double; write cast<float>(x)");
    constexpr bool in_range = detail::is_rate<R>();
    static_assert(
        in_range, "xgrad::dropout<\"name\">(x, rate): rate, the fraction of elements that become 0, is outside of [0, 1); write 0.5_c");
    if constexpr (!Operand<A> || !Operand<R>) return detail::refuse_operand<A, R>();
    else if constexpr (floating && in_range)
        return select(apply<op::is_kept>(uniform_like<Name>(x, shared...), rate), x / (1_c - rate), 0_c);
    else return detail::refused{};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
