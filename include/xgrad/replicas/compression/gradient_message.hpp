// SPDX-License-Identifier: MIT
// Collects the messages that carry the gradients of one step.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/ranks/rank_message.hpp>

#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The messages of one gradient, in order. A reused object allocates nothing.
class gradient_message {
    struct part {
        message_buffer bytes;
        received what{};
    };
    std::vector<part> parts_;   // the first `count_` are valid
    std::size_t count_ = 0;
    std::int64_t sequence_ = 0;

public:
    std::int64_t sequence() const { return sequence_; }
    /// How many of the messages have arrived.
    int count() const { return static_cast<int>(count_); }
    /// Takes the next message by swapping its memory. The first message of a later gradient replaces everything that is here. A message
    /// that is not the next one, such as a duplicate, changes nothing and returns false.
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
    /// The contents of message k after its header.
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
