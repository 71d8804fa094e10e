// SPDX-License-Identifier: MIT
// A transport for tests. It delays, reorders, duplicates and drops messages, driven by a seed.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/random.hpp>
#include <xgrad/transport/transport.hpp>

#include <cstring>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

XGRAD_NAMESPACE_BEGIN

/// The faults of one rank.
struct fault_options {
    std::uint64_t seed = 0;
    int longest_delay = 8;   // a message may be this many looks at the mailbox late
    // Share of messages that are delivered twice. The copy may arrive after later messages of the same sender and tag.
    double duplicates = 0;
    std::int64_t silent_after = std::numeric_limits<std::int64_t>::max();   // the rank goes silent after sending this many messages
};

/// Wraps another transport and delivers its messages late. Messages of different senders or tags may therefore change their order; the
/// order within one sender and tag is kept.
/// Some messages arrive twice. A rank may go silent: what it sends from then on is lost, and it receives nothing.
template<Transport Inner>
class faulty {
    struct letter {
        received what{};
        std::int64_t due = 0;
        bool again = false;   // the copy of a duplicated message
        message_buffer bytes;
    };
    struct state {
        std::mutex mutex;
        std::vector<std::unique_ptr<letter>> held;   // in order of arrival
        std::vector<std::unique_ptr<letter>> spare;
        std::int64_t looks = 0, sent = 0;
        std::uint64_t drawn = 0;
    };
    Inner inner_;
    fault_options options_;
    std::unique_ptr<state> state_{new state};

    // The functions below need the mutex.
    std::uint32_t draw() {
        random_key key;
        key.seed = options_.seed;
        key.name_hash = hash_text("xgrad.faulty");
        key.step = static_cast<std::uint64_t>(inner_.rank());
        return random_bits(key, state_->drawn++);
    }
    bool silent() const { return state_->sent >= options_.silent_after; }
    std::unique_ptr<letter> fresh() {
        if (state_->spare.empty()) return std::unique_ptr<letter>(new letter);
        auto l = std::move(state_->spare.back());
        state_->spare.pop_back();
        return l;
    }
    void hold(std::unique_ptr<letter> l, bool again) {
        l->again = again;
        l->due = state_->looks + draw() % (again ? 8u : 1u) + draw() % (static_cast<unsigned>(options_.longest_delay) + 1);
        state_->held.push_back(std::move(l));
    }
    void look() {
        ++state_->looks;
        for (;;) {
            auto l = fresh();
            auto const r = inner_.try_receive(any_rank, any_tag, l->bytes, {.timeout = std::chrono::nanoseconds{0}});
            if (!r) return state_->spare.push_back(std::move(l));
            l->what = *r;
            bool const twice = draw() < options_.duplicates * 0x1p32;
            auto copy = twice ? fresh() : nullptr;
            if (twice) {
                copy->what = l->what;
                copy->bytes.grow_to(r->bytes);
                if (r->bytes > 0) std::memcpy(copy->bytes.data(), l->bytes.data(), r->bytes);
            }
            hold(std::move(l), false);
            if (twice) hold(std::move(copy), true);
        }
    }
    bool follows_another(std::size_t k) const {
        auto const& all = state_->held;
        for (std::size_t i = 0; i < k; ++i)
            if (all[i]->what.from == all[k]->what.from && all[i]->what.tag == all[k]->what.tag && (!all[i]->again || all[k]->again))
                return true;
        return false;
    }
    std::optional<received> take(int from, int tag, message_buffer& buffer) {
        for (std::size_t k = 0; k < state_->held.size(); ++k) {
            letter& l = *state_->held[k];
            if ((from != any_rank && l.what.from != from) || (tag != any_tag && l.what.tag != tag) || l.due > state_->looks ||
                follows_another(k))
                continue;
            received const what = l.what;
            l.bytes.swap(buffer);
            state_->spare.push_back(std::move(state_->held[k]));
            state_->held.erase(state_->held.begin() + static_cast<std::ptrdiff_t>(k));
            return what;
        }
        return {};
    }

public:
    /// Throws value_error if longest_delay is negative.
    explicit faulty(Inner inner, fault_options const& options = {}) : inner_(std::move(inner)), options_(options) {
        if (options.longest_delay < 0)
            raise_parts<value_error>({"xgrad: faulty: longest_delay is ", options.longest_delay, "; it is 0 or more"});
    }

    int rank() const { return inner_.rank(); }
    int size() const { return inner_.size(); }
    void note_silent(int rank)
        requires(requires(Inner& t) { t.note_silent(0); })
    {
        inner_.note_silent(rank);
    }
    void send(int to, int tag, std::span<message_bytes const> parts) {
        {
            std::lock_guard const lock(state_->mutex);
            if (silent()) return;
            ++state_->sent;
        }
        inner_.send(to, tag, parts);
    }
    std::optional<received> try_receive(int from, int tag, message_buffer& buffer, wait_options const& options = {}) {
        if (from != any_rank) detail::check_rank(rank(), size(), "receive", from);
        auto const deadline = detail::deadline_of(options.timeout);
        for (;;) {
            {
                std::lock_guard const lock(state_->mutex);
                if (!silent()) {
                    look();
                    if (auto const r = take(from, tag, buffer)) return r;
                }
            }
            if (options.stop.stop_requested() || std::chrono::steady_clock::now() >= deadline) return {};
            std::this_thread::sleep_for(std::chrono::microseconds(20));
        }
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
