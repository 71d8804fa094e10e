// SPDX-License-Identifier: MIT
// mdspans as inputs, results and memory for results. A separate program: it is compiled with a standard library that has them.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <xgrad/mdspan.hpp>
#include <xgrad/xgrad.hpp>

#include <string>
#include <vector>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto t = xg::input<"t", float, 2, batch, 3>;

template<class F>
std::string message_of(F const& f) {
    try {
        f();
    } catch (xg::error const& e) { return e.what(); }
    return "nothing was thrown";
}
std::vector<float> ramp(std::size_t n) {
    std::vector<float> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<float>(i);
    return v;
}
}

TEST_CASE("mdspans go in and out") {
    auto const a = ramp(12);
    std::mdspan<float const, std::extents<int, std::dynamic_extent, 4>> const in(a.data(), 3);
    xg::function f{x * 2_c};
    auto const out = xg::as_mdspan(f(x = in));
    CHECK(out.rank() == 2);
    CHECK(out.extent(0) == 3);
    CHECK(out[2, 1] == 18.0f);
    CHECK(xg::function{xg::sum(x)}(x = std::mdspan(a.data(), 3, 4)) == 66.0f);   // without a name, a view all the same
    CHECK(xg::function{xg::sum(t)}(t = std::mdspan(a.data(), 2, 2, 3)) == 66.0f);
}

TEST_CASE("mdspans that lie otherwise") {
    auto const a = ramp(24);
    xg::function f{xg::sum(x)};
    std::mdspan<float const, std::dextents<int, 2>, std::layout_left> const columns(a.data(), 3, 4);
    CHECK(message_of([&] { f(x = columns); }) ==
          "xgrad: input \"x\": the array is not contiguous and row-major; copy it to a row-major container first (xt::eval, or an explicit "
          "copy)");
    using strided = std::mdspan<float const, std::dextents<int, 2>, std::layout_stride>;
    auto const with_strides = [&](int rows, int outer, int inner) {
        return strided(a.data(), std::layout_stride::mapping(std::dextents<int, 2>(rows, 4), std::array<int, 2>{outer, inner}));
    };
    CHECK(f(x = with_strides(3, 4, 1)) == 66.0f);   // row by row after all
    CHECK(f(x = with_strides(1, 24, 1)) == 6.0f);
    CHECK(message_of([&] { f(x = with_strides(3, 8, 1)); }).find("is not contiguous") != std::string::npos);
    CHECK(message_of([&] { f(x = with_strides(3, 1, 3)); }).find("is not contiguous") != std::string::npos);
    CHECK(message_of([&] { f(x = std::mdspan(a.data(), 4, 3)); }) == "xgrad: input \"x\": axis 1 must have extent 4, the array has 3");
    CHECK(message_of([&] { f(x = std::mdspan(a.data(), 12)); }).find("has rank 2, the array bound to it has rank 1") != std::string::npos);
}

TEST_CASE("results in mdspans") {
    auto const a = ramp(12);
    std::vector<float> out(12);
    xg::function f{x * 2_c};
    f.into(std::mdspan(out.data(), 3, 4))(x = std::mdspan(a.data(), 3, 4));
    CHECK(out[11] == 22.0f);
    std::mdspan<float, std::dextents<int, 2>, std::layout_left> const columns(out.data(), 3, 4);
    CHECK(message_of([&] { f.into(columns)(x = std::mdspan(a.data(), 3, 4)); }) ==
          "xgrad: into(...): array 1 is not contiguous and row-major; results are written row by row, without gaps");
    CHECK(message_of([&] { f.into(std::mdspan(out.data(), 4, 3))(x = std::mdspan(a.data(), 3, 4)); }) ==
          "xgrad: into(...): array 1: axis 0 must have extent 3, as the result that is written into it; it has 4");
}
