// SPDX-License-Identifier: MIT
// Workers of the smallest model whose steps, pauses and failures a seed decides.
#pragma once

#include "one_number.hpp"

#include <xgrad/core/random.hpp>

#include <chrono>
#include <stdexcept>
#include <thread>

namespace test {

class random_schedule {
    xgrad::random_key key_;

public:
    int workers, fails;   // one that throws, or -1

    explicit random_schedule(unsigned seed) {
        key_.seed = seed;
        workers = 1 + draw(0, 4);
        fails = draw(2, 3) == 0 ? draw(3, workers) : -1;
    }
    /// 0 to before `below`; what a test draws for itself are 1 and 4 to 99.
    int draw(int what, int below) const {
        return static_cast<int>(xgrad::random_bits(key_, static_cast<std::uint64_t>(what)) % static_cast<unsigned>(below));
    }
    int steps_of(int worker) const { return draw(100 + worker * 100, 25); }
    /// Whether it comes to that.
    bool throws() const { return fails >= 0 && steps_of(fails) > 0; }
    /// What a worker does; worker 0 calls `middle()` on its way.
    template<class Worker, class F>
    void work(Worker& worker, F const& middle) const {
        int const mine = 100 + worker.index() * 100, steps = steps_of(worker.index());
        for (int k = 0; k < steps; ++k) {
            if (worker.index() == fails && k == steps / 2) throw std::runtime_error("as planned");
            if (worker.index() == 0 && k == steps / 2) middle();
            if (draw(mine + 1 + k, 4) == 0) std::this_thread::sleep_for(std::chrono::microseconds(draw(mine + 50 + k, 60)));
            worker(g = 1.f);
        }
    }
    template<class Worker>
    void work(Worker& worker) const {
        work(worker, [] {});
    }
};

}   // namespace test
