// SPDX-License-Identifier: MIT
// Slices at computed places, reversed sequences and partitions: kernels against loops over elements, JAX's numbers, gradients.
#include "shapes_reference.hpp"
#include <support/tensor.hpp>

#include <xgrad/ops/partition.hpp>
#include <xgrad/ops/windows.hpp>
#include <xgrad/train/check_gradients.hpp>

#include <algorithm>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim time_dim{"time"};

/// Runs a kernel in parts of `step` iterations.
void in_parts(std::int64_t turns, std::int64_t step, auto run) {
    for (std::int64_t first = 0; first < turns; first += step) run(xg::kernel_part{first, std::min(first + step, turns), nullptr, nullptr});
}
template<class T, int R>
xg::tensor_view<T const, R> view(test::tensor<T> const& t) {
    std::array<std::int64_t, R> s{};
    std::copy(t.shape().begin(), t.shape().end(), s.begin());
    return {t.data(), s};
}
template<class T, int R>
xg::tensor_view<T, R> view(test::tensor<T>& t) {
    return {t.data(), view<T, R>(std::as_const(t)).shape()};
}
/// The index of each element of a window in the array.
template<int R>
std::vector<std::int64_t> places(
    std::vector<std::int64_t> const& array, std::vector<std::int64_t> const& window, std::array<std::int64_t, R> const& start) {
    std::vector<std::int64_t> r{0};
    for (std::size_t a = 0; a < static_cast<std::size_t>(R); ++a) {
        std::vector<std::int64_t> next;
        std::int64_t const s = start[a] < 0 ? start[a] + array[a] : start[a],
                           first = std::max<std::int64_t>(0, std::min(s, array[a] - window[a]));
        for (std::int64_t const p : r)
            for (std::int64_t k = 0; k < window[a]; ++k) next.push_back(p * array[a] + first + k);
        r = next;
    }
    return r;
}
template<int R>
void check_windows(
    std::vector<std::int64_t> const& array, std::vector<std::int64_t> const& window, std::array<std::int64_t, R> const& start) {
    using T = std::int32_t;
    auto const x = test::numbers<T>(array, 0, 1e6), u = test::numbers<T>(window, -1e6, 0, 3);
    auto const where = places<R>(array, window, start);
    test::tensor<std::int64_t> starts({static_cast<std::int64_t>(R)});
    std::copy(start.begin(), start.end(), starts.data());
    bool good = true;
    for (std::int64_t step : {1, 2, 100}) {
        test::tensor<T> y(window, -5);
        in_parts(window[0], step, [&](xg::kernel_part const& part) {
            xg::op::dynamic_slice::run(part, view<T, R>(x), view<std::int64_t, 1>(std::as_const(starts)), view<T, R>(y));
        });
        for (std::int64_t i = 0; i < y.size(); ++i) good = good && y[i] == x[where[static_cast<std::size_t>(i)]];
    }
    test::tensor<T> y(array, -5), z(array, -5), updated = x, zeros(array);
    for (std::int64_t i = 0; i < u.size(); ++i)
        updated[where[static_cast<std::size_t>(i)]] = zeros[where[static_cast<std::size_t>(i)]] = u[i];
    for (std::int64_t step : {2, 100})
        in_parts(array[0], step, [&](xg::kernel_part const& part) {
            auto const at = view<std::int64_t, 1>(std::as_const(starts));
            xg::op::dynamic_update_slice::run(part, view<T, R>(x), view<T, R>(u), at, view<T, R>(y));
            xg::op::window_in_zeros::run(part, view<T, R>(u), at, view<T, R>(z));
        });
    for (std::int64_t i = 0; i < y.size(); ++i) good = good && y[i] == updated[i] && z[i] == zeros[i];
    CHECK(good);
}
}

TEST_CASE("windows of arrays with one to six axes") {
    for (std::int64_t s : {-9, -2, 0, 1, 3, 50}) {
        check_windows<1>({7}, {3}, {s});
        check_windows<1>({7}, {7}, {s});
        check_windows<1>({7}, {0}, {s});
        check_windows<1>({0}, {0}, {s});
        check_windows<2>({5, 6}, {5, 4}, {0, s});
        check_windows<2>({5, 6}, {2, 6}, {s, s});
        check_windows<2>({5, 6}, {3, 0}, {s, 0});
        check_windows<3>({4, 5, 3}, {2, 3, 2}, {s, 1, s});
        check_windows<3>({4, 5, 3}, {4, 2, 3}, {0, s, 0});
        check_windows<4>({3, 4, 5, 2}, {2, 3, 5, 1}, {1, s, 0, s});
        check_windows<4>({3, 4, 5, 2}, {3, 4, 2, 2}, {1, s, s, 0});
        check_windows<6>({2, 3, 2, 3, 2, 3}, {1, 2, 2, 1, 2, 2}, {s, 1, s, 2, s, 1});
    }
}

