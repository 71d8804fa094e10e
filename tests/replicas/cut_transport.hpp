// SPDX-License-Identifier: MIT
// Ranks that are threads, of which one is cut off.
#pragma once

#include <xgrad/replicas/ranks/rank_message.hpp>
#include <xgrad/transport/thread_transport.hpp>

#include <atomic>
#include <memory>
#include <stdexcept>

namespace test {
namespace xg = xgrad;

/// Throws at its n-th call of any kind, and then at each one or never again; what is deaf hears nothing from rank 0 as a worker.
class cut {
    xg::thread_transport inner_;
    int at_;
    bool for_good_, deaf_;
    std::shared_ptr<std::atomic<int>> calls_ = std::make_shared<std::atomic<int>>(0);

    void call() const {
        int const n = ++*calls_;
        if (n == at_ || (for_good_ && n > at_)) throw std::range_error("the cable is cut");
    }

public:
    cut(xg::thread_transport inner, int at, bool for_good, bool deaf = false) : inner_(inner), at_(at), for_good_(for_good), deaf_(deaf) {}
    int calls() const { return *calls_; }
    int rank() const { return inner_.rank(); }
    int size() const { return inner_.size(); }
    void send(int to, int tag, std::span<xg::message_bytes const> parts) {
        call();
        inner_.send(to, tag, parts);
    }
    std::optional<xg::received> try_receive(int from, int tag, xg::message_buffer& buffer, xg::wait_options const& options) {
        call();
        return inner_.try_receive(from, deaf_ && tag == xg::detail::to_worker_tag ? 0 : tag, buffer, options);
    }
};
}   // namespace test
