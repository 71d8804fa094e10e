// SPDX-License-Identifier: MIT
// All gradients of a step as messages.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/compression/gradient_message.hpp>
#include <xgrad/replicas/accumulators/gradient_ref.hpp>
#include <xgrad/replicas/trainer_access.hpp>
#include <xgrad/replicas/sync/update_steps.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// One message, or a few, of which the first ones leave while the last gradients are computed. In each how many rows its gradients have comes first, then
/// values and indices, each on a multiple of 64 bytes.
class gradient_layout {
    struct item {
        bool sparse;
        std::size_t value_bytes;   // of all, or of one row
        std::size_t index_bytes;   // of one row
    };
    struct part {
        int behind;                 // so many steps: then its gradients are there
        std::vector<int> updates;   // whose gradients they are
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

    // Rows come in numbers that no plan knows: only what is dense makes a part.
    std::size_t dense_bytes(int update) const {
        item const& i = items_[static_cast<std::size_t>(update)];
        return i.sparse ? 0 : i.value_bytes;
    }
    void cut(std::vector<int> const& behind, std::size_t least) {
        std::vector<int> order(items_.size());
        std::iota(order.begin(), order.end(), 0);
        auto const there = [&](int update) { return behind[static_cast<std::size_t>(update)]; };
        std::sort(order.begin(), order.end(), [&](int a, int b) { return std::pair(there(a), a) < std::pair(there(b), b); });
        std::size_t all = 0, bytes = 0;
        for (int const update : order) all += dense_bytes(update);
        std::size_t const enough = std::max(all / most_parts, least);
        parts_.assign(1, {});
        for (std::size_t k = 0; k < order.size(); ++k) {
            parts_.back().updates.push_back(order[k]);
            parts_.back().behind = there(order[k]);
            bytes += dense_bytes(order[k]);
            bool const more = k + 1 < order.size() && there(order[k + 1]) > there(order[k]);
            if (!more || bytes < enough || parts_.size() == most_parts) continue;
            parts_.emplace_back();
            bytes = 0;
        }
        parts_.back().behind = in_the_end;
    }

public:
    /// More steps than a plan has.
    static constexpr int in_the_end = std::numeric_limits<int>::max();

    /// Of `updates`, those of a program from `first` on, as they are now. A part before the last one has `least` bytes or more of dense gradients.
    template<class P>
    void follow(trainer<P>& train, update_steps const& updates, int first, std::size_t least) {
        auto& state = trainer_access::state(train);
        state.gradients.begin(state.run);
        items_.clear();
        std::vector<int> behind;
        for (int k = 0; k < updates.count(); ++k) {
            planner::plan_step const& s = updates.step(k);
            auto const elements = static_cast<std::size_t>(s.sparse ? updates.row_length(k) : updates.elements(k));
            items_.push_back({s.sparse, elements * size_of(s.type), s.sparse ? size_of(s.index_type) : 0});
            behind.push_back(state.gradients.complete_behind(first + k));
        }
        rows_.resize(items_.size());
        cut(behind, least);
    }
    int parts() const { return static_cast<int>(parts_.size()); }
    /// Behind how many steps of the plan all gradients of a part are there. The last part is that which makes a gradient count: it leaves when all steps have run.
    int behind(int part) const { return parts_[static_cast<std::size_t>(part)].behind; }

    /// Behind a header of 64 bytes. `gradient(k)` says where that of update k is; the message refers to what lies there, and to this layout.
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
    /// Where the gradients lie in the messages of all parts. Throws value_error where one is too short or none of this layout.
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
