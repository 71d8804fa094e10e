// SPDX-License-Identifier: MIT
// A table that makes a row for a key once the key was seen often enough, and gives rows of unused keys to other keys.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/error.hpp>
#include <xgrad/core/leaves.hpp>
#include <xgrad/core/random.hpp>
#include <xgrad/core/shape.hpp>
#include <xgrad/sparse/vocabulary.hpp>
#include <xgrad/store/initializers.hpp>
#include <xgrad/store/variable_store.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

XGRAD_NAMESPACE_BEGIN

struct growing_table_options {
    std::int64_t admit_after = 1;    ///< a key gets a row when it is seen this often, the current sighting included
    std::int64_t candidates = 0;     ///< number of keys without a row that are counted at the same time; 0: as many as there are rows
    std::int64_t expire_after = 0;   ///< after this number of counting calls, a call also does expire(expire_after); 0: never
};

/// Rows of a variable for 64-bit keys.
///
///     xg::growing_table rows{"rows", train, table, xg::random_normal{.seed = 1, .stddev = 0.01}, {.admit_after = 2}};
///     train(ids = rows.lookup_or_insert(keys));                       // counts the keys
///     predict(ids = rows.lookup(others));                             // changes nothing
///     rows.expire(100000);                                            // frees the rows of keys that the last 100000 calls have not seen
///     save(train, path, {}, rows);  restore(train, path, rows);       // keys and counts are the tensor "rows/rows"
///
/// * A key that was seen `admit_after` times gets a row. Its first values depend only on the initializer, the seed and the key.
///   Its slots begin as the rules say, in all trainers of the variable.
/// * Row 0 is shared by all keys that have no row.
/// * The first axis of the variable is the number of rows. If it is a named dimension, `train.grow(...)` adds rows.
/// * If no row is free, the next key that should get one causes a value_error, and the call changes nothing.
/// * Memory is allocated when the table is made and after the variable has grown. Lookups do not allocate.
/// * It is a hash table with open addressing, at most half full, of 32 bytes a place.
/// * Several threads may call lookup at the same time. No other call may overlap with anything else.
/// * The owner must outlive the table.
class growing_table {
    struct entry {
        std::int64_t key, seen, last;   // last: the number of the last call that saw the key
        std::int32_t row;               // -1: none; -2: assigned in this call
        bool used;
    };
    std::string name_;
    variable_store* store_;
    int variable_;
    initial_law law_;
    growing_table_options options_;
    std::vector<entry> places_;        // the size is a power of two
    std::vector<std::int32_t> free_;   // a heap with the least row first, so that a restored table gives out the same rows
    std::int64_t tracked_ = 0, rows_ = 0, capacity_ = 0, call_ = 0;

    stored_variable const& variable() const { return store_->declared(variable_); }
    std::int64_t width() const { return variable().size / variable().extents[0]; }
    std::int64_t most_tracked() const { return capacity_ - 1 + (options_.candidates > 0 ? options_.candidates : capacity_ - 1); }

