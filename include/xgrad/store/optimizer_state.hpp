// SPDX-License-Identifier: MIT
// The state of one trainer next to its variables: the slots of its rules, their scalars, its step. Several trainers may
// share a store.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/aligned_buffer.hpp>
#include <xgrad/core/op.hpp>
#include <xgrad/core/rule_state.hpp>
#include <xgrad/kernels/arguments.hpp>
#include <xgrad/meta/sequence.hpp>

#include <cstring>
#include <string_view>

XGRAD_NAMESPACE_BEGIN

/// One variable in the store.
struct stored_variable {
    std::string_view name;
    std::uint64_t hash;
    dtype type;
    int rank;
    std::int64_t extents[max_rank];
    std::int64_t size;   // elements
    void* data;
    extent shape[max_rank];   // as declared
    bool trainable = true;
    start_form starts{};   // how it begins by `start`, which an initializer for all variables leaves
    float start = 0;
};

/// Whether a variable has its start value without an initializer.
inline bool begins_alone(stored_variable const& v) { return v.starts != start_form::none && v.starts != start_form::orthogonal; }

/// A variable or one of its slots as an array.
struct stored_part {
    dtype type;
    int rank;
    std::int64_t extents[max_rank];
    std::int64_t size;   // elements
    void* data;
    std::size_t bytes() const { return static_cast<std::size_t>(size) * size_of(type); }
};
stored_part part_of(stored_variable const& v);
/// Sets `count` elements, starting at `first`.
void set_elements(stored_part const& p, std::int64_t first, std::int64_t count, double x);
/// Sets all elements, which have 16 bits, to the nearest value of `from`.
void round_elements(stored_part const& p, float const* from);
/// Copies the elements of an array that grows: they keep their index. `fill(element)` sets the new ones.
template<class Fill>
void move_elements(stored_part const& from, stored_part const& to, Fill const& fill) {
    std::size_t const bytes = size_of(to.type);
    for (std::int64_t i = 0; i < to.size; ++i) {
        std::int64_t rest = i, at = 0, stride = 1;
        bool old = true;
        for (int d = to.rank; d-- > 0; stride *= from.extents[d], rest /= to.extents[d]) {
            old = old && rest % to.extents[d] < from.extents[d];
            at += rest % to.extents[d] * stride;
        }
        if (old)
            std::memcpy(static_cast<std::byte*>(to.data) + static_cast<std::size_t>(i) * bytes,
                static_cast<std::byte const*>(from.data) + static_cast<std::size_t>(at) * bytes, bytes);
        else fill(i);
    }
}

/// The slots of a rule for one variable.
struct stored_slots {
    int variable;            // in the list of the store
    int group;               // of the trainer
    std::string_view rule;   // TensorFlow's name of the group's rule, as in checkpoints
    std::string_view kind;   // the rule's own name
    bool lazy;               // sparse semantics of the rule
    int slot_count;
    slot_info const* slot_infos;    // as the rule declares them
    double start[max_rule_slots];   // of new elements
    void* slots[max_rule_slots];
};
/// Slot `slot` of variable v.
stored_part part_of(stored_slots const& s, int slot, stored_variable const& v);

/// Slots, optimizer scalars and step counter of one trainer. Slots of one element type and rule are contiguous, each on
/// a multiple of 64 bytes. The object is in the list of its store during its lifetime.
class optimizer_state {
    sequence<stored_slots> list_;
    aligned_buffer<std::byte> memory_;

    sequence<stored_slots> wider_list_;   // while the store grows
    aligned_buffer<std::byte> wider_memory_;

    friend class variable_store;
    // A template, so programs that grow nothing do not compile it.
    template<class Variables>
    void prepare_to_grow(Variables const& now, Variables const& then) {
        sequence<stored_slots> list(list_);
        aligned_buffer<std::byte> memory(lay_out(list, then, nullptr) + 64);
        lay_out(list, then, memory.data());
        for (int k = 0; k < list_.count; ++k)
            for (int part = 0; part < list_.at[k].slot_count; ++part) {
                stored_slots const &from = list_.at[k], &to = list.at[k];
                stored_part const p = part_of(to, part, then.at[to.variable]);
                move_elements(
                    part_of(from, part, now.at[from.variable]), p, [&](std::int64_t i) { set_elements(p, i, 1, to.start[part]); });
            }
        wider_list_.swap(list);
        wider_memory_.swap(memory);
    }
    void finish_growing();

    // Returns the number of bytes. If memory is given, also sets the addresses.
    static std::size_t lay_out(sequence<stored_slots>& list, sequence<stored_variable> const& variables, std::byte* memory);

public:
    std::int64_t global_step = 0;             // steps of this trainer
    sequence<double> powers;                  // optimizer scalars, group by group
    sequence<std::string_view> power_names;   // names of the scalars, as in checkpoints

