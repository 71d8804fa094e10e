// SPDX-License-Identifier: MIT
// Loops over a body compared with hand-written loops: several carries, integers, lengths 0, 1 and dynamic, random numbers, loops in loops,
// gradients in bodies and of several orders.
#include <support/tensor.hpp>

#include <xgrad/train/check_gradients.hpp>

#include <array>
#include <cmath>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim turns{"turns"};

template<class List, bool Fuse>
using function_of = xg::function<List, xg::program<List, xg::no_updates, xg::gating::none, Fuse>>;
template<class... E>
constexpr auto list_of(std::tuple<E...> const&) {
    return xg::expression_list<E...>{};
}
}

namespace {
// Two carries, one of them an integer, two sequences, two things emitted, a lookup of outer rows.
constexpr auto table = xg::input<"table", double, 6, 2>;
constexpr auto decay = xg::input<"decay", double>;
struct walk : xg::region {
    static constexpr auto value(auto place, auto count, auto id, auto weight) {
        auto const moved = place * decay + xg::gather(table, id) * weight;
        return xg::carry(moved, count + 1_c).emit(xg::sum(moved), count);
    }
};
}
TEST_CASE("several carries, sequences and outputs; integers; dynamic lengths, 0 and 1 among them") {
    constexpr auto place = xg::input<"place", double, 2>;
    constexpr auto ids = xg::input<"ids", std::int32_t, turns>;
    constexpr auto weight = xg::input<"weight", double, turns, 2>;
    auto const [end, count, sums, counts] = xg::scan<walk>(xg::carry(place, xg::constant<std::int32_t, 3>), ids, weight);
    auto const loss = xg::sum(xg::square(end)) + xg::sum(sums * sums * sums);
    static_assert(xg::value_of<decltype(counts)>.type == xg::dtype::int32);
    auto const gradients = xg::gradients(loss, place, table, decay, weight);
    auto const list = list_of(std::tuple_cat(std::tuple{end, count, sums, counts}, gradients));
    function_of<std::remove_const_t<decltype(list)>, true> f{list};
    auto const t = test::numbers<double>({6, 2});
    for (std::int64_t n : {3, 0, 1, 7, 2}) {
        test::tensor<std::int32_t> i({n});
        for (std::int64_t k = 0; k < n; ++k) i[k] = static_cast<std::int32_t>(k * 5 % 6);
        auto const v = test::numbers<double>({n, 2}, -1, 1, 9);
        auto const from = test::list<double>({0.25, -0.5});
        auto const [e, c, s, all, at_place, at_table, at_decay, at_weight] = f(table = t, decay = 0.75, place = from, ids = i, weight = v);
        double p = 0.25, q = -0.5;
        std::vector<std::array<double, 2>> carried;   // before each iteration
        REQUIRE(s.size() == n);
        for (std::int64_t k = 0; k < n; ++k) {
            carried.push_back({p, q});
            p = p * 0.75 + t[i[k] * 2] * v[k * 2];
            q = q * 0.75 + t[i[k] * 2 + 1] * v[k * 2 + 1];
            CHECK(s[k] == doctest::Approx(p + q).epsilon(1e-14));
            CHECK(all[k] == 3 + k);
        }
        CHECK(e[0] == doctest::Approx(p).epsilon(1e-14));
        CHECK(e[1] == doctest::Approx(q).epsilon(1e-14));
        CHECK(c == 3 + n);
        // the gradients, turn by turn from the last
        std::array<double, 2> slope{2 * p, 2 * q};
        test::tensor<double> of_table({6, 2});
        double of_decay = 0;
        REQUIRE(at_weight.size() == 2 * n);
        for (std::int64_t k = n; k-- > 0;) {
            double const sum = s[k];
            for (std::int64_t d = 0; d < 2; ++d) {
                auto const at = static_cast<std::size_t>(d);
                slope[at] += 3 * sum * sum;
                CHECK(at_weight[k * 2 + d] == doctest::Approx(slope[at] * t[i[k] * 2 + d]).epsilon(1e-12));
                of_table[i[k] * 2 + d] += slope[at] * v[k * 2 + d];
                of_decay += slope[at] * carried[static_cast<std::size_t>(k)][at];
                slope[at] *= 0.75;
            }
        }
        CHECK(at_decay == doctest::Approx(of_decay).epsilon(1e-12));
        for (std::int64_t d = 0; d < 2; ++d) CHECK(at_place[d] == doctest::Approx(slope[static_cast<std::size_t>(d)]).epsilon(1e-12));
        for (std::int64_t d = 0; d < 12; ++d) CHECK(at_table[d] == doctest::Approx(of_table[d]).epsilon(1e-12));
    }
    auto const bad = test::list<std::int32_t>({0, 6});
    CHECK_THROWS_AS(
        f(table = t, decay = 0.5, place = test::list<double>({0, 0}), ids = bad, weight = test::numbers<double>({2, 2})), xg::value_error);
}

