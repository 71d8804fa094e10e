// SPDX-License-Identifier: MIT
// The frame of the run-time benches: xgrad and hand-written code paired in one run, one pinned core, ratios, allocations.
//
// How to read the table. Each row is one step (or one call), in microseconds:
//   xgrad, hand-written   median over the samples; a sample is as many calls as take about 0.2 ms
//   ratio                 median over the pairs of (xgrad sample / hand-written sample next to it)
//   best                  the ratio of the two fastest samples: what the code can do on a quiet machine
//   peer                  best framework as measured on another machine (if known): an order of magnitude, not a comparison
//   allocations           in the timed region by xgrad (malloc, operator new, aligned_alloc, mmap ... are counted); any but 0 fails the run
// Disturbances of the machine affect both samples of a pair. So the ratio is steadier than the quotient of the two medians, and it is the
// number that is promised.
// Samples of both sides alternate (A B, B A, A B ...). Both run with flush-to-zero, as training does. Both sides start from the same
// numbers. `agree` compares their results before anything is timed: a row whose sides disagree fails the run.
// The hand-written side is in hand/: vectors as wide as the build allows, exact division and square root, no allocation in a step.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// Number of allocations of the program so far: calls of malloc, calloc, realloc, aligned_alloc, posix_memalign, memalign, mmap and
/// operator new.
std::uint64_t allocations() noexcept;

/// Makes the compiler believe that the value is used.
template<class T>
inline void keep(T const& value) {
    asm volatile("" : : "g"(&value) : "memory");
}

/// One side of a row: its samples in seconds per call.
struct side {
    std::vector<double> samples;
    std::uint64_t allocations = 0;
    double median() const;
    double minimum() const;
};

struct result {
    std::string name;
    side xgrad, hand;   // one is empty in a row of the other alone
    double ratio = 0, best = 0, peer = 0;
};

/// A table of rows. Options of a program:
/// * --filter TEXT: only rows with this text in their name
/// * --seconds S: time for each row, default 1
/// * --cpu N: the core to run on, default the last one that is allowed
/// * --json FILE
/// * --list: prints the names of the rows
class suite {
public:
    /// Not pinned where several threads are to have a core each.
    suite(int argc, char** argv, std::string title, bool pinned = true);

    /// False for rows that --filter omits: asked before something expensive is built.
    bool wanted(std::string const& name) const;

    /// Compares a number of both sides; a relative difference above `tolerance` (absolute below 1) is printed and fails the run.
    bool agree(std::string const& name, std::string const& what, double xgrad, double hand, double tolerance);

    /// Times both sides in pairs. `peer` in microseconds, 0 if unknown.
    template<class Xgrad, class Hand>
    void row(std::string const& name, Xgrad&& xgrad, Hand&& hand, double peer = 0) {
        if (!begin(name)) return;
        result r{name, {}, {}, 0, 0, peer};
        int const x = calibrate(xgrad), h = calibrate(hand);
        reserve(r.xgrad);
        reserve(r.hand);
        auto const end = clock::now() + std::chrono::duration<double>(seconds_);
        for (std::size_t pair = 0; pair < capacity && (pair < least || clock::now() < end); ++pair) {
            if (pair % 2 == 0) {
                sample(r.xgrad, x, xgrad);
                sample(r.hand, h, hand);
            } else {
                sample(r.hand, h, hand);
                sample(r.xgrad, x, xgrad);
            }
        }
        add(std::move(r));
    }

    /// Times xgrad alone.
    template<class Xgrad>
    void alone(std::string const& name, Xgrad&& xgrad) {
        if (!begin(name)) return;
        result r{name, {}, {}, 0, 0, 0};
        int const x = calibrate(xgrad);
        reserve(r.xgrad);
        auto const end = clock::now() + std::chrono::duration<double>(seconds_);
        for (std::size_t i = 0; i < capacity && (i < least || clock::now() < end); ++i) sample(r.xgrad, x, xgrad);
        add(std::move(r));
    }

    /// Times the hand-written side alone.
    template<class Hand>
    void row(std::string const& name, Hand&& hand) {
        if (!begin(name)) return;
        result r{name, {}, {}, 0, 0, 0};
        int const h = calibrate(hand);
        reserve(r.hand);
        auto const end = clock::now() + std::chrono::duration<double>(seconds_);
        for (std::size_t i = 0; i < capacity && (i < least || clock::now() < end); ++i) sample(r.hand, h, hand);
        add(std::move(r));
    }

    std::vector<result> const& results() const { return results_; }

    /// Writes the JSON file if one was asked for. The exit status: 0, or 1 if a step allocated or two sides disagreed.
    int finish();

private:
    using clock = std::chrono::steady_clock;
    static constexpr std::size_t capacity = 20000, least = 11;

    bool begin(std::string const& name);
    void add(result r);
    static void reserve(side& s) { s.samples.reserve(capacity); }

    /// Warms up for about 50 ms and says how many calls make a sample.
    template<class F>
    static int calibrate(F& f) {
        auto const start = clock::now();
        int calls = 0;
        double spent = 0;
        do {
            f();
            ++calls;
            spent = std::chrono::duration<double>(clock::now() - start).count();
        } while (calls < 3 || spent < 0.05);
        return std::max(1, int(0.0002 * calls / spent));
    }
    template<class F>
    static void sample(side& s, int calls, F& f) {
        std::uint64_t const before = allocations();
        auto const start = clock::now();
        for (int i = 0; i < calls; ++i) f();
        double const spent = std::chrono::duration<double>(clock::now() - start).count();
        s.allocations += allocations() - before;
        s.samples.push_back(spent / calls);
    }

    std::string title_, filter_, json_;
    double seconds_ = 1;
    bool list_ = false, header_ = false, failed_ = false;
    std::vector<result> results_;
};

}   // namespace bench
