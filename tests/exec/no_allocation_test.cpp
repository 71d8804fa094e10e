// SPDX-License-Identifier: MIT
// A step in its steady state allocates nothing: every way to memory is intercepted and counted. Denormals are flushed inside a step only.
#include <support/allocations.hpp>

#include <xgrad/sparse/vocabulary.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#if defined(__SSE__)
#    include <xmmintrin.h>
#endif

#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

#if XGRAD_INTERCEPT
template<class Body>
long count(Body&& body) {
    return test::count_allocations(body);
}
#endif

inline constexpr xg::dim batch{"batch"};
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
constexpr auto bags = xg::input<"bags", std::int64_t, batch, 3>;
constexpr auto x = xg::input<"x", float, batch, 5>;
constexpr auto label = xg::input<"label", std::int32_t, batch>;
constexpr auto table = xg::variable<"table", float, 50, 8>;
constexpr auto wide = xg::variable<"wide", float, 40, 4>;
constexpr auto w1 = xg::variable<"w1", float, 13, 33>;
constexpr auto b1 = xg::variable<"b1", float, 33>;
constexpr auto w2 = xg::variable<"w2", float, 33, 4>;
// gather, concat, products, loops, dropout, bag, softmax; slices for table and wide
constexpr auto hidden = xg::dropout<"drop">(xg::tanh(xg::matmul(xg::concat<1>(xg::gather(table, ids), x), w1) + b1), 0.25_c);
constexpr auto logits = xg::matmul(hidden, w2) + xg::embedding_bag(wide, bags);
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, label));

inline constexpr xg::dim turns{"turns"};
constexpr auto rows_in_time = xg::input<"rows_in_time", float, turns, batch, 5>;
struct cell : xg::region {
    static constexpr auto value(auto h, auto row) {
        auto const next = xg::dropout<"kept">(
            xg::tanh(xg::matmul(h, xg::variable<"h/w", float, 6, 6>) + xg::matmul(row, xg::variable<"x/w", float, 5, 6>)), 0.25_c);
        return xg::carry(next).emit(next);
    }
};
constexpr auto recurrent_start = xg::broadcast_to<batch, 6>(xg::constant<float, 0>);
constexpr auto recurrent_loss = xg::sum(xg::square(std::get<1>(xg::scan<cell>(xg::carry(recurrent_start), rows_in_time)) - 0.5_c));

// A call in a branch, and a loop with a condition; both read variables.
constexpr auto w_of_body = xg::variable<"body/w", float, 5, 5>;
struct block : xg::region {
    static constexpr auto value(auto h) { return xg::tanh(xg::matmul(h, w_of_body)); }
};
struct calls : xg::region {
    static constexpr auto value(auto h) { return xg::call<block>(xg::call<block>(h)); }
};
struct joins : xg::region {
    static constexpr auto value(auto h) { return h + xg::variable<"body/b", float, 5>; }
};
struct goes_on : xg::region {
    static constexpr auto value(auto, auto k) { return xg::less(k, 4_c); }
};
struct repeats : xg::region {
    static constexpr auto value(auto h, auto k) { return xg::carry(xg::call<block>(h) * 0.5_c + h, k + 1_c); }
};
constexpr auto flag = xg::input<"flag", bool>;
constexpr auto branch_loss = xg::sum(xg::square(
    std::get<0>(xg::while_loop<goes_on, repeats, 6>(xg::carry(xg::cond<calls, joins>(flag, x), xg::constant<std::int32_t, 0>)))));

struct data {
    std::vector<std::int32_t> ids, label;
    std::vector<std::int64_t> bags;
    std::vector<float> x;
    explicit data(int n) {
        for (int i = 0; i < n; ++i) {
            ids.push_back(i * 7 % 50);
            label.push_back(i % 4);
            for (int k = 0; k < 3; ++k) bags.push_back((i * 11 + k * k) % 40);
            for (int k = 0; k < 5; ++k) x.push_back(static_cast<float>((i + 3 * k) % 9) / 9);
        }
    }
};

template<class Train>
float step(Train& train, data& d, int n) {
    return train(ids = xg::array(d.ids.data(), n), bags = xg::array(d.bags.data(), n, 3), x = xg::array(d.x.data(), n, 5),
        label = xg::array(d.label.data(), n));
}

}   // namespace

