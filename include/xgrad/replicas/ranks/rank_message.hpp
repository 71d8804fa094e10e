// SPDX-License-Identifier: MIT
// What replicas in different ranks say to each other.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/random.hpp>
#include <xgrad/transport/transport.hpp>

#include <atomic>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

inline constexpr int to_coordinator_tag = first_reserved_tag + 16;
inline constexpr int to_worker_tag = to_coordinator_tag + 1;
inline constexpr int to_owner_tag = to_coordinator_tag + 2;       // of a share of the variables, other than rank 0
inline constexpr int owner_reply_tag = to_coordinator_tag + 3;    // to rank 0
inline constexpr int owner_values_tag = to_coordinator_tag + 4;   // to a worker

enum class rank_word : std::uint32_t {
    // from a worker
    hello,      // what it trains, as text; number: 1 where it cannot begin, and why
    gradient,   // or what else it gives, and waits for an answer
    serves,     // a thread in this rank moves a share of the variables from now on
    ended,   // its work; number: 1 where it has thrown, and what it said (from an owner: why it moves nothing more); 2 where a stop was requested; 3 and 4 before it began, because rank 0 had stopped before its hello, or behind it
    // to a worker
    agreed,    // and all state to begin with
    refused,   // the ranks do not fit together, or one is missing: number says which exception
    token,     // the answer: it goes on, with the variables that have moved
    alive,     // go on waiting. From a worker that takes steps of its own: it still does
    stop,
    lost,       // nothing more is expected of this one
    finished,   // the report, what has failed, and all state in the end; to an owner: nothing more is to come
    // to an owner
    prepare,   // the gradients of an update; number: how many
    apply,     // what was prepared
    values,    // a worker has a token: it gets the variables. To a worker: these are they
    collect,   // rank 0 wants all state of the share
    install,   // and has changed it: it comes back
    ready      // from an owner; number: whether it went well, else what went wrong. Or the state
};
/// Which exception a refusal becomes on all ranks.
enum class refusal : std::int64_t { value, shape, missing, failed };
/// The first bytes of each message.
struct rank_header {
    std::uint64_t magic = 0x7867'7261'6472'6e6b;   // and the order of bytes
    std::uint64_t run = 0;   // a number of this run; of hello and its answer one of the rank alone, 0 where rank 0 stops before the hello
    std::int64_t sequence = 0;   // gradients that the worker has sent; an answer has that of what it answers
    std::int64_t number = 0;
    std::int64_t draw = 0;               // random numbers that the worker has drawn
    std::int64_t steps = 0, since = 0;   // of its own, that the worker has taken in this run; since it has given anything
    rank_word word = rank_word::hello;
    std::uint32_t reserved{};   // what stands behind it begin on a multiple of 64 bytes
};

/// A number that no other run has.
inline std::uint64_t fresh_number(int rank) {
    static std::atomic<std::uint64_t> count{0};
    auto const now = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    return hash_mix(hash_mix(mix_bits(now), ++count), static_cast<std::uint64_t>(rank));
}

/// A message in the making: pieces that stay where they are until it has been sent; then, also where that or adding one has failed, it is empty. Used again and again it
/// allocates nothing.
class outgoing {
    rank_header head_;
    std::vector<message_bytes> parts_{{}};   // the first one is the header

public:
    void add(void const* data, std::size_t bytes) {
        try {
            parts_.emplace_back(static_cast<std::byte const*>(data), bytes);
        } catch (...) {
            parts_.resize(1);
            throw;
        }
    }
    /// What stays where it is.
    template<class T>
    void add(T const& x) {
        static_assert(std::is_trivially_copyable_v<T>);
        add(&x, sizeof x);
    }
    template<class T>
    void add(T const&&) = delete;
    void add_text(std::uint64_t const& size, std::string const& text) {
        add(size);
        add(text.data(), text.size());
    }
    template<class T>
    void send(T& transport, int to, int tag, rank_header const& head) {
        struct cleared {
            std::vector<message_bytes>& parts;
            ~cleared() { parts.resize(1); }
        } const end{parts_};
        head_ = head;
        parts_[0] = bytes_of(head_);
        transport.send(to, tag, std::span<message_bytes const>(parts_));
    }
};

/// Reads a message piece by piece. Throws value_error where it is shorter.
class incoming {
    std::byte const* at_;
    std::size_t left_;
    int from_;

public:
    incoming(message_buffer const& buffer, received const& r) : at_(buffer.data()), left_(r.bytes), from_(r.from) {}
    std::byte const* take(std::size_t bytes) {
        if (bytes > left_)
            raise_parts<value_error>(
                {"xgrad: replicas: rank ", from_, " has sent a message that is too short: do all ranks run the same program?"});
        left_ -= bytes;
        return std::exchange(at_, at_ + bytes);
    }
    void read(void* to, std::size_t bytes) {
        std::byte const* const from = take(bytes);
        if (bytes > 0) std::memcpy(to, from, bytes);
    }
    template<class T>
    T read() {
        T x;
        read(&x, sizeof x);
        return x;
    }
    std::string text() {
        auto const n = static_cast<std::size_t>(read<std::uint64_t>());
        auto const* const first = reinterpret_cast<char const*>(take(n));
        return {first, n};
    }
    std::size_t left() const { return left_; }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