namespace {
struct newton : xg::region {   // of the square root
    static constexpr auto value(auto y) { return xg::carry(0.5_c * (y + xg::input<"a", double, batch> / y)); }
};
struct doubling : xg::region {
    static constexpr auto value(auto y) { return xg::carry(y + y).emit(y); }
};
}
TEST_CASE("without a sequence the length is named") {
    constexpr auto a = xg::input<"a", double, batch>;
    auto const [root] = xg::scan<newton, 8>(xg::carry(a));
    xg::function f{xg::outputs(root, xg::gradient_of(root, a))};
    auto const v = test::list<double>({0.5, 2, 9, 1});
    auto const [y, g] = f(a = v);
    for (std::int64_t i = 0; i < 4; ++i) {
        CHECK(y[i] == doctest::Approx(std::sqrt(v[i])).epsilon(1e-14));
        CHECK(g[i] == doctest::Approx(0.5 / std::sqrt(v[i])).epsilon(1e-9));
    }
    constexpr auto x = xg::input<"x", float, turns>;   // tells how many turns there are
    auto const [last, all] = xg::scan<doubling, turns>(xg::carry(xg::constant<float, 1>));
    auto const [same, none] = xg::scan<doubling, 0>(xg::carry(xg::sum(x)));
    auto const [twice, one] = xg::scan<doubling, 1>(xg::carry(xg::sum(x)));
    xg::function h{xg::outputs(last, all, same, none, twice, one, xg::sum(x))};
    auto const ones = test::tensor<float>({6}, 1.0F);
    auto const [l, s, m, e, d, o, total] = h(x = ones);
    CHECK(l == 64);
    for (std::int64_t k = 0; k < 6; ++k) CHECK(s[k] == std::ldexp(1.0F, static_cast<int>(k)));
    CHECK(m == 6);
    CHECK(e.size() == 0);
    CHECK(d == 12);
    CHECK(o[0] == 6);
    CHECK(total == 6);
}

namespace {
constexpr auto rate = xg::input<"rate", double>;
struct recurrence : xg::region {   // y' = rate y + 1
    static constexpr auto value(auto y) { return xg::carry(rate * y + 1_c); }
};
}
TEST_CASE("four derivatives of a linear recurrence") {
    auto const [y] = xg::scan<recurrence, 5>(xg::carry(rate));   // r^6 + 1 + r + r^2 + r^3 + r^4
    auto const first = xg::gradient_of(y, rate);
    auto const second = xg::gradient_of(first, rate);
    auto const third = xg::gradient_of(second, rate);
    auto const fourth = xg::gradient_of(third, rate);
    xg::function f{xg::outputs(y, first, second, third, fourth)};
    double const r = 0.75;
    auto const [v, a, b, c, d] = f(rate = r);
    CHECK(v == doctest::Approx(std::pow(r, 6) + 1 + r + r * r + std::pow(r, 3) + std::pow(r, 4)).epsilon(1e-14));
    CHECK(a == doctest::Approx(6 * std::pow(r, 5) + 1 + 2 * r + 3 * r * r + 4 * std::pow(r, 3)).epsilon(1e-14));
    CHECK(b == doctest::Approx(30 * std::pow(r, 4) + 2 + 6 * r + 12 * r * r).epsilon(1e-14));
    CHECK(c == doctest::Approx(120 * std::pow(r, 3) + 6 + 24 * r).epsilon(1e-14));
    CHECK(d == doctest::Approx(360 * r * r + 24).epsilon(1e-14));
}

