// SPDX-License-Identifier: MIT
// The messages between replicas in different ranks. The words of `rank_word` in a run:
//
//     worker          rank 0
//     hello     -->
//               <--   agreed (or refused, or stop)
//     gradient  -->                                    repeated
//               <--   token
//     ended     -->
//               <--   finished
//
// In between, `alive` tells the other side to keep waiting. Other ranks may own shares of the variables:
//
//     update    rank 0 --prepare--> owner --ready--> rank 0 --apply--> owner
//     token     rank 0 --values--> owner --values--> worker
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
inline constexpr int to_owner_tag = to_coordinator_tag + 2;       // to an owner of a share of the variables, other than rank 0
inline constexpr int owner_reply_tag = to_coordinator_tag + 3;    // from an owner to rank 0
inline constexpr int owner_values_tag = to_coordinator_tag + 4;   // from an owner to a worker

/// How the work of a rank ends: the number of a message `ended`, and of a hello that cannot begin.
struct ending {
    enum : std::int64_t {
        normal,
        failed,                 // it has thrown, or cannot begin; the text says what. From an owner: why it moves nothing more
        stop_requested,         // in this rank
        stopped_before_hello,   // it has not begun: rank 0 had stopped before its hello
        stopped_after_hello     // it has not begun: rank 0 stopped after its hello
    };
};
enum class rank_word : std::uint32_t {
    // From a worker:
    hello,      // a description of the program as text; with ending::failed it cannot begin, and the text says why
    gradient,   // a gradient or another contribution; the worker then waits for an answer
    serves,     // a thread in this rank owns a share of the variables from now on
    ended,      // the work of this rank has ended; number: an `ending`
    // To a worker:
    agreed,    // all ranks agree; the initial state
    refused,   // the ranks differ, or one is missing; number: a `refusal`, which selects the exception
    token,     // the answer: the worker continues, with the variables that have moved
    alive,     // keep waiting. From a worker that takes its own steps: it is still working
    stop,
    lost,       // this worker was lost, and nothing more is expected from it
    finished,   // the report, the failure if any, and the final state; to an owner: nothing more will come
    // To an owner:
    prepare,   // the gradients of an update; number: how many
    apply,     // makes the prepared update
    values,    // a worker has a token (token_notice): send it the variables. From the owner to the worker: the variables
    collect,   // rank 0 asks for the state of the share
    install,   // rank 0 has changed the state, and returns it
    ready      // from an owner: the result of the last command. number: 1 if it succeeded; else the text says what failed. Or the state
};
/// The exception that a refusal becomes on all ranks.
enum class refusal : std::int64_t { value, shape, missing, failed };
/// The first 64 bytes of each message. The contents after it begin at a multiple of 64 bytes.
///
///     magic 8 | run 8 | sequence 8 | number 8 | draw 8 | steps 8 | since 8 | word 4 | reserved 4
struct rank_header {
    std::uint64_t magic = 0x7867'7261'6472'6e6b;   // also detects another byte order
    /// The number of this run. In a hello and its answer: a number of the rank that says hello. 0: rank 0 has stopped before the hello.
    std::uint64_t run = 0;
    std::int64_t sequence = 0;   // number of gradients that the worker has sent; an answer repeats the number that it answers
    std::int64_t number = 0;
    std::int64_t draw = 0;               // number of the worker's random draws
    std::int64_t steps = 0, since = 0;   // the worker's own steps in this run; those since its last contribution
    rank_word word = rank_word::hello;
    std::uint32_t reserved{};
};

/// A number that no other run has.
inline std::uint64_t fresh_number(int rank) {
    static std::atomic<std::uint64_t> count{0};
    auto const now = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    return hash_mix(hash_mix(mix_bits(now), ++count), static_cast<std::uint64_t>(rank));
}

/// Collects the parts of a message by reference. They must stay valid until it is sent. After sending the message is empty, also if send or
/// add has failed. A reused object allocates nothing.
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
    /// Adds a reference: x must stay valid. Temporaries are rejected.
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

/// Reads a message piece by piece. Throws value_error if the message is too short.
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