    optimizer_state() = default;
    optimizer_state(optimizer_state const&) = delete;
    optimizer_state& operator=(optimizer_state const&) = delete;

    /// Makes the slots of these variables, with their start values.
    void create(sequence<stored_slots>& list, sequence<stored_variable> const& variables);
    void reset(sequence<stored_variable> const& variables);
    /// All slots, in the order of the variables.
    sequence<stored_slots> const& all() const { return list_; }
    sequence<stored_slots>& all() { return list_; }
    /// The slots of a variable, by its number in the store; null if it has none.
    stored_slots const* find(int variable) const;
    aligned_buffer<std::byte> const& memory() const { return memory_; }
};

#if XGRAD_COMPILED != 1
XGRAD_HOST stored_part part_of(stored_variable const& v) {
    stored_part p{v.type, v.rank, {}, v.size, v.data};
    for (int d = 0; d < v.rank; ++d) p.extents[d] = v.extents[d];
    return p;
}
XGRAD_HOST void set_elements(stored_part const& p, std::int64_t first, std::int64_t count, double x) {
    if (count <= 0) return;
    std::size_t const element = size_of(p.type), all = static_cast<std::size_t>(count) * element;
    auto* const to = static_cast<std::byte*>(p.data) + static_cast<std::size_t>(first) * element;
    visit(p.type, [&]<class T>(std::type_identity<T>) {
        T const value = narrow_to<T>(x);
        std::memcpy(to, &value, sizeof value);
    });
    // Copies what is set already to the rest, for any type. Pieces stay small, so they come from the first cache.
    for (std::size_t done = element, piece = 0; done < all; done += piece) {
        piece = done < 4096 ? done : 4096;
        if (piece > all - done) piece = all - done;
        std::memcpy(to + done, to, piece);
    }
}
XGRAD_HOST void round_elements(stored_part const& p, float const* from) {
    visit(p.type, [&]<class T>(std::type_identity<T>) {
        if constexpr (is_half(dtype_of<T>))
            for (std::int64_t i = 0; i < p.size; ++i) static_cast<T*>(p.data)[i] = T(from[i]);
    });
}
XGRAD_COLD XGRAD_HOST stored_part part_of(stored_slots const& s, int slot, stored_variable const& v) {
    axis_range const axes = axes_of(s.slot_infos[slot].scope, v.rank);
    stored_part p{s.slot_infos[slot].type_for(v.type), axes.count, {}, 1, s.slots[slot]};
    for (int d = 0; d < axes.count; ++d) p.size *= p.extents[d] = v.extents[axes.at(d)];
    return p;
}
XGRAD_COLD XGRAD_HOST void optimizer_state::finish_growing() {
    memory_.swap(wider_memory_);
    for (int k = 0; k < list_.count; ++k) list_.at[k] = wider_list_.at[k];   // in place, because steps hold their addresses
    wider_memory_ = {};
}
XGRAD_COLD XGRAD_HOST std::size_t optimizer_state::lay_out(
    sequence<stored_slots>& list, sequence<stored_variable> const& variables, std::byte* memory) {
    constexpr std::size_t apart = 64 * 3;   // blocks at the same offset modulo a page are slow to stream together
    std::size_t total = apart;              // otherwise variables and their first slots would have the same offset
    sequence<bool> done(list.count, false);
    for (int i = 0; i < list.count; ++i) {
        if (done.at[i]) continue;
        stored_variable const& first = variables.at[list.at[i].variable];
        for (int part = 0; part < list.at[i].slot_count; ++part) {
            for (int k = i; k < list.count; ++k) {
                stored_slots& s = list.at[k];
                stored_variable const& v = variables.at[s.variable];
                if (v.type != first.type || s.group != list.at[i].group) continue;
                done.at[k] = true;
                if (memory != nullptr) s.slots[part] = memory + total;
                total += (part_of(s, part, v).bytes() + 63) / 64 * 64;
            }
            total += apart;
        }
    }
    return total;
}
XGRAD_COLD XGRAD_HOST void optimizer_state::create(sequence<stored_slots>& list, sequence<stored_variable> const& variables) {
    list_.swap(list);
    memory_ = aligned_buffer<std::byte>(lay_out(list_, variables, nullptr) + 64);
    lay_out(list_, variables, memory_.data());
    reset(variables);
}
XGRAD_COLD XGRAD_HOST void optimizer_state::reset(sequence<stored_variable> const& variables) {
    for (auto const& s : list_)
        for (int k = 0; k < s.slot_count; ++k) {
            stored_part const p = part_of(s, k, variables.at[s.variable]);
            set_elements(p, 0, p.size, s.start[k]);
        }
}
XGRAD_HOST stored_slots const* optimizer_state::find(int variable) const {
    for (auto const& s : list_)
        if (s.variable == variable) return &s;
    return nullptr;
}
#endif

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
