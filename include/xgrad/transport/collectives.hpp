// SPDX-License-Identifier: MIT
// Collective operations that work over any transport.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/transport/transport.hpp>

#include <cstring>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN

/// Collective operations. All ranks must call the same operations in the same order.
///
/// Errors of every operation: timeout_error if a message does not arrive in time, cancelled_error if a stop is requested. The ranks are
/// then out of step. Make new ones, that is, a new transport, before the next collective operation.
template<Transport T>
class collectives {
    static constexpr int barrier_tag = first_reserved_tag, broadcast_tag = barrier_tag + 1, reduce_tag = barrier_tag + 2;
    T& transport_;
    message_buffer buffer_;

    void expect(std::size_t bytes, received const& r, std::string_view operation) const {
        if (r.bytes != bytes)
            raise_parts<shape_error>({"xgrad: rank ", transport_.rank(), ": ", operation, ": rank ", r.from, " has sent ",
                std::uint64_t{r.bytes}, " bytes, and ", std::uint64_t{bytes}, " are expected"});
    }

public:
    /// Keeps a reference: the transport must outlive this object.
    explicit collectives(T& transport) : transport_(transport) {}

    /// Returns when all ranks have called it.
    void barrier(wait_options const& options = {}) {
        detail::time_limit const limit(options);
        int const n = transport_.size();
        if (transport_.rank() == 0) {
            for (int k = 1; k < n; ++k) receive(transport_, k, barrier_tag, buffer_, limit.left(), "barrier");
            for (int k = 1; k < n; ++k) send(transport_, k, barrier_tag, {});
        } else {
            send(transport_, 0, barrier_tag, {});
            receive(transport_, 0, barrier_tag, buffer_, limit.left(), "barrier");
        }
    }
    /// Copies the bytes of rank `root` to all ranks, along a binomial tree. Throws shape_error if the ranks pass different sizes.
    void broadcast(int root, std::span<std::byte> bytes, wait_options const& options = {}) {
        detail::time_limit const limit(options);
        int const n = transport_.size();
        detail::check_rank(transport_.rank(), n, "broadcast", root);
        int const me = (transport_.rank() - root + n) % n;   // rank relative to the root
        int bit = 1;
        while (bit < n && (me & bit) == 0) bit *= 2;
        if (me != 0) {
            received const r = receive(transport_, (me - bit + root) % n, broadcast_tag, buffer_, limit.left(), "broadcast");
            expect(bytes.size(), r, "broadcast");
            if (!bytes.empty()) std::memcpy(bytes.data(), buffer_.data(), bytes.size());
        }
        while ((bit /= 2) > 0)
            if (me + bit < n) send(transport_, (me + bit + root) % n, broadcast_tag, bytes);
    }
    /// Sums values[i] over all ranks; rank `root` gets the result, and the other ranks keep their values.
    /// The terms are added in the order of the ranks, so timing does not change the bits of the result. Throws shape_error if the ranks
    /// pass different sizes; then nothing has changed.
    template<class V>
        requires std::is_arithmetic_v<V>
    void reduce(int root, std::span<V> values, wait_options const& options = {}) {
        detail::time_limit const limit(options);
        int const n = transport_.size();
        detail::check_rank(transport_.rank(), n, "reduce", root);
        if (transport_.rank() != root) return send(transport_, root, reduce_tag, std::as_bytes(values));
        sum_.grow_to(values.size_bytes());   // so that `values` stays as it is until every rank's message has arrived
        std::span<V> const sum(reinterpret_cast<V*>(sum_.data()), values.size());
        for (int k = 0; k < n; ++k) {
            if (k == root) {
                add(sum, values.data(), k == 0);
                continue;
            }
            received const r = receive(transport_, k, reduce_tag, buffer_, limit.left(), "reduce");
            expect(values.size_bytes(), r, "reduce");
            add(sum, reinterpret_cast<V const*>(buffer_.data()), k == 0);
        }
        if (!values.empty()) std::memcpy(values.data(), sum.data(), values.size_bytes());
    }

private:
    message_buffer sum_;
    template<class V>
    static void add(std::span<V> to, V const* from, bool first) {
        std::size_t const n = to.size();
        if (first) {
            if (n > 0) std::memcpy(to.data(), from, to.size_bytes());
        } else
            for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<V>(to[i] + from[i]);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
