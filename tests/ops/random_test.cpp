// SPDX-License-Identifier: MIT
// Random operations depend on seed, name, step and position alone, with the planner on and off.
#include <support/tensor.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto x = xg::input<"x", float, batch, 3>;
constexpr auto u = xg::uniform_like<"noise">(x);
constexpr auto d = xg::dropout<"drop">(x * w, 0.25_c);
template<bool Fuse, class... E>
auto make(xg::expression_list<E...> list, auto& owner) {
    return xg::function<xg::expression_list<E...>, xg::program<xg::expression_list<E...>, xg::no_updates, xg::gating::none, Fuse>>{
        list, owner};
}
}

TEST_CASE_TEMPLATE("uniform numbers are those of the named stream", On, std::true_type, std::false_type) {
    xg::variables v{d};
    v.store().seed = 77;
    auto f = make<On::value>(
        xg::outputs(u, xg::square(xg::uniform_like<"noise">(x)) + 0_c * xg::sum(u), xg::uniform_like<"other">(w), xg::transpose(u)), v);
    for (std::int64_t n : {5, 64, 1, 0}) {
        auto const [a, squares, other, turned] = f(x = test::numbers<float>({n, 3}));
        xg::random_key key{77, xg::hash_name("noise"), 0, 0, 0}, second{77, xg::hash_name("other"), 0, 0, 0};
        for (std::int64_t i = 0; i < 3 * n; ++i) {
            float const e = xg::uniform01(xg::random_bits(key, static_cast<std::uint64_t>(i)));
            CHECK(a[i] == e);
            CHECK(squares[i] == e * e);
            CHECK(turned(i % 3, i / 3) == e);
        }
        for (std::uint64_t i = 0; i < 3; ++i) CHECK(other[static_cast<std::int64_t>(i)] == xg::uniform01(xg::random_bits(second, i)));
    }
}

TEST_CASE("streams that are shared draw the same numbers for other operands, dropout with them; eval leaves both out") {
    constexpr auto other = xg::input<"other", float, batch, 3>;
    constexpr auto first = xg::dropout<"d">(x, 0.5_c);
    constexpr auto second = xg::dropout<"d">(other, 0.5_c, xg::nn::shared);
    xg::variables v{w};
    v.store().seed = 3;
    xg::function f{xg::outputs(u, xg::uniform_like<"noise">(other, xg::nn::shared), first, second, xg::eval(second),
                       xg::normal_like<"n">(x) - xg::normal_like<"n">(other, xg::nn::shared), w),
        v};
    auto const a = test::numbers<float>({5, 3});
    auto b = a;
    for (int i = 0; i < 15; ++i) b.data()[i] *= 2;
    auto const [one, two, kept, also, whole, none, weights] = f(x = a, other = b);
    for (std::int64_t i = 0; i < 15; ++i) {
        CHECK(one[i] == two[i]);
        CHECK(also[i] == 2 * kept[i]);
        CHECK(whole[i] == b.data()[i]);
        CHECK(none[i] == 0);
    }
}

TEST_CASE("dropout: rate, scale, gradient") {
    xg::variables v{d};
    v.store().seed = 5;
    v.assign(w, test::list<float>({1, 1, 1}));
    auto on = make<true>(xg::outputs(d, xg::gradient_of(d, x)), v);
    auto off = make<false>(xg::outputs(d, xg::gradient_of(d, x)), v);
    test::tensor<float> const ones({4000, 3}, 1);
    auto const [a, ga] = on(x = ones);
    auto const [b, gb] = off(x = ones);
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < a.size(); ++i) {
        CHECK((a[i] == 0 || a[i] == doctest::Approx(4.0 / 3)));
        CHECK((a[i] == b[i] && ga[i] == a[i] && gb[i] == a[i]));
        kept += a[i] != 0;
    }
    CHECK(static_cast<double>(kept) / 12000 == doctest::Approx(0.75).epsilon(0.02));
}

TEST_CASE("dropout: a rate outside of [0, 1) is refused before anything runs") {
    constexpr auto rows = xg::input<"rows", double, batch>;
    constexpr auto rate = xg::input<"share", double>;
    xg::function f{xg::dropout<"refused">(rows, rate)};
    std::vector<double> const ones(4, 1.0);
    for (double const bad : {1.0, 1.5, -0.25, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
        CHECK_THROWS_AS(f(rows = ones, rate = bad), xg::value_error);
    try {
        f(rows = ones, rate = 1.5);
    } catch (xg::value_error const& e) { CHECK(std::string(e.what()) == "xgrad: input \"share\": 1.5 at offset 0 is outside of [0, 1)"); }
    for (double const good : {0.0, 0.5}) CHECK(f(rows = ones, rate = good).size() == 4);
    CHECK(f.try_call(rows = ones, rate = 2.0).code == xg::status_code::number_out_of_range);
}

TEST_CASE("each step draws anew, equal seeds draw alike") {
    constexpr auto loss = xg::sum(d);
    auto one = xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.0});
    auto two = xg::minimize<xg::gating::graph, false>(loss, xg::gradient_descent{.learning_rate = 0.0});
    one.initialize(xg::random_uniform{.seed = 3});
    two.initialize(xg::random_uniform{.seed = 3});
    one.assign(w, test::list<float>({1, 1, 1}));
    two.assign(w, test::list<float>({1, 1, 1}));
    test::tensor<float> const ones({50, 3}, 1);
    std::vector<float> a, b;
    for (int i = 0; i < 4; ++i) {
        a.push_back(one(x = ones));
        b.push_back(two(x = ones));
    }
    for (std::size_t i = 0; i < 4; ++i) CHECK(a[i] == doctest::Approx(b[i]).epsilon(1e-5));
    CHECK((a[0] != a[1] || a[1] != a[2]));
}

