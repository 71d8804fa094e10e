// SPDX-License-Identifier: MIT
// Workers with local steps allocate nothing once sizes have been seen.
#include <support/allocations.hpp>

#include <xgrad/replicas/local/agn.hpp>
#include <xgrad/replicas/local/diloco.hpp>
#include <xgrad/replicas/local/downpour.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#if XGRAD_INTERCEPT

namespace xg = xgrad;

namespace {
constexpr auto row = xg::input<"row", std::int32_t, 3>;
constexpr auto x = xg::input<"x", float, 3, 2>;
constexpr auto table = xg::variable<"table", float, 4, 2>;
constexpr auto w = xg::variable<"w", float, 11>;
constexpr auto loss = xg::sum(xg::gather(table, row) * x) + xg::sum(w) * xg::sum(x);

template<class Make>
void check(Make const& make) {
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{});
    auto replicas = make(train);
    test::allocations = 0;
    replicas.run([&](auto& worker) {
        float const values[3][2] = {{1, 2}, {3, 4}, {5, 6}};
        for (int k = 0; k < 60; ++k) {
            std::int32_t const rows[] = {k % 4, k % 3, 2};
            test::counting = k >= 24;
            worker(row = rows, x = values);
        }
        test::counting = false;
    });
    CHECK(test::allocations == 0);
    CHECK(train.global_step() >= 20);
}
}   // namespace

TEST_CASE("what is counted, and steps of workers in threads") {
    CHECK(test::count_allocations([] { ::operator delete(::operator new(4)); }) > 0);
    check([](auto& train) { return xg::agn(train, {.workers = 3, .period = 3}); });
    check([](auto& train) { return xg::diloco(train, {.workers = 3, .period = 3}); });
    check([](auto& train) {
        return xg::downpour(train, {.workers = 3, .push_period = 2, .pull_period = 3, .compensation = {.lambda = .1, .decay = .9}},
            xg::top_k_compression{.fraction = .2});
    });
}
#else
TEST_CASE("allocations cannot be counted in this build") {}
#endif