namespace {
constexpr auto used = xg::input<"used", double>;
constexpr auto stopped = xg::input<"stopped", double>;
constexpr auto compared = xg::input<"compared", double>;
struct apart : xg::region {   // a depends on b of the previous iteration, c on neither
    static constexpr auto value(auto, auto b, auto c, auto x) {
        return xg::carry(b, xg::select(xg::greater(x, compared), b * used, b), c + xg::stop_gradient(c * stopped)).emit(c * x);
    }
};
}
TEST_CASE("what a loop does not depend on has no gradient") {
    constexpr auto a = xg::input<"a", double>;
    constexpr auto b = xg::input<"b", double>;
    constexpr auto c = xg::input<"c", double>;
    constexpr auto x = xg::input<"x", double, turns>;
    auto const [p, q, r, all] = xg::scan<apart>(xg::carry(a, b, c), x);
    auto const of_p = xg::gradients(p, a, b, c, x, used, stopped, compared);
    static_assert(xg::DenseGradient<decltype(std::get<0>(of_p))> && xg::DenseGradient<decltype(std::get<1>(of_p))>);   // a: of no turns
    static_assert(xg::NoGradient<decltype(std::get<2>(of_p))> && xg::NoGradient<decltype(std::get<3>(of_p))>);
    static_assert(xg::DenseGradient<decltype(std::get<4>(of_p))>);
    static_assert(xg::NoGradient<decltype(std::get<5>(of_p))> && xg::NoGradient<decltype(std::get<6>(of_p))>);
    auto const of_all = xg::gradients(xg::sum(all), a, b, c, x, used, stopped);
    static_assert(xg::NoGradient<decltype(std::get<0>(of_all))> && xg::NoGradient<decltype(std::get<1>(of_all))>);
    static_assert(xg::DenseGradient<decltype(std::get<2>(of_all))> && xg::DenseGradient<decltype(std::get<3>(of_all))>);
    static_assert(xg::NoGradient<decltype(std::get<4>(of_all))> && xg::NoGradient<decltype(std::get<5>(of_all))>);
    xg::function f{xg::outputs(std::get<0>(of_p), std::get<1>(of_p), std::get<4>(of_p))};
    auto const [at_a, at_b, at_used] =
        f(a = 1.0, b = 2.0, c = 3.0, x = test::list<double>({1, -1, 1, 1}), used = 0.5, stopped = 1.0, compared = 0.0);
    CHECK(at_a == 0);
    CHECK(at_b == 0.25);   // b used^2 before the last iteration
    CHECK(at_used == 2.0);
}

namespace {
constexpr auto noisy = xg::input<"noisy", float, turns, 7>;
struct inside : xg::region {   // its shape is that of a slice: drawn in each iteration
    static constexpr auto value(auto sum, auto x) { return xg::carry(sum + x).emit(xg::uniform_like<"stream">(x)); }
};
struct outside : xg::region {   // depends on nothing in the loop: drawn once
    static constexpr auto value(auto sum, auto x) {
        return xg::carry(sum + x).emit(xg::uniform_like<"stream">(xg::input<"v", float, 7>) + 0_c * x);
    }
};
struct dropping : xg::region {
    static constexpr auto value(auto h, auto x) { return xg::carry(xg::dropout<"drop">(h * x + x, 0.5_c)); }
};
}
TEST_CASE("random numbers of a body are those of its turn; gradients see the same") {
    constexpr auto v = xg::input<"v", float, 7>;
    auto const [end, each] = xg::scan<inside>(xg::carry(v), noisy);
    auto const [also, once] = xg::scan<outside>(xg::carry(v), noisy);
    xg::function f{xg::outputs(each, once)};
    auto const zeros = test::tensor<float>({7});
    auto const [a, b] = f(v = zeros, noisy = test::numbers<float>({5, 7}));
    for (std::uint32_t t = 0; t < 5; ++t) {
        xg::random_key key;
        key.name_hash = xg::hash_name("stream");
        for (std::uint32_t k = 0; k < 7; ++k) {
            CHECK(b(t, k) == xg::uniform01(xg::random_bits(key, k)));
            key.iteration = t;
            CHECK(a(t, k) == xg::uniform01(xg::random_bits(key, k)));
            key.iteration = 0;
        }
    }
    auto const [dropped] = xg::scan<dropping>(xg::carry(v), noisy);
    auto const r =
        xg::check_gradients(xg::sum(dropped), xg::wrt(v, noisy), v = test::numbers<float>({7}), noisy = test::numbers<float>({4, 7}));
    CHECK_MESSAGE(r.ok, r.message);
}

