// SPDX-License-Identifier: MIT
// The memory of variables and their slots: pinned, aligned, variables of one element type and rule side by side. Steps and functions borrow it.
#pragma once

#include <xgrad/backend/aligned_buffer.hpp>
#include <xgrad/core/error.hpp>
#include <xgrad/exec/runtime_plan.hpp>
#include <xgrad/kernels/arguments.hpp>
#include <xgrad/meta/sequence.hpp>

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
    void* slots[max_rule_slots];
};

/// Variables, slots, optimizer scalars, step counter and seed of one model. Its address and that of every variable never change.
class variable_store {
    sequence<stored_variable> list_;
    aligned_buffer<std::byte> memory_;
    std::size_t bytes_ = 0;

    std::size_t lay_out(std::byte* memory) {   // the bytes that are needed; with memory also the addresses
        std::size_t total = 0;
        sequence<bool> done(list_.count, false);
        for (int i = 0; i < list_.count; ++i) {
            if (done.at[i]) continue;
            for (int part = 0; part <= list_.at[i].slot_count; ++part) {
                for (int k = i; k < list_.count; ++k) {
                    stored_variable& v = list_.at[k];
                    if (v.type != list_.at[i].type || v.group != list_.at[i].group) continue;
                    done.at[k] = true;
                    if (memory != nullptr) (part == 0 ? v.data : v.slots[part - 1]) = memory + total;
                    total += (static_cast<std::size_t>(v.size) * size_of(v.type) + 63) / 64 * 64;
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

    /// Lays out all variables: first those of one type and group, then their first slots, ... each on a multiple of 64 bytes. Everything is zero.
    void create(sequence<stored_variable>& list) {
        list_.swap(list);
        bytes_ = lay_out(nullptr) + 64;
        memory_ = aligned_buffer<std::byte>(bytes_);
        lay_out(memory_.data());
    }
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
