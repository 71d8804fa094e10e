// SPDX-License-Identifier: MIT
// The memory of replicas over ranks: they allocate nothing once their buffers have grown. If memory runs out, all ranks get the error.
#include <xgrad/replicas/local/model_average.hpp>
#include <xgrad/replicas/ranks/sync_ranks.hpp>
#include <xgrad/transport/thread_transport.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <replicas/one_number.hpp>
#include <replicas/table_model.hpp>
#include <transport/conformance.hpp>

#include <atomic>
#include <barrier>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace xg = xgrad;

#if !XGRAD_SANITIZED   // which has its own operator new
namespace {
std::atomic<bool> counting{false};
std::atomic<int> allocations{0};
thread_local int fails_in = 0;   // after this number of allocations of this thread one throws, once
XGRAD_NOINLINE void* allocate(std::size_t n, std::size_t alignment) {
    if (fails_in > 0 && --fails_in == 0) throw std::bad_alloc();
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

namespace {
/// The gradients of one worker reach an owner of variables only after the owner knows what becomes of them.
class late {
    struct letter {
        xg::received what{};
        xg::message_buffer bytes;
        bool there = false, due = false;
    };
    xg::thread_transport inner_;
    int worker_;   // or -1
    std::unique_ptr<letter> held_{new letter};

public:
    late(xg::thread_transport inner, int worker = -1) : inner_(inner), worker_(worker) {}
    int rank() const { return inner_.rank(); }
    int size() const { return inner_.size(); }
    void send(int to, int tag, std::span<xg::message_bytes const> parts) { inner_.send(to, tag, parts); }
    std::optional<xg::received> try_receive(int from, int tag, xg::message_buffer& buffer, xg::wait_options const& options = {}) {
        while (worker_ >= 0 && tag == xg::detail::to_owner_tag) {
            if (held_->due) {
                held_->due = held_->there = false;
                held_->bytes.swap(buffer);
                return held_->what;
            }
            auto const r = inner_.try_receive(from, tag, buffer, options);
            if (!r) return r;
            xg::detail::rank_header head;
            std::memcpy(&head, buffer.data(), sizeof head);
            if (head.word == xg::detail::rank_word::gradient && r->from == worker_) {
                held_->what = *r;
                held_->bytes.swap(buffer);
                held_->there = true;
                continue;
            }
            if (head.word == xg::detail::rank_word::values) {
                xg::detail::token_notice n;
                std::memcpy(&n, buffer.data() + sizeof head, sizeof n);
                held_->due = held_->there && n.worker == worker_;
            }
            return r;
        }
        return inner_.try_receive(from, tag, buffer, options);
    }
};
#if !XGRAD_SANITIZED
/// Of 140 rounds. A mailbox still grows when more messages are on their way than ever before, which depends on the threads.
/// An allocation in each round would be counted 140 times.
bool nearly_none() { return allocations.exchange(0) < 40; }
#endif
/// While one of `rounds` runs, from the 250th on, and before any worker ends.
void count_in(int round, int rounds) {
    if (round == 250) counting = true;
    if (round == rounds - 10) counting = false;
}
}   // namespace

TEST_CASE("an owner that hears of a dropped gradient before it has come keeps nothing of it") {
    xg::thread_network network(2);
    auto const batch = test::data(0);
    test::on_ranks(2, [&](int k) {
        auto train = test::start(xg::adam{.learning_rate = .01});
        auto other = network.rank(k);
        auto const report =
            xg::sync_replicas(train, late(network.rank(k), 1), {.replicas_to_aggregate = 1, .initial_tokens = 0, .owners = 2})
                .run([&](auto& worker) {
                    for (int round = 0; round < 400; ++round) {
                        if (k == 0) count_in(round, 400);
                        if (k == 1) test::receive_number(other, 0, 11);   // rank 0 has made an update
                        batch.call(worker);
                        if (k == 0) test::send_number(other, 1, 11, round), test::receive_number(other, 1, 12);
                        else test::send_number(other, 0, 12, round);
                    }
                });
        REQUIRE_HERE(report.updates == 400 && report.workers[1].dropped == 400);
    });
#if !XGRAD_SANITIZED
    CHECK(nearly_none());
#endif
}
TEST_CASE("a step of replicas over ranks allocates nothing, in any rank") {
    std::vector<test::data> batches;
    for (int k = 0; k < 12; ++k) batches.emplace_back(k);
    auto const train_with = [&](auto const& make) {
        xg::thread_network network(3);
        test::on_ranks(3, [&](int k) {
            auto train = test::start(xg::adam{.learning_rate = .01});
            auto const report = make(train, late(network.rank(k))).run([&](auto& worker) {
                for (int round = 0; round < 400; ++round) {
                    if (k == 0) count_in(round, 400);
                    batches[static_cast<std::size_t>((round * 3 + k) % 12)].call(worker);
                }
            });
            REQUIRE_HERE(report.updates == 400);
        });
#if !XGRAD_SANITIZED
        CHECK(nearly_none());
#endif
    };
    for (int owners : {1, 3})
        train_with([&](auto& train, auto over) {
            return xg::sync_replicas(train, std::move(over), {.initial_tokens = 0, .owners = owners, .message_bytes = 1});
        });
    train_with([](auto& train, auto over) { return xg::model_average(train, std::move(over), {.interval_steps = 1}); });
#if !XGRAD_SANITIZED
    counting = true;
    ::operator delete(::operator new(4));
    counting = false;
    CHECK(allocations.load() == 1);   // they are counted
#endif
}
#if !XGRAD_SANITIZED
namespace {
/// Runs of three ranks without a deadline; the n-th allocation of rank `bad` throws, for all n. `make(train, transport)`.
template<class Make>
int fail_at_all_allocations(int bad, Make const& make) {
    test::data const batch(0);
    auto const work = [&](auto& worker) {
        for (int s = 0; s < 2; ++s) batch.call(worker);
    };
    int failed = 0;
    for (int n = 1;; ++n) {
        bool any = true;
        std::string texts[3];
        xg::thread_network network(3);
        std::barrier ended(3);
        test::on_ranks(3, [&](int k) {
            auto train = test::start(xg::adam{.learning_rate = .01});
            auto replicas = make(train, late(network.rank(k)));
            if (k == bad) fails_in = n;
            try {
                texts[k] = test::error_of(replicas, work);
            } catch (std::bad_alloc const&) {   // after the end of all others
                texts[k] = "alone";
            } catch (std::exception const& e) { texts[k] = e.what(); }
            if (k == bad) any = std::exchange(fails_in, 0) == 0;
            ended.arrive_and_wait();   // else a hello for the next run comes too early, and is said again a second later
            REQUIRE_HERE(test::error_of(replicas, work) == "nothing was thrown");
        });
        CAPTURE(n);
        CAPTURE(bad);
        std::string const number = std::to_string(bad), lost = number + " xgrad: worker " + number + ": std::bad_alloc";
        std::string const& first = texts[bad == 0];
        CHECK((first == lost || first == "nothing was thrown"));   // std::stable_sort does without
        for (int k = 0; k < 3; ++k) CHECK((texts[k] == first || (k == bad && texts[k] == "alone" && first != lost)));
        failed += texts[bad] == lost;
        if (!any) return failed;   // as many as there are
    }
}
}   // namespace
TEST_CASE("where there is no memory in one rank, whatever it is for, the run ends in all ranks, without a deadline, and all can go on") {
    int failed = 0;
    for (int bad = 0; bad < 3; ++bad) {
        for (int owners : {1, 3})
            failed += fail_at_all_allocations(bad,
                [&](auto& train, auto over) { return xg::sync_replicas(train, std::move(over), {.initial_tokens = 0, .owners = owners}); });
        failed += fail_at_all_allocations(
            bad, [](auto& train, auto over) { return xg::model_average(train, std::move(over), {.interval_steps = 1}); });
    }
    CHECK(failed > 300);
}
TEST_CASE("where there is no memory for a run of workers in threads, the next one goes on") {
    auto train = test::start(xg::adam{.learning_rate = .01});
    test::data const batch(0);
    xg::model_average replicas(train, {.workers = 2, .interval_steps = 1});
    auto const work = [&](auto& worker) { batch.call(worker); };
    replicas.run(work);
    int failed = 0;
    bool any = true;
    for (int n = 1; any; ++n) {
        CAPTURE(n);
        fails_in = n;
        try {
            replicas.run(work);
        } catch (std::bad_alloc const&) { ++failed; }
        any = std::exchange(fails_in, 0) == 0;
        std::int64_t const before = train.global_step();
        replicas.run(work);
        CHECK(train.global_step() == before + 1);
    }
    CHECK(failed > 10);
}
#endif
