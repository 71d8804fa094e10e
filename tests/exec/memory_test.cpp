// SPDX-License-Identifier: MIT
// Sizes for which memory is not available: the call fails, and what existed before is unchanged.
#include <support/message_of.hpp>

#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <new>
#include <string>
#include <vector>

namespace xg = xgrad;

namespace {

inline constexpr xg::dim i{"i"};
inline constexpr xg::dim j{"j"};
inline constexpr xg::dim k{"k"};
inline constexpr xg::dim unknown{"unknown"};
constexpr auto a = xg::input<"a", float, i, 1, 1>;
constexpr auto b = xg::input<"b", float, j, 1>;
constexpr auto c = xg::input<"c", float, k>;
constexpr auto all = a * b * c;   // [i, j, k]

std::vector<float> const ones(4000000, 1.0f);

template<class F>
auto call(F& f, std::size_t n) {
    return f(a = xg::array(ones.data(), n, 1, 1), b = xg::array(ones.data(), n, 1), c = xg::array(ones.data(), n));
}
template<class F>
xg::status try_call(F& f, std::size_t n) {
    return f.try_call(a = xg::array(ones.data(), n, 1, 1), b = xg::array(ones.data(), n, 1), c = xg::array(ones.data(), n));
}
template<class F>
void check_result(F& f, std::int64_t n) {
    auto const r = f.result();
    CHECK(r.shape() == std::array<std::int64_t, 3>{n, n, n});
    for (float const x : r) CHECK(x == 1.0f);
}

}   // namespace

TEST_CASE("a size for which there is no memory, again and again") {
    xg::function f{all};
    call(f, 3);
    std::size_t const bytes = f.arena_bytes();
    // 4,000,000^3 does not fit 64 bits; 100,000^3 floats do, but not an address space
    std::vector<std::size_t> sizes{4000000};
#if !XGRAD_SANITIZED   // the sanitizer ends the program where operator new would throw
    sizes.push_back(100000);
#endif
    for (std::size_t const n : sizes)
        for (int turn = 0; turn < 2; ++turn) {
            CHECK_THROWS_AS(call(f, n), std::bad_alloc);
            check_result(f, 3);
            CHECK(try_call(f, n).code == xg::status_code::capacity_exceeded);
            check_result(f, 3);
            auto const number = std::to_string(n);
            CHECK(test::message_of<xg::value_error>([&] { f.reserve(i = n, j = n, k = n); }) ==
                  "xgrad: reserve: no machine has enough memory for i = " + number + ", j = " + number + ", k = " + number);
            check_result(f, 3);
            CHECK(f.arena_bytes() == bytes);
        }
    call(f, 5);
    check_result(f, 5);
    CHECK(try_call(f, 2));
    check_result(f, 2);
}

TEST_CASE("reserve leaves the result of the last call as it is, and refuses what is no size") {
    xg::function f{all};
    f.reserve(i = 4, j = 4, k = 4);
    CHECK(f.arena_bytes() >= 4 * 4 * 4 * sizeof(float));
    call(f, 3);
    f.reserve(i = 2);
    check_result(f, 3);
    CHECK_THROWS_WITH_AS(f.reserve(j = -1), "xgrad: reserve: the dimension \"j\" cannot have -1 elements", xg::value_error);
    CHECK_THROWS_WITH_AS(f.reserve(i = 4, unknown = 4),
        "xgrad: reserve: the program has not all of these named dimensions; it has \"i\", \"j\", \"k\"", xg::binding_error);
    CHECK_THROWS_AS(f.reserve(i = std::numeric_limits<std::int64_t>::max(), j = 2, k = 1), xg::value_error);
    check_result(f, 3);
    CHECK(try_call(f, 4));
}
