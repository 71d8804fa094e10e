// SPDX-License-Identifier: MIT
// Training through a loop: the same steps as the unrolled graph, in all gatings, with fusion and without; a failed lookup changes nothing.
#include <support/tensor.hpp>

#include <tuple>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};

constexpr auto x = xg::input<"x", float, 6, batch, 3>;
constexpr auto y = xg::input<"y", float, batch, 1>;
constexpr auto w = xg::variable<"w", float, 8, 8>;
constexpr auto u = xg::variable<"u", float, 3, 8>;
constexpr auto b = xg::variable<"b", float, 8>;
constexpr auto out = xg::variable<"out", float, 8, 1>;
constexpr auto start = xg::variable<"start", float, 8>;
constexpr auto step(auto h, auto row) { return xg::tanh(xg::matmul(h, w) + xg::matmul(row, u) + b); }
struct cell : xg::region {
    static constexpr auto value(auto h, auto row) { return xg::carry(step(h, row)); }
};
constexpr auto first = xg::broadcast_to<batch, 8>(start);
constexpr auto loss_of(auto last) { return xg::mean(xg::square(xg::matmul(last, out) - y)); }
constexpr auto loop = loss_of(std::get<0>(xg::scan<cell>(xg::carry(first), x)));
template<int N>
constexpr auto unrolled() {
    if constexpr (N == 0) return first;
    else return step(unrolled<N - 1>(), xg::squeeze<0>(xg::slice<0, N - 1, N>(x)));
}
constexpr auto graph = loss_of(unrolled<6>());

// The sum of each sequence, which a recurrent net can learn.
template<class Train>
std::vector<float> run(Train train, int steps) {
    train.initialize(xg::glorot_uniform{.seed = 5});
    std::vector<float> losses;
    for (int k = 0; k < steps; ++k) {
        auto const rows = test::numbers<float>({6, 16, 3}, -0.3, 0.3, static_cast<std::uint64_t>(k) + 1);
        test::tensor<float> sums({16, 1});
        for (std::int64_t t = 0; t < 6; ++t)
            for (std::int64_t n = 0; n < 16; ++n)
                for (std::int64_t c = 0; c < 3; ++c) sums[n] += rows[(t * 16 + n) * 3 + c];
        losses.push_back(train(x = rows, y = sums));
    }
    return losses;
}
void agree(std::vector<float> const& a, std::vector<float> const& b) {
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(a[i] == doctest::Approx(b[i]).epsilon(2e-4));
}
}

TEST_CASE("a loop trains as the unrolled graph does") {
    auto const expected = run(xg::minimize(graph, xg::adam{.learning_rate = 0.01}), 60);
    CHECK(expected.back() < 0.2F * expected.front());
    agree(run(xg::minimize(loop, xg::adam{.learning_rate = 0.01}), 60), expected);
    agree(run(xg::minimize<xg::gating::graph>(loop, xg::adam{.learning_rate = 0.01}), 60), expected);
    agree(run(xg::minimize<xg::gating::op, false>(loop, xg::adam{.learning_rate = 0.01}), 60), expected);
}

namespace {
constexpr auto ids = xg::input<"ids", std::int32_t, 4, batch>;
constexpr auto table = xg::variable<"table", float, 10, 8>;
struct reader : xg::region {
    static constexpr auto value(auto h, auto id) { return xg::carry(xg::tanh(h + xg::gather(table, id) * b)); }
};
constexpr auto reading = xg::sum(xg::square(std::get<0>(xg::scan<reader>(xg::carry(first), ids)) - 0.5_c));
}
TEST_CASE("lookups in a body are trained; an index out of range changes nothing") {
    auto train = xg::minimize(reading, xg::gradient_descent{.learning_rate = 0.02});
    auto twin = xg::minimize(reading, xg::gradient_descent{.learning_rate = 0.02});   // never sees the bad index
    for (auto* t : {&train, &twin}) {
        t->initialize(xg::glorot_uniform{.seed = 5});
        std::fill_n(t->value(b).data(), 8, 1.0F);
    }
    test::tensor<std::int32_t> good({4, 3}, 2);
    float const before = train(ids = good);
    float after = before;
    for (int k = 0; k < 20; ++k) after = train(ids = good);
    CHECK(after < 0.5F * before);
    for (int k = 0; k < 8; ++k) CHECK(train.value(table)(2, k) != 0);
    std::vector<float> saved;
    auto const state = [&] {
        std::vector<float> all;
        for (auto const& v : train.store().variables())
            all.insert(all.end(), static_cast<float*>(v.data), static_cast<float*>(v.data) + v.size);
        return all;
    };
    saved = state();
    test::tensor<std::int32_t> bad({4, 3}, 2);
    bad[11] = 10;
    CHECK_THROWS_AS(train(ids = bad), xg::value_error);
    CHECK(state() == saved);
    CHECK(train.global_step() == 21);
    for (int k = 0; k < 21; ++k) twin(ids = good);
    CHECK(train(ids = good) == twin(ids = good));
}
