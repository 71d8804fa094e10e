// SPDX-License-Identifier: MIT
// Where a store puts variables and slots: aligned, nothing overlaps, those of one element type and rule side by side, for good.
#include <support/copy.hpp>

#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace xg = xgrad;

namespace {

constexpr auto a = xg::variable<"a", float, 5, 3>;
constexpr auto b = xg::variable<"b", double, 7>;
constexpr auto c = xg::variable<"c", float>;
constexpr auto d = xg::variable<"d", float, 100>;
constexpr auto e = xg::variable<"e", float, 1, 17>;
constexpr auto loss = xg::sum(a) + xg::cast<float>(xg::sum(b)) + c + xg::sum(d) + xg::sum(e);

struct piece {
    std::uintptr_t begin, end;
};
std::vector<piece> pieces(xg::variable_store const& store) {
    std::vector<piece> all;
    auto const add = [&](xg::stored_variable const& v, void const* p) {
        auto const at = reinterpret_cast<std::uintptr_t>(p);
        all.push_back({at, at + static_cast<std::size_t>(v.size) * xg::size_of(v.type)});
    };
    for (auto const& v : store.variables()) add(v, v.data);
    for (auto const* o : store.optimizers())
        for (auto const& slots : o->all())
            for (int s = 0; s < slots.slot_count; ++s) add(store.variables().at[slots.variable], slots.slots[s]);
    return all;
}
bool within(piece const& p, xg::aligned_buffer<std::byte> const& memory) {
    return memory.holds(reinterpret_cast<void const*>(p.begin)) && memory.holds(reinterpret_cast<void const*>(p.end - 1));
}

}   // namespace

TEST_CASE("variables and slots are aligned, lie in the store's memory and do not overlap") {
    auto train = xg::minimize(loss, xg::param_group(xg::ftrl{}, d, e), xg::param_group(xg::adam{}));
    auto all = pieces(train.store());
    CHECK(all.size() == 5 * 3);
    for (std::size_t i = 0; i < all.size(); ++i) {
        CHECK(all[i].begin % 64 == 0);
        if (i < 5) CHECK(within(all[i], train.store().memory()));
        else CHECK(within(all[i], train.optimizer().memory()));
    }
    std::sort(all.begin(), all.end(), [](piece const& x, piece const& y) { return x.begin < y.begin; });
    for (std::size_t i = 1; i < all.size(); ++i) CHECK(all[i].begin >= all[i - 1].end);
}

TEST_CASE("variables of one element type and rule lie side by side, their slots in the same distances") {
    auto train = xg::minimize(loss, xg::param_group(xg::ftrl{}, d, e), xg::param_group(xg::adam{}));
    auto const rounded = [](std::size_t n) { return static_cast<std::ptrdiff_t>((n + 63) / 64 * 64); };
    auto const apart = [](void const* x, void const* y) { return static_cast<char const*>(y) - static_cast<char const*>(x); };
    auto const& store = train.store();
    auto const *va = store.find(xg::hash_text("a")), *vc = store.find(xg::hash_text("c")), *vd = store.find(xg::hash_text("d")),
               *ve = store.find(xg::hash_text("e"));
    auto const of = [&](auto const* v) { return train.optimizer().find(static_cast<int>(v - store.variables().begin())); };
    CHECK(apart(va->data, vc->data) == rounded(5 * 3 * 4));
    CHECK(apart(vd->data, ve->data) == rounded(100 * 4));
    for (int s = 0; s < 2; ++s) {
        CHECK(apart(of(va)->slots[s], of(vc)->slots[s]) == apart(va->data, vc->data));
        CHECK(apart(of(vd)->slots[s], of(ve)->slots[s]) == apart(vd->data, ve->data));
    }
    CHECK(of(vd)->rule == "Ftrl");
    CHECK(of(va)->rule == "Adam");
    CHECK(store.find(xg::hash_text("none")) == nullptr);
}

