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

// Quotients, rounded down: what divides exactly is divided, nested ones become one, and equal extents are equal however they are written.
template<auto D>
constexpr xg::extent extent_of = xg::make_shape<D>().extents[0];
static_assert(extent_of<(time_axis + 2 - 3) / 2 + 1> == extent_of<(time_axis + 1) / 2>);
static_assert(extent_of<(2 * batch * time_axis + 6) / 2> == extent_of<batch * time_axis + 3>);
static_assert(extent_of<(2 * time_axis + 3) / 2> == extent_of<time_axis + 1>);
static_assert(extent_of<(2 * time_axis + 3) / 4> == extent_of<(time_axis + 1) / 2>);
static_assert(extent_of<3 * time_axis / 2> == extent_of<time_axis + time_axis / 2>);
static_assert(extent_of<((time_axis - 1) / 2 + 2) / 2 - 1> == extent_of<(time_axis - 1) / 4>);
static_assert(extent_of<(time_axis - time_axis / 2 * 2) / 1> == extent_of<time_axis - 2 * (time_axis / 2)>);
static_assert(extent_of<batch*(time_axis / 2)> == extent_of<time_axis / 2 * batch>);
static_assert(extent_of<time_axis*(time_axis / 2) * (time_axis / 3)> == extent_of<time_axis / 3 * (time_axis * (time_axis / 2))>);
static_assert(extent_of<-1 + batch> == extent_of<batch - 1>);
static_assert(extent_of<(batch + 7 - batch) / 2> == xg::static_extent(3));
static_assert(!(extent_of<time_axis / 2> == extent_of<time_axis / 3>));
static_assert(!(extent_of<time_axis / 2> == extent_of<(time_axis + 1) / 2>));
static_assert(!(extent_of<time_axis / 2 * 2> == extent_of<time_axis>));   // odd sizes

// A block of one size holds another one, whatever the dimensions.
template<auto Large, auto Small>
constexpr bool holds = xg::make_shape<Large>().extents[0].dominates(xg::make_shape<Small>().extents[0]);
static_assert(holds<batch + 8, batch + 8> && holds<batch + 8, batch + 1> && !holds<batch + 1, batch + 8>);
static_assert(holds<8, 1> && !holds<1, 8> && holds<batch, 0> && !holds<batch, 1> && !holds<64, batch>);
static_assert(holds<3 * batch, 2 * batch> && !holds<2 * batch, 3 * batch> && !holds<batch, time_axis> && !holds<batch, batch * time_axis>);
static_assert(holds<batch + time_axis, time_axis> && !holds<batch + time_axis - 1, time_axis>);
static_assert(holds<batch, batch - 1> && !holds<batch - 1, 0> && !holds<2 * batch - time_axis, batch>);   // may be negative

// Their values are those of the expression as it is written, for all sizes.
constexpr std::int64_t floor_of(std::int64_t a, std::int64_t n) { return a >= 0 ? a / n : -((-a + n - 1) / n); }
template<auto D, class F>
constexpr bool agrees(F const& f) {
    for (std::int64_t t = 0; t < 50; ++t)
        for (std::int64_t b = 0; b < 4; ++b)
            if (extent_of<D>.evaluate([&](xg::dim_info const& d) { return d.name == "time" ? t : b; }) != f(t, b)) return false;
    return true;
}
static_assert(agrees<(time_axis + 2 - 3) / 2 + 1>([](auto t, auto) { return floor_of(t - 1, 2) + 1; }));
static_assert(agrees<(7 * time_axis - 5) / 3>([](auto t, auto) { return floor_of(7 * t - 5, 3); }));
static_assert(agrees<((time_axis + 4) / 3 - 7) / 5>([](auto t, auto) { return floor_of((t + 4) / 3 - 7, 5); }));
static_assert(agrees<(4 * (time_axis / 3) - 6) / 8>([](auto t, auto) { return floor_of(4 * (t / 3) - 6, 8); }));
static_assert(agrees<batch*((time_axis - 512) / 160 + 1)>([](auto t, auto b) { return b * (floor_of(t - 512, 160) + 1); }));
static_assert(agrees<(time_axis + 1) / 2 * (time_axis / 2) * batch>([](auto t, auto b) { return (t + 1) / 2 * (t / 2) * b; }));

// Extents that cannot be represented report it, and no others do.
static_assert(
    (extent_of<batch * time_axis> / 2).overflow && (extent_of<2 * time_axis> / 3).overflow && (extent_of<time_axis> / 1024).overflow);
static_assert((extent_of<time_axis / 512> / 2).overflow && (extent_of<time_axis> / 0).overflow && !(extent_of<time_axis> / 1023).overflow);
