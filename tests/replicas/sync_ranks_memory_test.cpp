// SPDX-License-Identifier: MIT
// Replicas over ranks allocate nothing once their buffers have grown.
#include <xgrad/replicas/model_average.hpp>
#include <xgrad/replicas/sync_ranks.hpp>
#include <xgrad/transport/thread_transport.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <replicas/table_model.hpp>
#include <transport/conformance.hpp>

#include <atomic>
#include <cstdlib>
#include <new>
#include <vector>

namespace xg = xgrad;

#if !XGRAD_SANITIZED   // which has an operator new of its own
namespace {
std::atomic<bool> counting{false};
std::atomic<int> allocations{0};
XGRAD_NOINLINE void* allocate(std::size_t n, std::size_t alignment) {
    if (counting.load(std::memory_order_relaxed)) allocations.fetch_add(1, std::memory_order_relaxed);
    if (void* const p = std::aligned_alloc(alignment, (n + alignment - 1) / alignment * alignment); p != nullptr) return p;
    throw std::bad_alloc();
}
XGRAD_NOINLINE void release(void* p) { std::free(p); }   // g++ would take free for the wrong end of new
}   // namespace
void* operator new(std::size_t n) { return allocate(n, 16); }
void* operator new(std::size_t n, std::align_val_t a) { return allocate(n, static_cast<std::size_t>(a)); }
void operator delete(void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { release(p); }
#else
namespace {
bool counting;
}
#endif

TEST_CASE("a step of replicas over ranks allocates nothing, in any rank") {
    std::vector<test::data> batches;
    for (int k = 0; k < 12; ++k) batches.emplace_back(k);
    auto const train_with = [&](auto const& make) {
        xg::thread_network network(3);
        test::on_ranks(3, [&](int k) {
            auto train = test::start(xg::adam{.learning_rate = .01});
            auto const report = make(train, network.rank(k)).run([&](auto& worker) {
                for (int round = 0; round < 400; ++round) {
                    if (k == 0 && round == 250) counting = true;
                    if (k == 0 && round == 390) counting = false;   // before anybody ends
                    batches[static_cast<std::size_t>((round * 3 + k) % 12)].call(worker);
                }
            });
            REQUIRE_HERE(report.updates == 400);
        });
    };
    for (int owners : {1, 3})
        train_with([&](auto& train, auto over) {
            return xg::sync_replicas(train, std::move(over), {.initial_tokens = 0, .owners = owners, .message_bytes = 1});
        });
    train_with([](auto& train, auto over) { return xg::model_average(train, std::move(over), {.interval_steps = 1}); });
#if !XGRAD_SANITIZED
    CHECK(allocations.load() == 0);
    counting = true;
    ::operator delete(::operator new(4));
    counting = false;
    CHECK(allocations.load() == 1);   // they are counted
#endif
}