TEST_CASE("addresses stay, whatever happens to the trainer") {
    auto train = xg::minimize(loss, xg::adam{});
    auto const before = pieces(train.store());
    train();
    train.initialize(xg::glorot_uniform{.seed = 1});
    train.reset_optimizer();
    auto moved = std::move(train);
    moved();
    auto const after = pieces(moved.store());
    REQUIRE(after.size() == before.size());
    for (std::size_t i = 0; i < after.size(); ++i) CHECK(after[i].begin == before[i].begin);
}

namespace {
inline constexpr xg::dim rows{"rows"};
constexpr auto many = xg::variable<"many", double, 200, 150>;
constexpr auto vector_of = xg::variable<"vector", double, 3000>;
constexpr auto kernel = xg::variable<"kernel", double, 3, 4, 40, 60>;
constexpr auto number = xg::variable<"number", double>;
constexpr auto state = xg::non_trainable<"state", float, 4, 4>;
constexpr auto counter = xg::non_trainable<"counter", std::int32_t, 3>;
constexpr auto half = xg::variable<"half", xg::bfloat16, 3>;
constexpr auto table = xg::variable<"table", float, rows, 5>;
constexpr auto tall = xg::variable<"tall", double, 2, 3, 4>;
constexpr auto wide = xg::variable<"wide", double, 3, 8>;

struct moments {
    double mean = 0, deviation = 0, largest = 0, within = 0;   // within: the share of elements less than `width` from 0
};
template<class View>
moments of(View const& v, double width = 1) {
    moments m;
    double const n = static_cast<double>(v.size());
    for (double x : v) {
        m.mean += x / n;
        m.largest = std::max(m.largest, std::abs(x));
        m.within += (std::abs(x) < width ? 1 : 0) / n;
    }
    for (double x : v) m.deviation += (x - m.mean) * (x - m.mean) / n;
    m.deviation = std::sqrt(m.deviation);
    return m;
}
}

TEST_CASE("initializers: moments and bounds") {
    xg::variables v{many};
    v.initialize(xg::random_uniform{.seed = 1, .range = 2, .mean = 1});
    moments m = of(v.value(many));
    CHECK(m.mean == doctest::Approx(1).epsilon(0.02));
    CHECK(m.deviation == doctest::Approx(2 / std::sqrt(3.0)).epsilon(0.02));
    CHECK((m.largest <= 3 && m.largest > 2.99));
    v.initialize(xg::random_normal{.seed = 1, .stddev = 0.5});
    m = of(v.value(many), 0.5);
    CHECK(std::abs(m.mean) < 0.01);
    CHECK(m.deviation == doctest::Approx(0.5).epsilon(0.02));
    CHECK(m.within == doctest::Approx(0.6827).epsilon(0.02));
    CHECK(m.largest > 1.75);   // of 30000
    v.initialize(xg::random_normal{.seed = 2, .stddev = 0.5, .mean = 3});
    CHECK(of(v.value(many)).mean == doctest::Approx(3).epsilon(0.01));
    v.initialize(xg::truncated_normal{.seed = 1, .stddev = 0.5});
    m = of(v.value(many), 0.5);
    CHECK(std::abs(m.mean) < 0.01);
    CHECK(m.deviation == doctest::Approx(0.5 * 0.87962566).epsilon(0.02));
    CHECK(m.within == doctest::Approx(0.6827 / 0.9545).epsilon(0.02));
    CHECK((m.largest <= 1 && m.largest > 0.99));
    v.initialize(xg::ones_initializer{});
    CHECK((of(v.value(many)).mean == doctest::Approx(1) && of(v.value(many)).deviation < 1e-9));
    v.initialize(xg::zeros_initializer{.seed = 9});
    CHECK(of(v.value(many)).largest == 0);
    CHECK(v.store().seed == 9);
}