TEST_CASE("windows as JAX places them") {
    constexpr auto x = xg::input<"x", std::int32_t, 3, 5>;
    constexpr auto u = xg::input<"u", std::int32_t, 2, 3>;
    constexpr auto i = xg::input<"i", std::int32_t>;
    constexpr auto at = xg::input<"at", std::int64_t, 2>;
    constexpr auto rows = xg::input<"rows", std::int32_t, batch, 4>;
    xg::function f{xg::outputs(xg::dynamic_slice<2, 3>(x, i, xg::gather(at, xg::constant<std::int32_t, 1>)), xg::dynamic_slice<2, 3>(x, at),
        xg::dynamic_update_slice(x, u, at))};
    auto const starts = test::reference_tensor<std::int64_t>("starts");
    auto const slices = test::reference_tensor<std::int32_t>("slices"), updates = test::reference_tensor<std::int32_t>("updates");
    test::tensor<std::int32_t> a({3, 5});
    for (std::int64_t k = 0; k < 15; ++k) a[k] = static_cast<std::int32_t>(k);
    bool good = starts.size() == 60;
    for (std::int64_t s = 0; s < 30; ++s) {
        test::tensor<std::int64_t> const start = test::list<std::int64_t>({starts[2 * s], starts[2 * s + 1]});
        auto const [slice, same, update] =
            f(x = a, u = test::tensor<std::int32_t>({2, 3}, -1), i = static_cast<std::int32_t>(start[0]), at = start);
        for (std::int64_t k = 0; k < 6; ++k) good = good && slice[k] == slices[6 * s + k] && same[k] == slices[6 * s + k];
        for (std::int64_t k = 0; k < 15; ++k) good = good && update[k] == updates[15 * s + k];
    }
    CHECK(good);
    xg::function g{xg::dynamic_slice<batch, 2>(rows, 7_c, i)};
    for (std::int64_t n : {0, 1, 5}) {
        auto const b = test::numbers<std::int32_t>({n, 4}, 0, 1000);
        auto const y = g(rows = b, i = -3);
        REQUIRE((y.shape() == std::array<std::int64_t, 2>{n, 2}));
        for (std::int64_t k = 0; k < 2 * n; ++k) CHECK(y[k] == b[k / 2 * 4 + 1 + k % 2]);
    }
}

TEST_CASE("slices downwards") {
    constexpr auto x = xg::input<"x", std::int32_t, 2, 3, 4>;
    constexpr auto n = xg::input<"n", float, batch, time_dim>;
    xg::function f{xg::outputs(xg::strided_slice<-1, 3, -1, -2>(x), xg::strided_slice<2, 2, 0, -1>(x), xg::strided_slice<0, 0, 0, -3>(x),
        xg::strided_slice<1, 0, 3, 2>(x))};
    auto const [down, inside, none, up] = f(x = test::reference_tensor<std::int32_t>("x"));
    test::check_against(down, "down");
    test::check_against(inside, "down_inside");
    CHECK((none.shape() == std::array<std::int64_t, 3>{0, 3, 4} && up.shape() == std::array<std::int64_t, 3>{2, 2, 4}));
    xg::function g{xg::strided_slice<1, time_dim - 1, -1, -3>(n)};
    for (std::int64_t t : {1, 3, 4, 40}) {
        auto const a = test::numbers<float>({2, t});
        auto const y = g(n = a);
        std::int64_t const m = (t + 2) / 3;
        REQUIRE((y.shape() == std::array<std::int64_t, 2>{2, m}));
        for (std::int64_t i = 0; i < 2 * m; ++i) CHECK(y[i] == a[i / m * t + t - 1 - i % m * 3]);
    }
}

