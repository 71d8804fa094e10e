// SPDX-License-Identifier: MIT
// Ranks that pass bytes to each other: what all transports have in common.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/aligned_buffer.hpp>
#include <xgrad/transport/waiting.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>

XGRAD_NAMESPACE_BEGIN

/// In place of a rank or a tag: that of whatever comes.
inline constexpr int any_rank = -1;
inline constexpr int any_tag = -1;
/// Tags of a user are those from 0 on below this one; the others are xgrad's.
inline constexpr int first_reserved_tag = 1 << 14;

/// A message that has come: whose it is, and how many bytes it has.
struct received {
    int from, tag;
    std::size_t bytes;
};
/// Where a message is put. It grows to the largest one that has come, so that whoever receives again and again with the same one allocates nothing.
using message_buffer = aligned_buffer<std::byte>;
/// A piece of a message that is sent.
using message_bytes = std::span<std::byte const>;

/// Ranks from 0 to before size(), each of which may be a thread, a process or a machine.
///
/// `send(to, tag, parts)` sends the parts one behind the other as one message, also to the own rank. It copies them and does not wait for the receiver.
/// `try_receive(from, tag, buffer, options)` takes the first message of a sender and a tag, each of which may be any; none where there is none at
/// the end of the time-out, or when a stop is requested. Messages of one sender with one tag come in the order in which they were sent, each once. Both may be
/// called by several threads of a rank at the same time.
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

/// Waits for a message. Throws timeout_error, cancelled_error, which name rank, sender and tag; `operation` is what they say is being done.
template<Transport T>
received receive(
    T& transport, int from, int tag, message_buffer& buffer, wait_options const& options = {}, std::string_view operation = "receive") {
    std::optional<received> const r = transport.try_receive(from, tag, buffer, options);
    if (!r) detail::fail_to_receive(transport.rank(), operation, from, tag, options.stop.stop_requested());
    return *r;
}
/// Sends one piece.
template<Transport T>
void send(T& transport, int to, int tag, message_bytes bytes) {
    transport.send(to, tag, std::span(&bytes, 1));
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