TEST_CASE("initializers by fan: matrices, convolutions, vectors and numbers") {
    xg::variables v{many, kernel, vector_of, number};
    double const fan_in[] = {200, 12 * 40, 3000}, fan_out[] = {150, 12 * 60, 3000};
    auto const check = [&](auto const& how, auto const& variance, bool uniform) {
        v.initialize(xg::initial(how, many, kernel, vector_of, number));
        moments const m[] = {of(v.value(many)), of(v.value(kernel)), of(v.value(vector_of))};
        for (int k = 0; k < 3; ++k) {
            double const wanted = std::sqrt(variance(fan_in[k], fan_out[k]));
            CHECK(m[k].deviation == doctest::Approx(wanted).epsilon(0.04));
            double const bound = uniform ? std::sqrt(3.0) * wanted : 2 * wanted / 0.87962566103423978;
            CHECK(m[k].largest <= bound * (1 + 1e-12));
            CHECK(m[k].largest > 0.97 * bound);
        }
        CHECK(std::abs(v.value(number)[0]) <= 4);   // of fan 1
        CHECK(v.value(number)[0] != 0);
    };
    auto const in = [](double scale) { return [=](double i, double) { return scale / i; }; };
    auto const average = [](double i, double o) { return 2 / (i + o); };
    check(xg::glorot_uniform{.seed = 4}, average, true);
    check(xg::glorot_normal{.seed = 4}, average, false);
    check(xg::he_uniform{.seed = 5}, in(2), true);
    check(xg::he_normal{.seed = 5}, in(2), false);
    check(xg::lecun_uniform{.seed = 6}, in(1), true);
    check(xg::lecun_normal{.seed = 6}, in(1), false);
    check(
        xg::variance_scaling{.seed = 7, .scale = 3, .mode = xg::fan::out, .distribution = xg::distribution::uniform},
        [](double, double o) { return 3 / o; }, true);
    v.initialize(xg::variance_scaling{.seed = 7, .scale = 3, .mode = xg::fan::out, .distribution = xg::distribution::normal});
    CHECK(of(v.value(many)).deviation == doctest::Approx(std::sqrt(3.0 / 150)).epsilon(0.02));
    CHECK(of(v.value(many)).largest > 3 * std::sqrt(3.0 / 150));               // not truncated
    CHECK((of(v.value(vector_of)).largest == 0 && v.value(number)[0] == 0));   // biases, where an initializer is for all
}

TEST_CASE("orthogonal and identity") {
    xg::variables v{tall, wide, vector_of, xg::relu(state)};
    v.initialize(xg::orthogonal{.seed = 3, .gain = 2}, xg::initial(xg::identity_initializer{.gain = 3}, state));
    CHECK(of(v.value(vector_of)).largest == 0);
    auto const t = v.value(tall);
    auto const w = v.value(wide);
    for (std::int64_t i = 0; i < 4; ++i)
        for (std::int64_t k = 0; k < 4; ++k) {
            double columns = 0, along = 0;
            for (std::int64_t r = 0; r < 6; ++r) columns += t[4 * r + i] * t[4 * r + k];
            CHECK(columns == doctest::Approx(i == k ? 4 : 0));
            for (std::int64_t c = 0; i < 3 && k < 3 && c < 8; ++c) along += w(i, c) * w(k, c);
            if (i < 3 && k < 3) CHECK(along == doctest::Approx(i == k ? 4 : 0));
            CHECK(v.value(state)(i, k) == (i == k ? 3 : 0));
        }
    v.initialize(xg::initial(xg::identity_initializer{}, wide));   // need not be square
    for (std::int64_t i = 0; i < 24; ++i) CHECK(w[i] == (i / 8 == i % 8 ? 1 : 0));
    CHECK(t[0] != 0);   // not named
}