    std::size_t place_of(std::int64_t key) const {
        std::size_t const mask = places_.size() - 1;
        std::size_t at = static_cast<std::size_t>(mix_bits(static_cast<std::uint64_t>(key))) & mask;
        while (places_[at].used && places_[at].key != key) at = (at + 1) & mask;
        return at;
    }
    void erase(std::size_t hole) {   // moves later entries of the probe sequence up
        std::size_t const mask = places_.size() - 1;
        for (std::size_t at = (hole + 1) & mask; places_[at].used; at = (at + 1) & mask) {
            std::size_t const home = static_cast<std::size_t>(mix_bits(static_cast<std::uint64_t>(places_[at].key))) & mask;
            if (((at - home) & mask) < ((at - hole) & mask)) continue;
            places_[hole] = places_[at];
            hole = at;
        }
        places_[hole].used = false;
        --tracked_;
    }
    void give_back(std::int32_t row) {
        free_.push_back(row);
        std::push_heap(free_.begin(), free_.end(), std::greater<>());
    }
    /// Adapts the table to the current number of rows of the variable.
    void widen() {
        std::int64_t const before = capacity_, now = variable().extents[0];
        if (now == before) return;
        if (now > std::numeric_limits<std::int32_t>::max()) fail({"has more than 2^31 - 1 rows"});
        capacity_ = now;
        std::size_t n = 16;
        while (n < 2 * static_cast<std::size_t>(most_tracked())) n *= 2;
        std::vector<entry> old(n, entry{});
        free_.reserve(static_cast<std::size_t>(now));
        old.swap(places_);
        for (entry const& e : old)
            if (e.used) places_[place_of(e.key)] = e;
        for (std::int64_t r = before > 1 ? before : 1; r < now; ++r) give_back(static_cast<std::int32_t>(r));
    }
    /// The current memory of row r of the variable, or of one of its slots per element.
    stored_part row_of(stored_part p, optimizer_state const* o, int slot, std::int32_t r) const {
        held_rows* const h = store_->held();
        std::byte* const elsewhere = h != nullptr && (o == nullptr || o == h->optimizer) ? h->begin_row(*h, variable_, slot, r) : nullptr;
        p.size = width();
        p.data = elsewhere != nullptr ? elsewhere : static_cast<std::byte*>(p.data) + static_cast<std::size_t>(r) * p.bytes();
        return p;
    }
    /// Assigns a row to an admitted key and initializes it.
    void make_row(entry& e) {
        std::pop_heap(free_.begin(), free_.end(), std::greater<>());
        e.row = free_.back();
        free_.pop_back();
        ++rows_;
        stored_variable const& v = variable();
        std::int64_t const n = width();
        std::uint64_t const stream = mix_bits(static_cast<std::uint64_t>(e.key)) * static_cast<std::uint64_t>(n);
        stored_part const values = row_of(part_of(v), nullptr, -1, e.row);
        for (std::int64_t j = 0; j < n; ++j)
            set_elements(values, j, 1, detail::initial_element(law_, v, static_cast<std::int64_t>(stream + static_cast<std::uint64_t>(j))));
        for (auto* const o : store_->optimizers())
            if (stored_slots const* const s = o->find(variable_)) {
                for (int k = 0; k < s->slot_count; ++k) {
                    per const scope = s->slot_infos[k].scope;
                    if (scope == per::element) set_elements(row_of(part_of(*s, k, v), o, k, e.row), 0, n, s->start[k]);
                    else if (scope == per::row) set_elements(part_of(*s, k, v), e.row, 1, s->start[k]);
                }
            }
    }
    [[noreturn]] void fail(std::initializer_list<message_part> parts) const {
        raise<value_error>(message({"xgrad: the growing table \"", name_, "\" of \"", variable().name, "\" ", message(parts)}));
    }
    void find(std::string_view wanted, std::uint64_t hash) {
        variable_ = store_->index_of(hash);
        if (variable_ < 0)
            raise<binding_error>(message({"xgrad: the growing table \"", name_, "\": the owner has no variable \"", wanted, "\"; it has ",
                detail::names_text(store_->variables(), [](stored_variable const& each) { return each.name; })}));
    }
    template<class Row>
    void check_lengths(std::span<std::int64_t const> keys, std::span<Row> rows) const {
        detail::check_room("growing table", name_, keys.size(), rows.size());
    }

public:
    template<class... A>   // growing_table(train, users)
        requires(sizeof...(A) > 0 && sizeof...(A) < 4 && !(std::is_same_v<std::remove_cvref_t<A>, growing_table> || ...))
    explicit growing_table(A&&...) {
        static_assert(sizeof...(A) > 99,
            "xgrad::growing_table(name, owner, table, initializer): an argument is missing; write growing_table users(\"users\", "
            "train, table, random_uniform{.seed = 1})");
    }
    /// `name` is the name in checkpoints. Throws value_error in these cases:
    ///
    /// * the variable has no first axis of at least two rows;
    /// * an option is negative;
    /// * the initializer cannot make single rows (orthogonal, identity_initializer).
    template<class Owner, class Variable, class Initializer>
    growing_table(std::string name, Owner& owner, Variable const&, Initializer const& how, growing_table_options options = {})
        : name_(std::move(name)), store_(&owner.store()), variable_(-1), law_(how.law()), options_(options) {
        static_assert(detail::is_variable<Variable>,
            "xgrad::growing_table{name, owner, v, initializer}: v is not a variable of the owner; give one of its variables");
        if constexpr (detail::is_variable<Variable>) find(Variable::info.attrs.name, Variable::info.attrs.name_hash);
        if (variable().rank < 1 || variable().extents[0] < 2)
            fail({"needs a first axis of at least two rows: row 0 is that of keys without one"});
        if (options_.admit_after < 1) fail({"has admit_after ", options_.admit_after, ", which must be at least 1"});
        if (options_.candidates < 0) fail({"has candidates ", options_.candidates, ", which must not be negative"});
        if (options_.expire_after < 0) fail({"has expire_after ", options_.expire_after, ", which must not be negative"});
        if (law_.kind == initial_law::form::orthogonal || law_.kind == initial_law::form::identity)
            fail({"has an initializer that makes no single rows; give random_normal, random_uniform or a constant"});
        law_ = detail::law_for(law_, variable(), true);
        widen();
    }