TEST_CASE("normal numbers: of two named streams, with the moments of a normal distribution") {
    xg::variables v{d};
    v.store().seed = 9;
    constexpr auto n = xg::normal_like<"noise">(x);
    auto f = make<true>(xg::outputs(n, xg::mean(n), xg::mean(xg::square(n)), xg::mean(xg::square(n) * xg::square(n))), v);
    auto const [all, mean, variance, fourth] = f(x = test::tensor<float>({20000, 3}));
    CHECK(std::abs(mean) < 0.02);
    CHECK(variance == doctest::Approx(1).epsilon(0.02));
    CHECK(fourth == doctest::Approx(3).epsilon(0.05));
    xg::random_key const radius{9, xg::hash_name("noise/radius"), 0, 0, 0}, angle{9, xg::hash_name("noise/angle"), 0, 0, 0};
    for (std::uint64_t i = 0; i < 200; ++i) {
        double const u = xg::uniform01(xg::random_bits(radius, i)), t = 6.283185307179586 * xg::uniform01(xg::random_bits(angle, i));
        CHECK(std::abs(all[static_cast<std::int64_t>(i)] - std::sqrt(-2 * std::log(1 - u)) * std::cos(t)) < 2e-5);
    }
}

TEST_CASE("noise in gradients is drawn in each step, with the deviation of that step") {
    constexpr auto deviation = xg::input<"deviation", float>;
    constexpr auto loss = xg::sum(xg::square(w));
    constexpr auto g = xg::gradient_of(loss, w);
    auto train = xg::apply_gradients(
        xg::gradient_descent{.learning_rate = 1.0}, loss, xg::with_variable(g - g + deviation * xg::normal_like<"of w">(g), w));
    train.initialize(xg::random_uniform{.seed = 3});
    train.store().seed = 21;
    train.assign(w, test::list<float>({1, 1, 1}));
    xg::annealed_noise const noise{.eta = 0.25, .gamma = 1};
    for (std::uint64_t step = 0; step < 3; ++step) {
        std::vector<float> const before(train.value(w).data(), train.value(w).data() + 3);
        train(deviation = static_cast<float>(noise(train.global_step())));
        for (std::uint64_t i = 0; i < 3; ++i) {
            xg::random_key const radius{21, xg::hash_name("of w/radius"), step, 0, 0}, angle{21, xg::hash_name("of w/angle"), step, 0, 0};
            double const u = xg::uniform01(xg::random_bits(radius, i)), t = 6.283185307179586 * xg::uniform01(xg::random_bits(angle, i));
            double const drawn = 0.5 / std::sqrt(static_cast<double>(step) + 1) * std::sqrt(-2 * std::log(1 - u)) * std::cos(t);
            CHECK(std::abs(before[i] - train.value(w).data()[i] - drawn) < 1e-5);
        }
    }
}

TEST_CASE("uniform numbers: mean and variance") {
    xg::variables v{d};
    v.store().seed = 1;
    auto f = make<true>(xg::outputs(xg::mean(u), xg::mean(xg::square(u - 0.5_c)), xg::max(u)), v);
    auto const [mean, variance, largest] = f(x = test::tensor<float>({20000, 3}));
    CHECK(mean == doctest::Approx(0.5).epsilon(0.01));
    CHECK(variance == doctest::Approx(1.0 / 12).epsilon(0.02));
    CHECK(largest < 1);
}

TEST_CASE("a call of a function repeats the numbers of the call before, until the step of its owner moves") {
    constexpr auto noise = xg::normal_like<"n">(x);
    auto const a = test::numbers<float>({5, 3});
    auto const same = [&](auto& f, auto const& before) {
        auto const now = f(x = a);
        bool equal = true;
        for (std::int64_t i = 0; i < 15; ++i) equal = equal && now[i] == before[static_cast<std::size_t>(i)];
        return equal;
    };
    xg::function alone{noise};
    auto const first = alone(x = a);
    std::vector<float> const numbers(first.data(), first.data() + 15);
    CHECK(same(alone, numbers));
    xg::variables vars{noise};   // without a variable
    xg::function f{noise, vars};
    CHECK(same(f, numbers));
    ++vars.store().steps;
    CHECK(!same(f, numbers));
    vars.store().steps = 0;
    CHECK(same(f, numbers));
}
