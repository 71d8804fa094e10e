// SPDX-License-Identifier: MIT
// The share of the memory's bandwidth that accumulators reach with gradients that fit no cache. Compared with hand-written copies and sums
// of as many bytes. One thread.
#include "frame.hpp"
#include "hand/vec.hpp"

#include <xgrad/replicas/accumulators/conditional_accumulator.hpp>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {
namespace xg = xgrad;
using vf = hand::vf;
constexpr std::size_t n = 10'000'000;
static_assert(n % (sizeof(vf) / sizeof(float)) == 0);

template<class F>
void over(F const& f) {
    for (std::size_t i = 0; i < n; i += sizeof(vf) / sizeof(float)) f(i);
}
void add(float* to, float const* from) {
    over([&](std::size_t i) { hand::store<vf>(to + i, hand::loadf(to + i) + hand::loadf(from + i)); });
    bench::keep(to);
}
void divide(float* to, float by) {
    over([&](std::size_t i) { hand::store<vf>(to + i, hand::loadf(to + i) / hand::set1<vf>(by)); });
    bench::keep(to);
}
}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "accumulators of 1e7 floats and the memory's bandwidth");
    std::vector<float> gradient(n), sum(n), other(n);
    for (std::size_t i = 0; i < n; ++i) gradient[i] = static_cast<float>(i * 7919 % 1000) / 1000 - .5f;

    // Bytes that must be read and written, whatever the caches do.
    struct {
        char const* name;
        double bytes;
    } const rows[] = {{"the second gradient of a take: apply_grad, beside a sum", 12. * n},
        {"the only gradient of a take: apply_grad and take_grad, beside a copy and a division", 16. * n}, {"copy", 8. * n},
        {"triad", 12. * n}};
    {
        xg::conditional_accumulator<float> sums({.shape = {static_cast<std::int64_t>(n)}});
        sums.apply_grad(gradient);
        suite.row(
            rows[0].name, [&] { sums.apply_grad(gradient); }, [&] { add(sum.data(), gradient.data()); });
    }
    {
        xg::conditional_accumulator<float> sums({.shape = {static_cast<std::int64_t>(n)}});
        xg::dense_gradient<float> mean;
        float const volatile count = 1;   // the compiler is not to know it
        auto const ours = [&] {
            sums.apply_grad(gradient, sums.global_step());
            sums.take_grad(1, mean);
        };
        auto const theirs = [&] {
            std::memcpy(sum.data(), gradient.data(), n * sizeof(float));
            bench::keep(sum.data());
            divide(sum.data(), count);
        };
        ours();
        ours();
        theirs();
        suite.agree(rows[1].name, "one element", mean[n - 1], sum[n - 1], 0);
        suite.row(rows[1].name, ours, theirs);
    }
    suite.row(rows[2].name, [&] {
        std::memcpy(other.data(), gradient.data(), n * sizeof(float));
        bench::keep(other.data());
    });
    suite.row(rows[3].name, [&] {
        over([&](std::size_t i) {
            hand::store<vf>(other.data() + i, hand::loadf(gradient.data() + i) + hand::set1<vf>(.5f) * hand::loadf(sum.data() + i));
        });
        bench::keep(other.data());
    });

    double triad = 0;
    for (auto const& r : suite.results())
        if (r.name == rows[3].name) triad = rows[3].bytes / r.hand.median();
    if (triad > 0) std::printf("\n| | GB/s | share of the triad's | by hand GB/s |\n|---|---|---|---|\n");
    for (auto const& r : suite.results())
        for (auto const& row : rows)
            if (triad > 0 && r.name == row.name) {
                double const hand = row.bytes / r.hand.median(), ours = r.xgrad.samples.empty() ? hand : row.bytes / r.xgrad.median();
                std::printf("| %s | %.1f | %.2f | %.1f |\n", row.name, ours / 1e9, ours / triad, hand / 1e9);
            }
    return suite.finish();
}
