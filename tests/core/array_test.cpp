// SPDX-License-Identifier: MIT
// array: the elements of a range with extents; that they are as many is checked.
#include <support/message_of.hpp>

#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <array>
#include <span>
#include <vector>

namespace xg = xgrad;

TEST_CASE("array: a range with extents is the pointer with extents, if they hold as many elements") {
    std::vector<float> numbers{1, 2, 3, 4, 5, 6};
    auto const a = xg::array(numbers, 2, std::size_t{3});
    static_assert(std::is_same_v<decltype(a), xg::tensor_view<float, 2> const>);
    CHECK(a.data() == numbers.data());
    CHECK(a(1, 0) == 4);
    std::vector<float> const& fixed = numbers;
    static_assert(std::is_same_v<decltype(xg::array(fixed, 6)), xg::tensor_view<float const, 1>>);
    CHECK(xg::array(std::span(fixed).subspan(2), 2, 2)(1, 1) == 6);   // a span may be a temporary
    constexpr auto x = xg::input<"x", float, 2, 3>;
    xg::function doubled{x + x};
    CHECK(doubled(x = xg::array(numbers, 2, 3))(1, 2) == 12);
    std::vector<double> const none;
    CHECK(xg::array(none, 0, 4).size() == 0);
    std::array<int, 4> whole{1, 2, 3, 4};
    CHECK(xg::array(whole, 2, 2)(1, 0) == 3);
}
TEST_CASE("array: other numbers of elements are refused") {
    std::vector<float> const numbers(21);
    CHECK(test::message_of<xg::shape_error>([&] { xg::array(numbers, 5, 4); }) ==
          "xgrad::array(elements, extents...): there are 21 elements, and the extents are [5, 4]");
    CHECK_THROWS_AS(xg::array(numbers, 22), xg::shape_error);
    CHECK_THROWS_AS(xg::array(numbers, -3, -7), xg::shape_error);
    CHECK(test::message_of<xg::shape_error>([&] { xg::array(numbers.data(), -3, 7); }) ==
          "xgrad::array(elements, extents...): an extent is negative: [-3, 7]");
}
