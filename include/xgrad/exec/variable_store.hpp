// SPDX-License-Identifier: MIT
// The memory of variables and their slots: pinned, aligned, variables of one element type and rule side by side. Steps and functions borrow it.
#pragma once

#include <xgrad/backend/aligned_buffer.hpp>
#include <xgrad/core/error.hpp>
#include <xgrad/core/rule_state.hpp>
#include <xgrad/exec/runtime_plan.hpp>
#include <xgrad/kernels/arguments.hpp>
#include <xgrad/meta/sequence.hpp>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

XGRAD_NAMESPACE_BEGIN

/// One variable in the store.
struct stored_variable {
    std::string_view name;
    std::uint64_t hash;
    dtype type;
    int rank;
    std::int64_t extents[max_rank];
    std::int64_t size;       // elements
    int group;               // of the optimizer, -1 for none
    std::string_view rule;   // TensorFlow's name of the group's rule, as in checkpoints
    std::string kind;        // its own name and sparse semantics
    void* data;
    int slot_count;
    slot_info const* slot_infos;   // as the rule declares them
    void* slots[max_rule_slots];
    extent shape[max_rank];   // as declared
};

/// A variable or one of its slots as an array.
struct stored_part {
    dtype type;
    int rank;
    std::int64_t extents[max_rank];
    std::int64_t size;   // elements
    void* data;
    std::size_t bytes() const { return static_cast<std::size_t>(size) * size_of(type); }
};
/// Slot `slot` of a variable; -1: the variable itself.
inline stored_part part_of(stored_variable const& v, int slot) {
    bool const whole = slot < 0;
    axis_range const axes = axes_of(whole ? per::element : v.slot_infos[slot].scope, v.rank);
    stored_part p{whole ? v.type : v.slot_infos[slot].type_for(v.type), axes.count, {}, 1, whole ? v.data : v.slots[slot]};
    for (int d = 0; d < axes.count; ++d) p.size *= p.extents[d] = v.extents[axes.first + d];
    return p;
}
/// Sets `count` elements of a floating type from `first` on; others stay as they are.
inline void set_elements(stored_part const& p, std::int64_t first, std::int64_t count, double x) {
    visit(p.type, [&]<class T>(std::type_identity<T>) {
        if constexpr (is_floating(dtype_of<T>) || is_half(dtype_of<T>)) {
            T const value = narrow_to<T>(x);
            for (std::int64_t i = first; i < first + count; ++i) static_cast<T*>(p.data)[i] = value;
        }
    });
}

/// The size of a named dimension of variables.
struct bound_size {
    dim_info const* info;
    std::int64_t size;
};

/// Variables, slots, optimizer scalars, step counter and seed of one model. Its address never changes, and that of a variable only when a named
/// dimension grows.
class variable_store {
    sequence<stored_variable> list_;
    sequence<bound_size> sizes_;
    aligned_buffer<std::byte> memory_;
    std::size_t bytes_ = 0;
    int generation_ = 0;

    static std::int64_t size_in(sequence<bound_size> const& sizes, dim_info const& d) {
        for (auto const& b : sizes)
            if (b.info->hash == d.hash) return b.size;
        return -1;
    }
    // Extents and number of elements of a variable. Throws shape_error.
    static void measure(stored_variable& v, sequence<bound_size> const& sizes) {
        constexpr double most = 0x1p47;   // elements: more than there are addresses, and no sum of sizes overflows
        double elements = 1;
        v.size = 1;
        for (int d = 0; d < v.rank; ++d) {
            elements *= std::max(1.0, v.shape[d].evaluate([&](dim_info const& i) { return static_cast<double>(size_in(sizes, i)); }));
            if (elements > most)
                raise<shape_error>("xgrad: the variable \"" + std::string(v.name) +
                                   "\" has more elements with these sizes of its named dimensions than any memory holds");
            v.extents[d] = v.shape[d].evaluate([&](dim_info const& i) { return size_in(sizes, i); });
            if (v.extents[d] < 0)
                raise<shape_error>("xgrad: the variable \"" + std::string(v.name) + "\": axis " + std::to_string(d) + " has extent " +
                                   std::to_string(v.extents[d]) + " with these sizes of its named dimensions");
            v.size *= v.extents[d];
        }
    }
    static std::size_t lay_out(
        sequence<stored_variable>& list, std::byte* memory) {   // the bytes that are needed; with memory also the addresses
        std::size_t total = 0;
        sequence<bool> done(list.count, false);
        for (int i = 0; i < list.count; ++i) {
            if (done.at[i]) continue;
            for (int slot = -1; slot < list.at[i].slot_count; ++slot) {
                for (int k = i; k < list.count; ++k) {
                    stored_variable& v = list.at[k];
                    if (v.type != list.at[i].type || v.group != list.at[i].group) continue;
                    done.at[k] = true;
                    if (memory != nullptr) (slot < 0 ? v.data : v.slots[slot]) = memory + total;
                    total += (part_of(v, slot).bytes() + 63) / 64 * 64;
                }
                total += 64 * 3;   // blocks that begin at one offset modulo a page are slow to stream together
            }
        }
        return total;
    }

public:
    std::int64_t global_step = 0;
    std::uint64_t seed = 0;
    std::vector<double> powers;             // optimizer-owned scalars, group by group
    std::vector<std::string> power_names;   // theirs, as in checkpoints