TEST_CASE_TEMPLATE("sequences reversed up to their length", T, float, bool) {
    for (bool const elements_first : {false, true})
        for (std::int64_t const c : {1, 3})
            for (std::int64_t const b : {1, 2}) {
                std::int64_t const m = 5, n = 37, a = 2;
                auto const sequences = elements_first ? n : m, elements = elements_first ? m : n;
                test::tensor<T> x({a, m, b, n, c});
                for (std::int64_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>(std::is_same_v<T, bool> ? i * i % 7 < 3 : i);
                test::tensor<std::int32_t> lengths({sequences});
                for (std::int64_t i = 0; i < sequences; ++i)
                    lengths[i] = static_cast<std::int32_t>(i % 5 == 0 ? -3 + i * 30 : i * 11 % (elements + 1));
                for (std::int64_t step : {1, 3, 100}) {
                    test::tensor<T> y({a, m, b, n, c});
                    in_parts(a * m, step, [&](xg::kernel_part const& part) {
                        xg::op::reverse_sequence::run({elements_first, false}, part, view<T, 5>(std::as_const(x)),
                            view<std::int32_t, 1>(std::as_const(lengths)), view<T, 5>(y));
                    });
                    bool good = true;
                    for (std::int64_t i = 0; i < y.size(); ++i) {
                        std::int64_t const k = i % c, second = i / c % n, between = i / c / n % b, first = i / c / n / b % m,
                                           outer = i / c / n / b / m;
                        std::int64_t const t = elements_first ? first : second, s = elements_first ? second : first;
                        std::int64_t const length = std::clamp<std::int64_t>(lengths[s], 0, elements),
                                           from = t < length ? length - 1 - t : t;
                        std::int64_t const row = elements_first ? from : first, column = elements_first ? second : from;
                        good = good && y[i] == x[(((outer * m + row) * b + between) * n + column) * c + k];
                    }
                    CHECK(good);
                }
            }
}

TEST_CASE("rows by their part") {
    using T = std::int16_t;
    for (std::int64_t const row : {0, 1, 5})
        for (std::int64_t const n : {0, 1, 40})
            for (std::int64_t const places : {0, 3, 50}) {
                std::int64_t const count = 4;
                test::tensor<T> x({n, row}), y({count, places, row}, T(-1)), back({n, row}, T(-1));
                for (std::int64_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>(i + 1);
                test::tensor<std::int32_t> parts({n}), counts({count}, -1);
                for (std::int64_t i = 0; i < n; ++i) parts[i] = static_cast<std::int32_t>(i * i % 7 - 1);   // -1, 0, 1, 3
                auto const of_rows = view<std::int32_t, 1>(std::as_const(parts));
                in_parts(count, 3, [&](xg::kernel_part const& part) {
                    xg::op::dynamic_partition::run(
                        part, view<T, 2>(std::as_const(x)), of_rows, view<T, 3>(y), view<std::int32_t, 1>(counts));
                });
                alignas(64) std::byte scratch[64];
                xg::op::merge_partitions::run({0, 1, scratch, nullptr}, view<T, 3>(std::as_const(y)), of_rows, view<T, 2>(back));
                test::tensor<T> expected({count, places, row}), merged({n, row});
                std::int32_t met[4]{};
                for (std::int64_t i = 0; i < n; ++i) {
                    if (parts[i] < 0) continue;
                    std::int64_t const place = met[parts[i]]++;
                    for (std::int64_t k = 0; k < row && place < places; ++k)
                        expected[(parts[i] * places + place) * row + k] = merged[i * row + k] = x[i * row + k];
                }
                CHECK(std::equal(y.begin(), y.end(), expected.begin()));
                CHECK(std::equal(back.begin(), back.end(), merged.begin()));
                CHECK(std::equal(counts.begin(), counts.end(), met));
            }
}

TEST_CASE("masks and partitions in programs") {
    constexpr auto x = xg::input<"x", double, batch, 2, 3>;
    constexpr auto mask = xg::input<"mask", bool, batch, 2>;
    constexpr auto parts = xg::input<"parts", std::int64_t, batch>;
    constexpr auto kept = xg::boolean_mask<batch>(x, mask);
    constexpr auto routed = xg::dynamic_partition<3, batch>(x, parts);
    constexpr auto turned = xg::reverse_sequence<-1, 0>(x, parts);
    xg::function f{xg::outputs(std::get<0>(kept), std::get<1>(kept), std::get<0>(routed), std::get<1>(routed),
        xg::merge_partitions(10_c * std::get<0>(routed), parts), turned)};
    for (std::int64_t n : {1, 9}) {
        auto const a = test::numbers<double>({n, 2, 3});
        test::tensor<bool> m({n, 2});
        test::tensor<std::int64_t> p({n});
        for (std::int64_t i = 0; i < n; ++i) p[i] = i % 4;
        for (std::int64_t i = 0; i < 2 * n; ++i) m[i] = i % 3 != 1;
        auto const [rows, count, routes, counts, merged, reversed] = f(x = a, mask = m, parts = p);
        REQUIRE((rows.shape() == std::array<std::int64_t, 2>{n, 3} && routes.shape() == std::array<std::int64_t, 4>{3, n, 2, 3}));
        std::int64_t met = 0;
        for (std::int64_t i = 0; i < 2 * n; ++i) {
            if (!m[i]) continue;
            for (std::int64_t k = 0; k < 3 && met < n; ++k) CHECK(rows[met * 3 + k] == a[i * 3 + k]);
            ++met;
        }
        CHECK(count == met);
        for (std::int64_t i = 0; i < 6 * n; ++i) {
            CHECK(merged[i] == (p[i / 6] == 3 ? 0 : 10 * a[i]));
            CHECK(reversed[i] == a[i - i % 3 + (i % 3 < p[i / 6] ? p[i / 6] - 1 - i % 3 : i % 3)]);
        }
        for (std::int64_t i = 0; i < 3; ++i) CHECK(counts[i] == (n + 3 - i) / 4);
        CHECK(routes[0] == a[0]);
    }
}

TEST_CASE_TEMPLATE("gradients at computed places", T, float, double) {
    constexpr auto x = xg::input<"x", T, 4, 5>;
    constexpr auto u = xg::input<"u", T, 2, 3>;
    constexpr auto i = xg::input<"i", std::int32_t>;
    constexpr auto ids = xg::input<"ids", std::int32_t, 4>;
    constexpr auto all = [](auto y) { return xg::sum(xg::sin(y) * y); };
    constexpr auto routed = std::get<0>(xg::dynamic_partition<2, 3>(x, ids));
    constexpr auto loss = all(xg::dynamic_slice<2, 3>(x, i, 1_c) * u) + all(xg::dynamic_update_slice(x * x, u, 1_c, i)) +
                          all(xg::strided_slice<1, 4, -1, -3>(x)) + all(xg::reverse_sequence<1>(x, ids) * x) +
                          all(xg::merge_partitions(routed * routed, ids)) + all(std::get<0>(xg::boolean_mask<7>(x, xg::greater(x, 0.2_c))));
    auto const a = test::numbers<T>({4, 5}, -2, 2), b = test::numbers<T>({2, 3}, -2, 2, 2);
    auto const p = test::list<std::int32_t>({1, 0, 1, 5});
    auto const r = xg::check_gradients(loss, xg::wrt(x, u), x = a, u = b, i = 3, ids = p);
    CHECK_MESSAGE(r.ok, r.message);
    if constexpr (std::is_same_v<T, double>) {
        constexpr auto second = xg::sum(xg::square(xg::gradient_of(loss, x)));
        auto const again = xg::check_gradients(second, xg::wrt(x, u), x = a, u = b, i = -2, ids = p);
        CHECK_MESSAGE(again.ok, again.message);
    }
}

TEST_CASE("parts of arrays of 16 bits") {
    constexpr auto x = xg::input<"x", float, 3, 4>;
    constexpr auto i = xg::input<"i", std::int64_t>;
    constexpr auto ids = xg::input<"ids", std::int32_t, 3>;
    constexpr auto half = xg::cast<xg::bfloat16>(x);
    constexpr auto part = xg::dynamic_slice<2, 4>(half, i, 0_c);
    constexpr auto all = xg::dynamic_update_slice(half, xg::reverse_sequence<1>(part, xg::slice<0, 0, 2>(ids)), 1_c, 0_c);
    constexpr auto rows = std::get<0>(xg::dynamic_partition<2, 2>(all, ids));
    static_assert(xg::value_of<decltype(rows)>.type == xg::dtype::bfloat16);
    constexpr auto numbers = xg::cast<float>(rows);
    xg::function f{xg::outputs(numbers, xg::gradient_of(xg::sum(numbers * numbers), x))};
    auto a = test::tensor<float>({3, 4});
    for (std::int64_t k = 0; k < 12; ++k) a[k] = static_cast<float>(k);
    auto const [y, g] = f(x = a, i = std::int64_t{1}, ids = test::list<std::int32_t>({1, 2, 0}));   // rows 0, then 1 turned and 2 turned
    float const expected[]{9, 8, 10, 11, 0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 0, 0}, slope[]{0, 2, 4, 6, 0, 0, 0, 0, 16, 18, 20, 22};
    for (std::int64_t k = 0; k < 16; ++k) CHECK(y[k] == expected[k]);
    for (std::int64_t k = 0; k < 12; ++k) CHECK(g[k] == slope[k]);
}
