// SPDX-License-Identifier: MIT
// The messages and bytes that workers on several machines send in a step, in closed form.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/error.hpp>

#include <bit>
#include <cstdint>

XGRAD_NAMESPACE_BEGIN

/// How n ranks with one gradient each exchange it so that all know the sum.
enum class exchange {
    ring,        // n pieces: sums travel once around a ring, then the complete pieces do (Patarasu and Yuan 2009)
    tree,        // whole gradients up a binomial tree to rank 0, and the sum down again
    owners,      // each rank owns a share of the variables: it receives their gradients, and sends their new values to all
    one_owner,   // rank 0 owns all variables: a parameter server that is also a worker
    gather       // all gradients to all ranks around a ring: for slices, which have different rows on each rank
};

/// The cost of one step, in which a rank sends one message and receives one at a time.
struct communication_cost {
    std::int64_t messages = 0;   // sent by the busiest rank
    std::int64_t sent = 0;       // bytes sent by the busiest rank
    std::int64_t received = 0;   // bytes received by the busiest rank
    std::int64_t rounds = 0;     // in sequence
    std::int64_t path = 0;       // sum over the rounds of the longest message in each, in bytes

    /// Seconds, if a message of b bytes takes latency + b / bandwidth and additions take no time.
    constexpr double seconds(double latency, double bandwidth) const {
        return static_cast<double>(rounds) * latency + static_cast<double>(path) / bandwidth;
    }
    constexpr bool operator==(communication_cost const&) const = default;
};

/// Cost of an exchange with owners, where `values` bytes go back to each worker. Of a table these are the rows that have moved: the rows
/// that any worker has read, each counted once.
/// Pieces are as equal as bytes allow. Throws value_error for other exchanges, for fewer than one rank, and for negative bytes.
///
///     owners      2(n - 1) messages, of bytes / n and of values / n, in 2(n - 1) rounds
///     one_owner   n - 1 messages of all values from rank 0, which receives n - 1 of all bytes, in 2(n - 1) rounds
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
    for (std::int64_t r : {std::int64_t{0}, bytes % n, values % n, others}) {   // one rank for each combination of piece sizes
        std::int64_t const given = piece(bytes, r), back = piece(values, r);
        std::int64_t const sent = bytes - given + others * back, received = values - back + others * given;
        c.sent = sent > c.sent ? sent : c.sent;
        c.received = received > c.received ? received : c.received;
    }
    return c;
}
/// Cost for gradients of `bytes` bytes on each of `workers` ranks. Pieces are as equal as bytes allow. Throws value_error for fewer than
/// one rank or negative bytes; in a constant expression this does not compile.
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
        // Each rank sends all pieces but one, twice. The two omitted pieces are neighbours.
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
