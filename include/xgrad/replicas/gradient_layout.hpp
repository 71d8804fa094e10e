// SPDX-License-Identifier: MIT
// All gradients of a step as one message.
#pragma once

#include <xgrad/replicas/gradient_ref.hpp>
#include <xgrad/replicas/rank_message.hpp>
#include <xgrad/replicas/update_steps.hpp>

#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// How many rows each gradient has comes first, then values and indices, each on a multiple of 64 bytes.
class gradient_layout {
    struct item {
        bool sparse;
        std::size_t value_bytes;   // of all, or of one row
        std::size_t index_bytes;   // of one row
    };
    std::vector<item> items_;
    std::vector<std::int64_t> rows_;

    static std::size_t padding(std::size_t bytes) { return (64 - bytes % 64) % 64; }
    static void add_padded(outgoing& message, void const* data, std::size_t bytes) {
        static constexpr std::byte zeros[64]{};
        if (bytes > 0) message.add(data, bytes);
        if (padding(bytes) > 0) message.add(zeros, padding(bytes));
    }
    static std::byte const* take_padded(incoming& message, std::size_t bytes) { return message.take(bytes + padding(bytes)); }

public:
    /// Of the updates as they are now.
    void follow(update_steps const& updates) {
        items_.clear();
        for (int k = 0; k < updates.count(); ++k) {
            planner::plan_step const& s = updates.step(k);
            auto const elements = static_cast<std::size_t>(s.sparse ? updates.row_length(k) : updates.elements(k));
            items_.push_back({s.sparse, elements * size_of(s.type), s.sparse ? size_of(s.index_type) : 0});
        }
        rows_.resize(items_.size());
    }
    int count() const { return static_cast<int>(items_.size()); }
    std::size_t row_bytes() const { return rows_.size() * sizeof(std::int64_t); }

    /// Behind a header of 64 bytes. `gradient(k)` says where it is; the message refers to what lies there, and to this layout.
    template<class F>
    void add(outgoing& message, F const& gradient) {
        for (std::size_t k = 0; k < items_.size(); ++k) rows_[k] = items_[k].sparse ? gradient(static_cast<int>(k)).rows : -1;
        add_padded(message, rows_.data(), row_bytes());
        for (std::size_t k = 0; k < items_.size(); ++k) {
            gradient_ref const g = gradient(static_cast<int>(k));
            auto const rows = static_cast<std::size_t>(g.rows);
            add_padded(message, g.values, items_[k].sparse ? rows * items_[k].value_bytes : items_[k].value_bytes);
            if (items_[k].sparse) add_padded(message, g.indices, rows * items_[k].index_bytes);
        }
    }
    /// Where the gradients lie in a message. Throws value_error where it is too short or none of this layout.
    void read(incoming message, int from, std::vector<gradient_ref>& gradients) const {
        gradients.resize(items_.size());
        std::byte const* const counts = take_padded(message, row_bytes());
        for (std::size_t k = 0; k < items_.size(); ++k) {
            std::int64_t rows;
            std::memcpy(&rows, counts + k * sizeof rows, sizeof rows);
            if ((rows >= 0) != items_[k].sparse)
                raise_parts<value_error>({"xgrad: replicas: gradient ", static_cast<int>(k), " of rank ", from,
                    items_[k].sparse ? " is not in slices, as here" : " is in slices, and here it is not"});
            auto const n = static_cast<std::size_t>(rows);
            gradient_ref& g = gradients[k];
            g = {take_padded(message, items_[k].sparse ? n * items_[k].value_bytes : items_[k].value_bytes), nullptr, 0};
            if (items_[k].sparse) g = {g.values, take_padded(message, n * items_[k].index_bytes), rows};
        }
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
