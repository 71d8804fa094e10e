// SPDX-License-Identifier: MIT
// What synchronous workers lose by waiting for the slowest, and what backup workers gain.
// First: expected order statistics of step times in closed form, compared with simulations.
// Then: the rules of sync_replicas themselves, in which the work of a late worker is lost. docs/replicas_scaling.md shows the output.
#include <xgrad/replicas/sync/sync_protocol.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <limits>
#include <random>
#include <vector>

namespace xg = xgrad;

namespace {

// Step times of mean 1. The random numbers are computed here, because those of <random> differ from library to library.
std::mt19937_64 bits(1);
double uniform() { return (static_cast<double>(bits() >> 11) + .5) * 0x1p-53; }
double exponential() { return -std::log(uniform()); }
double normal() { return std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307179586 * uniform()); }

struct law {
    char const* name;
    double (*draw)();
    double (*expected)(int r, int n);   // of the r-th of n
};

double part_exponential() { return .8 + .2 * exponential(); }
double tenth_normal() { return 1 + .1 * normal(); }

/// The r-th of n exponential times of mean 1: 1/n + 1/(n-1) + ... + 1/(n-r+1) (Rényi 1953).
double expected_exponential(int r, int n) {
    double sum = 0;
    for (int i = n - r + 1; i <= n; ++i) sum += 1. / i;
    return sum;
}
double expected_part(int r, int n) { return .8 + .2 * expected_exponential(r, n); }
/// The r-th of n standard normal numbers: the integral of x n! / (r-1)! (n-r)! F(x)^(r-1) (1-F(x))^(n-r) f(x).
/// The trapezoidal rule is exact to rounding for such functions.
double expected_normal(int r, int n) {
    double const choose = std::lgamma(n + 1.) - std::lgamma(r) - std::lgamma(n - r + 1.), h = 1. / 256;
    double sum = 0;
    for (double x = -9; x <= 9; x += h) {
        double const below = .5 * std::erfc(-x / std::sqrt(2.)), above = .5 * std::erfc(x / std::sqrt(2.));
        double const logarithm = choose + (r > 1 ? (r - 1) * std::log(below) : 0) + (n > r ? (n - r) * std::log(above) : 0) - x * x / 2 -
                                 .5 * std::log(6.283185307179586);
        sum += x * std::exp(logarithm) * h;
    }
    return sum;
}
double expected_tenth(int r, int n) { return 1 + .1 * expected_normal(r, n); }

constexpr law laws[] = {{"normal, deviation 0.1", tenth_normal, expected_tenth},
    {"0.8 and exponential 0.2", part_exponential, expected_part}, {"exponential", exponential, expected_exponential}};

bool failed = false;

/// The mean of the r-th of n, by this number of draws. Ends the program with 1 if it is not the expected one.
double simulate(law const& l, int r, int n) {
    int const draws = std::max(200, 400000 / n);
    double sum = 0, squares = 0;
    std::vector<double> times(static_cast<std::size_t>(n));
    for (int k = 0; k < draws; ++k) {
        for (double& t : times) t = l.draw();
        auto const at = times.begin() + (r - 1);
        std::nth_element(times.begin(), at, times.end());
        sum += *at;
        squares += *at * *at;
    }
    double const mean = sum / draws, error = std::sqrt(std::max(0., squares / draws - mean * mean) / draws);
    double const expected = l.expected(r, n);
    if (std::abs(mean - expected) > 6 * error) {
        std::printf("%s: number %d of %d takes %.5f, expected %.5f\n", l.name, r, n, mean, expected);
        failed = true;
    }
    return mean;
}

struct paced {
    double per_update, dropped;
};
/// As sync_replicas: who comes too late has computed for nothing, and begins anew only then.
paced by_the_rules(law const& l, int r, int n) {
    xg::sync_protocol rules({n, r, std::max(0, r - n)});
    std::vector<double> ends;
    for (int k = 0; k < n; ++k) ends.push_back(l.draw());
    std::deque<int> waiting;
    std::int64_t updates = 0, steps = 0, dropped = 0, wanted = std::max(300, 60000 / n);
    double now = 0;
    while (updates < wanted) {
        auto const first = std::min_element(ends.begin(), ends.end());
        int const k = static_cast<int>(first - ends.begin());
        now = *first;
        *first = std::numeric_limits<double>::infinity();
        ++steps;
        dropped += !rules.push(k);
        waiting.push_back(k);
        if (rules.can_update()) {
            rules.update();
            ++updates;
        }
        while (!waiting.empty() && rules.begin(waiting.front())) {
            ends[static_cast<std::size_t>(waiting.front())] = now + l.draw();
            waiting.pop_front();
        }
    }
    return {now / static_cast<double>(updates), static_cast<double>(dropped) / static_cast<double>(steps)};
}

}   // namespace

int main() {
    std::printf("### The slowest of n workers, in mean steps: expected (simulated)\n\n| workers |");
    for (law const& l : laws) std::printf(" %s |", l.name);
    std::printf("\n|---|---|---|---|\n");
    for (int n : {1, 2, 4, 8, 16, 64, 256, 1024}) {
        std::printf("| %d |", n);
        for (law const& l : laws) std::printf(" %.3f (%.3f) |", l.expected(n, n), simulate(l, n, n));
        std::printf("\n");
    }

    std::printf(
        "\n### Backup workers: 100 workers, of which the first R make an update\n\n"
        "Mean steps until R of 100 have come, E[X_(R:100)]; gradients per worker and mean step, R / (100 E); and both by the rules of sync_replicas.\n\n"
        "| steps | R | E | gradients | by the rules: time | gradients | too old |\n|---|---|---|---|---|---|---|\n");
    for (law const& l : laws)
        for (int r : {100, 99, 96, 90, 80}) {
            double const e = l.expected(r, 100);
            simulate(l, r, 100);
            paced const p = by_the_rules(l, r, 100);
            std::printf("| %s | %d | %.3f | %.3f | %.3f | %.3f | %.1f %% |\n", l.name, r, e, r / (100 * e), p.per_update,
                r / (100 * p.per_update), 100 * p.dropped);
            // all start together where all are waited for
            if (r == 100 && std::abs(p.per_update - e) > .06 * e) {
                std::printf("the rules take %.5f for an update of all, expected %.5f\n", p.per_update, e);
                failed = true;
            }
        }
    return failed ? 1 : 0;
}
