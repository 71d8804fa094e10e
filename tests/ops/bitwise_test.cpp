// SPDX-License-Identifier: MIT
// Bits of integers: values with negative numbers, shifts by more than the number of bits, broadcasting.
#include <support/tensor.hpp>

#include <xgrad/ops/bitwise.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
}

TEST_CASE_TEMPLATE("bits of integers", T, std::int32_t, std::int64_t) {
    constexpr auto x = xg::input<"x", T, batch>;
    constexpr auto y = xg::input<"y", T, batch>;
    xg::function f{xg::outputs(xg::bitwise_and(x, y), xg::bitwise_or(x, y), xg::bitwise_xor(x, y), xg::bitwise_not(x), xg::left_shift(x, y),
        xg::right_shift(x, y), xg::bitwise_and(x, 6_c), xg::bitwise_not(xg::bitwise_not(x)))};
    constexpr T bits = sizeof(T) * 8, least = std::numeric_limits<T>::min();
    auto const a = test::list<T>({5, -5, 12, 1, -1, least, 7, -7, 1, -16, 0, 3, 3, 100, -100, 1, 2, -3, 9}),
               b = test::list<T>({3, 3, 10, bits - 1, bits, 1, -1, -1, bits + 1, 2, 5, 0, 1, 4, 4, 2, 1, 1, 3});
    auto const [both, either, one, inverted, left, right, masked, same] = f(x = a, y = b);
    for (std::int64_t i = 0; i < a.size(); ++i) {
        CAPTURE(a[i]);
        CAPTURE(b[i]);
        CHECK(both[i] == (a[i] & b[i]));
        CHECK(either[i] == (a[i] | b[i]));
        CHECK(one[i] == (a[i] ^ b[i]));
        CHECK(inverted[i] == ~a[i]);
        CHECK(masked[i] == (a[i] & 6));
        CHECK(same[i] == a[i]);
        bool const outside = b[i] < 0 || b[i] >= bits;
        auto const number = static_cast<std::make_unsigned_t<T>>(a[i]);
        CHECK(left[i] == (outside ? T(0) : static_cast<T>(number << (outside ? 0 : b[i]))));
        CHECK(right[i] == (outside ? T(a[i] < 0 ? -1 : 0) : static_cast<T>(a[i] >> (outside ? 0 : b[i]))));
    }
}
