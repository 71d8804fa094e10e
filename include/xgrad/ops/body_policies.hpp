// SPDX-License-Identifier: MIT
// The base of a body, how a body is run for its gradient, and its name.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/extent.hpp>
#include <xgrad/meta/type_name.hpp>

#include <string_view>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN

/// Base of the bodies of loops, calls and branches. Example:
///
///     struct cell : xgrad::region {
///         static constexpr auto value(auto h, auto x) {
///             auto const next = xgrad::tanh(xgrad::matmul(h, w) + x);
///             return xgrad::carry(next).emit(next);
///         }
///     };
///     auto const [last, all] = xgrad::scan<cell>(xgrad::carry(start), sequence);
///
/// A body depends on its type, and on the element types and extents of its parameters. Equal bodies have one plan and
/// one set of kernels, however often they are used.
struct region {};

namespace detail {
struct recomputes {};
template<class R>
inline constexpr bool keeps_values = !__is_base_of(recomputes, R);
}
/// A body that runs again for its gradient: `call<recompute<block>>(x, w)`, `layers<12, recompute<block>>(x, w)`. It takes
/// less memory and more time, because only its arguments are kept, and the carries of a loop. Without it, the values that
/// the gradient reads are kept too, if they cost more than reading memory: products, reductions, functions such as exp.
/// Like jax.checkpoint(block).
template<class Body>
struct recompute : Body, detail::recomputes {
    constexpr recompute() = default;
    /// Refused: the body is an argument of call.
    template<class... A>
        requires(sizeof...(A) > 0)
    constexpr recompute(A const&...) {
        static_assert(sizeof...(A) == 0,
            "xgrad::recompute<body>(x...): recompute is a body for call, layers and loops; write call<recompute<body>>(x...)");
    }
};

/// The body of a loop that keeps its carries only before each `Every` iterations, for its gradient:
/// `scan<gradient_checkpoints<cell, 16>>(carry(start), sequence)`, `layers<64, gradient_checkpoints<block, 8>>(x, w)`. The
/// backward pass runs `Every` iterations again, from the last to the first, and keeps what they keep. With `Every` near
/// the root of the number of iterations, which may be any number, memory grows as that root. The time is that of one more
/// forward pass. Values and gradients are those of `Body`. Source: Chen et al. 2016, "Training deep nets with sublinear
/// memory cost", arXiv:1604.06174.
template<class Body, int Every>
struct gradient_checkpoints : Body {
    constexpr gradient_checkpoints() = default;
    /// Refused: the body is an argument of a loop.
    template<class... A>
        requires(sizeof...(A) > 0)
    constexpr gradient_checkpoints(A const&...) {
        static_assert(sizeof...(A) == 0, "xgrad::gradient_checkpoints<body, k>(x...): gradient_checkpoints is a body for loops; write "
                                         "scan<gradient_checkpoints<body, k>>(carry(start...), x...)");
    }
};

namespace detail {
/// The distance of the checkpoints of R, or 0, and the body between them.
template<class R>
struct checkpoints_of {
    static constexpr int every = 0;
    using body = R;
};
template<class Body, int Every>
struct checkpoints_of<gradient_checkpoints<Body, Every>> {
    static constexpr int every = Every < 1 ? 1 : Every;
    static constexpr bool good = Every >= 1;
    using body = Body;
};
template<class Body, int Every>
struct checkpoints_of<recompute<gradient_checkpoints<Body, Every>>> : checkpoints_of<gradient_checkpoints<recompute<Body>, Every>> {};
template<class R>
inline constexpr bool has_checkpoints = checkpoints_of<R>::every > 0;
/// New, with the checkpoints of R.
template<class R, class New>
struct checkpoints_like {
    using type = New;
};
template<class R, class New>
    requires has_checkpoints<R>
struct checkpoints_like<R, New> {
    using type = gradient_checkpoints<New, checkpoints_of<R>::every>;
};
/// The iterations of the same loop that come before those of the body R. Random numbers depend on it.
template<class R>
inline constexpr extent turns_before = static_extent(0);
/// All iterations of that loop, or 0 where R has all of them.
template<class R>
inline constexpr extent turns_in_all = static_extent(0);

/// The base of a body that runs R.
template<class R>
using base_like = std::conditional_t<keeps_values<R>, region, recompute<region>>;
/// The body of the user that R runs, for errors.
template<class R>
struct body_of_user {
    using type = R;
};
template<class Body, int Every>
struct body_of_user<gradient_checkpoints<Body, Every>> : body_of_user<Body> {};
/// The name of that body for errors: its own `body_name`, which layers have, or that of its type.
template<class R>
consteval std::string_view name_of_body() {
    using body = typename body_of_user<R>::type;
    if constexpr (requires { requires std::is_same_v<decltype(body::body_name), std::string_view const>; }) return body::body_name;
    else return name_of_type<body>();
}
}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
