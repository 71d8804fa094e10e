// SPDX-License-Identifier: MIT
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <mutex>
#include <shared_mutex>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// A std::shared_mutex whose writer waits only for the current readers. With glibc's std::shared_mutex a sequence of overlapping readers
/// can keep a writer out forever.
class fair_shared_mutex {
    std::mutex turn_;
    std::shared_mutex mutex_;

public:
    void lock() {
        std::lock_guard const mine(turn_);
        mutex_.lock();
    }
    void unlock() { mutex_.unlock(); }
    void lock_shared() {
        std::lock_guard const mine(turn_);
        mutex_.lock_shared();
    }
    void unlock_shared() { mutex_.unlock_shared(); }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
