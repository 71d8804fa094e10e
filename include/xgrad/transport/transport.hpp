// SPDX-License-Identifier: MIT
// Ranks that send bytes to each other: the interface of all transports.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/aligned_buffer.hpp>
#include <xgrad/transport/waiting.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>

XGRAD_NAMESPACE_BEGIN

/// Wildcards for try_receive: a message of any rank, or with any tag.
inline constexpr int any_rank = -1;
inline constexpr int any_tag = -1;
/// Users may send tags from 0 up to, but not including, this one. xgrad uses the tags from here on.
inline constexpr int first_reserved_tag = 1 << 14;

/// Sender, tag and size of a message that has arrived.
struct received {
    int from, tag;
    std::size_t bytes;
};
/// Memory for received messages. It keeps the size of the largest one so far, so a reused buffer stops allocating.
using message_buffer = aligned_buffer<std::byte>;
/// One piece of a message to send.
using message_bytes = std::span<std::byte const>;

/// A group of ranks 0 .. size() - 1. A rank may be a thread, a process or a machine.
///
/// - `send(to, tag, parts)` sends the parts, in sequence, as one message. It copies them and does not wait for the receiver. A rank may
///   send to itself.
/// - `try_receive(from, tag, buffer, options)` takes the first message that matches sender and tag; both may be wildcards. It returns
///   nothing if no message matches before the time-out, or if a stop is requested.
///
/// Messages of one sender with one tag arrive in the order in which they were sent, each exactly once. Several threads of a rank may call
/// both functions at the same time.
template<class T>
concept Transport = requires(
    T& t, T const& c, int rank, int tag, std::span<message_bytes const> parts, message_buffer& buffer, wait_options const& options) {
    { c.rank() } -> std::same_as<int>;
    { c.size() } -> std::same_as<int>;
    t.send(rank, tag, parts);
    { t.try_receive(rank, tag, buffer, options) } -> std::same_as<std::optional<received>>;
};

namespace detail {
[[noreturn]] inline void fail_to_receive(int rank, std::string_view operation, int from, int tag, bool stopped) {
    std::string text = message({"xgrad: rank ", rank, ": ", operation, ": "});
    if (from == any_rank) append(text, {"nothing has come from any rank"});
    else append(text, {"nothing has come from rank ", from});
    append(text, {" (tag ", tag, stopped ? ") before a stop was requested" : ") in time"});
    if (stopped) raise<cancelled_error>(text);
    raise<timeout_error>(text);
}
inline void check_rank(int rank, int size, std::string_view operation, int other) {
    if (other < 0 || other >= size)
        raise_parts<value_error>({"xgrad: rank ", rank, ": ", operation, ": there is no rank ", other, " among ", size});
}
inline void check_tag(int rank, int tag) {
    if (tag < 0) raise_parts<value_error>({"xgrad: rank ", rank, ": send: the tag ", tag, " is negative; tags begin with 0"});
}
template<class T>
message_bytes bytes_of(T const& x) {
    return std::as_bytes(std::span<T const, 1>(&x, 1));
}
}   // namespace detail

/// Waits for a message. Throws timeout_error or cancelled_error. Their message names rank, sender, tag and `operation`, the name of the
/// caller's operation.
template<Transport T>
received receive(
    T& transport, int from, int tag, message_buffer& buffer, wait_options const& options = {}, std::string_view operation = "receive") {
    std::optional<received> const r = transport.try_receive(from, tag, buffer, options);
    if (!r) detail::fail_to_receive(transport.rank(), operation, from, tag, options.stop.stop_requested());
    return *r;
}
/// Sends one piece as a message.
template<Transport T>
void send(T& transport, int to, int tag, message_bytes bytes) {
    transport.send(to, tag, std::span(&bytes, 1));
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
