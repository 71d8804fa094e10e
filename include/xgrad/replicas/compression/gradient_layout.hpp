// SPDX-License-Identifier: MIT
// The layout of messages that carry all gradients of a step.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/compression/gradient_message.hpp>
#include <xgrad/run/gradient_ref.hpp>
#include <xgrad/train/step_driver.hpp>
#include <xgrad/replicas/sync/update_steps.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// One to four messages for the gradients of a step. The first ones can be sent while the last gradients are still being computed.
///
/// Each block below is padded to a multiple of 64 bytes:
///
///     rank_header | row counts of the gradients, −1 for dense | gradient | gradient | ...
///     gradient:     dense: values             slices: values | indices
class gradient_layout {
    struct item {
        bool sparse;
        std::size_t value_bytes;   // of all, or of one row
        std::size_t index_bytes;   // of one row
    };
    struct part {
        int complete_after;         // number of plan steps after which its gradients are complete
        std::vector<int> updates;   // the updates that the gradients belong to
    };
    std::vector<item> items_;
    std::vector<part> parts_;
    std::vector<std::int64_t> rows_;
    static constexpr std::size_t most_parts = 4;

    static std::size_t padding(std::size_t bytes) { return (64 - bytes % 64) % 64; }
    static void add_padded(outgoing& message, void const* data, std::size_t bytes) {
        static constexpr std::byte zeros[64]{};
        if (bytes > 0) message.add(data, bytes);
        if (padding(bytes) > 0) message.add(zeros, padding(bytes));
    }
    static std::byte const* take_padded(incoming& message, std::size_t bytes) { return message.take(bytes + padding(bytes)); }

    // Counts only dense gradients, because the number of rows in slices is not known before the step.
    std::size_t dense_bytes(int update) const {
        item const& i = items_[static_cast<std::size_t>(update)];
        return i.sparse ? 0 : i.value_bytes;
    }
    void cut(std::vector<int> const& complete_after, std::size_t least) {
        std::vector<int> order(items_.size());
        std::iota(order.begin(), order.end(), 0);
        auto const there = [&](int update) { return complete_after[static_cast<std::size_t>(update)]; };
        std::sort(order.begin(), order.end(), [&](int a, int b) { return std::pair(there(a), a) < std::pair(there(b), b); });
        std::size_t all = 0, bytes = 0;
        for (int const update : order) all += dense_bytes(update);
        std::size_t const enough = std::max(all / most_parts, least);
        parts_.assign(1, {});
        for (std::size_t k = 0; k < order.size(); ++k) {
            parts_.back().updates.push_back(order[k]);
            parts_.back().complete_after = there(order[k]);
            bytes += dense_bytes(order[k]);
            bool const more = k + 1 < order.size() && there(order[k + 1]) > there(order[k]);
            if (!more || bytes < enough || parts_.size() == most_parts) continue;
            parts_.emplace_back();
            bytes = 0;
        }
        parts_.back().complete_after = in_the_end;
    }

public:
    /// Larger than the number of steps of any plan.
    static constexpr int in_the_end = std::numeric_limits<int>::max();

    /// Computes the layout for `updates`, which are the updates of a program from `first` on, with their current sizes. Every part but the
    /// last has at least `least` bytes of dense gradients.
    template<class P>
    void follow(trainer<P>& train, update_steps const& updates, int first, std::size_t least) {
        auto& state = step_driver::state(train);
        state.gradients.begin(state.run);
        items_.clear();
        std::vector<int> complete_after;
        for (int k = 0; k < updates.count(); ++k) {
            planner::plan_step const& s = updates.step(k);
            auto const elements = static_cast<std::size_t>(s.sparse ? updates.row_length(k) : updates.elements(k));
            items_.push_back({s.sparse, elements * size_of(s.type), s.sparse ? size_of(s.index_type) : 0});
            complete_after.push_back(state.gradients.complete_after(first + k));
        }
        rows_.resize(items_.size());
        cut(complete_after, least);
    }
    int parts() const { return static_cast<int>(parts_.size()); }
    /// The number of plan steps after which all gradients of a part are complete. The last part is sent when all steps have run: with it
    /// the gradient counts.
    int complete_after(int part) const { return parts_[static_cast<std::size_t>(part)].complete_after; }

    /// Adds a part to a message that begins with a header of 64 bytes. `gradient(k)` returns the gradient of update k. The message refers
    /// to that memory and to this layout, so both must stay until it is sent.
    template<class F>
    void add(outgoing& message, int part, F const& gradient) {
        std::vector<int> const& updates = parts_[static_cast<std::size_t>(part)].updates;
        auto const is_sparse = [&](int k) { return items_[static_cast<std::size_t>(k)].sparse; };
        for (std::size_t i = 0; i < updates.size(); ++i) rows_[i] = is_sparse(updates[i]) ? gradient(updates[i]).rows : -1;
        add_padded(message, rows_.data(), updates.size() * sizeof(std::int64_t));
        for (int const k : updates) {
            item const& i = items_[static_cast<std::size_t>(k)];
            gradient_ref const g = gradient(k);
            auto const rows = static_cast<std::size_t>(g.rows);
            add_padded(message, g.values, i.sparse ? rows * i.value_bytes : i.value_bytes);
            if (i.sparse) add_padded(message, g.indices, rows * i.index_bytes);
        }
    }
    /// Finds the gradients in the messages of all parts, without copying. Throws value_error if a message is too short or has another
    /// layout.
    void read(gradient_message const& messages, int from, std::vector<gradient_ref>& gradients) const {
        gradients.resize(items_.size());
        for (int p = 0; p < parts(); ++p) {
            incoming message = messages.body(p);
            std::vector<int> const& updates = parts_[static_cast<std::size_t>(p)].updates;
            std::byte const* const counts = take_padded(message, updates.size() * sizeof(std::int64_t));
            for (std::size_t i = 0; i < updates.size(); ++i) {
                int const k = updates[i];
                item const& of = items_[static_cast<std::size_t>(k)];
                std::int64_t rows;
                std::memcpy(&rows, counts + i * sizeof rows, sizeof rows);
                if ((rows >= 0) != of.sparse)
                    raise_parts<value_error>({"xgrad: replicas: gradient ", k, " of rank ", from,
                        of.sparse ? " is not in slices, as here" : " is in slices, and here it is not"});
                auto const n = static_cast<std::size_t>(rows);
                gradient_ref& g = gradients[static_cast<std::size_t>(k)];
                g = {take_padded(message, of.sparse ? n * of.value_bytes : of.value_bytes), nullptr, 0};
                if (of.sparse) g = {g.values, take_padded(message, n * of.index_bytes), rows};
            }
        }
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
