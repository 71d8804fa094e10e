// SPDX-License-Identifier: MIT
// The bytes that each of n ranks sends in a step of synchronous training, for a dense network and for one with tables.
// Compares ring, tree, owners of shares and one owner. docs/replicas_scaling.md shows the output. The compiler computes all numbers.
#include <xgrad/inspect/gradient_bytes.hpp>
#include <xgrad/replicas/reports/communication.hpp>
#include <xgrad/xgrad.hpp>

#include <cstdio>

namespace xg = xgrad;
using xg::exchange;

inline constexpr xg::dim batch{"batch"};

// 784-1024-200-10: a million parameters
namespace dense {
constexpr auto x = xg::input<"x", float, batch, 784>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto w1 = xg::variable<"w1", float, 784, 1024>;
constexpr auto b1 = xg::variable<"b1", float, 1024>;
constexpr auto w2 = xg::variable<"w2", float, 1024, 200>;
constexpr auto b2 = xg::variable<"b2", float, 200>;
constexpr auto w3 = xg::variable<"w3", float, 200, 10>;
constexpr auto b3 = xg::variable<"b3", float, 10>;
constexpr auto logits = xg::matmul(xg::relu(xg::matmul(xg::relu(xg::matmul(x, w1) + b1), w2) + b2), w3) + b3;
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, y));
using train = decltype(xg::minimize<xg::gating::graph>(loss, xg::adam{}));
}   // namespace dense

// a table of a million rows, of which a step reads 20 for each example, and layers on top
namespace tables {
constexpr auto ids = xg::input<"ids", std::int32_t, batch, 20>;
constexpr auto y = xg::input<"y", float, batch>;
constexpr auto table = xg::variable<"table", float, 1'000'000, 64>;
constexpr auto w1 = xg::variable<"w1", float, 64, 256>;
constexpr auto b1 = xg::variable<"b1", float, 256>;
constexpr auto w2 = xg::variable<"w2", float, 256, 1>;
constexpr auto hidden = xg::relu(xg::matmul(xg::embedding_bag(table, ids), w1) + b1);
constexpr auto loss = xg::mean(xg::sigmoid_cross_entropy(xg::squeeze<1>(xg::matmul(hidden, w2)), y));
using train = decltype(xg::minimize<xg::gating::graph>(loss, xg::adagrad{}));
}   // namespace tables

constexpr std::int64_t rows = 128;   // of a batch
constexpr std::int64_t dense_bytes = xg::gradient_bytes_of<dense::train>.dense(batch = rows);
static_assert(dense_bytes == 4 * (784 * 1024 + 1024 + 1024 * 200 + 200 + 200 * 10 + 10) &&
              xg::gradient_bytes_of<dense::train>.slices(batch = rows) == 0);
constexpr std::int64_t layer_bytes = xg::gradient_bytes_of<tables::train>.dense(batch = rows);
constexpr std::int64_t slice_bytes = xg::gradient_bytes_of<tables::train>.slices(batch = rows);
static_assert(layer_bytes == 4 * (64 * 256 + 256 + 256) && slice_bytes == rows * 20 * (64 * 4 + 4));

int main() {
    constexpr double latency = 20e-6, bandwidth = 1.25e9;   // a network of 10 Gbit/s
    auto const megabytes = [](std::int64_t n) { return static_cast<double>(n) / 1e6; };

    std::printf(
        "### %.2f MB of dense gradients\n\nOf the busiest rank in a step: messages that it sends, MB that it sends (it receives as many), and ms where a message takes 20 us and "
        "1.25 GB pass in a second.\n\n| workers | ring | tree | owners | one owner |\n|---|---|---|---|---|\n",
        megabytes(dense_bytes));
    for (int n : {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}) {
        std::printf("| %d |", n);
        for (exchange how : {exchange::ring, exchange::tree, exchange::owners, exchange::one_owner}) {
            auto const c = xg::communication_of(how, n, dense_bytes);
            std::printf(
                " %lld, %.2f MB, %.1f ms |", static_cast<long long>(c.messages), megabytes(c.sent), 1e3 * c.seconds(latency, bandwidth));
        }
        std::printf("\n");
    }
    std::printf(
        "\n### A table of 256 MB: %.2f MB of layers and %.2f MB of slices of %lld examples\n\nLayers go by ring; slices around (`gather`), or to the owners of their rows, "
        "from whom a rank has as many rows as it reads, where indices are spread evenly; or from whom all have all rows that have moved, as with sync_replicas; or the table as a dense gradient by ring.\n\n"
        "| workers | slices around | slices to owners | and all rows back | dense |\n|---|---|---|---|---|\n",
        megabytes(layer_bytes), megabytes(slice_bytes), static_cast<long long>(rows));
    for (int n : {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}) {
        auto const layers = xg::communication_of(exchange::ring, n, layer_bytes);
        std::printf("| %d |", n);
        for (auto const& table :
            {xg::communication_of(exchange::gather, n, slice_bytes), xg::communication_of(exchange::owners, n, slice_bytes),
                xg::communication_of(exchange::owners, n, slice_bytes, n * slice_bytes),
                xg::communication_of(exchange::ring, n, 256'000'000)})
            std::printf(" %.2f MB, %.1f ms |", megabytes(table.sent + layers.sent),
                1e3 * (table.seconds(latency, bandwidth) + layers.seconds(latency, bandwidth)));
        std::printf("\n");
    }
}
