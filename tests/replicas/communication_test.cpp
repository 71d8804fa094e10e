// SPDX-License-Identifier: MIT
// Closed forms against schedules that are run: messages are sent, sums are made, and everybody has the sum of all in the end.
#include <support/message_of.hpp>

#include <xgrad/replicas/reports/communication.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace xg = xgrad;
using xg::exchange;

namespace {

// Ranks with pieces. A piece is how often the gradient of each rank is in it.
class machine {
    using piece = std::vector<int>;
    struct message {
        int from, to, piece;
        bool adds;
    };
    int n_;
    std::vector<std::int64_t> size_, back_;   // of pieces that are added, and that are final
    std::vector<std::vector<piece>> has_;     // of each rank
    std::vector<message> round_;
    std::vector<std::int64_t> messages_, sent_, received_;
    std::int64_t rounds_ = 0, path_ = 0;

public:
    machine(int n, std::vector<std::int64_t> sizes, std::vector<std::int64_t> back)
        : n_(n), size_(std::move(sizes)), back_(std::move(back)), messages_(at(n)), sent_(at(n)), received_(at(n)) {
        for (int r = 0; r < n; ++r) {
            piece mine(at(n));
            mine[at(r)] = 1;
            has_.emplace_back(size_.size(), mine);
        }
    }
    static std::size_t at(int k) { return static_cast<std::size_t>(k); }
    // In this round.
    void send(int from, int to, int what, bool adds) { round_.push_back({from, to, what, adds}); }
    // Pieces that go from one rank to the same other one in a round are one message.
    void end_round() {
        std::vector<std::int64_t> out(at(n_)), in(at(n_));
        std::vector<int> to(at(n_), -1), from(at(n_), -1);
        auto const before = has_;
        for (message const& m : round_) {
            CHECK((to[at(m.from)] == -1 || to[at(m.from)] == m.to));   // one message at a time
            CHECK((from[at(m.to)] == -1 || from[at(m.to)] == m.from));
            messages_[at(m.from)] += to[at(m.from)] == -1;
            to[at(m.from)] = m.to;
            from[at(m.to)] = m.from;
            std::int64_t const bytes = (m.adds ? size_ : back_)[at(m.piece)];
            out[at(m.from)] += bytes;
            in[at(m.to)] += bytes;
            piece& p = has_[at(m.to)][at(m.piece)];
            piece const& q = before[at(m.from)][at(m.piece)];
            for (int k = 0; k < n_; ++k) p[at(k)] = q[at(k)] + (m.adds ? p[at(k)] : 0);
        }
        for (int r = 0; r < n_; ++r) {
            sent_[at(r)] += out[at(r)];
            received_[at(r)] += in[at(r)];
        }
        path_ += *std::max_element(out.begin(), out.end());
        ++rounds_;
        round_.clear();
    }
    bool everybody_has_all() const {
        return std::all_of(has_.begin(), has_.end(), [&](auto const& pieces) {
            return std::all_of(pieces.begin(), pieces.end(), [&](piece const& p) { return p == piece(at(n_), 1); });
        });
    }
    /// Piece k of everybody is the gradient of rank k.
    bool everybody_has_each() const {
        for (auto const& pieces : has_)
            for (int k = 0; k < n_; ++k)
                for (int r = 0; r < n_; ++r)
                    if (pieces[at(k)][at(r)] != (r == k)) return false;
        return true;
    }
    xg::communication_cost cost() const {
        auto const most = [](auto const& v) { return *std::max_element(v.begin(), v.end()); };
        return {most(messages_), most(sent_), most(received_), rounds_, path_};
    }
};

std::vector<std::int64_t> pieces(int n, std::int64_t bytes) {
    std::vector<std::int64_t> sizes;
    for (int k = 0; k < n; ++k) sizes.push_back(bytes / n + (k < bytes % n));
    return sizes;
}
machine run(exchange how, int n, std::int64_t bytes, std::int64_t values) {
    bool const whole = how == exchange::tree || how == exchange::one_owner;
    auto const cut = [&](std::int64_t all) {
        return whole                     ? std::vector<std::int64_t>{all}
               : how == exchange::gather ? std::vector<std::int64_t>(machine::at(n), all)
                                         : pieces(n, all);
    };
    machine m(n, cut(bytes), cut(values));
    auto const ring = [n](int k) { return ((k % n) + n) % n; };
    switch (how) {
    case exchange::ring:
        for (int t = 0; t < n - 1; ++t, m.end_round())
            for (int r = 0; r < n; ++r) m.send(r, ring(r + 1), ring(r - t), true);
        for (int t = 0; t < n - 1; ++t, m.end_round())
            for (int r = 0; r < n; ++r) m.send(r, ring(r + 1), ring(r + 1 - t), false);
        break;
    case exchange::tree: {
        int top = 1;
        for (; top < n; top *= 2, m.end_round())
            for (int r = top; r < n; r += 2 * top) m.send(r, r - top, 0, true);
        for (top /= 2; top >= 1; top /= 2, m.end_round())
            for (int r = top; r < n; r += 2 * top) m.send(r - top, r, 0, false);
        break;
    }
    case exchange::owners:
        for (int t = 1; t < n; ++t, m.end_round())
            for (int r = 0; r < n; ++r) m.send(r, ring(r + t), ring(r + t), true);
        for (int t = 1; t < n; ++t, m.end_round())
            for (int r = 0; r < n; ++r) m.send(r, ring(r + t), r, false);
        break;
    case exchange::one_owner:
        for (int r = 1; r < n; ++r, m.end_round()) m.send(r, 0, 0, true);
        for (int r = 1; r < n; ++r, m.end_round()) m.send(0, r, 0, false);
        break;
    case exchange::gather:
        for (int t = 0; t < n - 1; ++t, m.end_round())
            for (int r = 0; r < n; ++r) m.send(r, ring(r + 1), ring(r - t), false);
        break;
    }
    return m;
}

}   // namespace

