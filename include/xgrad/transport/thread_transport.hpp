// SPDX-License-Identifier: MIT
// A transport whose ranks are threads of one process.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/transport/transport.hpp>

#include <cstring>
#include <memory>
#include <vector>

XGRAD_NAMESPACE_BEGIN

class thread_transport;

/// The mailboxes of all ranks in one process. It must outlive the transports that it returns.
class thread_network {
    friend class thread_transport;
    struct letter {
        std::unique_ptr<letter> next;
        received what{};
        message_buffer bytes;
    };
    struct mailbox {
        std::mutex mutex;
        std::condition_variable_any arrived;
        std::unique_ptr<letter> first, spare;
        std::unique_ptr<letter>* end = &first;

        mailbox() = default;
        // Frees the letters one by one: recursive destruction needs stack in proportion to the length of the list.
        ~mailbox() {
            for (auto* list : {&first, &spare})
                while (*list != nullptr) *list = std::move((*list)->next);
        }
    };
    std::vector<std::unique_ptr<mailbox>> boxes_;

public:
    /// Throws value_error if `ranks` is below 1.
    explicit thread_network(int ranks) {
        if (ranks < 1) raise_parts<value_error>({"xgrad: thread_network(", ranks, "): there is at least one rank"});
        for (int k = 0; k < ranks; ++k) boxes_.emplace_back(new mailbox);
    }
    int size() const { return static_cast<int>(boxes_.size()); }
    /// The transport of rank k. Throws value_error if there is no such rank.
    thread_transport rank(int k);
};

/// One rank of a thread_network. The sender copies a message once. The receiver swaps its buffer for the memory of the message, so that
/// nothing is allocated once buffers have grown.
class thread_transport {
    friend class thread_network;
    thread_network* all_;
    int rank_;

    thread_transport(thread_network& all, int rank) : all_(&all), rank_(rank) {}
    using letter = thread_network::letter;
    thread_network::mailbox& box(int k) const { return *all_->boxes_[static_cast<std::size_t>(k)]; }

    // Needs the mutex of the mailbox.
    static std::optional<received> take(thread_network::mailbox& mine, int from, int tag, message_buffer& buffer) {
        for (std::unique_ptr<letter>* at = &mine.first; *at != nullptr; at = &(*at)->next) {
            received const what = (*at)->what;
            if ((from != any_rank && what.from != from) || (tag != any_tag && what.tag != tag)) continue;
            std::unique_ptr<letter> mail = std::move(*at);
            *at = std::move(mail->next);
            if (*at == nullptr) mine.end = at;
            mail->bytes.swap(buffer);
            mail->next = std::move(mine.spare);
            mine.spare = std::move(mail);
            return what;
        }
        return {};
    }

public:
    int rank() const { return rank_; }
    int size() const { return all_->size(); }
    /// Throws value_error if there is no such rank or the tag is negative, std::bad_alloc.
    void send(int to, int tag, std::span<message_bytes const> parts) {
        detail::check_rank(rank_, size(), "send", to);
        detail::check_tag(rank_, tag);
        auto& other = box(to);
        std::unique_ptr<letter> mail;
        {
            std::lock_guard const lock(other.mutex);
            if ((mail = std::move(other.spare)) != nullptr) other.spare = std::move(mail->next);
        }
        if (mail == nullptr) mail.reset(new letter);
        std::size_t n = 0;
        for (message_bytes const p : parts) n += p.size();
        mail->bytes.grow_to(n);
        mail->what = {rank_, tag, n};
        n = 0;
        for (message_bytes const p : parts) {
            if (!p.empty()) std::memcpy(mail->bytes.data() + n, p.data(), p.size());
            n += p.size();
        }
        {
            std::lock_guard const lock(other.mutex);
            *other.end = std::move(mail);
            other.end = &(*other.end)->next;
        }
        other.arrived.notify_all();   // all, because threads of a rank may wait for different tags
    }
    std::optional<received> try_receive(int from, int tag, message_buffer& buffer, wait_options const& options = {}) {
        if (from != any_rank) detail::check_rank(rank_, size(), "receive", from);
        auto& mine = box(rank_);
        std::optional<received> found;
        auto const look = [&] { return (found = take(mine, from, tag, buffer)).has_value(); };
        std::unique_lock lock(mine.mutex);
        if (look() || options.timeout <= std::chrono::nanoseconds{0}) return found;
        auto const deadline = detail::deadline_of(options.timeout);
        if (deadline == detail::no_deadline) mine.arrived.wait(lock, options.stop, look);
        else mine.arrived.wait_until(lock, options.stop, deadline, look);
        return found;
    }
};

inline thread_transport thread_network::rank(int k) {
    detail::check_rank(0, size(), "thread_network.rank", k);
    return {*this, k};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
