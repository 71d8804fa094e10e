// SPDX-License-Identifier: MIT
// The values of variables that are sent with a token: of tables only the rows that have moved.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/sync/mean_update.hpp>
#include <xgrad/replicas/replica_state.hpp>
#include <xgrad/train/step_parts.hpp>

#include <algorithm>
#include <utility>
#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// A ring of the rows of a table that updates have moved, in order. Its capacity is limited so that these rows with their indices never
/// exceed the bytes of the table. A position in the log is the number of rows that were moved before it.
class row_log {
    aligned_buffer<std::int32_t> rows_;   // a ring
    std::int64_t end_ = 0;

public:
    void make_room(std::size_t rows) { rows_.grow_to(rows); }
    std::int64_t capacity() const { return static_cast<std::int64_t>(rows_.size()); }
    std::int64_t end() const { return end_; }
    void add(std::int64_t const* rows, std::int64_t n) {
        for (std::int64_t k = n > capacity() ? n - capacity() : 0; k < n; ++k) rows_[place(end_ + k)] = static_cast<std::int32_t>(rows[k]);
        end_ += n;
    }
    /// Anything may have moved: no worker has the current values.
    void forget() { end_ += capacity() + 1; }
    /// Whether all rows that have moved since a position are still in the log.
    bool holds(std::int64_t since) const { return end_ - since <= capacity(); }
    /// Calls `f(rows, n)` for the rows since a position. All of them must still be in the log. They are stored in two pieces.
    template<class F>
    void each_piece(std::int64_t since, F const& f) const {
        std::int64_t const n = end_ - since;
        if (n == 0) return;
        std::int64_t const first = std::min(n, capacity() - static_cast<std::int64_t>(place(since)));
        f(rows_.data() + place(since), first);
        f(rows_.data(), n - first);
    }

private:
    std::size_t place(std::int64_t position) const { return static_cast<std::size_t>(position % capacity()); }
};

/// The values of the variables that some updates of a program move, and of variables that no update moves but on_update may. In a message:
///
///     table updated by index only   count | count indices of 4 bytes | count rows      or  -1 | the whole table
///     moved by no update            0                                                  or  -1 | the whole variable
///     others                        the whole variable
///
/// The rows are those that have moved since the last token of the same worker. They are sent if the rule leaves other rows alone, and if
/// they need fewer bytes than the table.
class token_values {
    struct item {
        state_piece whole;
        int update = -1;        // of a table: its update, counted within the share
        bool by_rows = false;   // its rule moves only the rows that occur
        bool at_rest = false;   // no update moves it
        std::int64_t rows = 0;
        std::size_t row_bytes = 0;
        row_log log{};
        std::int64_t count = 0;   // in the message being built

        bool is_counted() const { return update >= 0 || at_rest; }
        std::byte* row(std::int32_t r) const { return static_cast<std::byte*>(whole.data) + static_cast<std::size_t>(r) * row_bytes; }
    };
    std::vector<item> items_;
    std::vector<std::int64_t> given_;   // positions in the logs: for each worker those of all items

    std::int64_t& given(int worker, std::size_t k) { return given_[static_cast<std::size_t>(worker) * items_.size() + k]; }
    [[noreturn]] static void refuse(int from) {
        raise_parts<value_error>(
            {"xgrad: replicas: rank ", from, " has sent rows that the table does not have: do all ranks run the same program?"});
    }

public:
    /// Covers the variables moved by the updates `first` .. `end` - 1, and with `with_rest` those that no update moves. `in` is the store
    /// in which values are read or written.
    template<class P>
    token_values(trainer<P>& train, variable_store const& in, int first, int end, bool with_rest) {
        runtime_plan const& plan = step_driver::state(train).run.plan();
        for (stored_variable const& v : in.variables()) {
            item i{.whole = piece_of(v)};
            int updates = 0, elsewhere = 0;
            for (int u = step_parts<P>::second(); u < plan.step_count; ++u)
                if (plan.variables[plan.steps[u].variable].hash == v.hash) {
                    bool const mine = u >= first && u < end;
                    ++(mine ? updates : elsewhere);
                    if (mine && plan.steps[u].sparse) i.update = u - first;
                }
            i.at_rest = with_rest && updates + elsewhere == 0;
            if (updates == 0 && !i.at_rest) continue;
            if (updates > 1 || i.whole.bytes == 0) i.update = -1;
            if (i.update >= 0) {
                i.rows = v.extents[0];
                i.row_bytes = i.whole.bytes / static_cast<std::size_t>(i.rows);
            }
            for (stored_slots const& s : train.optimizer().all())
                if (train.store().variables().at[s.variable].hash == v.hash) i.by_rows = i.update >= 0 && s.lazy;
            items_.push_back(std::move(i));
        }
    }
    /// Prepares to send tokens to `workers` workers, all of which have the current values. Throws std::bad_alloc.
    void make_room(int workers) {
        for (item& i : items_)
            if (i.by_rows) i.log.make_room(i.whole.bytes / (i.row_bytes + sizeof(std::int32_t)));
        given_.assign(static_cast<std::size_t>(workers) * items_.size(), 0);
    }
    /// Records the moved rows. Call it after mean_update.apply(), before its finish().
    void moved(mean_update const& mean) {
        for (item& i : items_)
            if (i.by_rows) i.log.add(mean.moved_rows(i.update).data(), static_cast<std::int64_t>(mean.moved_rows(i.update).size()));
    }
    /// Something else may have changed the variables: the next tokens carry everything.
    void forget() {
        for (item& i : items_) i.log.forget();
    }
    /// Adds the values that this worker does not have. The message refers to the variables and to this object.
    void add(outgoing& message, int worker) {
        for (std::size_t k = 0; k < items_.size(); ++k) {
            item& i = items_[k];
            std::int64_t const since = std::exchange(given(worker, k), i.log.end());
            i.count = (i.by_rows || i.at_rest) && i.log.holds(since) ? i.log.end() - since : -1;
            if (i.is_counted()) message.add(i.count);
            if (i.count < 0) {
                message.add(i.whole.data, i.whole.bytes);
                continue;
            }
            i.log.each_piece(
                since, [&](std::int32_t const* rows, std::int64_t n) { message.add(rows, static_cast<std::size_t>(n) * sizeof *rows); });
            i.log.each_piece(since, [&](std::int32_t const* rows, std::int64_t n) {
                for (std::int64_t r = 0; r < n; ++r) message.add(i.row(rows[r]), i.row_bytes);
            });
        }
    }
    /// Reads the values that a rank has added. Throws value_error if they are of another program.
    void read(incoming& message, int from) const {
        for (item const& i : items_) {
            auto const count = i.is_counted() ? message.read<std::int64_t>() : -1;
            if (count < 0) {
                message.read(i.whole.data, i.whole.bytes);
                continue;
            }
            if (count > i.rows) refuse(from);
            std::byte const* const rows = message.take(static_cast<std::size_t>(count) * sizeof(std::int32_t));
            for (std::int64_t k = 0; k < count; ++k) {
                std::int32_t row;
                std::memcpy(&row, rows + static_cast<std::size_t>(k) * sizeof row, sizeof row);
                if (row < 0 || row >= i.rows) refuse(from);
                message.read(i.row(row), i.row_bytes);
            }
        }
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