TEST_CASE("closed forms are what schedules send") {
    for (exchange how : {exchange::ring, exchange::tree, exchange::owners, exchange::one_owner, exchange::gather})
        for (int n = 1; n <= 20; ++n)
            for (std::int64_t bytes : {0, 1, 7, 19, 20, 1000, 1001, 1019}) {
                CAPTURE(static_cast<int>(how));
                CAPTURE(n);
                CAPTURE(bytes);
                machine const m = run(how, n, bytes, bytes);
                CHECK((how == exchange::gather ? m.everybody_has_each() : m.everybody_has_all()));
                xg::communication_cost const expected = m.cost(), found = xg::communication_of(how, n, bytes);
                CHECK(found.messages == expected.messages);
                CHECK(found.sent == expected.sent);
                CHECK(found.received == expected.received);
                CHECK(found.rounds == expected.rounds);
                CHECK(found.path == expected.path);
            }
    for (exchange how : {exchange::owners, exchange::one_owner})
        for (int n = 1; n <= 12; ++n)
            for (std::int64_t bytes : {0, 1, 7, 1000, 1019})
                for (std::int64_t values : {0, 5, 1001, 9000}) {
                    CAPTURE(n);
                    CAPTURE(bytes);
                    CAPTURE(values);
                    CHECK((xg::communication_of(how, n, bytes, values) == run(how, n, bytes, values).cost()));
                }
}
TEST_CASE("many workers: bytes of ring and owners stay, those of tree and one owner grow") {
    constexpr std::int64_t bytes = 4'000'000;
    static_assert(xg::communication_of(exchange::ring, 8, bytes).sent == 7'000'000);
    static_assert(xg::communication_of(exchange::ring, 1024, bytes).sent < 2 * bytes);
    static_assert(xg::communication_of(exchange::owners, 1024, bytes).messages == 2046);
    static_assert(xg::communication_of(exchange::tree, 1024, bytes).sent == 10 * bytes);
    static_assert(xg::communication_of(exchange::tree, 1000, bytes).rounds == 20);
    static_assert(xg::communication_of(exchange::one_owner, 1024, bytes).received == 1023 * bytes);
    static_assert(xg::communication_of(exchange::gather, 1024, bytes).sent == 1023 * bytes);
    static_assert(xg::communication_of(exchange::ring, 1, bytes) == xg::communication_cost{});
    CHECK(xg::communication_of(exchange::tree, 4, 1000).seconds(1e-3, 1e6) == doctest::Approx(4 * 1e-3 + 4 * 1e-3));
}
TEST_CASE("what there is not") {
    CHECK(test::message_of<xg::value_error>([] { xg::communication_of(exchange::ring, 0, 5); }) ==
          "xgrad: communication_of: 5 bytes of 0 workers");
    CHECK(test::message_of<xg::value_error>([] { xg::communication_of(exchange::ring, 2, -5); }) ==
          "xgrad: communication_of: -5 bytes of 2 workers");
    CHECK(test::message_of<xg::value_error>([] { xg::communication_of(exchange::ring, 2, 5, 3); }) ==
          "xgrad: communication_of: 5 bytes of 2 workers and 3 back, which only owners send");
    CHECK(test::message_of<xg::value_error>([] { xg::communication_of(exchange::owners, 2, 5, -3); }) ==
          "xgrad: communication_of: 5 bytes of 2 workers and -3 back");
}