namespace {
// A loop in a loop: the inner one reads what the outer one carries, and outer expressions.
constexpr auto gain = xg::input<"gain", double, 3>;
template<class H>
struct inner : xg::region {
    static constexpr auto value(auto s, auto x) {
        auto const next = xg::sin(s * gain + x * H{});
        return xg::carry(next).emit(next);
    }
};
struct outer : xg::region {
    static constexpr auto value(auto h, auto rows) {
        auto const [last, all] = xg::scan<inner<decltype(h)>>(xg::carry(h), rows);
        return xg::carry(last + h).emit(xg::sum(all));
    }
};
}
TEST_CASE("a loop in the body of a loop") {
    constexpr auto h = xg::input<"h", double, 3>;
    constexpr auto rows = xg::input<"rows", double, turns, 2, 3>;
    auto const [last, sums] = xg::scan<outer>(xg::carry(h), rows);
    xg::function f{xg::outputs(last, sums)};
    auto const H = test::numbers<double>({3}), G = test::numbers<double>({3}, -1, 1, 2), R = test::numbers<double>({4, 2, 3}, -1, 1, 3);
    auto const [l, s] = f(h = H, gain = G, rows = R);
    std::array<double, 3> carry{H[0], H[1], H[2]};
    for (std::int64_t t = 0; t < 4; ++t) {
        double sum = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            double x = carry[k];
            auto const c = static_cast<std::int64_t>(k);
            for (std::int64_t i = 0; i < 2; ++i) sum += x = std::sin(x * G[c] + R[(t * 2 + i) * 3 + c] * carry[k]);
            carry[k] += x;
        }
        CHECK(s[t] == doctest::Approx(sum).epsilon(1e-13));
    }
    for (std::int64_t k = 0; k < 3; ++k) CHECK(l[k] == doctest::Approx(carry[static_cast<std::size_t>(k)]).epsilon(1e-13));
    auto const r = xg::check_gradients(xg::sum(xg::square(last)) + xg::sum(sums), xg::wrt(h, gain, rows), h = H, gain = G, rows = R);
    CHECK_MESSAGE(r.ok, r.message);
}

namespace {
constexpr auto target = xg::input<"target", double, 3>;
struct descend : xg::region {   // gradient descent as a loop; the gradient is taken in the body
    static constexpr auto value(auto y) {
        auto const loss = xg::sum(xg::square(xg::exp(target) * y - xg::sin(target)) + xg::square(y));
        return xg::carry(y - 0.05_c * xg::gradient_of(loss, y));
    }
};
struct sensitive : xg::region {   // with respect to an outer leaf
    static constexpr auto value(auto y) { return xg::carry(y + xg::gradient_of(xg::sum(xg::exp(target) * y * y), target)); }
};
}
TEST_CASE("gradients inside a body, and through them") {
    constexpr auto y = xg::input<"y", double, 3>;
    auto const [end] = xg::scan<descend, 20>(xg::carry(y));
    auto const [grown] = xg::scan<sensitive, 3>(xg::carry(y));
    xg::function f{xg::outputs(end, grown)};
    auto const Y = test::numbers<double>({3}), T = test::numbers<double>({3}, -0.5, 0.5, 2);
    auto const [e, s] = f(y = Y, target = T);
    for (std::int64_t k = 0; k < 3; ++k) {
        double a = Y[k], b = Y[k];
        double const scale = std::exp(T[k]);
        for (int t = 0; t < 20; ++t) a -= 0.05 * (2 * scale * (scale * a - std::sin(T[k])) + 2 * a);
        for (int t = 0; t < 3; ++t) b += scale * b * b;
        CHECK(e[k] == doctest::Approx(a).epsilon(1e-13));
        CHECK(s[k] == doctest::Approx(b).epsilon(1e-13));
    }
    auto const r = xg::check_gradients(xg::sum(xg::square(end)) + xg::sum(grown), xg::wrt(y, target), y = Y, target = T);
    CHECK_MESSAGE(r.ok, r.message);
}
