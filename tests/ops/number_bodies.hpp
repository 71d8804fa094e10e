// SPDX-License-Identifier: MIT
// Programs whose bodies run in registers, and the same programs with plans for their bodies.
#pragma once

#include <support/function_of.hpp>
#include <support/tensor.hpp>

#include <string>
#include <tuple>

namespace number_bodies {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim time_steps{"time"};

template<class P, int... K>
constexpr bool bodies_in_registers(std::integer_sequence<int, K...>) {
    return sizeof...(K) > 0 && (xg::detail::runs_in_registers<P, K>::value && ...);
}
/// Whether a program has bodies and all of them run in registers.
template<class P>
inline constexpr bool program_in_registers = bodies_in_registers<P>(xg::detail::body_numbers<P>{});
template<class List>
inline constexpr bool all_in_registers = program_in_registers<xg::program<std::remove_const_t<List>>>;

template<class View>
auto copied(View const& view) {
    if constexpr (std::is_arithmetic_v<View>) return std::vector<View>{view};
    else return std::vector<typename View::value_type>(view.begin(), view.end());
}
/// A program in registers, and the same one with plans. Both are called several times, so that their memory is used again.
template<class List>
class both_programs {
    test::function_of<List, true> registers_;
    test::function_of<List, false> planned_;
    static_assert(all_in_registers<List>);
    static_assert(!program_in_registers<typename test::function_of<List, false>::program_type>);

    template<class Compare, class... Bound>
    void compare(Compare const& compare, Bound const&... bound) {
        auto const found = registers_(bound...);
        auto const expected = planned_(bound...);
        [&]<std::size_t... K>(std::index_sequence<K...>) { (compare(K, copied(std::get<K>(found)), copied(std::get<K>(expected))), ...); }(
            std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(found)>>>{});
    }

public:
    explicit both_programs(List list) : registers_(list), planned_(list) {}

    /// Equal bits in all results.
    template<class... Bound>
    void same(Bound const&... bound) {
        compare(
            [](std::size_t which, auto const& found, auto const& expected) {
                CAPTURE(which);
                REQUIRE(found.size() == expected.size());
                for (std::size_t i = 0; i < found.size(); ++i) {
                    auto const a = found[i];
                    auto const b = expected[i];
                    CHECK(((a != a && b != b) || test::same_bits(a, b)));
                }
            },
            bound...);
    }
    /// Equal up to the order of sums.
    template<class T, class... Bound>
    void close(Bound const&... bound) {
        compare(
            [](std::size_t which, auto const& found, auto const& expected) {
                CAPTURE(which);
                REQUIRE(found.size() == expected.size());
                double most = 0;
                for (auto const e : expected) most = std::max(most, std::abs(static_cast<double>(e)));
                for (std::size_t i = 0; i < found.size(); ++i)
                    CHECK(std::abs(static_cast<double>(found[i] - expected[i])) <= 64 * std::numeric_limits<T>::epsilon() * most);
            },
            bound...);
    }
    /// A value_error with this text.
    template<class... Bound>
    void fail(char const* text, Bound const&... bound) {
        CHECK_THROWS_WITH_AS(registers_(bound...), doctest::Contains(text), xg::value_error);
        CHECK_THROWS_WITH_AS(planned_(bound...), doctest::Contains(text), xg::value_error);
    }
};
}   // namespace number_bodies
