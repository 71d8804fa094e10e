// SPDX-License-Identifier: MIT
// The cost of accumulators compared with the loops that are necessary: four gradients added, their mean taken. The hand-written side has no
// lock, no check and no wait.
#include "frame.hpp"
#include "hand/vec.hpp"

#include <xgrad/replicas/replicas.hpp>

#include <cstring>
#include <string>
#include <vector>

namespace {
namespace xg = xgrad;
constexpr int gradients = 4;

std::vector<float> numbers(std::size_t n, int seed) {
    std::vector<float> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<float>((i * 7919 + static_cast<std::size_t>(seed) * 104729) % 1000) / 1000 - .5f;
    return v;
}

using vf = hand::vf;
template<class F>
void over(std::size_t n, F const& f) {   // whole vectors: n is a multiple of them
    for (std::size_t i = 0; i < n; i += sizeof(vf) / sizeof(float)) f(i);
}

void dense(bench::suite& suite, std::size_t n, std::string const& text) {
    std::string const name = "dense, 4 gradients of " + text + " and a take";
    if (!suite.wanted(name)) return;
    std::vector<std::vector<float>> all;
    for (int k = 0; k < gradients; ++k) all.push_back(numbers(n, k));
    xg::conditional_accumulator<float> sums({.shape = {static_cast<std::int64_t>(n)}});
    xg::dense_gradient<float> mean;
    std::vector<float> sum(n);
    auto const ours = [&] {
        for (auto const& g : all) sums.apply_grad(g, sums.global_step());
        sums.take_grad(gradients, mean);
    };
    auto const theirs = [&] {
        float* const s = sum.data();
        std::memcpy(s, all[0].data(), n * sizeof(float));
        for (int k = 1; k < gradients; ++k) {
            float const* const g = all[static_cast<std::size_t>(k)].data();
            over(n, [&](std::size_t i) { hand::store<vf>(s + i, hand::loadf(s + i) + hand::loadf(g + i)); });
        }
        over(n, [&](std::size_t i) { hand::store<vf>(s + i, hand::loadf(s + i) / hand::set1<vf>(gradients)); });
        bench::keep(s);
    };
    ours();
    ours();
    theirs();
    suite.agree(name, "one mean", mean[static_cast<std::int64_t>(n) - 1], sum[n - 1], 0);
    suite.row(name, ours, theirs);
}

/// Rows of 32, ascending, every second one in two gradients.
struct slices {
    std::vector<std::int64_t> indices;
    std::vector<float> values;
};
struct merged {
    std::vector<std::int64_t> indices;
    std::vector<int> counters;
    std::vector<float> values;
    std::size_t count = 0;
};
constexpr std::size_t row = 32;

void merge(merged const& a, slices const& b, merged& to) {
    std::size_t i = 0, k = 0, n = 0;
    while (i < a.count || k < b.indices.size()) {
        bool const left = k == b.indices.size() || (i < a.count && a.indices[i] <= b.indices[k]);
        bool const both = left && k < b.indices.size() && a.indices[i] == b.indices[k];
        to.indices[n] = left ? a.indices[i] : b.indices[k];
        to.counters[n] = (left ? a.counters[i] : 0) + (left && !both ? 0 : 1);
        float const* const x = left ? a.values.data() + i * row : b.values.data() + k * row;
        float const* const y = b.values.data() + k * row;
        float* const z = to.values.data() + n * row;
        if (both) over(row, [&](std::size_t c) { hand::store<vf>(z + c, hand::loadf(x + c) + hand::loadf(y + c)); });
        else std::memcpy(z, x, row * sizeof(float));
        i += left;
        k += !left || both;
        ++n;
    }
    to.count = n;
}

void sparse(bench::suite& suite) {
    std::string const name = "sparse, 4 gradients of 2048 rows of 32 and a take";
    if (!suite.wanted(name)) return;
    constexpr std::size_t n = 2048;
    std::vector<slices> all(gradients);
    for (std::size_t g = 0; g < gradients; ++g) {
        for (std::size_t k = 0; k < n; ++k) all[g].indices.push_back(static_cast<std::int64_t>(k % 2 == 0 ? 8 * k : 8 * k + g));
        all[g].values = numbers(n * row, static_cast<int>(g));
    }
    xg::sparse_conditional_accumulator<float> sums({.shape = {100000, row}});
    xg::sparse_gradient<float> mean;
    merged a, b;
    for (merged* m : {&a, &b}) {
        m->indices.resize(gradients * n);
        m->counters.resize(gradients * n);
        m->values.resize(gradients * n * row);
    }
    auto const ours = [&] {
        for (auto const& g : all) sums.apply_grad(g.indices, xg::array(g.values.data(), n, row), sums.global_step());
        sums.take_grad(gradients, mean);
    };
    auto const theirs = [&] {
        a.count = 0;
        for (auto const& g : all) {
            merge(a, g, b);
            std::swap(a, b);
        }
        for (std::size_t k = 0; k < a.count; ++k)
            over(row, [&](std::size_t c) {
                float* const v = a.values.data() + k * row + c;
                hand::store<vf>(v, hand::loadf(v) / hand::set1<vf>(static_cast<float>(a.counters[k])));
            });
        bench::keep(a.values.data());
    };
    ours();
    ours();
    theirs();
    suite.agree(name, "rows", static_cast<double>(mean.indices().size()), static_cast<double>(a.count), 0);
    suite.agree(name, "one mean", mean.row(100)[5], a.values[100 * row + 5], 0);
    suite.row(name, ours, theirs);
}
}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "accumulators");
    dense(suite, 1024, "1024");
    dense(suite, 100000, "1e5");
    dense(suite, 10000000, "1e7");
    sparse(suite);
    return suite.finish();
}