    std::string const& name() const { return name_; }
    /// The number of keys that have a row. The next function returns the number of free rows.
    std::int64_t size() const { return rows_; }
    std::int64_t room() const { return variable().extents[0] - 1 - rows_; }
    /// The number of times that a key was seen; 0 if it is not known.
    std::int64_t seen(std::int64_t key) const {
        entry const& e = places_[place_of(key)];
        return e.used ? e.seen : 0;
    }
    /// The row of a key, 0 if it has none.
    std::int64_t lookup(std::int64_t key) const {
        entry const& e = places_[place_of(key)];
        return e.used && e.row > 0 ? e.row : 0;
    }
    /// The rows of many keys, as std::int32_t or std::int64_t. Throws shape_error if the lengths differ.
    template<class Row>
    void lookup(std::span<std::int64_t const> keys, std::span<Row> rows) const {
        check_lengths(keys, rows);
        for (std::size_t i = 0; i < keys.size(); ++i) rows[i] = static_cast<Row>(lookup(keys[i]));
    }
    std::vector<std::int32_t> lookup(std::span<std::int64_t const> keys) const {
        std::vector<std::int32_t> rows(keys.size());
        lookup(keys, std::span(rows));
        return rows;
    }

    /// Counts each occurrence of a key, and gives rows to keys that were seen often enough. A new key is not counted while as many
    /// keys are known as there are rows and `candidates`. Throws value_error if too few rows are free, and shape_error if the
    /// lengths differ. Nothing has changed then.
    template<class Row>
    void lookup_or_insert(std::span<std::int64_t const> keys, std::span<Row> rows) {
        check_lengths(keys, rows);
        store_->expect_no_run("growing_table.lookup_or_insert(keys, rows)", store_access::change);
        widen();
        std::size_t due = 0, first_without = 0;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            std::int64_t const key = keys[i];
            std::size_t const at = place_of(key);
            if (!places_[at].used) {
                if (tracked_ == most_tracked()) continue;
                places_[at] = {key, 0, call_, -1, true};
                ++tracked_;
            }
            if (entry& e = places_[at]; ++e.seen >= options_.admit_after && e.row == -1) {
                e.row = -2;
                if (due++ == free_.size()) first_without = i;
            }
        }
        if (due > free_.size()) {
            for (std::int64_t const key : keys) {
                std::size_t const at = place_of(key);
                entry& e = places_[at];
                if (!e.used) continue;
                if (e.row == -2) e.row = -1;
                if (--e.seen == 0) erase(at);
            }
            fail({"has no room for ", due, " new keys, for ", keys[first_without], " at position ", first_without,
                " and those after it: ", rows_, " of ", capacity_ - 1,
                " rows are given out; call expire(...), or make the variable larger, by grow(...) where its "
                "first axis is a named dimension"});
        }
        ++call_;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            entry& e = places_[place_of(keys[i])];
            if (e.used) {
                e.last = call_;
                if (e.row == -2) make_row(e);
            }
            rows[i] = static_cast<Row>(e.used && e.row > 0 ? e.row : 0);
        }
        if (options_.expire_after > 0 && call_ % options_.expire_after == 0) expire(options_.expire_after);
    }
    std::vector<std::int32_t> lookup_or_insert(std::span<std::int64_t const> keys) {
        std::vector<std::int32_t> rows(keys.size());
        lookup_or_insert(keys, std::span(rows));
        return rows;
    }

    /// Forgets keys that the last `idle` calls have not seen, and keys that were seen fewer than `least` times. Their rows become
    /// free. Returns the number of freed rows.
    std::int64_t expire(std::int64_t idle, std::int64_t least = 0) {
        std::int64_t const before = rows_;
        for (std::size_t at = 0; at < places_.size();) {
            entry const& e = places_[at];
            if (!e.used || (call_ - e.last <= idle && e.seen >= least)) {
                ++at;
                continue;
            }
            if (e.row > 0) {
                give_back(e.row);
                --rows_;
            }
            erase(at);   // an entry that moves here has a later place, or one at the beginning, which has been checked
        }
        return before - rows_;
    }
    /// Calls f(key, row) for each key that has a row, in no particular order.
    template<class F>
    void visit(F const& f) const {
        for (entry const& e : places_)
            if (e.used && e.row > 0) f(e.key, static_cast<std::int64_t>(e.row));
    }

    // For checkpoints: the name and the values to save, and how to restore them.
    static constexpr std::string_view saved_as = "rows", broken = "is not a list of rows of this table";
    /// The number of calls, then four numbers for each key, in the order of the keys: key, sightings, last call, row.
    std::vector<std::int64_t> numbers() const {
        std::vector<entry> known;
        for (entry const& e : places_)
            if (e.used) known.push_back(e);
        std::sort(known.begin(), known.end(), [](entry const& a, entry const& b) { return a.key < b.key; });
        std::vector<std::int64_t> all{call_};
        for (entry const& e : known) all.insert(all.end(), {e.key, e.seen, e.last, e.row});
        return all;
    }
    /// Replaces the state. Returns false, and changes nothing, if the numbers do not fit.
    bool assign(std::span<std::int64_t const> numbers) {
        growing_table other = blank();
        if (numbers.size() % 4 != 1 || numbers[0] < 0) return false;
        other.call_ = numbers[0];
        std::vector<bool> taken(static_cast<std::size_t>(other.capacity_), false);
        for (std::size_t i = 1; i < numbers.size(); i += 4) {
            std::int64_t const key = numbers[i], row = numbers[i + 3];
            if (numbers[i + 1] < 1 || numbers[i + 2] < 0 || numbers[i + 2] > other.call_ || row == 0 || row < -1 || row >= other.capacity_)
                return false;
            std::size_t const at = other.place_of(key);
            if (other.places_[at].used || other.tracked_ == other.most_tracked() || (row > 0 && taken[static_cast<std::size_t>(row)]))
                return false;
            other.places_[at] = {key, numbers[i + 1], numbers[i + 2], static_cast<std::int32_t>(row), true};
            ++other.tracked_;
            if (row > 0) {
                taken[static_cast<std::size_t>(row)] = true;
                ++other.rows_;
            }
        }
        other.free_.clear();
        for (std::int64_t r = 1; r < other.capacity_; ++r)
            if (!taken[static_cast<std::size_t>(r)]) other.give_back(static_cast<std::int32_t>(r));
        std::swap(*this, other);
        return true;
    }
    /// The same table without keys.
    growing_table blank() const {
        growing_table other = *this;
        other.places_.clear();
        other.free_.clear();
        other.tracked_ = other.rows_ = other.capacity_ = other.call_ = 0;
        other.widen();
        return other;
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
