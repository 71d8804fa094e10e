// SPDX-License-Identifier: MIT
// The time to pass something to another thread and to get an answer: a queue of tokens, and a step of two replicas with almost no work.
// Compared with the standard library's means for threads that wait for each other. Threads are not pinned: the scheduler is to have two
// cores.
#include "frame.hpp"

#include <xgrad/replicas/replicas.hpp>
#include <xgrad/xgrad.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <semaphore>
#include <thread>
#include <vector>

namespace {
namespace xg = xgrad;
using namespace xgrad::literals;
constexpr auto x = xg::input<"x", float>;
constexpr auto w = xg::variable<"w", float>;
constexpr auto loss = xg::square(w * x);

/// A ball that goes to and fro under a mutex.
class by_condition_variable {
    std::mutex mutex_;
    std::condition_variable changed_;
    bool there_ = false, end_ = false;
    std::thread other_{[this] {
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [this] { return there_ || end_; });
            if (end_) return;
            there_ = false;
            changed_.notify_one();
        }
    }};

public:
    ~by_condition_variable() {
        {
            std::lock_guard const lock(mutex_);
            end_ = true;
        }
        changed_.notify_one();
        other_.join();
    }
    void operator()() {
        std::unique_lock lock(mutex_);
        there_ = true;
        changed_.notify_one();
        changed_.wait(lock, [this] { return !there_; });
    }
};

class by_semaphores {
    std::counting_semaphore<> to_{0}, fro_{0};
    std::atomic<bool> end_{false};
    std::thread other_{[this] {
        for (;;) {
            to_.acquire();
            if (end_) return;
            fro_.release();
        }
    }};

public:
    ~by_semaphores() {
        end_ = true;
        to_.release();
        other_.join();
    }
    void operator()() {
        to_.release();
        fro_.acquire();
    }
};

class by_token_queues {
    xg::token_queue to_, fro_;
    std::thread other_{[this] {
        try {
            for (;;) fro_.enqueue(to_.dequeue());
        } catch (xg::cancelled_error const&) {}
    }};

public:
    ~by_token_queues() {
        to_.close();
        other_.join();
    }
    void operator()() {
        to_.enqueue(1);
        fro_.dequeue();
    }
};

/// Two threads that meet, and the last one moves what both have given: a hand-written step of replicas.
class meeting {
    std::mutex mutex_;
    std::condition_variable changed_;
    int come_ = 0;
    std::int64_t round_ = 0;
    bool end_ = false;
    float w_ = 1, sum_ = 0;
    std::thread other_{[this] {
        while (meet()) {}
    }};

    bool meet() {
        std::unique_lock lock(mutex_);
        sum_ += 2 * w_ * .25f;
        if (++come_ == 2) {
            w_ -= 1e-6f * sum_ / 2;
            sum_ = 0;
            come_ = 0;
            ++round_;
            changed_.notify_one();
            return !end_;
        }
        changed_.wait(lock, [this, round = round_] { return round_ != round || end_; });
        return !end_;
    }

public:
    ~meeting() {
        {
            std::lock_guard const lock(mutex_);
            end_ = true;
        }
        changed_.notify_one();
        other_.join();
    }
    void operator()() { meet(); }
};

/// A step of worker 0 of two while worker 1 does the same.
void replicas(bench::suite& suite, std::string const& name, xg::sync_options const& options) {
    if (!suite.wanted(name)) return;
    auto train = xg::minimize<xg::gating::graph>(loss, xg::gradient_descent{.learning_rate = 1e-6});
    train.value(w)[0] = 1;
    meeting by_hand;
    std::atomic<bool> done{false};
    xg::sync_replicas all(train, options);
    float const input = .5f;
    all.run([&](auto& worker) {
        auto const step = [&] { bench::keep(worker(x = input)); };
        if (worker.index() == 0) {
            suite.row(name, step, by_hand);
            done = true;
        } else
            while (!done) step();
    });
}
}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "tokens: there and back between two threads", false);
    std::string const name = "token_queue, two queues, beside a mutex and a condition variable";
    if (suite.wanted(name)) {
        by_token_queues ours;
        by_condition_variable theirs;
        suite.row(name, ours, theirs);
    }
    std::string const semaphores = "token_queue, two queues, beside std::counting_semaphore";
    if (suite.wanted(semaphores)) {
        by_token_queues ours;
        by_semaphores theirs;
        suite.row(semaphores, ours, theirs);
    }
    std::string const asleep =
        "after 100 us of work, so that the other one sleeps, with it: token_queue, beside a mutex and a condition variable";
    if (suite.wanted(asleep)) {
        by_token_queues ours;
        by_condition_variable theirs;
        auto const work = [] {
            auto const end = std::chrono::steady_clock::now() + std::chrono::microseconds(100);
            while (std::chrono::steady_clock::now() < end) {}
        };
        suite.row(
            asleep, [&] { work(), ours(); }, [&] { work(), theirs(); });
    }
    std::string const single = "token_queue, one thread: enqueue and dequeue, beside a locked std::vector";
    if (suite.wanted(single)) {
        xg::token_queue queue;
        std::mutex mutex;
        std::vector<std::int64_t> stack;
        stack.reserve(8);
        suite.row(
            single,
            [&] {
                queue.enqueue(7);
                bench::keep(queue.dequeue());
            },
            [&] {
                {
                    std::lock_guard const lock(mutex);
                    stack.push_back(7);
                }
                std::lock_guard const lock(mutex);
                bench::keep(stack.back());
                stack.pop_back();
            });
    }
    replicas(suite, "sync_replicas, one variable of one float, two workers, beside a meeting by hand", {.workers = 2, .initial_tokens = 0});
    std::string const span = "a span of a time line with its two readings of the clock, beside a plain array";
    if (suite.wanted(span)) {
        xg::timeline_recorder recorder(2, 100);
        std::vector<xg::timeline_span> plain(100);
        std::size_t n = 0;
        suite.row(
            span,
            [&] {
                std::int64_t const begin = recorder.now();
                recorder.record(1, xg::span_kind::compute, begin, recorder.now());
            },
            [&] {
                std::int64_t const begin = recorder.now();
                plain[n++ % 100] = {xg::span_kind::compute, begin, recorder.now()};
                bench::keep(plain.data());
            });
    }
    return suite.finish();
}
