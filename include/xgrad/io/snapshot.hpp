// SPDX-License-Identifier: MIT
// A checkpoint in memory, for example of the best weights so far.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/io/checkpoint.hpp>

#include <cstring>
#include <memory>
#include <utility>

XGRAD_NAMESPACE_BEGIN

namespace detail {

/// A copy of the tensors, rules, sizes, steps and seed of a store.
class store_copy {
    struct contents {
        kept_texts texts;
        sequence<std::int64_t> extents;   // max_rank extents of each tensor
        sequence<tensor_entry> variables, all;
        sequence<metadata_entry> metadata;
        aligned_buffer<std::byte> memory;
        std::uint64_t seed = 0;
        std::int64_t steps = 0;
    };
    std::unique_ptr<contents> kept_;

public:
    bool empty() const { return kept_ == nullptr; }
    void take(variable_store& store);
    void give_back(variable_store& store, bool only_variables) const;
};

#if XGRAD_COMPILED != 1
XGRAD_COLD XGRAD_HOST void store_copy::take(variable_store& store) {
    store.expect_no_run("snapshot.take(owner)", store_access::read);
    stored_tensors const now(store);
    std::unique_ptr<contents> next(new contents);
    sequence<std::int64_t> extents(now.list.count * max_rank);   // all allocated now, so that none moves
    next->extents.swap(extents);
    for (int k = 0; k < now.list.count; ++k) {
        tensor_entry t = now.list.at[k];
        std::int64_t* const to = next->extents.at + k * max_rank;
        for (std::size_t d = 0; d < t.rank; ++d) to[d] = t.extents[d];
        std::uint64_t bytes = 0;
        checked_bytes(t.extents, t.rank, size_of(t.type), bytes);
        t.begin = k == 0 ? 0 : next->all.last().end;
        t.end = t.begin + bytes;
        t.name = next->texts.keep({t.name});
        t.extents = to;
        next->all.push(t);
    }
    add_rules_and_sizes(store, next->texts, next->metadata);
    sort_entries(next->metadata);
    std::size_t const total = static_cast<std::size_t>(next->all.count == 0 ? 0 : next->all.last().end) + 1;
    if (kept_ != nullptr && kept_->memory.size() >= total) next->memory.swap(kept_->memory);
    else next->memory.grow_to(total);
    for (int k = 0; k < now.list.count; ++k) {
        tensor_entry& t = next->all.at[k];
        t.data = next->memory.data() + t.begin;
        if (t.begin != t.end) std::memcpy(t.data, now.list.at[k].data, static_cast<std::size_t>(t.end - t.begin));
        if (k < now.variables) next->variables.push(t);
    }
    sort_entries(next->all);
    sort_entries(next->variables);
    next->seed = store.seed;
    next->steps = store.steps;
    kept_ = std::move(next);
}
XGRAD_COLD XGRAD_HOST void store_copy::give_back(variable_store& store, bool only_variables) const {
    store.expect_no_run("snapshot.restore(owner)", only_variables ? store_access::change : store_access::step);
    if (empty()) raise_parts<checkpoint_error>({"xgrad::snapshot: nothing has been taken; call take(owner) first"});
    comparison with(store, only_variables ? kept_->variables : kept_->all, kept_->metadata, "snapshot");
    stored_tensors const& here = with.here();
    int const count = only_variables ? here.variables : here.list.count;
    for (int k = 0; k < count; ++k) with.compare(k, here.list.at[k].name);
    with.compare_sizes();
    with.expect_no_others();
    if (!only_variables) with.compare_rules();
    if (!with.wrong().empty())
        raise_parts<checkpoint_error>({"xgrad::snapshot: restore: the owner does not fit; nothing has been changed:", with.wrong()});
    for (int k = 0; k < count; ++k)
        if (tensor_entry const* const kept = with.find(here.list.at[k].name); kept->begin != kept->end)
            std::memcpy(here.list.at[k].data, kept->data, static_cast<std::size_t>(kept->end - kept->begin));
    if (only_variables) return;
    store.seed = kept_->seed;
    store.steps = kept_->steps;
}
#endif

}   // namespace detail

/// A copy in memory of what save() writes: variables, slots, optimizer scalars, global step and seed of a trainer or
/// xgrad::variables.
///
///     xg::snapshot best;
///     if (stop.update(validation_loss)) best.take(train);   // metrics::early_stopping
///     best.restore(train);
class snapshot {
    detail::store_copy copy_;

    template<class Owner>
    static constexpr bool check() {
        constexpr bool owns = requires(Owner& owner) { owner.store().variables(); };
        static_assert(
            owns, "xgrad::snapshot: the owner is neither a trainer (minimize, apply_gradients) nor xgrad::variables; give one of these");
        return owns;
    }

public:
    /// An empty snapshot.
    snapshot() = default;
    template<class Owner>
    explicit snapshot(Owner& owner) {
        take(owner);
    }
    /// Copies the state of the owner and replaces what was taken before. The memory is reused unless the owner has grown.
    template<class Owner>
    void take(Owner& owner) {
        if constexpr (check<Owner>()) copy_.take(owner.store());
    }
    /// Restores the state. Throws checkpoint_error if nothing was taken, or if names, shapes, element types or rules differ. Nothing
    /// has changed then.
    template<class Owner>
    void restore(Owner& owner) const {
        if constexpr (check<Owner>()) copy_.give_back(owner.store(), false);
    }
    /// Restores only the variables, like restore_best_weights of Keras. Slots, steps and seed stay. The owner may be another one with
    /// the same variables.
    template<class Owner>
    void restore(Owner& owner, variables_only_flag) const {
        if constexpr (check<Owner>()) copy_.give_back(owner.store(), true);
    }
    template<class R = void>
    void take() const {
        static_assert(!std::is_void_v<R>, "xgrad: snapshot.take(owner): the owner is missing; write best.take(train)");
    }
    template<class... A, class R = void>   // restore(), restore(variables_only, train)
    void restore(A const&...) const {
        static_assert(!std::is_void_v<R>,
            "xgrad: snapshot.restore(owner): the owner is missing, const or not first; write best.restore(train), or "
            "best.restore(train, variables_only)");
    }
    bool empty() const { return copy_.empty(); }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
