// SPDX-License-Identifier: MIT
// Edit distances: TensorFlow's numbers, lengths outside of their rows, other element types, long rows.
#include <ops/from_tensorflow.hpp>

#include <xgrad/ops/sequences/edit_distance.hpp>

namespace {
namespace xg = xgrad;
using from_tensorflow::known;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim length{"length"};

constexpr auto x = xg::input<"x", std::int32_t, batch, length>;
constexpr auto n = xg::input<"n", std::int32_t, batch>;
constexpr auto y = xg::input<"y", std::int64_t, batch, 5>;
constexpr auto m = xg::input<"m", std::int64_t, batch>;
}

TEST_CASE("edit distances are TensorFlow's, of empty rows too") {
    xg::function f{xg::outputs(xg::edit_distance(x, n, y, m), xg::edit_distance<false>(x, n, y, m))};
    auto const X = known<std::int32_t>("edits.x", {6, 7});
    auto const Y = known<std::int64_t>("edits.y", {6, 5});
    auto N = known<std::int32_t>("edits.x_lengths", {6});
    auto M = known<std::int64_t>("edits.y_lengths", {6});
    auto const check = [&] { from_tensorflow::compare_all({"edits.normalized", "edits.counted"}, f(x = X, n = N, y = Y, m = M), 1e-7); };
    check();
    for (auto& e : {&N[0], &N[2], &N[3]}) *e = *e == 7 ? 100 : -3;
    M[0] = 9, M[4] = -1;
    check();
    // the last row without its second element, and with another first one
    auto const long_x = test::list<std::int32_t>({1, 2, 2, 0, 1, 0, 2, 1, 1, 0}), truth = test::list<std::int32_t>({2, 2, 0, 1, 0});
    test::tensor<std::int64_t> T({1, 5});
    for (std::int64_t i = 0; i < 5; ++i) T[i] = truth[i];
    auto const [normalized, counted] =
        f(x = xg::array(long_x.data(), 1, 10), n = test::list<std::int32_t>({10}), y = T, m = test::list<std::int64_t>({5}));
    CHECK((counted[0] == 5 && normalized[0] == 1));
}
