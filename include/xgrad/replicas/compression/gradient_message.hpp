// SPDX-License-Identifier: MIT
// The gradients of a step on their way from a worker.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/ranks/rank_message.hpp>

#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The messages of one gradient, in their order. Used again and again it allocates nothing.
class gradient_message {
    struct part {
        message_buffer bytes;
        received what{};
    };
    std::vector<part> parts_;   // the first `count_` of them
    std::size_t count_ = 0;
    std::int64_t sequence_ = 0;

public:
    std::int64_t sequence() const { return sequence_; }
    /// How many of its messages have come.
    int count() const { return static_cast<int>(count_); }
    /// The next message, whose memory is swapped; the first one of a later gradient takes the place of what is there. One that has come before changes
    /// nothing, and false comes back.
    bool take(message_buffer& arriving, received const& r, rank_header const& head) {
        if (head.sequence > sequence_ && head.number == 0) {
            sequence_ = head.sequence;
            count_ = 0;
        }
        if (head.sequence != sequence_ || head.number != static_cast<std::int64_t>(count_)) return false;
        if (count_ == parts_.size()) parts_.emplace_back();
        parts_[count_].what = r;
        parts_[count_++].bytes.swap(arriving);
        return true;
    }
    /// What stands behind the header of one of them.
    incoming body(int k) const {
        part const& p = parts_[static_cast<std::size_t>(k)];
        incoming m(p.bytes, p.what);
        m.read<rank_header>();
        return m;
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