#if XGRAD_INTERCEPT
TEST_CASE("a step in two parts allocates nothing either, once its gradients have had their room") {
    auto train = xg::minimize<xg::gating::graph>(loss, xg::lazy_adam{});
    train.initialize(xg::glorot_uniform{.seed = 1});
    data d(20);
    auto const both_parts = [&](int n) {
        train.compute_gradients(ids = xg::array(d.ids.data(), n), bags = xg::array(d.bags.data(), n, 3), x = xg::array(d.x.data(), n, 5),
            label = xg::array(d.label.data(), n));
        train.gradient(w1)[0] = 0;
        train.gradient(table).values[0] = 0;
        train.apply_gradients();
    };
    both_parts(20);
    CHECK(count([&] {
        both_parts(20);
        both_parts(3);
        both_parts(20);
    }) == 0);
    CHECK(train.global_step() == 4);
}
TEST_CASE("results in the caller's memory are allocated for once, when into() is first called") {
    auto vars = xg::variables(logits);
    xg::function f{logits, vars};
    data d(20);
    std::vector<float> scores(20 * 4);
    auto const call = [&](auto& fill, int n) {
        return fill.try_call(ids = xg::array(d.ids.data(), n), bags = xg::array(d.bags.data(), n, 3), x = xg::array(d.x.data(), n, 5)).code;
    };
    f.reserve(batch = 20);
    auto all = f.into(scores);
    CHECK(count([&] {
        auto few = f.into(xg::array(scores.data(), 3, 4));
        CHECK(call(all, 20) == xg::status_code::ok);
        CHECK(call(few, 3) == xg::status_code::ok);
        CHECK(call(few, 20) == xg::status_code::wrong_array);
        CHECK(call(f, 7) == xg::status_code::ok);
        CHECK(call(all, 20) == xg::status_code::ok);
    }) == 0);
}
TEST_CASE("the interceptor counts every way to memory") {
    void* volatile p = nullptr;   // keeps the compiler from leaving pairs of new and delete out
    auto const once = [&](auto take, auto give) {
        long const n = count([&] { p = take(); });
        give(p);
        return n;
    };
    CHECK(once([] { return std::malloc(10); }, [](void* q) { std::free(q); }) == 1);
    CHECK(once([] { return std::calloc(10, 2); }, [](void* q) { std::free(q); }) == 1);
    CHECK(once([] { return std::realloc(nullptr, 10); }, [](void* q) { std::free(q); }) == 1);
    CHECK(once([] { return std::aligned_alloc(64, 128); }, [](void* q) { std::free(q); }) == 1);
    CHECK(once(
              [] {
                  void* q = nullptr;
                  return posix_memalign(&q, 64, 128) == 0 ? q : nullptr;
              },
              [](void* q) { std::free(q); }) == 1);
    CHECK(
        once([] { return ::mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }, [](void* q) { ::munmap(q, 4096); }) == 1);
    CHECK(once([] { return ::operator new(10); }, [](void* q) { ::operator delete(q); }) == 1);
    CHECK(once([] { return ::operator new[](10, std::nothrow); }, [](void* q) { ::operator delete[](q); }) == 1);
    CHECK(once([] { return ::operator new(10, std::align_val_t{64}); }, [](void* q) { ::operator delete(q, std::align_val_t{64}); }) == 1);
    CHECK(once([] { return ::operator new[](10, std::align_val_t{64}, std::nothrow); },
              [](void* q) { ::operator delete[](q, std::align_val_t{64}); }) == 1);
    std::vector<int> grows;
    CHECK(count([&] { grows.resize(1000); }) == 1);
    CHECK(count([&] {
        auto const two = std::make_unique<int>(2);
        p = two.get();
    }) == 1);
    CHECK(count([] {}) == 0);
}