TEST_CASE("initial values depend on seed and name alone, and state stays as it is") {
    xg::variables v{wide, tall, half, xg::relu(state), counter};
    xg::variables other{tall, wide};
    std::vector<float> const fives(16, 5);
    v.assign(state, xg::array(fives.data(), 4, 4));
    std::int32_t const counts[] = {7, 8, 9};
    v.assign(counter, counts);
    for (int normal = 0; normal < 2; ++normal) {
        if (normal == 1) v.initialize(xg::random_normal{.seed = 5}), other.initialize(xg::random_normal{.seed = 5});
        else v.initialize(xg::orthogonal{.seed = 5}), other.initialize(xg::orthogonal{.seed = 5});
        CHECK(test::copy(v.value(tall)) == test::copy(other.value(tall)));
        CHECK(test::copy(v.value(wide)) == test::copy(other.value(wide)));
        CHECK(v.value(tall)[0] != v.value(wide)[0]);
    }
    CHECK(test::copy(v.value(state)) == fives);
    CHECK(test::copy(v.value(counter)) == std::vector<std::int32_t>{7, 8, 9});
    // single variables: laws, which take the seed of the first where they have none, and arrays
    auto const before = test::copy(v.value(wide));
    v.initialize(xg::glorot_uniform{.seed = 5}, xg::initial(xg::random_normal{}, wide), xg::initial(xg::constant_initializer{-2}, counter),
        xg::initial(std::vector<float>{1, 2, 3.01f}, half), xg::initial(xg::ones_initializer{}, state));
    CHECK(test::copy(v.value(wide)) == before);
    CHECK(test::copy(v.value(counter)) == std::vector<std::int32_t>(3, -2));
    CHECK(v.value(half)[2].bits == xg::bfloat16(3.01f).bits);
    CHECK(test::copy(v.value(state)) == std::vector<float>(16, 1));
}

TEST_CASE("initial values that cannot be change nothing") {
    xg::variables v{wide, tall, half, counter};
    v.initialize(xg::random_normal{.seed = 5});
    auto const before = test::copy(v.value(wide));
    auto const refused = [&](std::string_view text, auto const&... how) {
        std::string said;
        try {
            v.initialize(how...);
        } catch (xg::error const& e) { said = e.what(); }
        CHECK_MESSAGE(said.find(text) != std::string::npos, said);
        CHECK(test::copy(v.value(wide)) == before);
        CHECK(v.store().seed == 5);
    };
    refused("identity needs a matrix, and the variable \"tall\" has 3 axes", xg::identity_initializer{});
    refused("\"wide\": scale, range and standard deviation must not be negative, found -1", xg::random_normal{.stddev = -1});
    refused("\"wide\": its numbers must be finite, found nan", xg::constant_initializer{std::nan("")});
    refused("\"wide\": its numbers must be finite, found inf", xg::random_uniform{.range = HUGE_VAL});
    refused("\"wide\": the scale of variance_scaling must be positive", xg::variance_scaling{.scale = 0});
    refused("\"counter\" is not an integer", xg::random_normal{.seed = 6}, xg::initial(xg::constant_initializer{0.5}, counter));
    refused("another shape than the variable \"half\": it has [2], the variable [", xg::random_normal{.seed = 6},
        xg::initial(std::vector<float>{1, 2}, half));
    refused("no variable \"many\" in this store; it has \"", xg::random_normal{.seed = 6}, xg::initial(xg::ones_initializer{}, many));
}

TEST_CASE("what grows begins as it would have begun") {
    constexpr auto seen = xg::non_trainable<"seen", float, rows>;
    xg::variables small{table, seen, rows = 3};
    xg::variables large{table, seen, rows = 7};
    large.initialize(xg::zeros_initializer{.seed = 2}, xg::initial(xg::truncated_normal{}, table));
    small.initialize(xg::zeros_initializer{.seed = 2}, xg::initial(xg::truncated_normal{}, table));
    small.initialize(xg::initial(xg::ones_initializer{}, seen));
    small.grow(rows = 7, xg::zeros_initializer{.seed = 2}, xg::initial(xg::truncated_normal{}, table));
    CHECK(test::copy(small.value(table)) == test::copy(large.value(table)));
    CHECK(test::copy(small.value(seen)) == std::vector<float>{1, 1, 1, 0, 0, 0, 0});
}
