// SPDX-License-Identifier: MIT
// Replicas over ranks send what gradient_bytes_of says, and a header.
#include <replicas/table_model.hpp>
#include <transport/conformance.hpp>

#include <xgrad/inspect/gradient_bytes.hpp>
#include <xgrad/replicas/ranks/sync_ranks.hpp>
#include <xgrad/transport/thread_transport.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <vector>

using namespace test;

namespace {

/// The lengths of messages of a rank to each other one.
using lengths = std::vector<std::vector<std::int64_t>>;
template<xg::Transport Inner>
class counting {
    Inner inner_;
    lengths* sent_;   // by this rank alone, whose threads take turns under the mutex
    std::shared_ptr<std::mutex> mutex_ = std::make_shared<std::mutex>();

public:
    counting(Inner inner, lengths& sent) : inner_(std::move(inner)), sent_(&sent) { sent.resize(static_cast<std::size_t>(inner_.size())); }
    int rank() const { return inner_.rank(); }
    int size() const { return inner_.size(); }
    void send(int to, int tag, std::span<xg::message_bytes const> parts) {
        std::int64_t bytes = 0;
        for (auto const& p : parts) bytes += static_cast<std::int64_t>(p.size());
        {
            std::lock_guard const lock(*mutex_);
            (*sent_)[static_cast<std::size_t>(to)].push_back(bytes);
        }
        inner_.send(to, tag, parts);
    }
    std::optional<xg::received> try_receive(int from, int tag, xg::message_buffer& buffer, xg::wait_options const& options) {
        return inner_.try_receive(from, tag, buffer, options);
    }
};

std::int64_t count(std::vector<std::int64_t> const& all, std::int64_t least, std::int64_t most) {
    std::int64_t n = 0;
    for (std::int64_t const bytes : all) n += least <= bytes && bytes <= most;
    return n;
}

}   // namespace

TEST_CASE("a rank sends its gradients once in a step, and gets the new variables") {
    constexpr int ranks = 3, steps = 7;
    data const d(0);
    lengths sent[ranks];
    xg::thread_network network(ranks);
    test::on_ranks(ranks, [&](int k) {
        auto train = start(xg::adam{});
        xg::sync_replicas replicas(train, counting(network.rank(k), sent[k]), {.initial_tokens = 0});
        replicas.run([&](auto& worker) {
            for (int s = 0; s < steps; ++s) d.call(worker);
        });
    });
    using train = decltype(start(xg::adam{}));
    constexpr xg::program_gradient_bytes<train> bytes{};
    std::int64_t const gradients = bytes.dense() + bytes.slices(batch = d.n);
    CHECK(gradients == 4 * (5 * 7 + 7 + 7 * 4) + d.n * 3 * (7 * 4 + 4));
    // a header, how many rows each has, values and indices each to a multiple of 64 bytes
    std::int64_t const most = gradients + 64 * (2 + 2 * bytes.count());
    constexpr std::int64_t layers = 4 * (5 * 7 + 7 + 7 * 4), rows_of_batches = 12;   // of all that are read, in each step
    for (int k = 1; k < ranks; ++k) {
        CHECK(count(sent[k][0], gradients, most) == steps);
        CHECK(sent[k][1].empty());
        std::int64_t const token = 64 + layers + 8 + rows_of_batches * (4 + 4 * 7);
        CHECK(count(sent[0][static_cast<std::size_t>(k)], token, token) == steps);
        CHECK(count(sent[0][static_cast<std::size_t>(k)], layers + 4 * 40 * 7, 100000) == 2);   // all in the beginning and the end
    }
}
TEST_CASE("a table goes whole where its rule moves all rows, or on_update may") {
    constexpr int ranks = 2, steps = 5;
    data const d(0);
    for (bool const all_rows : {true, false}) {
        lengths sent[ranks];
        xg::thread_network network(ranks);
        test::on_ranks(ranks, [&](int k) {
            auto work = [&](auto train) {
                train.initialize(xg::glorot_uniform{.seed = 3});
                xg::sync_options options{.initial_tokens = 0};
                if (!all_rows) options.on_update = [](std::int64_t) {};
                xg::sync_replicas replicas(train, counting(network.rank(k), sent[k]), options);
                replicas.run([&](auto& worker) {
                    for (int s = 0; s < steps; ++s) d.call(worker);
                });
            };
            if (all_rows) work(xg::minimize<xg::gating::graph>(loss, xg::adam{}));
            else work(start(xg::adam{}));
        });
        std::int64_t const token = 64 + 4 * (5 * 7 + 7 + 7 * 4) + 8 + 4 * 40 * 7;
        CHECK(count(sent[0][1], token, token) == (all_rows ? steps : steps - 1));   // the first one leaves before on_update
    }
}
