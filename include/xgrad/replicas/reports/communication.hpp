// SPDX-License-Identifier: MIT
// What workers on several machines tell each other in a step: messages and bytes in closed form.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/error.hpp>

#include <bit>
#include <cstdint>

XGRAD_NAMESPACE_BEGIN

/// How n ranks that have a gradient each come to have the sum of all.
enum class exchange {
    ring,        // in n pieces: sums go once around, then the pieces that are complete (Patarasu and Yuan 2009)
    tree,        // whole gradients up a binomial tree to rank 0, and the sum down again
    owners,      // each rank owns a share of the variables: gets its gradients from all others, and sends its new values to them
    one_owner,   // rank 0 owns all variables: a parameter server that is a worker too
    gather       // everybody gets the gradients of everybody, around a ring: for slices, whose rows differ from rank to rank
};

/// Of a step, in which a rank sends one message and receives one at a time.
struct communication_cost {
    std::int64_t messages = 0;   // that the busiest rank sends
    std::int64_t sent = 0;       // bytes that the busiest rank sends
    std::int64_t received = 0;   // bytes that the busiest rank receives
    std::int64_t rounds = 0;     // one behind the other
    std::int64_t path = 0;       // sum over the rounds of the bytes of the longest message in each

    /// Seconds, where a message of b bytes takes latency + b / bandwidth and additions nothing.
    constexpr double seconds(double latency, double bandwidth) const {
        return static_cast<double>(rounds) * latency + static_cast<double>(path) / bandwidth;
    }
    constexpr bool operator==(communication_cost const&) const = default;
};

/// Exchanges with owners, where what goes back to each worker are `values` bytes: of a table the rows that have moved, which are as many as all workers together have read, each counted once.
/// Pieces are as equal as bytes can be. Throws value_error for another exchange, for fewer ranks than one or fewer bytes than none.
///
///     owners      2(n - 1) messages, of bytes / n and of values / n, in 2(n - 1) rounds
///     one_owner   n - 1 messages of all values from rank 0, which receives as many of all bytes, in 2(n - 1) rounds
constexpr communication_cost communication_of(exchange how, int workers, std::int64_t bytes, std::int64_t values) {
    bool const owned = how == exchange::owners || how == exchange::one_owner;
    if (!owned || workers < 1 || bytes < 0 || values < 0)
        raise_parts<value_error>({"xgrad: communication_of: ", bytes, " bytes of ", workers, " workers and ", values, " back",
            owned ? "" : ", which only owners send"});
    std::int64_t const n = workers, others = n - 1;
    if (others == 0) return {};
    if (how == exchange::one_owner) {
        return {others, others * values > bytes ? others * values : bytes, others * bytes > values ? others * bytes : values, 2 * others,
            others * (bytes + values)};
    }
    auto const piece = [n](std::int64_t all, std::int64_t rank) { return all / n + (rank < all % n ? 1 : 0); };
    communication_cost c{2 * others, 0, 0, 2 * others, others * (piece(bytes, 0) + piece(values, 0))};
    for (std::int64_t r : {std::int64_t{0}, bytes % n, values % n, others}) {   // ranks of all kinds of pieces
        std::int64_t const given = piece(bytes, r), back = piece(values, r);
        std::int64_t const sent = bytes - given + others * back, received = values - back + others * given;
        c.sent = sent > c.sent ? sent : c.sent;
        c.received = received > c.received ? received : c.received;
    }
    return c;
}
/// For gradients of `bytes` bytes on each of so many ranks; pieces are as equal as bytes can be. Throws value_error for fewer ranks than one or fewer
/// bytes than none, which does not compile in a constant.
///
///     ring        2(n - 1) messages of bytes / n in 2(n - 1) rounds
///     tree        log2(n) messages of all bytes from rank 0, which receives as many, in 2 log2(n) rounds
///     owners      2(n - 1) messages of bytes / n in 2(n - 1) rounds
///     one_owner   n - 1 messages of all bytes from rank 0, which receives as many, in 2(n - 1) rounds
///     gather      n - 1 messages of all bytes in n - 1 rounds
constexpr communication_cost communication_of(exchange how, int workers, std::int64_t bytes) {
    if (workers < 1 || bytes < 0) raise_parts<value_error>({"xgrad: communication_of: ", bytes, " bytes of ", workers, " workers"});
    std::int64_t const n = workers, others = n - 1;
    if (others == 0) return {};
    std::int64_t const piece = bytes / n, longer = bytes % n, longest = piece + (longer > 0 ? 1 : 0);
    switch (how) {
    case exchange::ring: {
        // All pieces but one, twice; the two that are left out follow each other.
        std::int64_t const least = 2 * piece + (longer == others ? 1 : 0), most = 2 * bytes - least;
        return {2 * others, most, most, 2 * others, 2 * others * longest};
    }
    case exchange::tree: {
        std::int64_t const levels = std::bit_width(static_cast<std::uint64_t>(others));
        return {levels, levels * bytes, levels * bytes, 2 * levels, 2 * levels * bytes};
    }
    case exchange::owners:
    case exchange::one_owner: return communication_of(how, workers, bytes, bytes);
    case exchange::gather: return {others, others * bytes, others * bytes, others, others * bytes};
    }
    return {};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
