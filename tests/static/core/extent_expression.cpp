// SPDX-License-Identifier: MIT
// Extents written with named dimensions and numbers; numbered names.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim time_axis{"time"};

constexpr auto x = xg::input<"x", float, batch, time_axis, 16>;
constexpr auto flat = xg::reshape<batch * time_axis, 16>(x);
constexpr auto halves = xg::reshape<time_axis * batch * 2, 8>(x);
constexpr auto padded = xg::input<"padded", float, batch + 1, 16>;

template<class E>
constexpr xg::extent first(E const&) {
    return xg::value_of<E>.dims.extents[0];
}
static_assert(xg::value_of<decltype(flat)>.wrong == xg::fault::none);
static_assert(xg::value_of<decltype(halves)>.wrong == xg::fault::none);
static_assert(first(flat) == first(xg::reshape<time_axis * batch, 16>(x)));
static_assert(first(halves) == first(xg::reshape<2 * (batch * time_axis), 8>(x)));
static_assert(first(xg::concat<0>(xg::input<"one", float, 1, 16>, xg::input<"y", float, batch, 16>)) == first(padded));
static_assert(first(xg::input<"z", float, 1 + batch>) == first(padded));
static_assert(!(first(xg::input<"z", float, batch + 2>) == first(padded)));
static_assert(xg::make_shape<batch * 0 + 3>().is_static());

static_assert(xg::numbered<"layer", 0>.view() == "layer0");
static_assert(xg::numbered<"layer", 90>.view() == "layer90");
static_assert(xg::numbered<"", 1234>.view() == "1234");
