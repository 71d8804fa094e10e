// SPDX-License-Identifier: MIT
// Batches of arrays in memory: the order of an epoch compared with std::shuffle, and a whole epoch compared with a loop that copies rows.
#include "frame.hpp"

#include <xgrad/data/batches.hpp>
#include <xgrad/xgrad.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {
namespace xg = xgrad;

/// What an epoch's first batch waits for.
void order(bench::suite& suite, std::int64_t rows) {
    std::string const name = "order of " + std::to_string(rows) + " rows";
    if (!suite.wanted(name)) return;
    std::vector<std::int64_t> mine(static_cast<std::size_t>(rows)), theirs = mine;
    xg::random_key key;
    std::mt19937_64 engine(1);
    suite.row(
        name,
        [&] {
            ++key.step;
            xg::detail::shuffled_numbers(mine, key);
            bench::keep(mine);
        },
        [&] {
            std::iota(theirs.begin(), theirs.end(), std::int64_t{0});
            std::shuffle(theirs.begin(), theirs.end(), engine);
            bench::keep(theirs);
        });
}

/// All batches of an epoch, each looked at; the hand-written side has an order that exists already.
void epoch(bench::suite& suite, std::int64_t rows, std::int64_t width) {
    constexpr std::int64_t size = 64;
    std::string const name = "epoch of " + std::to_string(rows) + " x " + std::to_string(width) + ", batches of 64";
    if (!suite.wanted(name)) return;
    std::vector<float> numbers(static_cast<std::size_t>(rows * width));
    std::iota(numbers.begin(), numbers.end(), 0.f);
    std::vector<std::int64_t> by_hand(static_cast<std::size_t>(rows));
    std::iota(by_hand.begin(), by_hand.end(), std::int64_t{0});
    std::shuffle(by_hand.begin(), by_hand.end(), std::mt19937_64(1));
    std::vector<float> batch(static_cast<std::size_t>(size * width));
    xg::batches all{{.size = size, .seed = 1}, xg::array(numbers, rows, width)};
    double mine = 0, theirs = 0;
    auto const xgrad = [&] {
        for (auto const& [x] : all) mine += static_cast<double>(x[0]);
    };
    auto const hand = [&] {
        for (std::int64_t at = 0; at < rows; at += size) {
            for (std::int64_t k = 0; k < std::min(size, rows - at); ++k)
                std::memcpy(batch.data() + k * width, numbers.data() + by_hand[static_cast<std::size_t>(at + k)] * width,
                    static_cast<std::size_t>(width) * sizeof(float));
            bench::keep(batch);
            theirs += static_cast<double>(batch[0]);
        }
    };
    suite.row(name, xgrad, hand);
    bench::keep(mine);
    bench::keep(theirs);
}

}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "Batches of arrays in memory");
    for (std::int64_t const rows : {60'000, 1'000'000, 10'000'000}) order(suite, rows);
    epoch(suite, 60'000, 784);
    epoch(suite, 1'000'000, 16);
    return suite.finish();
}