TEST_CASE("a first part that runs out of memory, wherever it does, may be called again") {
    constexpr auto slope = xg::input<"slope", float, 40>;
    constexpr auto v = xg::variable<"v", float, 40>;
    std::vector<float> const ones(40, 1.f);
    int failed = 0;
    for (long n = 0; failed == n; ++n) {
        auto train = xg::minimize<xg::gating::graph>(xg::sum(v * slope), xg::gradient_descent{.learning_rate = 1.f});
        try {
            test::until_failure = n;
            train.compute_gradients(slope = ones);
        } catch (std::bad_alloc const&) { ++failed; }
        test::until_failure = -1;
        train.compute_gradients(slope = ones);
        train.apply_gradients();
        CHECK(train.value(v)(39) == -1);
    }
    CHECK(failed > 3);
}
TEST_CASE("a step in its steady state allocates nothing") {
    data d(64);
    SUBCASE("exact and lazy rules, all in one trainer") {
        auto train = xg::minimize(
            loss, xg::param_group(xg::ftrl{.learning_rate = .1}, wide), xg::param_group(xg::momentum{}, b1), xg::param_group(xg::adam{}));
        train.initialize(xg::glorot_uniform{.seed = 3});
        CHECK(count([&] { step(train, d, 64); }) > 0);   // the first step makes room
        CHECK(count([&] {
            for (int i = 0; i < 5; ++i) step(train, d, 64);
        }) == 0);
        CHECK(count([&] {
            step(train, d, 17);
            step(train, d, 64);
            step(train, d, 1);
        }) == 0);   // smaller ones fit too
        CHECK(train.global_step() == 9);
        float const* const p = train.value(w1).data();
        CHECK(count([&] { train.value(w1)[0] += 1; }) == 0);
        CHECK(p == train.value(w1).data());
    }
    SUBCASE("a rule with sums over all variables") {
        auto train = xg::minimize(loss, xg::param_group(xg::lazy_adam{}, table), xg::prodigy{});
        train.initialize(xg::glorot_uniform{.seed = 3});
        step(train, d, 64);
        CHECK(count([&] {
            for (int i = 0; i < 5; ++i) step(train, d, 64);
        }) == 0);
        CHECK(train.optimizer().powers[4] > 1e-6);   // after the two of lazy_adam: it has summed
    }
    SUBCASE("reserve makes room before the first step, the noexcept form keeps within it") {
        auto train = xg::minimize<xg::gating::graph>(loss, xg::param_group(xg::lazy_adam{}, table), xg::param_group(xg::adagrad{}));
        train.initialize(xg::glorot_uniform{.seed = 3});
        train.reserve(batch = 64);
        CHECK(count([&] {
            step(train, d, 40);
            step(train, d, 64);
        }) == 0);
        data big(65);
        auto const bind = [&](data& from, int n) {
            return train.try_step(ids = xg::array(from.ids.data(), n), bags = xg::array(from.bags.data(), n, 3),
                x = xg::array(from.x.data(), n, 5), label = xg::array(from.label.data(), n));
        };
        xg::status s;
        CHECK(count([&] { s = bind(d, 64); }) == 0);
        CHECK(s);
        CHECK(count([&] { s = bind(big, 65); }) == 0);
        CHECK(s.code == xg::status_code::capacity_exceeded);
        CHECK(train.global_step() == 3);
        CHECK(count([&] { s = bind(d, 64); }) == 0);
        CHECK(s);
    }
    SUBCASE("a loop and its gradient") {
        auto train = xg::minimize(recurrent_loss, xg::adam{});
        train.initialize(xg::glorot_uniform{.seed = 3});
        train.reserve(batch = 8, turns = 20);
        std::vector<float> const rows(20 * 8 * 5, 0.25F);
        auto const call = [&](int length, int n) { return train(rows_in_time = xg::array(rows.data(), length, n, 5)); };
        CHECK(count([&] {
            call(20, 8);
            call(3, 8);
            call(0, 8);
            call(20, 1);
        }) == 0);
        CHECK(count([&] { call(21, 8); }) > 0);
        CHECK(count([&] { call(21, 8); }) == 0);
    }
    SUBCASE("a branch, calls, a loop with a condition, and their gradients") {
        auto train = xg::minimize(branch_loss, xg::adam{});
        train.initialize(xg::glorot_uniform{.seed = 3});
        train.reserve(batch = 8);
        std::vector<float> const rows(9 * 5, 0.25F);
        auto const call = [&](bool which, int n) { return train(flag = which, x = xg::array(rows.data(), n, 5)); };
        CHECK(count([&] {
            call(true, 8);
            call(false, 8);
            call(false, 1);
            call(true, 0);
            call(true, 5);
        }) == 0);
        CHECK(count([&] { call(false, 9); }) > 0);
        CHECK(count([&] {
            call(true, 9);
            call(false, 9);
        }) == 0);
    }
    SUBCASE("a table that grows: only growing and looking up new keys allocate") {
        static constexpr xg::dim rows{"rows"};
        constexpr auto grown = xg::variable<"grown", float, rows, 4>;
        auto train = xg::minimize(xg::sum(xg::square(xg::gather(grown, ids))), xg::lazy_adam{}, rows = 8);
        xg::vocabulary words{"words"};
        std::vector<std::int64_t> const keys{5, -1, 5, 1'000'000'000'000};
        std::vector<std::int32_t> at(4);
        words.lookup_or_insert(keys, std::span(at));
        train.reserve(batch = 4);
        xg::status s;
        CHECK(count([&] {
            words.lookup(keys, std::span(at), 0);
            s = train.try_step(ids = at);
        }) == 0);
        CHECK(s);
        CHECK(count([&] { train.grow(rows = 16, xg::random_uniform{.seed = 1}); }) > 0);
        train.reserve(batch = 4);
        CHECK(count([&] { s = train.try_step(ids = at); }) == 0);   // with the new addresses
        CHECK(s);
        CHECK(train.global_step() == 2);
    }
    SUBCASE("functions") {
        auto train = xg::minimize(loss, xg::gradient_descent{});
        xg::function scores{logits, train};
        auto const call = [&](int n) {
            return scores(ids = xg::array(d.ids.data(), n), bags = xg::array(d.bags.data(), n, 3), x = xg::array(d.x.data(), n, 5));
        };
        call(64);
        CHECK(count([&] {
            call(64);
            call(10);
        }) == 0);
        float value = 0;
        CHECK(count([&] { value = step(train, d, 64); }) > 0);
        CHECK(count([&] { value = step(train, d, 64); }) == 0);
        CHECK(value > 0);
    }
}
#endif