    variable_store() = default;
    variable_store(variable_store const&) = delete;
    variable_store& operator=(variable_store const&) = delete;

    /// Makes the variables, whose extents are not yet known, with these sizes of their named dimensions: first those of one type and group, then their
    /// first slots, ... each on a multiple of 64 bytes. Everything is zero. Throws shape_error.
    void create(sequence<stored_variable>& list, sequence<bound_size>& sizes) {
        for (auto& v : list) measure(v, sizes);
        list_.swap(list);
        sizes_.swap(sizes);
        bytes_ = lay_out(list_, nullptr) + 64;
        memory_ = aligned_buffer<std::byte>(bytes_);
        lay_out(list_, memory_.data());
    }
    /// Other sizes of the named dimensions, none smaller: elements keep their index, `fill(variable, slot, element)` gives the new ones (slot -1: the
    /// variable itself). All addresses change. Throws shape_error and std::bad_alloc, and nothing has been changed then.
    template<class Fill>
    void grow(sequence<bound_size>& sizes, Fill const& fill) {
        sequence<stored_variable> wider(list_);
        for (int k = 0; k < list_.count; ++k) {
            measure(wider.at[k], sizes);
            for (int d = 0; d < wider.at[k].rank; ++d)
                if (wider.at[k].extents[d] < list_.at[k].extents[d])
                    raise<shape_error>("xgrad: grow: the variable \"" + std::string(wider.at[k].name) + "\" has " +
                                       std::to_string(list_.at[k].extents[d]) + " elements along axis " + std::to_string(d) +
                                       " and would have " + std::to_string(wider.at[k].extents[d]) + "; sizes can only grow");
        }
        aligned_buffer<std::byte> memory(lay_out(wider, nullptr) + 64);
        lay_out(wider, memory.data());
        for (int k = 0; k < list_.count; ++k)
            for (int slot = -1; slot < list_.at[k].slot_count; ++slot) {
                stored_part const from = part_of(list_.at[k], slot), to = part_of(wider.at[k], slot);
                auto const* source = static_cast<std::byte const*>(from.data);
                auto* target = static_cast<std::byte*>(to.data);
                std::size_t const bytes = size_of(to.type);
                for (std::int64_t i = 0; i < to.size; ++i) {
                    std::int64_t rest = i, at = 0, stride = 1;
                    bool old = true;
                    for (int d = to.rank; d-- > 0; stride *= from.extents[d], rest /= to.extents[d]) {
                        old = old && rest % to.extents[d] < from.extents[d];
                        at += rest % to.extents[d] * stride;
                    }
                    std::byte* const element = target + static_cast<std::size_t>(i) * bytes;
                    if (old) std::memcpy(element, source + static_cast<std::size_t>(at) * bytes, bytes);
                    else fill(wider.at[k], slot, i);
                }
            }
        memory_.swap(memory);
        bytes_ = memory_.size();
        for (int k = 0; k < list_.count; ++k) list_.at[k] = wider.at[k];   // in place: borrowers hold their addresses
        sizes_.swap(sizes);
        ++generation_;
    }
    /// The size of a named dimension of a variable, or -1.
    std::int64_t size_of_dimension(dim_info const& d) const { return size_in(sizes_, d); }
    sequence<bound_size> const& sizes() const { return sizes_; }
    /// Changes when the variables get other addresses.
    int generation() const { return generation_; }
    sequence<stored_variable> const& variables() const { return list_; }
    std::size_t bytes() const { return bytes_; }
    /// The first of those bytes.
    std::byte const* memory() const { return memory_.data(); }
    /// Null where there is no variable of that name.
    stored_variable const* find(std::uint64_t hash) const {
        for (auto const& v : list_)
            if (v.hash == hash) return &v;
        return nullptr;
    }
    /// The variable as an expression declares it. Throws binding_error where there is none of that name, shape_error where it has other extents or
    /// another element type.
    stored_variable const& at(std::string_view name, dtype type, int rank, std::int64_t const* extents) const {
        auto const* v = find(hash_text(name));
        if (v == nullptr) raise<binding_error>("xgrad: there is no variable \"" + std::string(name) + "\" in this store");
        bool same = v->type == type && v->rank == rank;
        for (int d = 0; same && d < rank; ++d) same = v->extents[d] == extents[d];
        if (!same)
            raise<shape_error>(
                "xgrad: the variable \"" + std::string(name) + "\" has another shape or element type in the store than in this expression");
        return *v;
    }
};

XGRAD_NAMESPACE_END