#if defined(__SSE2__)
TEST_CASE("a function keeps denormals unless it is told to flush them, and the control register is restored") {
    constexpr auto h = xg::input<"h", float, 19>;
    xg::function half{0.5_c * h};
    std::vector<float> const tiny(19, 1e-40f);
    unsigned const before = _mm_getcsr() & ~0x3fu;   // without the sticky flags
    for (bool const on : {false, true, false}) {
        half.flush_denormals(on);
        auto const y = half(h = tiny);
        CHECK((_mm_getcsr() & ~0x3fu) == before);
        for (float const e : y) CHECK(e == (on ? 0.0f : 0.5f * 1e-40f));
        CHECK(half.try_call(h = tiny));
        CHECK((_mm_getcsr() & ~0x3fu) == before);
        for (float const e : half.result()) CHECK(e == (on ? 0.0f : 0.5f * 1e-40f));
    }
}
TEST_CASE("denormals are flushed inside a step, and the control register is restored") {
    constexpr auto v = xg::variable<"v", float, 19>;
    constexpr auto h = xg::input<"h", float, 19>;
    auto train = xg::minimize(xg::sum(v * h), xg::gradient_descent{.learning_rate = 1});
    std::vector<float> const gradient(19, 1e-40f), zero(19, 0.0f);   // 1e-40 is a denormal float
    for (unsigned const before : {0x1f80u, 0x1f80u | 0x6000u}) {     // defaults; rounding towards zero
        train.assign(v, zero);
        unsigned const own = _mm_getcsr();
        _mm_setcsr(before);
        train(h = gradient);
        unsigned const after = _mm_getcsr() & ~0x3fu;   // without the sticky flags
        xg::status const s = train.try_step(h = gradient);
        unsigned const again = _mm_getcsr() & ~0x3fu;
        _mm_setcsr(own);
        CHECK(s);
        CHECK(after == before);
        CHECK(again == before);
        for (float const y : train.value(v)) CHECK(y == 0.0f);
    }
    train.flush_denormals(false);
    train(h = gradient);
    for (float const y : train.value(v)) CHECK(y == -1e-40f);
    train.flush_denormals(true);
    train(h = gradient);
    for (float const y : train.value(v)) CHECK(y == 0.0f);
    // also when the call fails
    unsigned const own = _mm_getcsr();
    CHECK_THROWS_AS(train(h = std::vector<float>(18)), xg::shape_error);
    CHECK((_mm_getcsr() & ~0x3fu) == (own & ~0x3fu));
}
#endif
